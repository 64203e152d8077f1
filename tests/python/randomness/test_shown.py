# SPDX-License-Identifier: Apache-2.0
"""Stored runs are shown as they were written: verdicts, and p-values of a source."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest
from shell import assert_done, assert_misuse, objects, samara

from samara.console.answers.questions import questions
from samara.crypto import UnknownNameError
from samara.randomness.described import (
    RandomnessRun,
    RandomnessTest,
    RandomnessVerdict,
)
from samara.randomness.shown import ShowRequest, show, stored
from samara.records import records_of

if TYPE_CHECKING:
    from pathlib import Path

FILES = sorted(stored().glob("*.jsonl"))


def test_every_run_is_listed_with_its_verdict() -> None:
    found = records_of(show(ShowRequest()))
    runs = [each for each in found if isinstance(each, RandomnessRun)]
    verdicts = [each for each in found if isinstance(each, RandomnessVerdict)]
    assert len(runs) == len(verdicts) == len(FILES) > 10
    for file, run, verdict in zip(FILES, runs, verdicts, strict=True):
        first, *_, last = map(json.loads, file.read_text("utf-8").splitlines())
        assert (run.source, run.battery, run.origin) == (
            first["source"],
            first["battery"],
            first["origin"],
        )
        assert (verdict.passes, verdict.missed) == (last["passes"], last["missed"])
    bad = {run.source for run, of in zip(runs, verdicts, strict=True) if not of.passes}
    assert {"bad:lcg", "bad:counter"} <= bad
    assert all(name.startswith("bad:") for name in bad)


def test_a_source_has_all_its_p_values() -> None:
    found = records_of(show(ShowRequest(source="grain128ple")))
    tests = [each for each in found if isinstance(each, RandomnessTest)]
    lines = (stored() / "grain128ple.jsonl").read_text("utf-8").splitlines()
    assert [(each.test, each.smallest, each.uniformity) for each in tests] == [
        (line["test"], line["smallest"], line["uniformity"])
        for line in map(json.loads, lines[1:-1])
    ]
    assert len(tests) == 188
    # Three batteries of one source, one after the other.
    several = records_of(show(ShowRequest(source="modspeck128-128-ctr")))
    runs = [each.battery for each in several if isinstance(each, RandomnessRun)]
    assert sorted(runs) == ["dieharder", "ent", "sts"]


def test_what_is_not_there_is_reported(tmp_path: Path) -> None:
    with pytest.raises(UnknownNameError, match="nonsense"):
        records_of(show(ShowRequest(source="nonsense")))
    for folder in (tmp_path, tmp_path / "absent"):
        refused = samara("randomness", "show", "--results", folder, folder=tmp_path)
        assert_misuse(refused, f"{folder} has no runs")


def test_the_command_and_the_page_have_it(tmp_path: Path) -> None:
    text = assert_done(samara("randomness", "show", "bad:lcg", folder=tmp_path))
    assert b"bad:lcg: sts, all p-values" in text
    asked = samara("randomness", "show", "--json", folder=tmp_path)
    assert len(objects(assert_done(asked))) == 2 * len(FILES)
    names = [each.name for each in questions()["randomness.shown.show"].parameters]
    assert names == ["source"]
