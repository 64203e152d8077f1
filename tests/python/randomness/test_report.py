# SPDX-License-Identifier: Apache-2.0
"""The report: all runs, the paper's statements beside them, and what found the bad."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from shell import assert_misuse, objects, samara
from vectorfile import ROOT

from samara.randomness import storing
from samara.randomness.reading import NOT_PROVED
from samara.randomness.report import making
from samara.randomness.sources import BAD
from samara.records.answers import Remark

from .runs import summary_of

if TYPE_CHECKING:
    from pathlib import Path

COMMITTED = ROOT / "results" / "randomness"
SOURCES = ("modspeck128-128-ctr", "speck128-128-ctr", "bad:counter", "bad:lfsr")


@pytest.fixture(scope="module")
def runs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("runs")
    for source in SOURCES:
        summary = summary_of(source, 4, 100_000)
        storing.write_summary(folder / f"{source.replace(':', '-')}.jsonl", summary)
    return folder


def test_a_page_has_each_run_and_what_it_does_not_prove(
    runs: Path, tmp_path: Path
) -> None:
    done = samara("randomness", "report", runs, "-o", tmp_path / "page", "--json",
                  folder=tmp_path)  # fmt: skip
    assert done.returncode == 0, done
    page, *tables = objects(done.stdout)
    by_slug = {table["slug"]: table["rows"] for table in tables}
    assert [row["source"] for row in by_slug["randomness-runs"]] == sorted(
        SOURCES, key=lambda name: name.replace(":", "-")
    )
    found = {row["source"]: row["found by"] for row in by_slug["randomness-planted"]}
    assert set(found) == {"bad:counter", "bad:lfsr"}
    assert found["bad:lfsr"] == "linear complexity"
    stated, *ours = by_slug["randomness-beside-paper"]
    assert stated["tests that fail"] == "all passed"
    assert [row["source"] for row in ours] == list(SOURCES[:2])
    assert len(by_slug["randomness-bad-lfsr-sts-all"]) == 188
    assert len(by_slug["randomness-bad-lfsr-sts-tests"]) == 15
    html = (tmp_path / "page" / "index.html").read_text()
    assert NOT_PROVED.split(":")[0] in html
    assert "does not show" in html
    answer = (
        "2 of 2 runs of ciphers and other generators pass. Of 2 sources that are bad on"
        " purpose, 2 were found."
    )
    assert html.index(answer) < html.index("<table")
    assert html.count("<div data-plot=") == 2 * len(SOURCES)
    assert len(page["files"]) == len(tables)


def test_a_bad_source_that_is_missed_is_named() -> None:
    # Six sequences are too few for RC4's bias.
    summary = summary_of("bad:rc4-head", 1, 20_000)
    assert summary.verdict.passes
    page = making.make([summary])
    (table,) = (each for each in page.tables() if each.slug == "randomness-planted")
    assert table.rows[0].cells[-1].text == "no test: missed"


def test_what_dieharder_and_ent_found_stands_beside_the_paper() -> None:
    cipher = "modspeck128-128-ctr"
    names = [cipher, f"{cipher}-dieharder", f"{cipher}-ent"]
    runs = [storing.read_summary(COMMITTED / f"{name}.jsonl") for name in names]
    made = making.make(runs)
    (paper,) = (each for each in made.sections if each.slug == "randomness-paper")
    said = [part.text for part in paper.parts if isinstance(part, Remark)]
    assert said[-2].startswith(f"By Dieharder, {cipher}: none of 74 p-values fail")
    assert said[-1].startswith(f"By ent, {cipher}: none of 4 p-values fail")
    assert (
        "none of 74 and of 4 p-values fails"
        in (ROOT / "docs" / "randomness.md").read_text()
    )
    links = [each.name for each in made.sections][-3:]
    assert links == [cipher, f"{cipher}, dieharder", f"{cipher}, ent"]


def test_a_directory_without_a_run_is_one_sentence(tmp_path: Path) -> None:
    done = samara("randomness", "report", tmp_path, folder=tmp_path)
    assert_misuse(done, "no summary of a run", "samara randomness run")
    (tmp_path / "x.jsonl").write_text("{}\n")
    done = samara("randomness", "report", tmp_path, folder=tmp_path)
    assert_misuse(done, "is no summary")


ROWS = {
    "ModSpeck128/128, counter mode": "modspeck128-128-ctr",
    "ModSpeck128/192, counter mode": "modspeck128-192-ctr",
    "ModSpeck128/256, counter mode": "modspeck128-256-ctr",
    "Speck128/128, counter mode": "speck128-128-ctr",
    "Speck128/192, counter mode": "speck128-192-ctr",
    "Speck128/256, counter mode": "speck128-256-ctr",
    "Grain-128PLE": "grain128ple",
    "AES-128, counter mode": "aes128-ctr",
}


@pytest.mark.parametrize("what", ROWS)
def test_the_docs_say_what_was_committed(what: str) -> None:
    summary = storing.read_summary(COMMITTED / f"{ROWS[what]}.jsonl")
    assert (summary.verdict.sequences, summary.settings.bits) == (1000, 1_000_000)
    tests = [test for test in summary.verdict.tests if test.sequences]
    mean = sum(test.passed / test.sequences for test in tests) / len(tests)
    least = min(test.passed for test in tests if test.sequences == 1000) / 1000
    missed = summary.verdict.missed
    verdict = "passes" if summary.verdict.passes else "fails"
    row = f"| {what} | {mean:.4f} | {least:.3f} | {missed} | {verdict} |"
    assert row in (ROOT / "docs" / "randomness.md").read_text()


@pytest.mark.parametrize("name", BAD)
def test_each_bad_source_is_committed_as_found(name: str) -> None:
    summary = storing.read_summary(COMMITTED / f"bad-{name}.jsonl")
    assert not summary.verdict.passes
    assert f"| `bad:{name}` |" in (ROOT / "docs" / "randomness.md").read_text()
    # The verdict follows from the counts in the file.
    assert summary.settings.source == f"bad:{name}"
    for test in summary.verdict.tests:
        assert sum(test.histogram) == test.sequences
