# SPDX-License-Identifier: Apache-2.0
"""Capacitors that a harvester fills: they last as long as the harvest does.

A capacitor of ``C`` farad holds ``C (V1² - V0²) / 2`` between two voltages.
A harvester gives power by the hour of the day; the node and the leakage take theirs at
all times. From a full capacitor at the end of the light, the days are computed step by
step, each like the one before:

- it is never empty, and a day ends as it began: the harvest holds, and the life is that
  for which its maker vouches;
- it is empty in a night: the life ends there;
- each day takes more than it brings: the life ends when what was stored is used.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from samara.energy.catalogue import Battery, Curve, Inflow, Line, Row
from samara.energy.quantity import Quantity

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from samara.energy.quantity import Draw, Value

    Levels = NDArray[np.float64]

_DAY_S = 86_400.0
_STEPS = 96
"""Of a day: quarters of an hour."""
_DAYS = 3
"""That are computed step by step: the first one settles."""
_HOURS = 24 * (np.arange(_STEPS) + 0.5) / _STEPS
_ALL = Curve(((0.0, 1.0),), 0.0, "a capacitor: all of it, at any load", checked=True)
_SAME = Curve(
    ((-40.0, 1.0), (65.0, 1.0)), 0.0, "a capacitor: hardly any influence", checked=True
)


@dataclass(frozen=True, slots=True)
class Harvest:
    """What a harvester brings in a day, in watts, and what leaks meanwhile."""

    by_step_w: Value
    """With steps of a day as its last axis, from the end of the light on."""
    leakage_w: Value

    @property
    def mean_w(self) -> Value:
        """What it brings on average, without what leaks."""
        return np.asarray(np.mean(self.by_step_w, axis=-1) - self.leakage_w)

    def life_s(self, power_w: Value, stored_j: Value, vouched_s: float) -> Value:
        """Return how long a node lives that draws this power.

        Parameters
        ----------
        stored_j
            What a full capacitor gives.
        vouched_s
            The life where the harvest holds.
        """
        drawn_w = np.asarray(power_w + self.leakage_w)[..., np.newaxis]
        gained_j = (self.by_step_w - drawn_w) * (_DAY_S / _STEPS)
        full_j = np.asarray(stored_j, dtype=np.float64)
        with np.errstate(divide="ignore", invalid="ignore"):
            life_s, ends_j = _by_step(full_j, np.moveaxis(gained_j, -1, 0))
            lost_j = ends_j[-2] - ends_j[-1]
            later_s = (_DAYS + ends_j[-1] / lost_j) * _DAY_S
        slowly = np.where(lost_j > 0, later_s, vouched_s)
        found = np.minimum(np.where(np.isinf(life_s), slowly, life_s), vouched_s)
        return float(found) if not found.ndim else found

    def in_words(self, power_w: float, stored_j: float) -> str:
        """Return whether it holds, for a node that draws this power."""
        drawn_w = power_w + float(np.median(self.leakage_w))
        brought_w = float(np.mean(self.by_step_w))
        balance = (
            f"the harvest brings {brought_w * 1e3:.3g} mW on average, node and leakage "
            f"take {drawn_w * 1e3:.3g} mW"
        )
        hours = self._hours_without(drawn_w, stored_j)
        if hours:
            return (
                f"{balance}: on a usual day there is no power for {hours:.3g} h, and "
                "the life ends in the first night"
            )
        if brought_w < drawn_w:
            return f"{balance}: the life ends when what was stored is used"
        dark_h = stored_j / drawn_w / 3600
        return (
            f"{balance}: it lasts as long as the harvest holds, and bridges "
            f"{dark_h:,.3g} h without light"
        )

    def _hours_without(self, drawn_w: float, stored_j: float) -> float:
        """Return for how long of a usual day there is no power, from full at dusk."""
        level_j, empty = stored_j, 0
        for gained_w in np.ravel(np.median(np.atleast_2d(self.by_step_w), axis=0)):
            level_j += (float(gained_w) - drawn_w) * (_DAY_S / _STEPS)
            empty += level_j < 0
            level_j = min(max(level_j, 0.0), stored_j)
        return 24 * empty / _STEPS


def _by_step(full_j: Levels, gained_j: Levels) -> tuple[Levels, list[Levels]]:
    """Compute some days from a full capacitor on, step by step.

    Steps that gain the same, such as those in the dark, are one.

    Parameters
    ----------
    gained_j
        In each step of a day, which is the first axis; less than none in the dark.

    Returns
    -------
    :
        When it is empty for the first time, infinite for never; and what is in it at
        first and at the end of each day, of the last two at least.
    """
    shape = np.broadcast_shapes(full_j.shape, gained_j.shape[1:])
    level_j, life_s = np.broadcast_to(full_j, shape), np.full(shape, np.inf)
    ends_j = [level_j]
    runs = _runs(gained_j)
    for day in range(_DAYS):
        for first, count in runs:
            step_j = gained_j[first]
            after_j = level_j + count * step_j
            below = after_j < 0
            if below.any():
                at_s = (day * _STEPS + first + level_j / -step_j) * (_DAY_S / _STEPS)
                life_s = np.where(below & np.isinf(life_s), at_s, life_s)
            level_j = np.minimum(np.maximum(after_j, 0.0), full_j)
        ends_j.append(level_j)
        if (ends_j[-2] == level_j).all():
            break  # and so are all days that follow
    return life_s, ends_j


def _runs(gained_j: Levels) -> list[tuple[int, int]]:
    """Return the first step of each run of equal ones, and how many it has."""
    changed = (gained_j[1:] != gained_j[:-1]).reshape(len(gained_j) - 1, -1).any(axis=1)
    firsts = [0, *(int(each) + 1 for each in np.flatnonzero(changed))]
    ends = [*firsts[1:], len(gained_j)]
    return [(first, end - first) for first, end in zip(firsts, ends, strict=True)]


@dataclass(frozen=True, slots=True)
class HarvestedStore(Battery):
    """A capacitor as a battery, with what fills it."""

    capacitor: Capacitor | None = None

    def harvest(self, draw: Draw) -> Harvest | None:
        """Return what fills it; None: nothing does."""
        return None if self.capacitor is None else self.capacitor.harvest(draw)


@dataclass(frozen=True, slots=True)
class Capacitor(Row):
    """A capacitor, and the harvester that fills it."""

    file: ClassVar[str] = "capacitors.toml"
    kind: ClassVar[str] = "capacitor"

    capacitance_f: Quantity
    full_v: Quantity
    """The voltage that the harvester fills it to."""
    empty_v: Quantity
    """The voltage down to which it is used."""
    resistance_ohm: Quantity
    leakage_a: Quantity
    pulse_a: Quantity
    """The most that it, and what is behind it, gives at once."""
    shelf_years: Quantity
    harvest_by_hour: Inflow
    """In milliwatt, after the harvester's converter, by the hour of the day."""

    def __post_init__(self) -> None:
        """Refuse voltages between which there is nothing."""
        if not self.full_v.value > self.empty_v.value:
            message = (
                f"full ({self.full_v.value:g} V) has to be above empty "
                f"({self.empty_v.value:g} V)"
            )
            raise ValueError(message)

    @property
    def stored_j(self) -> float:
        """What it gives from full to empty."""
        squares = self.full_v.value**2 - self.empty_v.value**2
        return self.capacitance_f.value * squares / 2

    def battery(self) -> HarvestedStore:
        """Return it as a battery, whose capacity follows from its voltages."""
        mean_v = (self.full_v.value + self.empty_v.value) / 2
        size = self.capacitance_f
        return HarvestedStore(
            name=self.name,
            title=self.title,
            capacity_ah=Quantity(
                self.stored_j / mean_v / 3600, size.tolerance, size.source, size.checked
            ),
            voltage_v=Quantity(mean_v, 0.0, self.full_v.source, self.full_v.checked),
            cutoff_v=self.empty_v,
            pulse_a=self.pulse_a,
            shelf_years=self.shelf_years,
            self_discharge_per_year=_LEAKS_OTHERWISE,
            usable_by_load=_ALL,
            usable_by_temperature=_SAME,
            voltage_by_use=self._voltages(),
            resistance_by_use=Line(
                ((0.0, self.resistance_ohm.value or 1e-9),),
                self.resistance_ohm.tolerance,
                self.resistance_ohm.source,
                self.resistance_ohm.checked,
            ),
            capacitor=self,
        )

    def _voltages(self) -> Line:
        """Return the voltage by the share of the energy that is used."""
        full, empty = self.full_v.value, self.empty_v.value
        points = tuple(
            (used, (full**2 - used * (full**2 - empty**2)) ** 0.5)
            for used in (each / 10 for each in range(11))
        )
        return Line(points, 0.0, self.full_v.source, self.full_v.checked)

    def harvest(self, draw: Draw) -> Harvest:
        """Return what it is filled with, from the end of the light on."""
        by_hour = self.harvest_by_hour
        scale = np.asarray(draw(f"{self.name}.harvest_by_hour", by_hour.scale))
        leaks_a = draw(f"{self.name}.leakage_a", self.leakage_a)
        mean_v = (self.full_v.value + self.empty_v.value) / 2
        of_day = np.roll(by_hour.at(_HOURS), -_dusk(by_hour))
        return Harvest(scale[..., np.newaxis] * of_day * 1e-3, leaks_a * mean_v)


_LEAKS_OTHERWISE = Quantity(0.0, 0.0, "a capacitor: its leakage is told", checked=True)


def _dusk(by_hour: Line) -> int:
    """Return the first step of the longest time with the least light."""
    watts: NDArray[np.float64] = np.asarray(by_hour.at(_HOURS))
    dark = watts <= watts.min() * (1 + 1e-9)
    if dark.all():
        return 0
    begins = np.flatnonzero(dark & ~np.roll(dark, 1))

    def length(step: int) -> int:
        return int(np.argmin(np.roll(dark, -step)))

    return max((int(each) for each in begins), key=length)
