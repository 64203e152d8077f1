# SPDX-License-Identifier: Apache-2.0
"""The published figures are whole, cited, and agree with themselves."""

from __future__ import annotations

import math

import pytest

from samara import crypto
from samara.bench import best_known, published
from samara.energy import measurements

LINK_CLOCK_MHZ = 32
MBYTE = 1 << 20

ALL = sorted(path.name for path in published.folder().glob("*.csv"))


def test_every_table_belongs_to_one_paper_and_the_readme_names_it() -> None:
    named = [name for paper in published.papers().values() for name in paper.tables]
    assert sorted([*named, best_known.FILE, measurements.FILE]) == ALL
    readme = (published.folder() / "README.md").read_text(encoding="utf-8")
    for name in [*ALL, *published.papers()]:
        assert name in readme


@pytest.mark.parametrize("name", ALL)
def test_a_table_has_rows(name: str) -> None:
    assert published.table(name)


def test_an_unknown_paper_is_refused_with_the_nearest() -> None:
    with pytest.raises(crypto.UnknownNameError, match="did you mean modspeck"):
        published.paper("modspec")


def test_an_empty_cell_is_no_number() -> None:
    record = published.table("grain128aead_mcu.csv")[-1]
    assert record.number("total_cycles") is None
    with pytest.raises(ValueError, match="no value is published for total_cycles"):
        record.value("total_cycles")


def test_the_grain_notes_products_are_those_of_its_figures() -> None:
    records = published.table("grain128aead_mcu.csv")
    whole = [r for r in records if r.number("total_cycles") is not None]
    assert len(whole) == 13
    for record in whole:
        product = record.value("code_bytes") * record.value("total_cycles")
        printed = record.value("log2_code_times_cycles")
        assert math.log2(product) == pytest.approx(printed, abs=0.006)


def test_the_ple_overheads_are_those_of_its_times() -> None:
    for record in published.table("grain128ple_time.csv"):
        for verb in ("encrypt", "decrypt"):
            seconds = record.value(f"{verb}_ms") / 1e3
            overhead = seconds / record.value("message_bytes") * MBYTE
            assert overhead == pytest.approx(record.value(f"{verb}_s_per_mbyte"))


def test_the_link_papers_ticks_are_those_of_its_times() -> None:
    for record in published.table("ieee802154_ccm.csv"):
        for way in ("hw_opt", "sw_opt", "hw_unopt", "sw_unopt"):
            ticks = record.value(f"{way}_ms") * 1e3 * LINK_CLOCK_MHZ
            assert ticks == pytest.approx(record.value(f"{way}_ticks"), abs=1)
