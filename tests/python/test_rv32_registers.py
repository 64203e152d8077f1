# SPDX-License-Identifier: Apache-2.0
"""RISC-V assembly: the registers of the calling convention, wiping, and alignment."""

from __future__ import annotations

import random
import struct
import subprocess
from itertools import product
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from samara.bench import devices, images, simulators, subjects

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

ROOT = Path(__file__).parents[2]
RV32 = ROOT / "core" / "arch" / "rv32"

_ARGUMENTS = tuple(f"a{n}" for n in range(8))
# These, the stack, gp and tp belong to the caller.
_KEPT = tuple(f"s{n}" for n in range(12))
_FREE = tuple(f"t{n}" for n in range(1, 7))
_BEFORE = (*_ARGUMENTS, *_KEPT, "tp")
_AFTER = (*_BEFORE, *_FREE, "gp", "sp")
_SAVED = (*_KEPT, "ra", "tp")
_BUFFER_BYTES = 0x200
_BUFFERS = 6
_FRAME = 96
_NINTH, _CANARY, _SAVED_AT = 0, 4, 16


def _words(instruction: str, names: Sequence[str], base: str, first: int = 0) -> str:
    lines = (
        f"{instruction} {name}, {first + 4 * n}({base})" for n, name in enumerate(names)
    )
    return "".join(f"{line}\\n " for line in lines)


# The call number `which`, with the registers of `before` and a ninth argument;
# `after` takes what it leaves, and the word of the stack above the ninth argument.
_PROGRAM = f"""
#include <stdint.h>
volatile uint32_t which;
uint32_t before[{len(_BEFORE)}], after[{len(_AFTER) + 1}], stack, ninth;
uint8_t buffers[{_BUFFERS}][{_BUFFER_BYTES}] __attribute__((aligned(8)));
#define CALL(name) \\
  __attribute__((naked)) static void call_##name(void) {{ \\
    __asm__("addi sp, sp, -{_FRAME}\\n {_words("sw", _SAVED, "sp", _SAVED_AT)}" \\
            "la t0, stack\\n sw sp, 0(t0)\\n" \\
            "la t0, ninth\\n lw t0, 0(t0)\\n sw t0, {_NINTH}(sp)\\n" \\
            "li t0, 0x5a5a1234\\n sw t0, {_CANARY}(sp)\\n" \\
            "la t0, before\\n {_words("lw", _BEFORE, "t0")}" \\
            ".global at_" #name "\\n at_" #name ": call " #name "\\n" \\
            "la t0, after\\n {_words("sw", _AFTER, "t0")}" \\
            "lw t1, {_CANARY}(sp)\\n sw t1, {4 * len(_AFTER)}(t0)\\n" \\
            ".global behind_" #name "\\n behind_" #name ":\\n" \\
            "{_words("lw", _SAVED, "sp", _SAVED_AT)} addi sp, sp, {_FRAME}\\n ret"); \\
  }}
"""
_MAIN = """
int main(void) {
  for (;;) {
    __asm__ __volatile__(".global ready\\n ready: nop" : : : "memory");
    switch (which) {
"""

# Arguments in a0, a1 ...: a string is a buffer's number, a number itself.
_MESSAGE = "samara_ascon_rv32_message"
_FUNCTIONS: dict[str, tuple[str | int, ...]] = {
    _MESSAGE: ("0", "1", "2", 21, "3", "4", 40, "5"),
    "samara_rv32_wipe": ("0", 23),
    "samara_leave": (0x12345678, 50),
    "samara_grain128_next": ("0",),
    "samara_grain128aead_rv32_authenticate": ("0", 0x12345678, 0x9ABCDEF0),
}
_TURNS = 4
_NAMES = ("ascon", "bytes", "grain128")


@pytest.fixture(scope="module")
def image(tmp_path_factory: pytest.TempPathFactory) -> images.Image:
    folder = tmp_path_factory.mktemp("rv32")
    main = folder / "main.c"
    calls = "".join(f"CALL({name})\n" for name in _FUNCTIONS)
    made = "".join(
        f"    case {n}:\n      call_{name}();\n      break;\n"
        for n, name in enumerate(_FUNCTIONS)
    )
    main.write_text(f"{_PROGRAM}{calls}{_MAIN}{made}    }}\n  }}\n}}\n")
    device = devices.device("ibex")
    family, core = device.family, ROOT / "core"
    linked = folder / "main.elf"
    assembly = [RV32 / f"{name}_rv32.c" for name in _NAMES]
    files = [main, family.folder / "start.c", core / "common" / "stack.c", *assembly]
    command = [family.compiler, *device.words(family.flags), "-Os"]
    command += ["-DSAMARA_MULTIPLIES=0", f"-I{core}", f"-I{core}/include"]
    command += map(str, files)
    linking = [*device.words(family.linker_flags), *family.libraries]
    # gcc takes a file of specs once.
    command += [word for word in linking if word not in command]
    subprocess.run([*command, "-o", str(linked)], check=True)
    return images.read(linked)


