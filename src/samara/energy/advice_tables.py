# SPDX-License-Identifier: Apache-2.0
"""Tables of advice: what fits, and by which limit the others are out."""

from __future__ import annotations

from typing import TYPE_CHECKING

from samara.energy.limit_options import option_of, relaxing
from samara.energy.recommending import best_builds
from samara.records import Remark
from samara.records.tables import Cell, Column, Row, Table, label, table_of, words

if TYPE_CHECKING:
    from collections.abc import Collection

    from samara.energy.advice_records import Recorded
    from samara.energy.choices import Choice
    from samara.energy.limits import Broken
    from samara.energy.recommending import Recommendation

_FITTING = "What fits, the best first"
_EXCLUDED = "What is out, and by which limit"


def fitting_table(found: Recommendation, recorded: Recorded) -> Table | Remark:
    """Return each suite that fits, with the build that comes first."""
    rows = [recorded.choice(each) for each in best_builds(found.fitting)]
    if not rows:
        return Remark(f"{_FITTING}: nothing", is_above=True)
    return table_of(
        rows,
        _FITTING,
        "Life: 10 % of draws from tolerances are below. At the layer link, flash and "
        "RAM include the frame security; at payload, the suite alone.",
    )


def excluded_table(found: Recommendation) -> Table | Remark:
    """Return by limit how many suites are out by it, and which is the nearest."""
    limits = dict.fromkeys(each.limit for _, breaks in found.out for each in breaks)
    if not limits:
        return Remark(f"{_EXCLUDED}: nothing", is_above=True)
    return Table(
        "excluded",
        _EXCLUDED,
        (
            label("limit"),
            Column("suites out"),
            Column("by\xa0it alone"),
            Column("the\xa0nearest", numeric=False, rank=0, wraps=True),
        ),
        [_row(limit, found) for limit in limits],
        "All of them, with their limits: --json.",
    )


def _row(limit: str, found: Recommendation) -> Row:
    by_it = [
        (choice, next(each for each in breaks if each.limit == limit), len(breaks))
        for choice, breaks in found.out
        if any(each.limit == limit for each in breaks)
    ]
    kinds = {_kind(choice) for choice, _, _ in by_it}
    only = {_kind(choice) for choice, _, count in by_it if count == 1}
    nearest, broken, _ = min(by_it, key=lambda each: (each[2], each[1].factor))
    return Row(
        [
            words(option_of(limit)),
            _count(kinds),
            _count(only),
            words(_nearest(nearest, broken)),
        ]
    )


def _kind(choice: Choice) -> tuple[str, str]:
    return choice.candidate.layer, choice.candidate.suite


def _count(kinds: Collection[object]) -> Cell:
    return Cell(len(kinds), str(len(kinds)))


def _nearest(choice: Choice, broken: Broken) -> str:
    suite = choice.candidate.suite
    return suite if broken.value is None else f"{suite}: {relaxing(broken)}"
