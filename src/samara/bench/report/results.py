# SPDX-License-Identifier: Apache-2.0
"""Finding among the results what a table asks for."""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING

from samara.figure import Origin

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from samara.bench.devices import Device
    from samara.bench.store import Result


class Results:
    """All results that a report is made from."""

    def __init__(self, results: Iterable[Result]) -> None:
        self.all: Sequence[Result] = list(results)
        # What is asked for is nearly always a suite on a device; a run of
        # everything has tens of thousands of results.
        self._groups: defaultdict[tuple[str, str], list[Result]] = defaultdict(list)
        for result in self.all:
            self._groups[result["device"], result["suite"]].append(result)

    def matching(self, **fields: object) -> list[Result]:
        """Return the results with these fields that have figures."""
        return [r for r in self._about(fields) if r["cycles"] is not None]

    def problems(self, **fields: object) -> list[Result]:
        """Return the results with these fields that have none, and tell why."""
        return [r for r in self._about(fields) if r["cycles"] is None]

    def _about(self, fields: Mapping[str, object]) -> Iterator[Result]:
        among = self.all
        if {"device", "suite"} <= set(fields):
            group = str(fields["device"]), str(fields["suite"])
            among = self._groups.get(group, [])
        for result in among:
            if all(result[name] == wanted for name, wanted in fields.items()):
                yield result

    def devices(self) -> list[str]:
        """Return the names of the devices that there are results for."""
        return sorted({result["device"] for result in self.all})


def total(result: Result) -> int:
    """Return the cycles of set-up and of sealing (or encrypting) together."""
    set_up, seal = list(result["cycles"].values())[:2]
    return int(set_up) + int(seal)


def cost(result: Result) -> int:
    """Return code size times cycles: what a balanced choice has the least of."""
    return int(result["code_bytes"]) * total(result)


def balanced(results: Iterable[Result]) -> Result | None:
    """Return the result with the least code size times cycles; None of none.

    Where two have the same, the smaller code is preferred.
    """
    return min(results, key=lambda r: (cost(r), r["code_bytes"]), default=None)


def memory(result: Result) -> int:
    """Return static RAM and stack together, in bytes."""
    return int(result["static_ram_bytes"]) + int(result["stack_bytes"])


def origin(result: Result) -> Origin:
    """Return where a result's cycles come from."""
    return Origin(result["origin"])


def energy_origin(device: Device) -> Origin:
    """Return what energy rests on: a model with a checked or unchecked current."""
    checked = device.active_current_a.checked and device.supply_voltage_v.checked
    return Origin.ESTIMATED if checked else Origin.ASSUMED


def energy_remark(device: Device) -> str:
    """Return the current that energy is computed from, and its source."""
    current, voltage = device.active_current_a, device.supply_voltage_v
    doubt = "" if current.checked else ", not checked"
    return (
        f"{current.value * 1e3:g} mA at {voltage.value:g} V ({current.source}{doubt})"
    )
