# SPDX-License-Identifier: Apache-2.0
"""Results of one program at many sizes, of which only those looked at are made.

A line of a file has tens of results (`samara.bench.packing`), and a device some 28,000
of them. To make all takes most of the time of an answer that shows a few.
"""

from __future__ import annotations

from collections import Counter
from functools import cached_property, lru_cache
from typing import TYPE_CHECKING, Any, Self

from samara.bench.packing import places_in, rows_at, sizes_at
from samara.bench.results import ProgramName, Result, Sizes

if TYPE_CHECKING:
    from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence

    from samara.bench.packing import Wanted


class Program:
    """Results of a line: iterating over it makes them."""

    def __init__(self, fields: Mapping[str, Any], places: Sequence[int]) -> None:
        """Keep the fields of a line from `enumerated`, and the places of results.

        Raises
        ------
        ValueError
            If a field is missing or unknown.
        """
        self._fields = dict(fields)
        self._places = places
        self.first = next(self._results(places[:1]))
        self.name: ProgramName = self.first.program

    @classmethod
    def of_line(cls, fields: Mapping[str, Any], wanted: Wanted | None) -> Self | None:
        """Return the results of wanted sizes; None if there are none.

        Raises
        ------
        ValueError
            If a field is missing or unknown, or lists are not of one length.
        """
        places = places_in(dict(fields), wanted)
        return cls(fields, places) if places else None

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

    @property
    def has_sizes_twice(self) -> bool:
        """Whether two of the results are about the same sizes."""
        return _has_twins(self.sizes)

    def by_size(self) -> list[Program]:
        """Return the same results, each as a program of its own."""
        return [Program(self._fields, (place,)) for place in self._places]


# Most lines have the same sizes.
@lru_cache(maxsize=64)
def _paired(
    message_bytes: tuple[int, ...], ad_bytes: tuple[int, ...]
) -> tuple[Sizes, ...]:
    return tuple(map(Sizes, message_bytes, ad_bytes))


@lru_cache(maxsize=64)
def _has_twins(sizes: tuple[Sizes, ...]) -> bool:
    return len(set(sizes)) < len(sizes)


def latest(programs: Iterable[Program]) -> list[Program]:
    """Return all but the results that later ones replace, which take their places."""
    programs = list(programs)
    lines = Counter(each.name for each in programs)
    found: dict[Hashable, Program] = {}
    for each in programs:
        if lines[each.name] == 1 and not each.has_sizes_twice:
            found[each.name] = each
        else:
            found |= {(one.name, one.sizes): one for one in each.by_size()}
    return list(found.values())
