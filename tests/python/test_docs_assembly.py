# SPDX-License-Identifier: Apache-2.0
"""The instructions in docs/assembly.md are those of the files, in their order."""

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "assembly.md").read_text()
TABLES = re.findall(r"<!-- assembly: (\S+) -->\n\n((?:\|.*\n)+)", PAGE)
CIPHERS = ("aes", "ascon", "grain128", "speck", "simon")


def lines_of(table: str) -> list[str]:
    """Return the instructions in the last column of a table."""
    rows = [row.rstrip().rstrip("|").split(" | ")[-1] for row in table.split("\n")[2:]]
    return [line for row in rows for line in re.findall(r"`([^`]+)`", row)]


def instructions(file: str) -> list[str]:
    """Return the instructions of a file, without its comments."""
    pieces = re.findall(r'"([^"]*)\\n"', (ROOT / file).read_text())
    lines = [piece.replace("\\\\", "\\") for piece in pieces]
    return [line for line in lines if not line.startswith(";")]


def stands_in(wanted: list[str], found: list[str]) -> bool:
    """Tell whether a list stands in another one as it is."""
    size = len(wanted)
    return any(found[n : n + size] == wanted for n in range(len(found) - size + 1))


@pytest.mark.parametrize("number", range(len(TABLES)))
def test_the_instructions_of_a_table_are_in_its_file(number: int) -> None:
    file, table = TABLES[number]
    assert len(lines_of(table)) > 1
    assert stands_in(lines_of(table), instructions(file))


def test_an_instruction_that_is_left_out_is_found() -> None:
    file, table = TABLES[0]
    wanted = lines_of(table)
    assert not stands_in([*wanted[:3], *wanted[4:]], instructions(file))


def test_each_cipher_with_assembly_has_a_table() -> None:
    files = {Path(file).name.partition("_")[0] for file, _ in TABLES}
    assert files == set(CIPHERS)
    assert len(TABLES) == PAGE.count("<!-- assembly: ")
