# SPDX-License-Identifier: Apache-2.0
"""Altolini et al. beside ours, and what a life depends on: shown as computed."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
from printed import (
    assert_cell,
    assert_digits,
    assert_shown,
    objects,
    output,
    tables,
    value_in,
)

from samara.bench import published, store

ROOT = Path(__file__).parents[2]


def test_a_paper_beside_ours() -> None:
    records = objects("energy paper")
    claims, table_5, table_6, _ = tables(output("energy paper"))
    stated = [one for one in records if one["type"] == "paper_claim"]
    assert len(claims) == len(stated) == 4
    for row, one in zip(claims, stated, strict=True):
        unit = "days" if one["published"]["unit"] == "s" else "%"
        scale = 86_400 if unit == "days" else 0.01
        assert row["unit"] == unit
        theirs, ours = one["published"]["value"] / scale, one["ours"]["value"] / scale
        assert_digits(row["the paper"], theirs)
        assert_digits(row["ours"], ours)
        assert_digits(row["difference"], ours - theirs, digits=2)
        assert one["difference"] == pytest.approx((ours - theirs) * scale)
    figures = [one for one in records if one["type"] == "paper_figure"]
    assert len(table_5) + len(table_6) == len(figures) == 34
    for row, one in zip([*table_5, *table_6], figures, strict=True):
        assert row["what"] == one["name"]
        assert_cell(row["the paper"], row["unit"], one["published"])
        assert_cell(row["ours"], row["unit"], one["ours"])
        assert one["published"]["unit"] == one["ours"]["unit"]
        assert_shown(row["ratio"], one["published"]["value"] / one["ours"]["value"])
    _assert_published(figures)


def _assert_published(figures: list[dict[str, Any]]) -> None:
    """Check both sides of Table V with published/ and results/."""
    table = published.table("ieee802154_ccm.csv")
    printed = {row.text("operation"): row for row in table}
    suite = "aes128-ccm-16-phases"
    seals = {
        one.implementation: one.protect_cycles
        for one in store.read(ROOT / "results", suites=[suite])
        if (one.device, one.suite, one.opt) == ("atmega128rfa1", suite, "Os")
        and one.sizes == (95, 14)
    }
    for way, short, name in (
        ("engine", "hw", "hardware"),
        ("portable", "sw", "software"),
    ):
        of_way = [one for one in figures if one["name"] == f"CCM* forward, {name}"]
        theirs = printed["CCM* forward"]
        assert len(of_way) == 3
        for one, column, scale, unit, ours in (
            (of_way[0], "ticks", 1, "cycle", seals[way]),
            (of_way[1], "ms", 1e-3, "s", seals[way] / 32e6),
            (of_way[2], "uj", 1e-6, "J", seals[way] / 32e6 * 79.2e-3),
        ):
            expected = theirs.value(f"{short}_opt_{column}") * scale
            assert value_in(one["published"], unit) == pytest.approx(expected)
            assert value_in(one["ours"], unit) == pytest.approx(ours)


def test_lives_of_the_paper() -> None:
    records = objects("energy paper")
    networks = [one for one in records if one["type"] == "paper_network"]
    text = " ".join(output("energy paper").split())
    shown = re.findall(
        r"Fig\. (\d), \w+: takes (\S+) to (\S+) of the life .*? lives of (\d+) to (\d+)"
        r" days",
        text,
    )
    assert len(shown) == len(networks) == 2
    for (figure, *found), one in zip(shown, networks, strict=True):
        assert int(figure) == one["figure"]
        names = ("taken_min", "taken_max", "life_days_min", "life_days_max")
        for cell, name in zip(found, names, strict=True):
            assert_shown(cell, one[name], name)
        assert one["taken_min"] <= one["taken_max"] < 1
        assert one["life_days_min"] < one["life_days_max"]
    shortest, longest = (
        value_in(one["ours"], "s") / 86_400
        for one in records
        if one["type"] == "paper_claim" and one["name"].endswith(" life")
    )
    assert min(one["life_days_min"] for one in networks) == pytest.approx(shortest)
    assert max(one["life_days_max"] for one in networks) == pytest.approx(longest)


def test_what_a_life_depends_on() -> None:
    command = "energy depends --battery cr2032 --link ieee802154 --level 6"
    records = objects(command)
    (rows,) = tables(output(command))
    assert len(rows) == len(records) > 10
    for row, one in zip(rows, records, strict=True):
        assert row["quantity"] == one["quantity"]
        for head, name in (
            ("at its 10 %", "at_low"),
            ("at its 90 %", "at_high"),
            ("swing", "swing"),
        ):
            assert one["unit"] == "year"
            assert_digits(row[head], one[name], head)
        assert one["swing"] == pytest.approx(abs(one["at_high"] - one["at_low"]))
        assert row["checked"] == ("yes" if one["checked"] else "no")
    swings = [one["swing"] for one in records]
    assert swings == sorted(swings, reverse=True)
    # What hardly matters leaves the life as `energy life` has it.
    *_, life = objects(
        "energy life --battery cr2032 --link ieee802154 --level 6 --compare 6"
    )
    median = value_in(life["life"]["median"], "year")
    assert records[-1]["at_low"] == pytest.approx(median, rel=0.05)
