# SPDX-License-Identifier: Apache-2.0
"""Results in an order, of which only those that are shown are made.

To make 400,000 results takes several times as long as to sort their values.
"""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING, NamedTuple

from samara.bench import ranking

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from samara.bench.programs import Program
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


_KEYS: dict[Sort, Callable[[Program], Sequence[float | None]]] = {
    Sort.CYCLES: lambda program: program.protecting("cycles"),
    Sort.CODE: lambda program: program.values("code_bytes"),
    Sort.RAM: lambda program: program.values("static_ram_bytes"),
    Sort.STACK: lambda program: program.values("stack_bytes"),
    Sort.ENERGY: lambda program: program.protecting("energy_uj"),
}


def sortable(programs: Sequence[Program], sort: Sort) -> list[Program]:
    """Return the programs whose results have what they are sorted by."""
    if sort is Sort.FOM:
        return [each for each in programs if ranking.kind_of(each) is not None]
    return [each for each in programs if each.head.has_figures]


def sorted_places(
    programs: Sequence[Program], sort: Sort, among: Sequence[Program]
) -> list[Place]:
    """Return the places of results, the least first.

    Parameters
    ----------
    programs
        Those that `sortable` returns.
    among
        Programs that figures of merit compare with.
    """
    if sort is Sort.FOM:
        return [Place(*each) for each in ranking.ranked(programs, among)]
    values = _KEYS[sort]
    keyed = [
        (key or 0, Place(program, number))
        for program in programs
        for number, key in enumerate(values(program))
    ]
    keyed.sort(key=lambda each: each[0])
    return [place for _, place in keyed]
