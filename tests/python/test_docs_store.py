# SPDX-License-Identifier: Apache-2.0
"""The program and the years in docs/store.md."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "store.md").read_text(encoding="utf-8")
SOURCES = ("store/*.c", "common/[a-z]*.c")
MINUTES_A_YEAR = 365.25 * 24 * 60
# Records in the ring, and how often each can be written.
MEMORIES = {"EEPROM, 32 records": (32, 100_000), "flash, 2 pages": (2 * 341, 10_000)}


def test_the_program_prints_what_the_page_says(tmp_path: Path) -> None:
    (source,) = re.findall(r"^```c\n(.*?)^```", PAGE, re.DOTALL | re.MULTILINE)
    program, main = tmp_path / "counter", tmp_path / "main.c"
    main.write_text(source, encoding="utf-8")
    core = ROOT / "core"
    sources = [path for name in SOURCES for path in sorted(core.glob(name))]
    flags = ("-std=c11", "-Wall", "-Wextra", "-Werror")
    command = ["cc", *flags, f"-I{core}", f"-I{core}/include", "-o", str(program)]
    subprocess.run([*command, str(main), *map(str, sources)], check=True)
    done = subprocess.run([program], check=True, capture_output=True, text=True)
    told = re.search(r"It prints ([0-9, ]+) and ([0-9]+):", PAGE)
    assert told
    assert done.stdout.split() == [*told[1].split(", "), told[2]]


@pytest.mark.parametrize("memory", MEMORIES)
def test_years_of_a_memory(memory: str) -> None:
    (row,) = (line for line in PAGE.splitlines() if line.startswith(f"| {memory}"))
    told = [cell.strip() for cell in row.split("|")[2:6]]
    slots, endurance = MEMORIES[memory]
    records = slots * endurance
    assert told[0] == f"{records:,}"
    for cell, step in zip(told[1:], (1, 16, 256), strict=True):
        years = records * step / MINUTES_A_YEAR
        assert cell == f"{years:,.{1 if years < 20 else 0}f} years"
