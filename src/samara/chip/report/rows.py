# SPDX-License-Identifier: Apache-2.0
"""The rows that a report compares, picked out of all results; and the goals."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from functools import cache
from importlib import resources
from typing import TYPE_CHECKING, Any

from samara.bench import published
from samara.chip.design import CORE
from samara.chip.results import Power, Synthesis

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from samara.bench.published import Record
    from samara.chip.results import Row

GOAL_FACTOR = 1.3
"""How many times faster than the first core the clock is to be."""


@cache
def _goals() -> dict[str, Any]:
    file = resources.files("samara.chip") / "data" / "goals.toml"
    return tomllib.loads(file.read_text(encoding="utf-8"))


_PUBLISHED = {
    "high_speed": "grain128aead_asic_highspeed.csv",
    "low_power": "grain128aead_asic_lowpower.csv",
}
"""Tables 2 and 4 of the note, whose areas are goals."""
_MISPRINT = "area printed as"


def goal_ge(kind: str, n: int) -> int | None:
    """Return the goal of an area: high_speed, low_power or keystream.

    The first two are what the note prints; None where that is a misprint, by the
    remark that published/ has beside it.
    """
    if kind == "keystream":
        areas: dict[str, int] = _goals()["keystream_ge"]
        return areas.get(str(n))
    row = record(_PUBLISHED[kind], n)
    if row is None or row.text("note").startswith(_MISPRINT):
        return None
    return round(row.value("area_ge"))


def goal_mhz(library: str, n: int) -> float | None:
    """Return the goal of the clock; None for a library without one."""
    clocks: dict[str, dict[str, int]] = _goals()["first_core_mhz"]
    first = clocks.get(library, {}).get(str(n))
    return None if first is None else GOAL_FACTOR * first


def record(file: str, n: int) -> Record | None:
    """Return the row of a published table for N; None if there is none."""
    rows = published.table(file)
    return next((row for row in rows if row.value("n") == n), None)


@dataclass(frozen=True, slots=True)
class Rows:
    """The rows of one library."""

    library: str
    all: Sequence[Row]

    @property
    def any(self) -> Row:
        """A row, for what all have in common."""
        return self.all[0]

    def syntheses(self, n: int, *, authenticates: bool = True) -> list[Synthesis]:
        """Return the netlists of N, without those of wrappers."""
        return [
            row
            for row in self.all
            if isinstance(row, Synthesis)
            and row.top == CORE
            and (row.design.n, row.design.authenticates) == (n, authenticates)
        ]

    def smallest(self, n: int, *, authenticates: bool = True) -> Synthesis | None:
        """Return the netlist of N with the least area."""
        found = self.syntheses(n, authenticates=authenticates)
        return min(found, key=lambda row: row.area_ge, default=None)

    def fastest(self, n: int, *, authenticates: bool = True) -> Synthesis | None:
        """Return the netlist of N with the shortest path."""
        found = self.syntheses(n, authenticates=authenticates)
        return min(found, key=lambda row: row.inside_ns, default=None)

    def both(self, n: int) -> Synthesis | None:
        """Return a netlist that keeps the goals of area and clock; None if none does.

        Of several the smallest.
        """
        area, clock = goal_ge("high_speed", n), goal_mhz(self.library, n)
        if area is None or clock is None:
            return None
        kept = [
            row
            for row in self.syntheses(n)
            if row.area_ge <= area and row.frequency_hz >= clock * 1e6
        ]
        return min(kept, key=lambda row: row.area_ge, default=None)

    def thriftiest(self, n: int, *, authenticates: bool = True) -> Power | None:
        """Return the core of N with the least energy of a bit at 10 MHz."""
        found = [
            row
            for row in self.all
            if isinstance(row, Power)
            and (row.design.n, row.design.authenticates) == (n, authenticates)
        ]
        return min(found, key=lambda row: row.energy_of_bit_j(10e6), default=None)


def by_library(rows: Iterable[Row]) -> list[Rows]:
    """Return the rows of each library."""
    found: dict[str, list[Row]] = {}
    for row in rows:
        found.setdefault(row.library, []).append(row)
    return [Rows(name, found[name]) for name in sorted(found)]
