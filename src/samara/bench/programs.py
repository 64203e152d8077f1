# SPDX-License-Identifier: Apache-2.0
"""Results of one program at many sizes, of which only those looked at are made.

A line of a file has tens of results (`samara.bench.packing`), and a device some 28,000
of them. To make all takes most of the time of an answer that shows a few.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import fields
from functools import cached_property, lru_cache
from typing import TYPE_CHECKING, Any, Self

from samara.bench.heads import Head, head_of
from samara.bench.packing import row_at, rows_at
from samara.bench.results import Result, Sizes

if TYPE_CHECKING:
    from collections.abc import (
        Callable,
        Iterable,
        Iterator,
        Mapping,
        Sequence,
    )

    from samara.bench.packing import Wanted
    from samara.bench.results import Operation, ProgramName


class Program:
    """Results of a line: iterating over it makes them."""

    def __init__(
        self, head: Head, places: Sequence[int], line: Callable[[], Mapping[str, Any]]
    ) -> None:
        """Keep the head of a line, and the places of results in it.

        Parameters
        ----------
        line
            Returns the fields of the line from `enumerated`: they are asked for when
            more is looked at than the head.
        """
        self.head = head
        self.name = head.name
        self._places = places
        self._line = line

    @classmethod
    def of_line(cls, line: Mapping[str, Any], wanted: Wanted | None) -> Self | None:
        """Return the results of wanted sizes; None if there are none.

        Raises
        ------
        ValueError
            If a field is missing or unknown, or lists are not of one length.
        """
        return cls.of_head(head_of(line), wanted, lambda: line)

    @classmethod
    def of_head(
        cls, head: Head, wanted: Wanted | None, line: Callable[[], Mapping[str, Any]]
    ) -> Self | None:
        """Return the same of a line that is not parsed yet."""
        every = range(len(head.sizes))
        places = every if wanted is None else _places(head.sizes, wanted)
        return cls(head, places, line) if places else None

    @classmethod
    def of_result(cls, result: Result) -> Self:
        """Return a program of one result."""
        values = {each.name: getattr(result, each.name) for each in fields(result)}
        return cls(head_of(values), (0,), lambda: values)

    @cached_property
    def _fields(self) -> dict[str, Any]:
        return dict(self._line())

    @cached_property
    def first(self) -> Result:
        """The first of the results."""
        return self.at(0)

    def at(self, number: int) -> Result:
        """Return one of the results, counted from 0."""
        return Result.of_fields(row_at(self._fields, self._places[number]))

    def __len__(self) -> int:
        return len(self._places)

    def __iter__(self) -> Iterator[Result]:
        return self._results(self._places)

    def _results(self, places: Sequence[int]) -> Iterator[Result]:
        return map(Result.of_fields, rows_at(self._fields, places))

    @cached_property
    def sizes(self) -> tuple[Sizes, ...]:
        """The sizes of its results, in their order."""
        every = self.head.sizes
        if len(self._places) == len(every):
            return every
        return _chosen(every, tuple(self._places))

    def counts(self, operation: Operation) -> dict[Sizes, int]:
        """Return the cycles of an operation by sizes, without making the results.

        Raises
        ------
        KeyError
            If the results have no figures, or not of this operation.
        """
        return dict(zip(self.sizes, self.counts_of(operation), strict=True))

    def counts_of(self, operation: Operation) -> list[int]:
        """Return the same in the order of the results."""
        every = self._fields.get("cycles") or {}
        return self._by_place(every[operation])

    def protecting(self, name: str) -> list[Any]:
        """Return what sealing, or encrypting a block, takes: cycles, `energy_uj`."""
        every = self._fields.get(name) or {}
        return self._by_place(every.get(self.head.verbs.protect))

    def values(self, name: str) -> list[Any]:
        """Return the values of a field, in the order of the results."""
        return self._by_place(self._fields.get(name))

    def most(self, name: str) -> int:
        """Return the largest value of a field of the results; 0 without a value."""
        return max({*self.values(name)} - {None}, default=0)

    def _by_place(self, value: Any) -> list[Any]:  # noqa: ANN401 - of any field
        if isinstance(value, list):
            return [value[place] for place in self._places]
        return [value] * len(self._places)

    def by_size(self) -> list[Program]:
        """Return the same results, each as a program of its own."""
        return [
            Program(self.head, (place,), lambda: self._fields) for place in self._places
        ]


# Most lines have the same sizes, of which the same are wanted.
@lru_cache(maxsize=64)
def _places(sizes: tuple[Sizes, ...], wanted: Wanted) -> Sequence[int]:
    return tuple(place for place, size in enumerate(sizes) if wanted(*size))


@lru_cache(maxsize=64)
def _chosen(sizes: tuple[Sizes, ...], places: tuple[int, ...]) -> tuple[Sizes, ...]:
    return tuple(sizes[place] for place in places)


def latest(programs: Iterable[Program]) -> list[Program]:
    """Return all but the results that later ones replace, which take their places."""
    programs = list(programs)
    # Only what is there twice has to be taken apart: most names are those of one line.
    lines = Counter(each.name for each in programs)
    # Most lines have their sizes in common: of each such tuple it is told once.
    known = {id(each.sizes): each.sizes for each in programs}
    repeats = {key for key, sizes in known.items() if len(set(sizes)) < len(sizes)}
    sizes = Counter(
        (each.name, size)
        for each in programs
        if lines[each.name] > 1 or id(each.sizes) in repeats
        for size in each.sizes
    )
    twice = {name for (name, _), count in sizes.items() if count > 1}
    found: dict[tuple[ProgramName, Sizes], Program] = {}
    for each in programs:
        for one in each.by_size() if each.name in twice else [each]:
            found[one.name, one.sizes[0]] = one
    return list(found.values())
