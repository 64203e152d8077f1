# SPDX-License-Identifier: Apache-2.0
import re
from pathlib import Path

import pytest

from testing import times
from testing.report import Spent
from testing.stages import STAGES

DOCUMENT = """before
<!-- written by ./test --write-times -->
old
<!-- end of what is written -->
after
"""


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "new" / "times.json"


def test_the_last_time_of_each_stage_is_shown(path: Path) -> None:
    times.keep([("lint", Spent(9, 9)), ("c", Spent(1.24, 2.5))], path)
    # From the record, it took no time of its own, or less than the whole.
    part = Spent(0.5, 0.7, is_whole=False)
    times.keep([("lint", Spent(10, 20.26)), ("c", Spent(0.1, 0))], path)
    times.keep([("c", part)], path)
    head, lint, c, fuzz = times.lines(["lint", "c", "fuzz"], path)
    assert head.split() == ["stage", "time", "CPU", "time", "run", "on"]
    assert lint.split()[:5] == ["lint", "10.0", "s", "20.3", "s"]
    assert c.split()[:5] == ["c", "1.2", "s", "2.5", "s"]
    assert fuzz.split(None, 3) == ["fuzz", "-", "-", "not run yet as a whole"]
    assert len({len(line.partition("s  ")[0]) for line in (lint, c)}) == 1


def test_nothing_is_known_at_first(path: Path) -> None:
    _, line = times.lines(["lint"], path)
    assert "not run yet" in line


def test_the_table_of_a_document_is_written(path: Path, tmp_path: Path) -> None:
    document = tmp_path / "document.md"
    document.write_text(DOCUMENT)
    times.keep([("lint", Spent(9, 20.26)), ("c", Spent(1, 130.4))], path)
    assert times.write(["lint", "c", "fuzz"], path, document) == ["fuzz"]
    text = document.read_text()
    assert text.startswith("before\n")
    assert text.endswith("<!-- end of what is written -->\nafter\n")
    assert "old" not in text
    assert re.search(r"^\| lint \| 20 s \| \d{4}-\d\d-\d\d \|$", text, re.MULTILINE)
    assert "| fuzz | not measured | |" in text
    assert "| all | 151 s | |" in text
    assert re.search(r"^Machine: .+, \d+ processors\.$", text, re.MULTILINE)
    again = times.write(["lint", "c", "fuzz"], path, document)
    assert (again, document.read_text()) == (["fuzz"], text)


def test_a_document_without_a_place_for_it_is_reported(
    path: Path, tmp_path: Path
) -> None:
    document = tmp_path / "document.md"
    document.write_text("before")
    with pytest.raises(ValueError, match="needs the lines"):
        times.write(["lint"], path, document)
    assert document.read_text() == "before"


def test_contributing_has_a_row_for_each_stage() -> None:
    rows = re.findall(
        r"^\| ([\w-]+) \| [\d n].*\|$", times.DOCUMENT.read_text(), re.MULTILINE
    )
    names = [stage.name for stage in STAGES]
    assert [name for name in rows if name in names] == names
