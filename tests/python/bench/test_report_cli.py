# SPDX-License-Identifier: Apache-2.0
"""`samara bench report`."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from bench.results import result, write
from shell import assert_done, assert_misuse, objects, samara

if TYPE_CHECKING:
    from pathlib import Path

GRAIN = ("--paper", "grain128aead")


@pytest.mark.slow
def test_a_page_and_files(tmp_path: Path) -> None:
    rows = [result("atmega128", "grain128aead", (1224, 40))]
    store = write(tmp_path / "results.jsonl", rows)
    shown = assert_done(
        samara(
            "bench", "report", "-o", "out", "--store", store, *GRAIN, folder=tmp_path
        )
    ).decode()
    assert "out/index.html, and a table as CSV" in " ".join(shown.split())
    assert "not measured yet: " in shown
    assert "--suite aes128-gcm" in shown
    names = sorted(path.name for path in (tmp_path / "out").iterdir())
    assert names == ["grain128aead-table1.csv", "index.html"]


@pytest.mark.slow
def test_json_has_every_figure_with_its_origin(tmp_path: Path) -> None:
    store = write(tmp_path / "results.jsonl", [])
    arguments = ("-o", "out", "--store", store, *GRAIN, "--json")
    shown = assert_done(samara("bench", "report", *arguments, folder=tmp_path))
    page, *rest = objects(shown)
    assert (page["type"], page["path"]) == ("page", "out/index.html")
    (table,) = [one for one in rest if one["type"] == "table"]
    figures = [row["cycles"] for row in table["rows"] if row["cycles"]]
    assert (263_101, "published") in [(f["value"], f["origin"]) for f in figures]
    assert all(set(f) == {"value", "unit", "origin", "source"} for f in figures)
    assert [one["command"] for one in rest if one["type"] == "missing"]


def test_an_unknown_paper_is_refused(tmp_path: Path) -> None:
    done = samara("bench", "report", "--paper", "grain128aed", folder=tmp_path)
    assert_misuse(done, "grain128aed", "grain128aead")
    assert not (tmp_path / "build").exists()


def test_a_store_that_is_not_there_is_refused(tmp_path: Path) -> None:
    done = samara("bench", "report", "--store", "nothing.jsonl", folder=tmp_path)
    assert_misuse(done, "nothing.jsonl")
