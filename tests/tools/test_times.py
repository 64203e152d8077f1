# SPDX-License-Identifier: Apache-2.0
from pathlib import Path

from testing import times
from testing.report import Spent


def test_the_last_time_of_each_stage_is_shown(tmp_path: Path) -> None:
    path = tmp_path / "new" / "times.json"
    times.keep([("lint", Spent(9, 9)), ("c", Spent(1.24, 2.5))], path)
    # From the record, it took no time of its own.
    times.keep([("lint", Spent(10, 20.26)), ("c", Spent(0.1, 0))], path)
    head, lint, c, fuzz = times.lines(["lint", "c", "fuzz"], path)
    assert head.split() == ["stage", "time", "CPU", "time", "run", "on"]
    assert lint.split()[:5] == ["lint", "10.0", "s", "20.3", "s"]
    assert c.split()[:5] == ["c", "1.2", "s", "2.5", "s"]
    assert fuzz.split(None, 3) == ["fuzz", "-", "-", "not run yet as a whole"]
    assert len({len(line.partition("s  ")[0]) for line in (lint, c)}) == 1


def test_nothing_is_known_at_first(tmp_path: Path) -> None:
    _, line = times.lines(["lint"], tmp_path / "times.json")
    assert "not run yet" in line
