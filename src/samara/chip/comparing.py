# SPDX-License-Identifier: Apache-2.0
"""What a message costs on the core and on microcontrollers, in one list."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

from samara.bench import devices, store
from samara.chip import spending
from samara.figure import Figure, Origin

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from samara.bench.results import Result
    from samara.chip.results import Power

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
    )


def compare(rows: Iterable[Power], hertz: float, message_bytes: int) -> list[Cost]:
    """Return all costs of a message, the least energy first."""
    chips = [of_core(r, hertz, message_bytes) for r in rows if r.design.authenticates]
    found = [*chips, *of_devices(message_bytes)]
    return sorted(found, key=lambda cost: cost.energy.value)
