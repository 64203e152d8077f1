# SPDX-License-Identifier: Apache-2.0
"""Tables of the goals: what was reached, and what bounds an area that was not."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from samara.chip.design import WIDTHS
from samara.chip.report.rows import goal_ge, goal_mhz
from samara.figure import Origin
from samara.records.tables import (
    NOT_YET,
    NOTHING,
    Cell,
    Column,
    Row,
    Table,
    label,
    number,
    words,
)

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from samara.chip.report.rows import Rows
    from samara.chip.results import Synthesis


class _Kind(NamedTuple):
    """A kind of goal for areas."""

    key: str
    """In data/goals.toml."""
    name: str
    authenticates: bool = True


_KINDS = (
    _Kind("high_speed", "high speed"),
    _Kind("low_power", "low power"),
    _Kind("keystream", "keystream", authenticates=False),
)


def state_ge(row: Synthesis) -> float:
    """Return the area of the state alone, in the library's smallest flip-flop.

    The state is that of the cipher, 256 bits, and of the tag, 128 bits. Whatever has
    this state in flip-flops of this library is larger.
    """
    return (384 if row.design.authenticates else 256) * row.flip_flop_ge


def reached(libraries: Sequence[Rows]) -> Table:
    """Return the least area and the fastest clock beside their goals."""
    return Table(
        slug="chip-goals",
        title="Goals of area and clock",
        columns=(
            label("library"),
            label("N"),
            Column("smallest", "GE"),
            Column("goal, high speed", "GE"),
            Column("goal, low power", "GE"),
            Column("fastest", "MHz"),
            Column("goal", "MHz"),
            label("high-speed area and clock in one netlist"),
        ),
        rows=[_reached(rows_of, n) for rows_of in libraries for n in WIDTHS],
        caption="Goals of area are those that the note prints in Tables 2 and 4; that"
        " of low power and N = 16 is a misprint there. The goal of the clock is 1.3"
        " times the clock of a first core in the same library.",
        groups=True,
    )


def _reached(rows_of: Rows, n: int) -> Row:
    small, fast, both = rows_of.smallest(n), rows_of.fastest(n), rows_of.both(n)
    clock = goal_mhz(rows_of.library, n)
    cells = (
        words(rows_of.any.process),
        words(f"{n}"),
        NOT_YET if small is None else number(small.area_ge, small.origin),
        _goal(goal_ge("high_speed", n)),
        _goal(goal_ge("low_power", n)),
        NOT_YET if fast is None else number(fast.frequency_hz / 1e6, fast.origin),
        NOTHING if clock is None else number(clock, Origin.ESTIMATED),
        words("none" if both is None else f"{both.core}, for {both.goal}"),
    )
    return Row(cells, emphasis=True)


def _goal(area_ge: int | None) -> Cell:
    return number(area_ge, Origin.PUBLISHED)


def missed(libraries: Sequence[Rows]) -> Table:
    """Return the goals of area that no netlist keeps, each with what bounds it."""
    return Table(
        slug="chip-missed",
        title="Goals of area that are missed",
        columns=(
            label("library"),
            label("N"),
            label("goal"),
            Column("goal", "GE"),
            Column("ours, smallest", "GE"),
            Column("above it", "%"),
            Column("state alone", "GE"),
            Column("goal leaves", "GE"),
            Column("ours has", "GE"),
        ),
        rows=[
            row
            for rows_of in libraries
            for n in WIDTHS
            for kind in _KINDS
            for row in _missed(rows_of, n, kind)
        ],
        caption="State alone: 384 bits (keystream: 256) in the smallest flip-flop of"
        " the library, a bound that no netlist with flip-flops can pass. What the goal"
        " leaves for everything else, control and its flip-flops included, stands"
        " beside what ours has of it; below 0 the library forbids the goal.",
        groups=True,
    )


def _missed(rows_of: Rows, n: int, kind: _Kind) -> Iterator[Row]:
    goal = goal_ge(kind.key, n)
    ours = rows_of.smallest(n, authenticates=kind.authenticates)
    if goal is None or ours is None or ours.area_ge <= goal:
        return
    bound = state_ge(ours)
    yield Row(
        (
            words(rows_of.any.process),
            words(f"{n}"),
            words(kind.name),
            _goal(goal),
            number(ours.area_ge, ours.origin, 0, ours.source),
            number(100 * (ours.area_ge / goal - 1), ours.origin, 1),
            number(bound, ours.origin),
            number(goal - bound, ours.origin),
            number(ours.area_ge - bound, ours.origin),
        ),
        emphasis=True,
    )
