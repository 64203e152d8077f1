# SPDX-License-Identifier: Apache-2.0
"""`samara energy paper`: the paper's figures beside ours, by own arithmetic."""

from __future__ import annotations

import csv
import re
from itertools import pairwise
from typing import TYPE_CHECKING

import pytest
from shell import assert_done, objects, samara

from samara.bench import published, store
from samara.energy.paper_contradictions import contradictions
from samara.energy.paper_figures import claims, figures, lines, surfaces_of

if TYPE_CHECKING:
    from pathlib import Path


def found_in(claim: str) -> list[float]:
    """Return the numbers of what was found about the claim that has these words."""
    (one,) = (each for each in contradictions() if claim in each.claim)
    return [float(text) for text in re.findall(r"\d+(?:\.\d+)?", one.found)]


@pytest.mark.parametrize(
    ("claim", "numbers"),
    [
        # A train of 53 frames of 4256 µs at 46.2 mW, with 544 µs of listening.
        ("energy of a packet", [11.6]),
        # 8 h / 2 % and 5 h / 1 %; 1 % and 2 % of 365.25 / 4 days.
        ("5 to 8 hours", [17, 21, 3, 1, 2, 22, 44]),
        # 114.05 µJ and 2280.96 µJ of 480 µJ.
        ("orders of magnitude less", [480, 24, 4.75]),
        # 28.8 ms / 1.44 ms, and 64.8 ms / 4.8 ms.
        ("two orders of magnitude faster", [20.0, 13.5]),
        # 21459 / 4495, and 26183 / 7041 bytes.
        ("six times less ROM", [4.8, 3.7]),
        # (15.0 + 13.8) / 1.44; one, one for 16 bytes of header, 6 twice, one.
        ("over 95 bytes in software", [20.0, 15]),
        ("includes its parts", [28.878]),
    ],
)
def test_contradictions_by_hand(claim: str, numbers: list[float]) -> None:
    found = found_in(claim)
    assert found[: len(numbers)] == numbers


def test_what_the_text_states_of_contours() -> None:
    """By hand: percents and months of published/, and the corners of our grid."""
    surfaces = {6: surfaces_of("hardware"), 7: surfaces_of("software")}
    rows = {each.name: each for each in claims(surfaces)}
    day_s = 86_400
    stated = [each.published.value for each in rows.values()]
    assert stated == pytest.approx(
        [0.02, 0.25, 3 * 365.25 / 12 * day_s, 2 * 365.25 * day_s]
    )
    hardware, software, shortest, longest = rows.values()
    # 50 nodes, a message every 250 s: the corner where software takes the most.
    assert software.ours.value == surfaces[7].stated_taken[-1, 0]
    assert hardware.ours.value == max(map(max, surfaces[6].stated_taken))
    assert "30 to 50 nodes below 500 s" in software.name
    # Software there for the shortest life; hardware and 10 nodes every hour.
    assert shortest.ours.value == surfaces[7].stated_s[-1, 0]
    assert longest.ours.value == surfaces[6].stated_s[0, -1]
    assert [each.figure for each in rows.values()] == [6, 7, None, None]
    for row in rows.values():
        assert row.difference == pytest.approx(row.ours.value - row.published.value)
        assert abs(row.difference) < 0.2 * row.published.value
    assert software.difference == pytest.approx(-0.0041, abs=5e-5)


def test_tables_have_all_that_is_published() -> None:
    rows = figures()
    cells = {
        float(cell)
        for record in published.table("ieee802154_ccm.csv")
        for name, cell in record.cells.items()
        if re.fullmatch(r"[hs]w_opt_ticks", name)
    }
    assert {r.published.value for r in rows if r.published.unit == "cycle"} == cells
    memory = [row.published.value for row in rows if row.table == "Table VI"]
    assert memory == [4495, 23, 21459, 37]


def test_ours_are_the_bench_s() -> None:
    measured = {
        (each.implementation, each.message_bytes, each.ad_bytes): each
        for each in store.read(store.committed_of("atmega128rfa1"))
        if each.opt == "Os" and "phases" in each.suite
    }
    engine = measured["engine", 95, 14]
    assert engine.cycles
    by_name = {(row.name, row.ours.unit): row for row in figures()}
    seal = by_name["CCM* forward, hardware", "cycle"]
    cycles = {str(key): value for key, value in engine.cycles.items()}["seal"]
    assert seal.ours.value == cycles
    joules = by_name["CCM* forward, hardware", "J"]
    assert joules.ours.value == pytest.approx(cycles / 32e6 * 0.0792)
    assert joules.ratio == pytest.approx(114.05e-6 / joules.ours.value)


def test_curves_rise_and_end_at_the_table() -> None:
    for figure, count in ((8, 6), (9, 2)):
        curves = lines(figure)
        assert len(curves) == count
        for line in curves:
            # A block that is not full takes somewhat longer than one that is.
            assert all(b > 0.8 * a for a, b in pairwise(line.ours_s))
            assert line.ours_s[-1] > 2 * line.ours_s[0]
            assert line.payload_bytes[-1] == 95


@pytest.mark.slow
def test_files_of_the_paper(tmp_path: Path) -> None:
    done = samara("energy", "paper", "-o", "beside", folder=tmp_path)
    assert done.returncode == 0, done
    pictures = [
        f"fig{n}.{kind}" for n in (6, 7, 8, 9) for kind in ("png", "svg", "csv")
    ]
    tables = ["table5.csv", "table6.csv", "contradictions.csv"]
    names = {path.name for path in (tmp_path / "beside").iterdir()}
    assert names == {*pictures, *tables}
    with (tmp_path / "beside/fig7.csv").open(newline="") as file:
        taken = [float(row["taken"]) for row in csv.DictReader(file)]
    assert len(taken) == 41 * 50
    assert 0.22 < max(taken) < 0.28
    lines = objects(assert_done(samara("energy", "paper", "--json", folder=tmp_path)))
    kinds = [line["type"] for line in lines]
    assert set(kinds) == {
        "paper_network",
        "paper_claim",
        "paper_figure",
        "contradiction",
    }
    hardware, software = lines[:2]
    assert hardware["taken_max"] < 0.02
    assert 84 < software["life_days_min"] < hardware["life_days_max"] < 708
