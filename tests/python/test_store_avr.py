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
    """Build the program that cuts the power."""
    program = tmp_path_factory.mktemp("cuts") / "cuts"
    build = ["cc", "-std=gnu11", "-O2", "-Wall", "-Werror"]
    files = [str(PLACE / "cuts.c"), "-o", str(program)]
    subprocess.run([*build, *files, "-lsimavr", "-lelf"], check=True)
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


def live(cuts: Path, firmware: Path, step: int) -> tuple[int, dict[str, int]]:
    """Return the exit status of the lives, and what was counted in them."""
    command = [str(cuts), str(firmware), "atmega328p", str(step), str(LIVES)]
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


@pytest.mark.slow
@pytest.mark.parametrize(
    ("file", "right", "wrong"),
    [
        ("counter.c", "number < ring->sequence) {", "number <= ring->sequence) {"),
        ("record.c", "samara_declassify32(wrong) != 0", "wrong == 1"),
        (
            "open.c",
            "scan.highest[store_is_stray(ring, &scan) ? 1 : 0]",
            "scan.highest[2]",
        ),
    ],
)
def test_a_faulty_store_is_seen(
    cuts: Path, file: str, right: str, wrong: str, tmp_path: Path
) -> None:
    core = tmp_path / "core"
    shutil.copytree(ROOT / "core", core)
    source = core / "store" / file
    text = source.read_text(encoding="utf-8")
    assert text.count(right) == 1
    source.write_text(text.replace(right, wrong), encoding="utf-8")
    status, counted = live(cuts, image(core, 2, tmp_path), 2)
    assert status == 1
    assert counted["repeats"] + counted["losses"] > 0
