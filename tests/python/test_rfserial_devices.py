# SPDX-License-Identifier: Apache-2.0
"""The sealed framing on simulated devices: each end talks to this machine's."""

from __future__ import annotations

import random
from dataclasses import dataclass
from typing import TYPE_CHECKING

import pytest

from samara.bench import images, places, simulators, toolchain
from samara.bench.devices import device
from samara.bench.ways import Build
from samara.link.rfserial import Message, Noise, Receiver, Sender

if TYPE_CHECKING:
    from pathlib import Path

    from samara.bench.simulators import Simulator

SETTINGS = {"link": 0x1234, "direction": 1, "tag_size": 8, "counter_size": 2}
KEY = bytes(range(16))
SEAL, RECEIVE = 1, 2
CYCLES_MAX = 50_000_000
FOLDERS = ("aead", "common", "mode", "rfserial", "stream")


@dataclass(frozen=True, slots=True)
class Program:
    """tests/devices/rfserial.c on a device, waiting for jobs."""

    simulator: Simulator
    image: images.Image
    data_offset: int

    def do(self, operation: int, number: int, data: bytes) -> bytes:
        """Do one job; return the unit or the message, or nothing."""
        self.write("job_operation", bytes([operation]))
        self.write("job_key", KEY)
        self.write("job_number", number.to_bytes(8, "little"))
        self.write("job_size", len(data).to_bytes(2, "little"))
        self.write("job_data", data)
        self.go("device_done")
        (size,) = self.simulator.read(self.address("job_result"), 1)
        answer = self.simulator.read(self.address("job_data"), size) if size else b""
        self.go("device_ready")
        return answer

    def go(self, label: str) -> None:
        """Run to a label."""
        floor = self.address("_end")
        until = self.image.symbols[label]
        self.simulator.go(
            until, limit=CYCLES_MAX, floor=floor, watch_stack=simulators.ALL_MEMORY
        )

    def write(self, symbol: str, data: bytes) -> None:
        """Write a variable."""
        self.simulator.write(self.address(symbol), data)

    def address(self, symbol: str) -> int:
        """Return where a variable is in data memory."""
        return self.image.symbols[symbol] - self.data_offset


def linked(build: Build, aead: str, folder: Path) -> Path:
    """Compile and link the program with one cipher."""
    root, family = places.root(), build.device.family
    sources = [root / "tests" / "devices" / "rfserial.c"]
    patterns = [*(f"{folder}/*.c" for folder in FOLDERS), "block/aes*.c"]
    sources += [path for p in patterns for path in sorted((root / "core").glob(p))]
    sources += [family.folder / name for name in family.sources]
    includes = [f"-I{root / 'core'}", f"-I{root / 'core' / 'include'}"]
    objects: list[Path] = []
    for source in sources:
        target = folder / f"{source.parent.name}-{source.stem}.o"
        command = [family.compiler, *build.flags, f"-DDEVICE_AEAD={aead}", *includes]
        toolchain.run([*command, "-c", source, "-o", target])
        objects.append(target)
    image = folder / "rfserial.elf"
    words = build.device.words(family.linker_flags)
    sections = f"{family.linker_prefix}--gc-sections"
    toolchain.run(
        [family.linker, *words, sections, *objects, *family.libraries, "-o", image]
    )
    return image


@pytest.mark.slow
@pytest.mark.parametrize("name", ["atmega128rfa1", "msp430f1611"])
@pytest.mark.parametrize(
    ("suite", "aead"),
    [
        ("aes128-ccm-8", "samara_aes128_ccm_aead"),
        ("grain128aead", "samara_grain128aead_aead"),
    ],
)
def test_both_ends(name: str, suite: str, aead: str, tmp_path: Path) -> None:
    """What a device seals opens here, and the other way, also behind noise."""
    build = Build(device(name), "portable", "Os")
    image = images.read(linked(build, aead, tmp_path))
    # The cipher that is named is there, and no other.
    for cipher in ("samara_aes128", "samara_grain128aead", "samara_ascon"):
        found = any(symbol.startswith(cipher) for symbol in image.symbols)
        assert found == aead.startswith(cipher)
    source = random.Random(7)  # noqa: S311 - repeatable
    number = 2**40 + 255
    with simulators.start(build.device, image.path) as simulator:
        program = Program(simulator, image, build.device.family.data_offset)
        program.go("device_ready")
        for size in (0, 1, 14, 64):
            message = source.randbytes(size)
            sender = Sender("sealed", suite=suite, key=KEY, counter=number, **SETTINGS)
            receiver = Receiver(
                "sealed", suite=suite, key=KEY, counter=number - 3, **SETTINGS
            )
            unit = sender.encode(message)
            assert program.do(SEAL, number, message) == unit
            assert receiver.feed(bytes(2) + unit)[-1] == Message(number, message, unit)
            if size:
                line = source.randbytes(40) + unit
                assert program.do(RECEIVE, number - 5, line) == message
                forged = bytes([*unit[:3], unit[3] ^ 1, *unit[4:]])
                assert program.do(RECEIVE, number, forged) == b""
                assert receiver.feed(forged + unit)[0] == Noise(len(unit))
