# SPDX-License-Identifier: Apache-2.0
"""Runs of a network by events, beside the closed form of the same nodes."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Self

import numpy as np

from samara.energy.network import LOAD_TRUSTED, Region
from samara.energy.ranges import Range, quantiles

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from samara.energy.events import SimulatedTraffic
    from samara.energy.network import Consumption
    from samara.energy.runs import Network
    from samara.energy.supply import Supply

    Array = NDArray[np.float64]

_DAY_S = 86_400.0
COUNTS = ("made", "delivered", "lost", "waiting", "collided", "lost_on_links")
_AGREE = 0.01
_INTERVALS = 20
"""Messages of a node that a mean needs at least."""


@dataclass(frozen=True, slots=True)
class Run:
    """One run by events, beside the closed form of the same nodes."""

    seed: int
    closed: Consumption
    traffic: SimulatedTraffic
    closed_collided: float
    """Share of the messages that collide, by the closed form."""
    cells: Supply
    """Drawn as the nodes are."""


@dataclass(frozen=True, slots=True)
class Simulated:
    """A network in one run or in several, beside the closed form.

    Each run has its own draw of all quantities, and the closed form the same.
    """

    runs: Sequence[Run]
    events_by_node_w: Array
    """Mean over the runs."""
    closed_by_node_w: Array
    simulated_s: float
    """All runs together."""
    interval_s: float
    capacity: float | None
    """The share of the bound at which queues grow, if it was found."""

    @classmethod
    def of(cls, runs: Sequence[Run], network: Network, capacity: float | None) -> Self:
        """Return runs of a network.

        Parameters
        ----------
        capacity
            The load at which the network saturates, if it was found.
        """
        return cls(
            runs,
            np.mean([each.traffic.total_w for each in runs], axis=0),
            np.mean([each.closed.total_w for each in runs], axis=0),
            network.duration_s * len(runs),
            network.interval_s,
            capacity,
        )

    @property
    def _node(self) -> int:
        return int(np.argmax(self.events_by_node_w))

    @property
    def bottleneck(self) -> int:
        """The node that draws the most in the mean over the runs."""
        return self._node + 1

    @property
    def bottleneck_share(self) -> float:
        """Share of all messages that this node sends."""
        return float(self.runs[0].closed.share[self._node])

    @property
    def closed_w(self) -> Array:
        """What the node draws that draws the most, in each run, by the closed form."""
        return np.array([float(each.closed.total_w.max()) for each in self.runs])

    @property
    def events_w(self) -> Array:
        """What the bottleneck draws in each run."""
        return np.array([float(each.traffic.total_w[self._node]) for each in self.runs])

    def lifetimes_s(self, powers_w: Array) -> Array:
        """Return the lives at powers, of which each run has one."""
        pairs = zip(self.runs, powers_w, strict=True)
        return np.array([float(each.cells.life_s(float(w))) for each, w in pairs])

    def bands_by_node_uw(self, shares: Sequence[float]) -> Array:
        """Return the quantiles of the runs by events: by share, and by node."""
        by_run_uw = np.array([each.traffic.total_w for each in self.runs]) * 1e6
        return np.asarray(np.quantile(by_run_uw, shares, axis=0))

    @property
    def load(self) -> float:
        """Share of the load at which queues grow; at most this without `capacity`.

        The median over the runs.
        """
        loads = [
            each.closed.load.max() / self.capacity
            if self.capacity
            else each.closed.load_most.max()
            for each in self.runs
        ]
        return float(np.median(loads))

    @property
    def region(self) -> Region:
        """The worst of a run."""
        return Region(
            max(int(run.closed.region(capacity=self.capacity)) for run in self.runs)
        )

    @property
    def believed(self) -> str:
        """Which of both to believe."""
        if any(each.traffic.saturated for each in self.runs):
            return "neither"
        if self.region is Region.SATURATED:
            return "neither"
        if self.load > LOAD_TRUSTED:
            return "events"
        if abs(float(self.events_w.mean() / self.closed_w.mean()) - 1) <= _AGREE:
            return "both"
        # Whether the time that was simulated is long enough for a mean.
        is_long = self.simulated_s >= max(_DAY_S, _INTERVALS * self.interval_s)
        return "events" if is_long else "closed form"

    @property
    def latency_s(self) -> float:
        """Mean from making a message to its delivery; not a number for none."""
        arrived = [run.traffic for run in self.runs if run.traffic.delivered]
        counts = [each.delivered for each in arrived]
        if not counts:
            return math.nan
        return float(np.average([each.latency_s for each in arrived], weights=counts))

    @property
    def closed_collided(self) -> float:
        """Share of the messages that collide by the closed form, the median."""
        return float(np.median([each.closed_collided for each in self.runs]))

    def count(self, name: str) -> int:
        """Return the sum of a count over all runs, such as one of `COUNTS`."""
        return sum(getattr(each.traffic, name) for each in self.runs)

    def ranges(self) -> dict[str, Range | None]:
        """Return the ranges over the runs; None where no life can be told."""
        lifetimes = {
            "closed_form_life_days": self.closed_w,
            "events_life_days": self.events_w,
        }
        is_known = self.believed != "neither"
        return {
            "closed_form_power_uw": quantiles(self.closed_w * 1e6),
            "events_power_uw": quantiles(self.events_w * 1e6),
            **{
                name: quantiles(self.lifetimes_s(powers_w) / _DAY_S)
                if is_known
                else None
                for name, powers_w in lifetimes.items()
            },
        }
