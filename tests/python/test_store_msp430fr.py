# SPDX-License-Identifier: Apache-2.0
"""Counters in the FRAM of a simulated MSP430FR, whose power is cut at each word."""

from __future__ import annotations

import random
import shutil
from pathlib import Path
from typing import TYPE_CHECKING, Self

import pytest

from samara.bench import devices, images, toolchain
from samara.bench.simulators import CrashError
from samara.bench.simulators.msp430x import Msp430x

if TYPE_CHECKING:
    from collections.abc import Iterator

    from samara.bench.images import Image

ROOT = Path(__file__).parents[2]
FIRMWARE = ROOT / "tests" / "store_msp430fr" / "counter.c"
CHIP = devices.device("msp430fr5969")
RING, RING_BYTES = 0xF000, 12 * 8
RECORD_WORDS = 6
STEP = 2
FOREVER = -1
ERASED = b"\xff" * RING_BYTES


def image_of(core: Path, folder: Path, step: int = STEP) -> Image:
    """Build the firmware from a copy of core, or from core itself."""
    family = CHIP.family
    headers = toolchain.compiler_headers(family.compiler)
    flags = [word.format(headers=headers) for word in CHIP.words(family.flags)]
    flags += ["-Os", f"-DSTEP={step}", "-ffunction-sections", "-fdata-sections"]
    flags += [f"-I{core}", f"-I{core / 'include'}"]
    sources = [FIRMWARE, *sorted(core.glob("store/*.c"))]
    sources += sorted(core.glob("common/[cmrs]*.c"))
    sources += [family.folder / name for name in family.sources]
    objects = []
    for source in sources:
        # Two sources are called counter.c.
        objects.append(folder / f"{source.parent.name}-{source.stem}.o")
        toolchain.run([family.compiler, *flags, "-c", source, "-o", objects[-1]])
    linked = folder / f"counter-{step}.elf"
    link = [family.linker, *CHIP.words(family.linker_flags), "--gc-sections"]
    toolchain.run([*link, *objects, "-o", linked])
    # The ring is where the program has nothing.
    held = [(at, at + len(code)) for at, code in images.contents(linked)]
    assert all(end <= RING or at >= RING + RING_BYTES for at, end in held)
    return images.read(linked)


@pytest.fixture(scope="module")
def image(tmp_path_factory: pytest.TempPathFactory) -> Image:
    return image_of(ROOT / "core", tmp_path_factory.mktemp("fram"))


class Life:
    """A device, from its provisioning through power cuts.

    Parameters
    ----------
    memory
        What is in the ring before.
    used
        Numbers below were used.
    """

    def __init__(
        self, image: Image, memory: bytes = ERASED, used: int = 0, step: int = STEP
    ) -> None:
        self.image, self.step = image, step
        self.used = used
        self.repeats = self.lost = self.errors = 0
        self.simulator = Msp430x(CHIP, image.path)
        self.simulator.write(RING, memory)

    def live(self, count: int, cut: int = FOREVER) -> bool:
        """Take so many numbers; return whether the power failed, after `cut` writes."""
        self.simulator.let_power_fail(cut)
        try:
            for _ in range(count + 1):
                self._see()
        except CrashError as reason:
            assert "the power fails" in str(reason)  # noqa: PT017 - not a refusal
            return True
        return False

    def _see(self) -> None:
        symbols = self.image.symbols
        self._go("shown")
        number = int.from_bytes(self.simulator.read(symbols["number"], 8), "little")
        kind = int.from_bytes(self.simulator.read(symbols["kind"], 2), "little")
        self.errors += kind not in {1, 2}
        self.repeats += number < self.used
        self.lost = max(self.lost, number - self.used)
        if kind == 1:
            self.used = number + 1

        self._go("behind")

    def _go(self, label: str) -> None:
        symbols = self.image.symbols
        self.simulator.go(symbols[label], limit=2_000_000, floor=symbols["_end"])

    def restart(self, tear: str = "old", chance: random.Random | None = None) -> None:
        """Tear the word in whose place the power failed, and let it come back."""
        _, place = self.simulator.fram_writes()
        if tear == "random" and chance is not None:
            self.simulator.write(place, chance.randbytes(2))
        self.simulator.begin_anew()

    def memory(self) -> bytes:
        """Return what is in the ring."""
        return self.simulator.read(RING, RING_BYTES)

    def is_sound(self, cuts: int = 1) -> bool:
        """Return whether no number came twice, and each cut lost few."""
        return not (self.repeats or self.errors) and self.lost <= cuts * self.step

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.simulator.__exit__()


def lives(
    image: Image, memory: bytes = ERASED, used: int = 0, numbers: int = 40
) -> Iterator[Life]:
    """Yield a device for each write of a life, which was cut there."""
    chance = random.Random("fram")  # noqa: S311 - repeatable
    for tear in ("old", "random"):
        cut, failed = 0, True
        while failed:
            with Life(image, memory, used) as life:
                failed = life.live(numbers, cut)
                if failed:
                    life.restart(tear, chance)
                    yield life
            cut += 1


@pytest.mark.slow
def test_no_number_comes_back(image: Image) -> None:
    """From a new ring on, and over two of its turns, cut at each word."""
    count = 0
    for life in lives(image):
        assert not life.live(3 * STEP)
        assert life.is_sound(), count
        count += 1
    # Two records at the start, and one for each two numbers; words are whole or torn.
    assert count == 2 * RECORD_WORDS * (2 + 40 // STEP)


@pytest.mark.slow
def test_a_cut_while_the_store_recovers_from_another(image: Image) -> None:
    with Life(image) as life:
        assert not life.live(40)
        memory, used = life.memory(), life.used
    count = 0
    for first in lives(image, memory, used, STEP):
        torn, known = first.memory(), first.used
        for second in lives(image, torn, known, STEP):
            assert not second.live(3 * STEP)
            assert second.is_sound(cuts=2), count
            count += 1
    # Each word of a record, in two ways, and then each of the next.
    assert count >= (2 * RECORD_WORDS) ** 2


@pytest.mark.slow
@pytest.mark.parametrize(
    ("file", "right", "wrong"),
    [
        ("counter.c", "number < ring->sequence) {", "number <= ring->sequence) {"),
        ("record.c", "samara_declassify32(wrong) != 0", "wrong == 1"),
        (
            "open.c",
            "head->sequence >= scan->head.sequence",
            "head->sequence <= scan->head.sequence",
        ),
    ],
)
def test_a_faulty_store_is_seen(
    file: str, right: str, wrong: str, tmp_path: Path
) -> None:
    core = tmp_path / "core"
    shutil.copytree(ROOT / "core", core)
    source = core / "store" / file
    text = source.read_text(encoding="utf-8")
    assert text.count(right) == 1
    source.write_text(text.replace(right, wrong), encoding="utf-8")
    faulty = image_of(core, tmp_path)
    for life in lives(faulty):
        life.live(3 * STEP)
        if not life.is_sound():
            return
    pytest.fail("no life showed it")
