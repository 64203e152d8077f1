# SPDX-License-Identifier: Apache-2.0
"""Finding among the results what a table shows."""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING, TypedDict

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence
    from typing import Unpack

    from samara.bench.results import Result


class FieldValues(TypedDict, total=False):
    """Values that fields of a result must have."""

    device: str
    suite: str
    implementation: str
    opt: str
    message_bytes: int
    ad_bytes: int


class Results:
    """All results that a report is made from."""

    def __init__(self, results: Iterable[Result]) -> None:
        self.all: Sequence[Result] = list(results)
        # Most questions are about a suite on a device, and there are some 100,000
        # results.
        self._groups: defaultdict[tuple[str, str], list[Result]] = defaultdict(list)
        for result in self.all:
            self._groups[result.device, result.suite].append(result)

    def matching(self, **wanted: Unpack[FieldValues]) -> list[Result]:
        """Return the results with these fields that have figures."""
        return [result for result in self._about(wanted) if result.has_figures]

    def problems(self, **wanted: Unpack[FieldValues]) -> list[Result]:
        """Return the results with these fields that say why they have no figures."""
        return [result for result in self._about(wanted) if not result.has_figures]

    def _about(self, wanted: FieldValues) -> Iterator[Result]:
        among = self.all
        if "device" in wanted and "suite" in wanted:
            among = self._groups.get((wanted["device"], wanted["suite"]), [])
        for result in among:
            if all(getattr(result, name) == value for name, value in wanted.items()):
                yield result

    def devices(self) -> list[str]:
        """Return the names of the devices that have results."""
        return sorted({result.device for result in self.all})


def balanced(results: Iterable[Result]) -> Result | None:
    """Return the result with the least code size times cycles; None of none.

    Of two with the same product, it is the one with the smaller code.
    """
    return min(results, key=lambda r: (r.cost, r.code_bytes or 0), default=None)
