# SPDX-License-Identifier: Apache-2.0
"""Messages and lives of described nodes, with ranges, from one set of draws."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from samara.energy.parts import Part
from samara.energy.quantity import Sampled, nominal
from samara.energy.ranges import quantiles
from samara.energy.supply import YEAR_S
from samara.energy.topology import chain
from samara.figure import Figure, Origin

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from samara.energy.parts import Parts
    from samara.energy.quantity import Value
    from samara.energy.ranges import Range
    from samara.energy.scenario import Scenario

_HOUR_S = 3600.0


@dataclass(frozen=True, slots=True)
class Message:
    """What one message takes at its sender. Figures are in joules and seconds."""

    energy_j: Parts
    """As data sheets state it."""
    range_j: Range
    latency_s: float
    """Mean time of a hop: sealing, sending, opening."""
    unchecked: Sequence[str]
    """Quantities that it depends on and whose sources have not been checked."""

    def as_json(self) -> dict[str, Any]:
        """Return the figures by name."""
        parts = {part: self._figure(self.energy_j[part]) for part in Part}
        return {
            "parts": parts,
            "total": self._figure(self.energy_j.total),
            "low": self._figure(self.range_j.low),
            "median": self._figure(self.range_j.middle),
            "high": self._figure(self.range_j.high),
            "latency": self._figure(self.latency_s, "s"),
            "unchecked": self.unchecked,
        }

    def _figure(self, value: Value, unit: str = "J") -> Figure:
        return _figure(float(value), unit, self.unchecked)


def message(
    scenario: Scenario, interval_s: float, *, draws: int, seed: int = 0
) -> Message:
    """Return what one message takes, with listening and sleep until the next.

    Raises
    ------
    NotMeasuredError
        When the bench has not measured what secures the frames.
    """
    node = scenario.node(nominal)
    drawn_j = scenario.node(Sampled(draws, seed)).message(interval_s).total
    return Message(
        node.message(interval_s),
        quantiles(drawn_j),
        float(node.latency_s()),
        scenario.unchecked(battery=False),
    )


def _figure(value: float, unit: str, unchecked: Sequence[str]) -> Figure:
    origin = Origin.ASSUMED if unchecked else Origin.ESTIMATED
    return Figure(value, unit, origin, "energy model, closed form")


@dataclass(frozen=True, slots=True)
class Life:
    """How long a battery lasts, and what of it security takes."""

    name: str
    years: Range
    stated_years: float
    """As data sheets state it, without tolerances."""
    taken_hours: Range
    taken: float
    """The share of the life without security, in the median of draws."""
    frame_bytes: int
    unchecked: Sequence[str]
    """Quantities that it depends on and whose sources have not been checked."""
    doubts: Sequence[str] = ()
    """What the life holds only with."""

    def as_json(self) -> dict[str, Any]:
        """Return the figures by name."""
        years, hours = self.years, self.taken_hours
        return {
            "name": self.name,
            "frame_bytes": self.frame_bytes,
            "life": {
                "low": self._figure(years.low, "year"),
                "median": self._figure(years.middle, "year"),
                "high": self._figure(years.high, "year"),
                "stated": self._figure(self.stated_years, "year"),
            },
            "taken_by_security": {
                "low": self._figure(hours.low, "hour"),
                "median": self._figure(hours.middle, "hour"),
                "high": self._figure(hours.high, "hour"),
                "share": self._figure(self.taken, "1"),
            },
            "unchecked": self.unchecked,
            "doubts": self.doubts,
        }

    def _figure(self, value: float, unit: str) -> Figure:
        return _figure(value, unit, self.unchecked)


def compare(
    scenarios: Mapping[str, Scenario],
    interval_s: float,
    *,
    draws: int,
    seed: int = 0,
    tell: Callable[[float], None] = lambda share: None,  # noqa: ARG005 - says nothing
) -> list[Life]:
    """Return the lives of nodes next to their sink, in the same draws.

    Parameters
    ----------
    tell
        Is told which share of the scenarios is done.

    Raises
    ------
    NotMeasuredError
        When the bench has not measured what secures the frames of one.
    """
    found = []
    for name, scenario in scenarios.items():
        found.append(_life(name, scenario, interval_s, Sampled(draws, seed)))
        tell(len(found) / len(scenarios))
    return found


def _life(name: str, scenario: Scenario, interval_s: float, draw: Sampled) -> Life:
    alone = chain(1)
    lives_s = np.asarray(scenario.life_s(alone, interval_s, draw))
    plain_s = np.asarray(scenario.unsecured().life_s(alone, interval_s, draw))
    taken_s = plain_s - lives_s
    years = quantiles(lives_s / YEAR_S)
    return Life(
        name=name,
        years=years,
        stated_years=float(scenario.life_s(alone, interval_s)) / YEAR_S,
        taken_hours=quantiles(taken_s / _HOUR_S),
        taken=float(np.median(taken_s / plain_s)),
        frame_bytes=scenario.frame_bytes + scenario.added_bytes,
        unchecked=scenario.unchecked(),
        doubts=scenario.doubts(years.high),
    )
