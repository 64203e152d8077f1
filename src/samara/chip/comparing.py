# SPDX-License-Identifier: Apache-2.0
"""What a message costs on the core and on microcontrollers, in one list."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

from samara.bench import devices, store
from samara.chip import results, spending
from samara.chip.results import Power
from samara.figure import Figure, Origin, weakest

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from samara.bench.results import Result
    from samara.chip.results import Row

SUITE = "grain128aead"


@dataclass(frozen=True, slots=True)
class Cost:
    """What it costs to seal one message."""

    name: str
    """Core or device."""
    where: str
    """Process of the core, or build of the software."""
    clock_hz: float
    cycles: Figure
    time: Figure
    energy: Figure
    leakage_w: float = 0
    """Of a core: what it draws for as long as it is powered."""
    family: str = ""
    """Of a device: its kind of processor; "" for a core."""


@dataclass(frozen=True, slots=True)
class Answer:
    """What a message costs in instructions beside what it costs in gates."""

    core: Cost
    device: Cost

    @property
    def ratio(self) -> Figure:
        """Energy on the device over that on the core."""
        origin = weakest(self.device.energy.origin, self.core.energy.origin)
        value = self.device.energy.value / self.core.energy.value
        return Figure(value, "1", origin, "energy of the device over that of the core")

    @property
    def break_even(self) -> Figure | None:
        """Time from message to message at which both cost the same.

        That is if the core stays powered all the time: it leaks what it saved. It is 0
        if it saves nothing, and None if the core does not leak.
        """
        if not self.core.leakage_w:
            return None
        origin = weakest(self.device.energy.origin, self.core.energy.origin)
        saved_j = max(self.device.energy.value - self.core.energy.value, 0.0)
        seconds = saved_j / self.core.leakage_w
        return Figure(seconds, "s", origin, "energy saved over leakage of the core")


def of_core(row: Power, hertz: float, message_bytes: int) -> Cost:
    """Return what a message costs on a core at a clock."""
    spent = spending.on_message(row, hertz, message_bytes)
    counted = "exact clocks, compared with simulations"
    return Cost(
        row.core,
        row.process,
        hertz,
        Figure(spent.clocks, "cycle", Origin.MEASURED, counted),
        Figure(spent.seconds, "s", Origin.MEASURED, counted),
        Figure(spent.energy_j, "J", row.origin, f"{counted}; {row.source}"),
        row.leakage_w,
    )


def of_devices(message_bytes: int) -> Iterator[Cost]:
    """Yield what a message costs on each device, by its build with least energy."""
    best: dict[str, Result] = {}
    for result in store.read(store.committed(), containing=SUITE):
        if result.suite != SUITE or result.sizes != (message_bytes, 0):
            continue
        energy, known = result.protect_energy_uj, best.get(result.device)
        if energy is None:
            continue
        least = math.inf if known is None else known.protect_energy_uj or math.inf
        if energy < least:
            best[result.device] = result
    for name, result in sorted(best.items()):
        yield _of_device(devices.device(name), result)


def _of_device(device: devices.Device, result: Result) -> Cost:
    cycles = result.total_cycles
    source = f"{result.compiled}; {device.energy_source}"
    return Cost(
        device.name,
        result.compiled,
        device.clock_hz,
        Figure(cycles, "cycle", result.origin, result.compiler),
        Figure(device.time_us(cycles) * 1e-6, "s", result.origin, result.compiler),
        Figure(device.energy_uj(cycles) * 1e-6, "J", device.energy_origin, source),
        family=device.family.folder.name,
    )


def at_clock(rows: Sequence[Row], hertz: float) -> tuple[list[Power], list[Power]]:
    """Return the rows of power at a clock, and those whose netlist does not reach it.

    A netlist without a row of its synthesis counts as one that reaches it.
    """
    reach: list[Power] = []
    too_slow: list[Power] = []
    for row in rows:
        if isinstance(row, Power):
            fastest = results.fastest_clock_hz(rows, row)
            reaches = fastest is None or hertz <= fastest
            (reach if reaches else too_slow).append(row)
    return reach, too_slow


def compare(rows: Iterable[Power], hertz: float, message_bytes: int) -> list[Cost]:
    """Return all costs of a message, the least energy first."""
    chips = [of_core(r, hertz, message_bytes) for r in rows if r.design.authenticates]
    found = [*chips, *of_devices(message_bytes)]
    return sorted(found, key=lambda cost: cost.energy.value)


def answers(found: Iterable[Cost]) -> list[Answer]:
    """Return the best core beside the best device of each kind of processor.

    There is none without both. Costs are those of `compare`, the least energy first.
    """
    costs = list(found)
    core = next((cost for cost in costs if not cost.family), None)
    best: dict[str, Cost] = {}
    for cost in costs:
        if cost.family:
            best.setdefault(cost.family, cost)
    return [Answer(core, device) for device in best.values()] if core else []
