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

from samara.bench.packing import places_in, row_at, rows_at, sizes_at
from samara.bench.results import ProgramName, Result, Sizes

if TYPE_CHECKING:
    from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence

    from samara.bench.packing import Wanted
    from samara.bench.results import Operation


class Program:
    """Results of a line: iterating over it makes them."""

    def __init__(self, line: Mapping[str, Any], places: Sequence[int]) -> None:
        """Keep the fields of a line from `enumerated`, and the places of results.

        Raises
        ------
        ValueError
            If a field is missing or unknown.
        """
        self._fields = dict(line)
        self._places = places
        self.first = Result.of_fields(row_at(self._fields, places[0]))
        self.name: ProgramName = self.first.program

    @classmethod
    def of_line(cls, line: Mapping[str, Any], wanted: Wanted | None) -> Self | None:
        """Return the results of wanted sizes; None if there are none.

        Raises
        ------
        ValueError
            If a field is missing or unknown, or lists are not of one length.
        """
        places = places_in(dict(line), wanted)
        return cls(line, places) if places else None

    @classmethod
    def of_result(cls, result: Result) -> Self:
        """Return a program of one result."""
        values = {each.name: getattr(result, each.name) for each in fields(result)}
        return cls(values, (0,))

    def __len__(self) -> int:
        return len(self._places)

    def __iter__(self) -> Iterator[Result]:
        return self._results(self._places)

    def _results(self, places: Sequence[int]) -> Iterator[Result]:
        return map(Result.of_fields, rows_at(self._fields, places))

    @cached_property
    def sizes(self) -> tuple[Sizes, ...]:
        """The sizes of its results, in their order."""
        return _paired(*sizes_at(self._fields, self._places))

    def counts(self, operation: Operation) -> dict[Sizes, int]:
        """Return the cycles of an operation by sizes, without making the results.

        Raises
        ------
        KeyError
            If the results have no figures, or not of this operation.
        """
        every = self._fields.get("cycles") or {}
        return dict(zip(self.sizes, self._by_place(every[operation]), strict=True))

    def most(self, name: str) -> int:
        """Return the largest value of a field of the results; 0 without a value."""
        values = {*self._by_place(self._fields.get(name))}
        return max(values - {None}, default=0)

    def _by_place(self, value: Any) -> list[Any]:  # noqa: ANN401 - of any field
        if isinstance(value, list):
            return [value[place] for place in self._places]
        return [value] * len(self._places)

    def by_size(self) -> list[Program]:
        """Return the same results, each as a program of its own."""
        return [Program(self._fields, (place,)) for place in self._places]


# Most lines have the same sizes.
@lru_cache(maxsize=64)
def _paired(
    message_bytes: tuple[int, ...], ad_bytes: tuple[int, ...]
) -> tuple[Sizes, ...]:
    return tuple(map(Sizes, message_bytes, ad_bytes))


def latest(programs: Iterable[Program]) -> list[Program]:
    """Return all but the results that later ones replace, which take their places."""
    programs = list(programs)
    # Only what is there twice has to be taken apart: most names are those of one line.
    lines = Counter(each.name for each in programs)
    sizes = Counter(
        (each.name, size)
        for each in programs
        if lines[each.name] > 1 or len(set(each.sizes)) < len(each)
        for size in each.sizes
    )
    twice = {name for (name, _), count in sizes.items() if count > 1}
    found: dict[Hashable, Program] = {}
    for each in programs:
        if each.name in twice:
            found |= {(one.name, one.sizes): one for one in each.by_size()}
        else:
            found[each.name, each.sizes] = each
    return list(found.values())
