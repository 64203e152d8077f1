# SPDX-License-Identifier: Apache-2.0
"""How long a battery lasts at a mean power."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from samara.energy.capacitors import HarvestedStore
from samara.energy.pulses import usable
from samara.errors import MisuseError

if TYPE_CHECKING:
    from samara.energy.capacitors import Harvest
    from samara.energy.catalogue import Battery
    from samara.energy.pulses import Pulse
    from samara.energy.quantity import Draw, Value

YEAR_S = 365.25 * 86400
ROOM_CELSIUS = 20.0


@dataclass(frozen=True, slots=True)
class Supply:
    """A battery as it is taken to be, at one temperature."""

    battery: Battery
    capacity_ah: Value
    """That can be taken out at this temperature and the best load."""
    voltage_v: Value
    self_discharge_per_s: Value
    load_scale: Value = 1.0
    pulse_share: Value = 1.0
    """Which share of the capacity can be used by what draws it in pulses."""
    harvest: Harvest | None = None
    """What fills it again, if anything does."""

    def energy_j(self, power_w: Value) -> Value:
        """Return what can be taken out at a mean power, without self-discharge."""
        share = self.battery.usable_by_load.at(power_w / self.voltage_v)
        # No battery gives more than all, however its curve is drawn.
        used = np.minimum(share * self.load_scale, 1.0) * self.pulse_share
        return self.capacity_ah * 3600 * self.voltage_v * used

    def life_s(self, power_w: Value) -> Value:
        """Return how long the battery lasts at a mean power, in seconds.

        What it loses by itself is a share of what is left, so that with the
        energy ``E``, the power ``P`` and the rate ``r`` it lasts ``log(1 + r E / P)
        / r``, which is ``E / P`` when the rate is zero.
        """
        if self.harvest is not None:
            vouched_s = self.battery.shelf_years.value * YEAR_S
            return self.harvest.life_s(power_w, self.energy_j(power_w), vouched_s)
        alone_s = self.energy_j(power_w) / power_w
        rate = np.asarray(self.self_discharge_per_s, dtype=np.float64)
        lost = np.where(rate > 0, rate, 1.0)
        life_s = np.where(rate > 0, np.log1p(lost * alone_s) / lost, alone_s)
        return float(life_s) if life_s.ndim == 0 else life_s


@dataclass(frozen=True, slots=True)
class Store:
    """So many joules, and nothing that is lost."""

    joules: Value

    def life_s(self, power_w: Value) -> Value:
        """Return how long it lasts at a mean power, in seconds."""
        return self.joules / power_w


def supply(
    battery: Battery,
    draw: Draw,
    celsius: float = ROOM_CELSIUS,
    pulse: Pulse | None = None,
) -> Supply:
    """Return a battery as it is taken to be.

    Parameters
    ----------
    pulse
        What is drawn from it at once. None: so little that its resistance does not
        count.

    Raises
    ------
    MisuseError
        When it is not known what is left of it at this temperature.

    >>> from samara.energy import catalogue, quantity
    >>> coin = supply(catalogue.battery("cr2032"), quantity.nominal)
    >>> round(coin.life_s(20e-6) / YEAR_S, 2)
    3.65
    """
    drawn = battery.draw(draw)
    by_temperature = battery.usable_by_temperature
    (coldest, _), (hottest, _) = by_temperature.points[0], by_temperature.points[-1]
    if not coldest <= celsius <= hottest:
        message = (
            f"{battery.title} is known from {coldest:g} to {hottest:g} degrees "
            f"Celsius, not at {celsius:g}: give another temperature or battery"
        )
        raise MisuseError(message)
    scale = draw(f"{battery.name}.usable_by_temperature", by_temperature.scale)
    share = np.minimum(by_temperature.at(celsius) * scale, 1.0)
    at_room = by_temperature.at(celsius) >= 1
    return Supply(
        battery,
        capacity_ah=drawn["capacity_ah"] * (1.0 if at_room else share),
        voltage_v=drawn["voltage_v"],
        self_discharge_per_s=drawn["self_discharge_per_year"] / YEAR_S,
        load_scale=draw(f"{battery.name}.usable_by_load", battery.usable_by_load.scale),
        pulse_share=1.0 if pulse is None else usable(battery, pulse, draw),
        harvest=battery.harvest(draw) if isinstance(battery, HarvestedStore) else None,
    )
