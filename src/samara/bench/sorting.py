# SPDX-License-Identifier: Apache-2.0
"""Results in an order, of which only those that are shown are made.

To make 400,000 results takes several times as long as to sort their values.
"""

from __future__ import annotations

import heapq
from enum import StrEnum
from typing import TYPE_CHECKING, NamedTuple

from samara.bench import ranking
from samara.bench.programs import Program

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from samara.bench.results import Result


class Sort(StrEnum):
    """What results are sorted by."""

    CYCLES = "cycles"
    CODE = "code"
    RAM = "ram"
    STACK = "stack"
    ENERGY = "energy"
    FOM = "fom"


class Place(NamedTuple):
    """A result that is not made yet: its place in its program."""

    program: Program
    number: int
    merit: float | None = None
    """Its figure of merit, if it was computed."""

    @property
    def result(self) -> Result:
        """The result, which is made each time."""
        return self.program.at(self.number)


_KEYS: dict[Sort, tuple[str, Callable[[Program, str], Sequence[float | None]]]] = {
    Sort.CYCLES: ("cycles", Program.protecting),
    Sort.CODE: ("code_bytes", Program.values),
    Sort.RAM: ("static_ram_bytes", Program.values),
    Sort.STACK: ("stack_bytes", Program.values),
    Sort.ENERGY: ("energy_uj", Program.protecting),
}
"""Fields, and what returns the values of one: `Least` has the least of each."""


def sortable(programs: Sequence[Program], sort: Sort) -> list[Program]:
    """Return the programs whose results have what they are sorted by."""
    if sort is Sort.FOM:
        return [each for each in programs if ranking.kind_of(each) is not None]
    return [each for each in programs if each.head.has_figures]


def sorted_places(
    programs: Sequence[Program], sort: Sort, among: Sequence[Program]
) -> Iterator[Place]:
    """Yield the places of results, the least first; of equal ones the earlier.

    Parameters
    ----------
    programs
        Those that `sortable` returns.
    among
        Programs that figures of merit compare with.
    """
    if sort is Sort.FOM:
        yield from (Place(*each) for each in ranking.ranked(programs, among))
        return
    field, values_of = _KEYS[sort]
    # Of a line nothing is read before its least result may be the next one.
    lines = [(getattr(each.head.least, field), i) for i, each in enumerate(programs)]
    waiting: list[tuple[float, int, int]] = []
    for least, i in sorted(lines):
        while waiting and waiting[0][0] < least:
            yield _place(programs, heapq.heappop(waiting))
        for number, value in enumerate(values_of(programs[i], field)):
            heapq.heappush(waiting, (value or 0, i, number))
    while waiting:
        yield _place(programs, heapq.heappop(waiting))


def _place(programs: Sequence[Program], found: tuple[float, int, int]) -> Place:
    _, i, number = found
    return Place(programs[i], number)
