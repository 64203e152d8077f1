# SPDX-License-Identifier: Apache-2.0
"""What a message of a described node takes, with ranges, from one set of draws."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from samara.energy.origins import model_figure
from samara.energy.parts import Part
from samara.energy.quantity import Sampled, nominal
from samara.energy.ranges import quantiles

if TYPE_CHECKING:
    from collections.abc import Sequence

    from samara.energy.parts import Parts
    from samara.energy.quantity import Value
    from samara.energy.ranges import Range
    from samara.energy.scenario import Scenario
    from samara.figure import Figure


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
        return model_figure(float(value), unit, self.unchecked)


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
