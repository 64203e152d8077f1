# SPDX-License-Identifier: Apache-2.0
"""Finding among the results what a table shows."""

from __future__ import annotations

from collections import defaultdict
from operator import attrgetter
from types import SimpleNamespace
from typing import TYPE_CHECKING, TypedDict

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
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
        # Most questions are about a suite on a device, and there are some 400,000
        # results.
        self._groups: defaultdict[tuple[str, str], list[Result]] = defaultdict(list)
        self._of_devices: defaultdict[str, list[Result]] = defaultdict(list)
        for result in self.all:
            self._groups[result.device, result.suite].append(result)
            self._of_devices[result.device].append(result)

    def of_device(self, name: str) -> Sequence[Result]:
        """Return the results of a device, with figures or without."""
        return self._of_devices.get(name, [])

    def matching(self, **wanted: Unpack[FieldValues]) -> list[Result]:
        """Return the results with these fields that have figures."""
        return [result for result in self._about(wanted) if result.has_figures]

    def problems(self, **wanted: Unpack[FieldValues]) -> list[Result]:
        """Return the results with these fields that say why they have no figures."""
        return [result for result in self._about(wanted) if not result.has_figures]

    def _about(self, wanted: FieldValues) -> Sequence[Result]:
        if not wanted:
            return self.all
        # Fields by their names, one by one, took a third of the time of a report.
        values_of = attrgetter(*wanted)
        values = values_of(SimpleNamespace(**wanted))
        among = self._among(wanted.get("device"), wanted.get("suite"))
        return [result for result in among if values_of(result) == values]

    def _among(self, device: str | None, suite: str | None) -> Sequence[Result]:
        """Return the fewest results that are known to have all of these."""
        if device is None:
            return self.all
        if suite is None:
            return self.of_device(device)
        return self._groups.get((device, suite), [])

    def devices(self) -> list[str]:
        """Return the names of the devices that have results."""
        return sorted(self._of_devices)


def balanced(results: Iterable[Result]) -> Result | None:
    """Return the result with the least code size times cycles; None of none.

    Of two with the same product, it is the one with the smaller code.
    """
    return min(results, key=lambda r: (r.cost, r.code_bytes or 0), default=None)
