# SPDX-License-Identifier: Apache-2.0
"""How far a battery can be emptied by a radio that draws its current in pulses.

A cell has a resistance, which grows as it is emptied: a pulse lowers its voltage. With
the voltage at rest ``V(u)`` and the resistance ``R(u)`` where the share ``u`` of the
capacity is used, and the share ``s(t)`` of the resistance that a pulse of length ``t``
meets, the cell is at its end for a current ``I`` where

    V(u) - I s(t) R(u) = the least voltage that the parts run at.

What is left in it then is not used. Batteries whose lines are not known give all.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from samara.energy.catalogue import Battery
    from samara.energy.quantity import Draw, Value


@dataclass(frozen=True, slots=True)
class Pulse:
    """What is drawn from a battery at once."""

    current_a: Value
    seconds: Value
    least_v: float
    """The least voltage at which the parts that draw it run."""


def usable(cells: Battery, pulse: Pulse, draw: Draw) -> Value:
    """Return which share of the capacity can be used, in pulses.

    >>> from samara.energy import catalogue, quantity
    >>> coin = catalogue.battery("cr2032")
    >>> [round(usable(coin, Pulse(a, 2.0, 2.0), quantity.nominal), 2)
    ...  for a in (1e-6, 0.015, 0.030, 0.1)]
    [1.0, 0.83, 0.69, 0.0]
    """
    voltage, resistance = cells.voltage_by_use, cells.resistance_by_use
    if voltage is None or resistance is None:
        return 1.0
    uses = np.unique([at for each in (voltage, resistance) for at, _ in each.points])
    met = cells.resistance_by_pulse
    share = 1.0 if met is None else met.at(pulse.seconds)
    scale = draw(f"{cells.name}.resistance_by_use", resistance.scale)
    dropped_v = np.asarray(pulse.current_a * share * scale)[..., np.newaxis]
    scale = draw(f"{cells.name}.voltage_by_use", voltage.scale)
    rest_v = np.asarray(scale)[..., np.newaxis] * voltage.at(uses)
    margin_v = rest_v - dropped_v * resistance.at(uses) - pulse.least_v
    found = _crossing(uses, np.asarray(margin_v))
    return float(found) if np.ndim(found) == 0 else found


def _crossing(uses: Value, margin: Value) -> Value:
    """Return where lines through points first fall below 0; 1 if they do not.

    Parameters
    ----------
    margin
        By the points of `uses`, its last axis.
    """
    margins = np.asarray(margin)
    below = margins < 0
    after = np.argmax(below, axis=-1)
    before = np.maximum(after - 1, 0)
    high = np.take_along_axis(margins, before[..., np.newaxis], -1)[..., 0]
    low = np.take_along_axis(margins, after[..., np.newaxis], -1)[..., 0]
    # Where nothing is below, or the first point is, there is no step to divide.
    step = np.where(high > low, high - low, 1.0)
    places = np.asarray(uses)
    at = places[before] + (places[after] - places[before]) * np.maximum(high, 0) / step
    return np.where(~below.any(axis=-1), 1.0, np.where(after == 0, 0.0, at))
