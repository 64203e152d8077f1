# SPDX-License-Identifier: Apache-2.0
"""Counters in the EEPROM of a simulated AVR, whose power is cut in its writes."""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PLACE = ROOT / "tests" / "store_avr"
SOURCES = ("store/*.c", "common/[cmrs]*.c", "arch/avr/bytes_avr.c")
LIVES = 400


@pytest.fixture(scope="module")
def cuts(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Build the program that cuts the power at random."""
    return built("cuts", tmp_path_factory)


@pytest.fixture(scope="module")
def every_cut(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Build the program that cuts it in every cycle of a record."""
    return built("every_cut", tmp_path_factory)


def built(name: str, tmp_path_factory: pytest.TempPathFactory) -> Path:
    program = tmp_path_factory.mktemp(name) / name
    build = ["cc", "-std=gnu11", "-O2", "-Wall", "-Werror"]
    files = [str(PLACE / each) for each in (f"{name}.c", "chip.c")]
    subprocess.run(
        [*build, *files, "-o", str(program), "-lsimavr", "-lelf"], check=True
    )
    return program


def image(core: Path, step: int, folder: Path) -> Path:
    """Build the firmware from a copy of core, or from core itself."""
    made = folder / f"counter-{step}.elf"
    sources = [str(path) for name in SOURCES for path in sorted(core.glob(name))]
    flags = ["-mmcu=atmega328p", "-std=c11", "-Os", f"-DSTEP={step}"]
    flags += ["-ffunction-sections", "-fdata-sections", "-Wl,--gc-sections"]
    includes = [f"-I{core}", f"-I{core / 'include'}"]
    command = ["avr-gcc", *flags, *includes, str(PLACE / "counter.c"), *sources]
    subprocess.run([*command, "-o", str(made)], check=True)
    return made


def live(
    program: Path, firmware: Path, step: int, *more: int
) -> tuple[int, dict[str, int]]:
    """Return the exit status of the lives, and what was counted in them."""
    asked = map(str, (step, *(more or (LIVES,))))
    command = [str(program), str(firmware), "atmega328p", *asked]
    run = subprocess.run(command, check=False, capture_output=True, text=True)
    found = re.findall(r"([a-z ]+) (\d+)", run.stdout)
    return run.returncode, {name.strip(): int(count) for name, count in found}


@pytest.mark.slow
@pytest.mark.parametrize("step", [2, 16])
def test_no_number_comes_back(cuts: Path, step: int, tmp_path: Path) -> None:
    status, counted = live(cuts, image(ROOT / "core", step, tmp_path), step)
    assert status == 0
    assert counted["lives"] == LIVES
    assert counted["torn bytes"] == LIVES * 3 // 4
    assert counted["numbers"] > LIVES * step
    assert (counted["repeats"], counted["losses"], counted["errors"]) == (0, 0, 0)


def check_each_cut(counted: dict[str, int], cut: int) -> None:
    """Each byte of the record was left with each value, and opened."""
    assert counted["cycles"] > 1000
    lives = counted["bytes"] * 256 + 1
    assert lives <= counted["opened"] <= lives + (cut != 0)
    assert (counted["repeats"], counted["losses"], counted["errors"]) == (0, 0, 0)


@pytest.mark.slow
@pytest.mark.parametrize("step", [2, 16])
@pytest.mark.parametrize("turns", [0, 3])
def test_a_cut_in_any_cycle_of_a_record(
    every_cut: Path, step: int, turns: int, tmp_path: Path
) -> None:
    """In a ring that is new, and in one that has been written over three times."""
    firmware = image(ROOT / "core", step, tmp_path)
    status, counted = live(every_cut, firmware, step, 8 * turns * step + 1, 0)
    assert status == 0
    # Of a record over an older one, the high bytes of the number are there already.
    assert counted["bytes"] >= (5 if turns else 11)
    check_each_cut(counted, 0)


@pytest.mark.slow
def test_a_cut_in_any_cycle_after_another(every_cut: Path, tmp_path: Path) -> None:
    """The store recovers from a cut in each byte of a record when the next comes."""
    firmware = image(ROOT / "core", 2, tmp_path)
    # 24 bytes are the two records of the start.
    for cut in range(25, 37):
        status, counted = live(every_cut, firmware, 2, 3, cut)
        assert status == 0, cut
        check_each_cut(counted, cut)


FAULTS = pytest.mark.parametrize(
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


@pytest.mark.slow
@FAULTS
def test_a_faulty_store_is_seen(
    cuts: Path, file: str, right: str, wrong: str, tmp_path: Path
) -> None:
    status, counted = live(cuts, faulty(file, right, wrong, tmp_path), 2)
    assert status == 1
    assert counted["repeats"] + counted["losses"] > 0


@pytest.mark.slow
@FAULTS
def test_a_faulty_store_is_seen_in_some_cycle(
    every_cut: Path, file: str, right: str, wrong: str, tmp_path: Path
) -> None:
    firmware = faulty(file, right, wrong, tmp_path)
    status, counted = live(every_cut, firmware, 2, 49, 0)
    assert status == 1
    assert counted["repeats"] + counted["losses"] > 0


def faulty(file: str, right: str, wrong: str, tmp_path: Path) -> Path:
    """Build the firmware with a fault in the store."""
    core = tmp_path / "core"
    shutil.copytree(ROOT / "core", core)
    source = core / "store" / file
    text = source.read_text(encoding="utf-8")
    assert text.count(right) == 1
    source.write_text(text.replace(right, wrong), encoding="utf-8")
    return image(core, 2, tmp_path)
