# SPDX-License-Identifier: Apache-2.0
"""What a message costs on the core and on microcontrollers, in one list."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

from samara.bench import devices, store
from samara.chip import feeding, results, spending
from samara.chip.design import AXI, check_top
from samara.chip.results import Power
from samara.errors import MisuseError
from samara.figure import Figure, Origin, weakest

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from samara.bench.results import Result
    from samara.chip.feeding import Feed
    from samara.chip.results import Row

SUITE = "grain128aead"


@dataclass(frozen=True, slots=True)
class Cost:
    """Cost of sealing one message."""

    name: str
    """Core or device."""
    realisation: str
    """Process of the core, or build of the software."""
    clock_hz: float
    cycles: Figure
    time: Figure
    energy: Figure
    leakage_w: float = 0
    """Of a core: what it draws for as long as it is powered."""
    family: str = ""
    """Of a device: its kind of processor; "" for a core."""
    bits: int = 32
    """Of a device: what a load takes."""
    area: Figure | None = None
    """Of a core: its netlist's area, in gate equivalents; None if it is not known."""
    wrapper: Figure | None = None
    """Of a core: the area that the wrapper adds, which its energy leaves out."""
    feed: Feed | None = None
    """Of a core: what its host puts through the wrapper; None if that wrapper does not
    have it."""


@dataclass(frozen=True, slots=True)
class Answer:
    """Costs of a message in instructions and in gates, side by side."""

    core: Cost
    device: Cost

    @property
    def ratio(self) -> Figure:
        """Energy on the device over that on the core."""
        origin = weakest(self.device.energy.origin, self.core.energy.origin)
        value = self.device.energy.value / self.core.energy.value
        return Figure(value, "1", origin, "energy of the device over that of the core")

    @property
    def host_cycles(self) -> Figure | None:
        """Cycles of the device, if it is the host that feeds the core."""
        feed = self.core.feed
        return None if feed is None else feed.figure(self.device.bits)

    @property
    def fed_ratio(self) -> Figure | None:
        """Energy on the device over that on the core and of feeding it by the device.

        The device computes nothing while the core works, and draws nothing then.
        """
        cycles = self.host_cycles
        if cycles is None:
            return None
        device_j = self.device.energy.value
        host_j = device_j / self.device.cycles.value * cycles.value
        leaks_j = self.core.leakage_w * cycles.value / self.device.clock_hz
        origin = weakest(cycles.origin, self.ratio.origin)
        return Figure(
            device_j / (self.core.energy.value + host_j + leaks_j),
            "1",
            origin,
            f"energy of the device over that of the core and its host: {cycles.source}",
        )

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


def of_core(
    row: Power,
    hertz: float,
    message_bytes: int,
    *,
    rows: Sequence[Row] = (),
    top: str = AXI,
) -> Cost:
    """Return what a message costs on a core at a clock.

    Parameters
    ----------
    row
        Its power.
    hertz
        The clock.
    message_bytes
        Bytes of the message; there is no associated data.
    rows
        Netlists whose areas are told.
    top
        The wrapper that the host reaches it through.
    """
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
        area=_area(row, rows),
        wrapper=results.wrapper_ge(rows, row.library, row.design.n, top),
        feed=_feed(row, message_bytes, top),
    )


def _area(row: Power, rows: Sequence[Row]) -> Figure | None:
    found = results.netlist_of(rows, row)
    return None if found is None else found.figure(found.area_ge, "GE")


def _feed(row: Power, message_bytes: int, top: str) -> Feed | None:
    """Return what goes through a wrapper; None if it does not have the core."""
    try:
        check_top(row.design, top)
    except MisuseError:
        return None
    return feeding.of_message(row.design, message_bytes, top=top)


def of_devices(message_bytes: int) -> Iterator[Cost]:
    """Yield what a message costs on each device, by its build with least energy."""
    best: dict[str, Result] = {}

    def is_wanted(message: int, ad: int) -> bool:
        return (message, ad) == (message_bytes, 0)

    for result in store.read(store.committed(), suites=[SUITE], wanted=is_wanted):
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
        bits=feeding.host_bits(device),
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


def compare(
    powers: Iterable[Power],
    hertz: float,
    message_bytes: int,
    *,
    rows: Sequence[Row] = (),
    top: str = AXI,
) -> list[Cost]:
    """Return all costs of a message, the least energy first.

    Parameters
    ----------
    powers
        Of the cores.
    hertz
        Clock of the cores.
    message_bytes
        Bytes of the message.
    rows
        Netlists whose areas are told beside them.
    top
        The wrapper that a host reaches the cores through, "axi" or "spi".
    """
    chips = [
        of_core(power, hertz, message_bytes, rows=rows, top=top)
        for power in powers
        if power.design.authenticates
    ]
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