class Calls:
    """A processor that makes calls, one after another."""

    def __init__(self, image: images.Image, simulator: simulators.Simulator) -> None:
        self.image = image
        self.simulator = simulator
        self.symbols = image.symbols
        # Behind the start, which zeros the buffers.
        self._go("ready")

    def place(self, buffer: int) -> int:
        return self.symbols["buffers"] + _BUFFER_BYTES * buffer

    def begin(self, name: str, arguments: Sequence[int], rest: Sequence[int]) -> None:
        """Set the registers of a call, and go to it."""
        registers = [*arguments, *rest][: len(_BEFORE)]
        packed = struct.pack(f"<{len(_BEFORE)}I", *registers)
        self.simulator.write(self.symbols["before"], packed)
        number = struct.pack("<I", list(_FUNCTIONS).index(name))
        self.simulator.write(self.symbols["which"], number)
        self._go(f"at_{name}")

    def end(self, name: str) -> dict[str, int]:
        """Return the registers behind the call."""
        self._go(f"behind_{name}")
        size = 4 * (len(_AFTER) + 1)
        found = self.simulator.read(self.symbols["after"], size)
        values = struct.unpack(f"<{len(_AFTER) + 1}I", found)
        self._go("ready")
        return dict(zip((*_AFTER, "canary"), values, strict=True))

    def call(
        self, name: str, arguments: Sequence[int], rest: Sequence[int] | None = None
    ) -> dict[str, int]:
        self.begin(name, arguments, rest or [0] * len(_BEFORE))
        return self.end(name)

    def stack(self) -> int:
        """Return the stack pointer of the call."""
        (value,) = struct.unpack("<I", self.simulator.read(self.symbols["stack"], 4))
        return int(value)

    def _go(self, symbol: str) -> None:
        self.simulator.go(self.symbols[symbol], limit=1_000_000, floor=0)


@pytest.fixture
def calls(image: images.Image) -> Iterator[Calls]:
    with simulators.start(devices.device("ibex"), image.path) as simulator:
        yield Calls(image, simulator)


@pytest.mark.parametrize("name", _FUNCTIONS)
def test_the_registers_of_the_caller_are_kept(calls: Calls, name: str) -> None:
    # Several times: a register that is changed may be as it was by chance.
    for turn in range(_TURNS):
        chance = random.Random(f"{name} {turn}")  # noqa: S311 - any registers
        _check_registers(calls, name, chance)


def _check_registers(calls: Calls, name: str, chance: random.Random) -> None:
    arguments = [
        calls.place(int(value)) if isinstance(value, str) else value
        for value in _FUNCTIONS[name]
    ]
    rest = [chance.getrandbits(32) for _ in _BEFORE]
    calls.simulator.write(calls.place(0), chance.randbytes(_BUFFERS * _BUFFER_BYTES))
    after = calls.call(name, arguments, rest)
    expected = dict(zip(_BEFORE, [*arguments, *rest], strict=False))
    for register in (*_KEPT, "tp"):
        assert after[register] == expected[register], register
    assert after["sp"] == calls.stack()
    assert after["gp"] == calls.symbols["__global_pointer$"]
    assert after["canary"] == 0x5A5A1234
    if name == "samara_leave":
        assert after["a0"] == expected["a0"]
        assert {after[free] for free in (*_ARGUMENTS[1:], *_FREE)} == {0}


def test_wiping_zeros_these_bytes_and_no_others(calls: Calls) -> None:
    place = calls.place(0)
    for size, offset in product([*range(36), 64, 101], range(4)):
        begin = 16 + offset
        calls.simulator.write(place, b"\xff" * _BUFFER_BYTES)
        calls.call("samara_rv32_wipe", [place + begin, size])
        wanted = bytearray(b"\xff" * _BUFFER_BYTES)
        wanted[begin : begin + size] = bytes(size)
        assert calls.simulator.read(place, _BUFFER_BYTES) == bytes(wanted)


