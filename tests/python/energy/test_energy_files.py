# SPDX-License-Identifier: Apache-2.0
"""Commands of `samara energy` write their answers as a table or a picture."""

from __future__ import annotations

import csv
from typing import TYPE_CHECKING

import pytest
from shell import assert_misuse, objects, samara

if TYPE_CHECKING:
    from pathlib import Path


@pytest.mark.slow
@pytest.mark.parametrize(
    ("arguments", "count", "column"),
    [
        (("message", "--level", "6"), None, "energy_J"),
        (("life", "--compare", "none,5"), 3, "life_median_year"),
        (
            ("simulate", "--topology", "chain", "--nodes", "7", "--hours", "1"),
            7,
            "events_power_uw",
        ),
        (("depends",), None, "swing"),
        (("airtime",), 3, "median"),
    ],
    ids=lambda each: str(each[0]) if isinstance(each, tuple) else None,
)
def test_tables_and_pictures(
    arguments: tuple[str, ...], count: int | None, column: str, tmp_path: Path
) -> None:
    for kind in ("csv", "svg"):
        done = samara(
            "energy", *arguments, "-o", f"it.{kind}", "--json", folder=tmp_path
        )
        assert done.returncode == 0, done
        assert f"wrote it.{kind}" in done.stderr.decode()
    with (tmp_path / "it.csv").open(newline="") as file:
        rows = list(csv.DictReader(file))
    values = [float(row[column]) for row in rows]
    if arguments[0] == "message":
        (record,) = objects(done.stdout)
        assert rows[-1]["part"] == "total"
        assert sum(values[:-1]) == pytest.approx(values[-1])
        assert values[-1] == record["total"]["value"]
        count = 1 + sum(each["value"] != 0 for each in record["parts"].values())
    assert len(values) == (count or len(objects(done.stdout)))
    assert max(values) > 0
    assert (tmp_path / "it.svg").read_text().count("<path") > 5


@pytest.mark.slow
def test_other_names(tmp_path: Path) -> None:
    done = samara("energy", "depends", "-o", "it.gif", folder=tmp_path)
    assert_misuse(done, "expected a name with .png, .svg or .csv")
