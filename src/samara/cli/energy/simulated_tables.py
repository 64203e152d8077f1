# SPDX-License-Identifier: Apache-2.0
"""What `samara energy simulate` shows: runs by events beside the closed form."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Self

import numpy as np

from samara.cli.tables import Column, console, print_table, print_text
from samara.energy.network import LOAD_TRUSTED, Region
from samara.energy.ranges import Range, quantiles
from samara.records.numbers import digits

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from samara.energy.events import Outcome
    from samara.energy.network import Consumption
    from samara.energy.runs import Network
    from samara.energy.supply import Supply

    Array = NDArray[np.float64]

_DAY_S = 86_400.0
_COUNTS = ("made", "delivered", "lost", "waiting")
_AGREE = 0.01
_INTERVALS = 20
"""Messages of a node that a mean needs at least."""
_FEW = 10
"""Runs below which 10 % and 90 % are those of the ends."""


@dataclass(frozen=True, slots=True)
class Run:
    """One run by events, beside the closed form of the same nodes."""

    seed: int
    closed: Consumption
    outcome: Outcome
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
            np.mean([each.outcome.total_w for each in runs], axis=0),
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
        return np.array([float(each.outcome.total_w[self._node]) for each in self.runs])

    def lives_s(self, powers_w: Array) -> Array:
        """Return the lives at powers, of which each run has one."""
        pairs = zip(self.runs, powers_w, strict=True)
        return np.array([float(each.cells.life_s(float(w))) for each, w in pairs])

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
        if any(each.outcome.saturated for each in self.runs):
            return "neither"
        if self.region != Region.WORKS:
            return "events"
        if abs(float(self.events_w.mean() / self.closed_w.mean()) - 1) <= _AGREE:
            return "both"
        # Whether the time that was simulated is long enough for a mean.
        is_long = self.simulated_s >= max(_DAY_S, _INTERVALS * self.interval_s)
        return "events" if is_long else "closed form"

    @property
    def latency_s(self) -> float:
        """Mean from making a message to its delivery; not a number for none."""
        arrived = [run.outcome for run in self.runs if run.outcome.delivered]
        counts = [each.delivered for each in arrived]
        if not counts:
            return math.nan
        return float(np.average([each.latency_s for each in arrived], weights=counts))

    def count(self, name: str) -> int:
        """Return the sum of a count over all runs."""
        return sum(getattr(each.outcome, name) for each in self.runs)

    def ranges(self) -> dict[str, Range | None]:
        """Return the ranges over the runs; None where no life can be told."""
        lives = {
            "closed_form_life_days": self.closed_w,
            "events_life_days": self.events_w,
        }
        told = self.believed != "neither"
        return {
            "closed_form_power_uw": quantiles(self.closed_w * 1e6),
            "events_power_uw": quantiles(self.events_w * 1e6),
            **{
                name: quantiles(self.lives_s(powers_w) / _DAY_S) if told else None
                for name, powers_w in lives.items()
            },
        }

    def _common(self) -> dict[str, Any]:
        return {
            "load": self.load,
            "capacity": self.capacity,
            "region": self.region.name.lower(),
            "bottleneck": self.bottleneck,
            "bottleneck_share": self.bottleneck_share,
        }

    def _counts(self) -> dict[str, Any]:
        return {
            **{name: self.count(name) for name in _COUNTS},
            "latency_s": self.latency_s,
            "events": self.count("events"),
            "believe": self.believed,
        }

    def as_run(self) -> dict[str, Any]:
        """Return plain values of one run."""
        (run,) = self.runs
        values = {
            name: None if each is None else each.middle
            for name, each in self.ranges().items()
        }
        return {"seed": run.seed, **self._common(), **values, **self._counts()}

    def as_range(self) -> dict[str, Any]:
        """Return plain values of all runs."""
        values = {
            f"{name}_{share}": None if each is None else getattr(each, which)
            for name, each in self.ranges().items()
            for share, which in (("10", "low"), ("50", "middle"), ("90", "high"))
        }
        return {"runs": len(self.runs), **self._common(), **values, **self._counts()}


_BELIEVED = {
    "both": f"Believe both: the load is below {LOAD_TRUSTED:.0%} of saturation, where "
    "queues grow.",
    "events": "Believe the events: the closed form knows no queues.",
    "closed form": f"Believe the closed form: the load is below {LOAD_TRUSTED:.0%} of "
    "saturation, where queues grow, and the time that was simulated is short for a "
    "mean. Give more --hours or --runs.",
    "neither": "Believe neither: queues grow, so that messages are lost in the end.",
}


def print_simulated(told: Simulated, node: str, *, drawn: bool) -> None:
    """Print a network by events beside the closed form, and what a node is.

    Parameters
    ----------
    drawn
        Whether each run has its own draw of the quantities.
    """
    ranges = told.ranges()
    rows = [
        [name, *_cells(ranges[f"{key}_power_uw"]), *_cells(ranges[f"{key}_life_days"])]
        for name, key in (("closed form", "closed_form"), ("events", "events"))
    ]
    columns = [
        Column("told by"),
        *(Column(f"µW,\n{q} %", numeric=True) for q in (10, 50, 90)),
        *(Column(f"days,\n{q} %", numeric=True) for q in (10, 50, 90)),
    ]
    screen = console()
    title = (
        f"{told.events_by_node_w.size} nodes; node {told.bottleneck} draws the most, "
        f"and sends {told.bottleneck_share:.0%} of all messages"
    )
    print_table(screen, columns, rows, title=title, empty="nothing")
    print_text(screen, _runs(len(told.runs), drawn=drawn))
    made, delivered, lost, waiting = map(told.count, _COUNTS)
    print_text(
        screen,
        f"{delivered:,} of {made:,} messages delivered, {lost:,} lost, {waiting:,} "
        f"waiting; mean latency {told.latency_s:,.2f} s. Load "
        f"{'' if told.capacity else 'at most '}{told.load:.0%} of saturation.",
    )
    print_text(screen, _BELIEVED[told.believed])
    print_text(screen, node)


def _cells(told: Range | None) -> list[str]:
    if told is None:
        return ["-"] * 3
    return [digits(value) for value in (told.low, told.middle, told.high)]


def _runs(count: int, *, drawn: bool) -> str:
    """Return what the range is of."""
    own = (
        "its own draw of all quantities from their tolerances"
        if drawn
        else "all quantities as data sheets state them"
    )
    if count == 1:
        return f"One run, with {own}: one value. Give more --runs for a range."
    few = "" if count >= _FEW else " Give more --runs: these are few for a range."
    return f"10, 50 and 90 % of {count:,} runs, each with its own seed and {own}.{few}"