@pytest.mark.parametrize("size", [1, 4, 32, 33, 224, 300])
def test_leaving_zeros_the_stack_below(calls: Calls, size: int) -> None:
    calls.begin("samara_leave", (0, size), [0] * len(_BEFORE))
    stack = calls.stack()
    calls.simulator.write(stack - 1024, b"\xff" * 1024)
    calls.end("samara_leave")
    below = calls.simulator.read(stack - 1024, 1024)
    wiped = len(below) - len(below.rstrip(b"\0"))
    assert size <= wiped < size + 32
    assert set(below[: 1024 - wiped]) == {0xFF}


@pytest.mark.parametrize("opening", [False, True])
@pytest.mark.parametrize("aligned", ["none", "input", "output", "key", "all"])
def test_ascon_at_any_address_is_that_of_this_machine(
    calls: Calls, aligned: str, *, opening: bool
) -> None:
    """Sizes around blocks; what is aligned is at a word, the others in between."""
    chance = random.Random(aligned)  # noqa: S311 - any bytes
    reference = subjects.subject("ascon-aead128").reference
    assert reference is not None
    names = ("key", "nonce", "data", "input", "output", "tag")
    for size, data_size in (
        (0, 0),
        (1, 16),
        (15, 1),
        (16, 15),
        (17, 0),
        (32, 33),
        (47, 7),
    ):
        offsets = {
            name: 0 if aligned in (name, "all") else chance.randrange(1, 4)
            for name in names
        }
        places = [calls.place(n) + offsets[name] for n, name in enumerate(names)]
        key, nonce = chance.randbytes(16), chance.randbytes(16)
        data, message = chance.randbytes(data_size), chance.randbytes(size)
        sealed = reference.seal(key, nonce, message, data)
        ciphertext, tag = sealed[:size], sealed[size:]
        given, wanted = (ciphertext, message) if opening else (message, ciphertext)
        calls.simulator.write(calls.place(0), b"\xee" * (_BUFFERS * _BUFFER_BYTES))
        for place, content in zip(places, (key, nonce, data, given), strict=False):
            if content:
                calls.simulator.write(place, content)
        ninth = struct.pack("<I", 0xFFFFFFFF if opening else 0)
        calls.simulator.write(calls.symbols["ninth"], ninth)
        key_at, nonce_at, data_at, input_at, output_at, tag_at = places
        arguments = (
            key_at,
            nonce_at,
            data_at,
            data_size,
            input_at,
            output_at,
            size,
            tag_at,
        )
        calls.call(_MESSAGE, arguments)
        # And nothing behind them.
        assert calls.simulator.read(output_at, size + 1) == wanted + b"\xee"
        assert calls.simulator.read(tag_at, len(tag) + 1) == tag + b"\xee"


@pytest.mark.parametrize("size", [5, 16, 39])
def test_ascon_in_place_is_that_of_two_buffers(calls: Calls, size: int) -> None:
    chance = random.Random(size)  # noqa: S311 - any bytes
    reference = subjects.subject("ascon-aead128").reference
    assert reference is not None
    key, nonce, message = (chance.randbytes(n) for n in (16, 16, size))
    sealed = reference.seal(key, nonce, message, b"")
    for opening in (False, True):
        given, wanted = (
            (sealed[:size], message) if opening else (message, sealed[:size])
        )
        for buffer, content in enumerate((key, nonce, given)):
            calls.simulator.write(calls.place(buffer), content)
        ninth = struct.pack("<I", 0xFFFFFFFF if opening else 0)
        calls.simulator.write(calls.symbols["ninth"], ninth)
        text = calls.place(2)
        arguments = (
            calls.place(0),
            calls.place(1),
            text,
            0,
            text,
            text,
            size,
            calls.place(5),
        )
        calls.call(_MESSAGE, arguments)
        assert calls.simulator.read(text, size) == wanted
        assert calls.simulator.read(calls.place(5), 16) == sealed[size:]


def test_ascon_leaves_no_last_block_on_the_stack(calls: Calls) -> None:
    """Two messages that differ leave the same bytes below the stack pointer."""
    left = []
    for message in (b"\x00" * 21, b"\xa5" * 21):
        calls.simulator.write(calls.place(0), message + b"\x11" * 60)
        text, out = calls.place(0), calls.place(1)
        arguments = (text + 32, text + 32, text, 0, text, out, 21, calls.place(2))
        calls.call(_MESSAGE, arguments)
        left.append(calls.simulator.read(calls.stack() - 512, 512))
    assert left[0] == left[1]
