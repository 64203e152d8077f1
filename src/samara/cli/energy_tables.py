# SPDX-License-Identifier: Apache-2.0
"""What `samara energy` shows: tables."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Self

import numpy as np

from samara.cli.tables import Column, console, print_table, print_text
from samara.energy.network import Region
from samara.energy.parts import Part

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray
    from rich.console import Console

    from samara.energy.events import Outcome
    from samara.energy.lives import Life, Message
    from samara.energy.network import Consumption
    from samara.energy.runs import Network
    from samara.energy.scenario import Scenario
    from samara.energy.supply import Supply

_DAY_S = 86_400.0
_TOLD = "10 %, 50 % and 90 % of draws from the tolerances of data sheets are below."


def about(scenario: Scenario) -> str:
    """Return what a node is taken to be, defaults among it."""
    secured = "without security"
    if scenario.calls:
        secured = f"{scenario.added_bytes} of them by {scenario.calls[0].suite}"
    return (
        f"Node: {scenario.device}, {scenario.radio}, {scenario.mac}; frames of "
        f"{scenario.frame_bytes + scenario.added_bytes} bytes, {secured}."
    )


def digits(value: float) -> str:
    """Return a number with three digits or more, never none of them.

    >>> [digits(value) for value in (0.0, 0.00987, 1.5, 12.345, 1234.5)]
    ['0', '0.00987', '1.50', '12.3', '1,234']
    """
    if value == 0 or not math.isfinite(value):
        return f"{value:g}"
    decimals = max(2 - math.floor(math.log10(abs(value))), 0)
    return f"{value:,.{decimals}f}"


def print_message(scenario: Scenario, told: Message) -> None:
    """Print what one message takes, part by part."""
    total_j = float(told.energy_j.total)
    rows = [
        [str(part), f"{joules * 1e6:,.2f}", f"{digits(joules / total_j * 100)}%"]
        for part in Part
        if (joules := float(told.energy_j[part]))
    ]
    rows.append(["total", f"{total_j * 1e6:,.2f}", ""])
    columns = [
        Column("part"),
        Column("µJ", numeric=True),
        Column("share", numeric=True),
    ]
    screen = console()
    print_table(
        screen,
        columns,
        rows,
        title="One message, with all until the next",
        caption=about(scenario),
        empty="nothing",
    )
    spread = told.range_j
    print_text(
        screen,
        f"Range: {spread.low * 1e6:,.0f}, {spread.middle * 1e6:,.0f}, "
        f"{spread.high * 1e6:,.0f} µJ. {_TOLD}",
    )
    print_text(screen, f"Mean latency of a hop: {told.latency_s * 1e3:,.1f} ms.")
    _print_unchecked(screen, told.unchecked)


def _print_unchecked(screen: Console, names: Sequence[str]) -> None:
    if names:
        print_text(
            screen,
            f"Assumed, since not checked in their sources: {', '.join(names)}.",
        )


def print_lives(told: Sequence[Life], given: Scenario, interval_s: float) -> None:
    """Print how long a battery lasts, for each that is compared with what is given."""
    rows = [
        [
            each.name,
            str(each.frame_bytes),
            *map(digits, (each.years.low, each.years.middle, each.years.high)),
            digits(each.taken_hours.middle),
            f"{digits(each.taken * 100)}%",
        ]
        for each in told
    ]
    columns = [
        Column("security"),
        *(
            Column(name, numeric=True)
            for name in (
                "frame,\nbytes",
                "years,\n10 %",
                "years,\n50 %",
                "years,\n90 %",
                "taken,\nhours",
                "taken,\nshare",
            )
        ),
    ]
    screen = console()
    print_table(
        screen,
        columns,
        rows,
        title=f"Life of {given.battery}, a message every {interval_s:g} s",
        caption=_TOLD,
        empty="nothing to compare",
    )
    print_text(screen, about(given))
    for doubt in sorted({text for each in told for text in each.doubts}):
        print_text(screen, doubt)
    _print_unchecked(screen, sorted({name for each in told for name in each.unchecked}))


@dataclass(frozen=True, slots=True)
class Simulated:
    """A network by events, in one run or in several, beside the closed form."""

    region: int
    load: float
    """Share of the load at which queues grow; at most this without `capacity`."""
    capacity: float | None
    """The share of the bound at which queues grow."""
    closed_w: float
    closed_s: float
    events_by_node_w: NDArray[np.float64]
    """Mean over the runs."""
    bottleneck_by_run_w: NDArray[np.float64]
    """What the node draws in each run that draws the most on average."""
    events_s: float
    bottleneck: int
    bottleneck_share: float
    """Share of all messages that this node sends."""
    outcomes: Sequence[Outcome]
    is_long: bool
    """Whether the time that was simulated is long enough for a mean."""

    @classmethod
    def of(
        cls,
        closed: Consumption,
        outcomes: Sequence[Outcome],
        cells: Supply,
        network: Network,
        capacity: float | None,
    ) -> Self:
        """Return the runs of a network beside the closed form.

        Parameters
        ----------
        capacity
            The load at which the network saturates, if it was found.
        """
        simulated_s = network.duration_s * len(outcomes)
        by_run_w = np.array([each.total_w for each in outcomes])
        mean_w = by_run_w.mean(axis=0)
        node = int(np.argmax(mean_w))
        closed_w = float(closed.total_w.max())
        load = closed.load / capacity if capacity else closed.load_most
        return cls(
            region=int(closed.region(capacity=capacity)),
            load=float(load.max()),
            capacity=capacity,
            closed_w=closed_w,
            closed_s=float(cells.life_s(closed_w)),
            events_by_node_w=mean_w,
            bottleneck_by_run_w=by_run_w[:, node],
            events_s=float(cells.life_s(float(mean_w[node]))),
            bottleneck=node + 1,
            bottleneck_share=float(closed.share[node]),
            outcomes=outcomes,
            is_long=simulated_s >= max(_DAY_S, _INTERVALS * network.interval_s),
        )

    @property
    def events_w(self) -> float:
        """What the node draws that draws the most."""
        return float(self.events_by_node_w.max())

    @property
    def believed(self) -> str:
        """Which of both to believe."""
        if any(each.saturated for each in self.outcomes):
            return "neither"
        if self.region != Region.WORKS:
            return "events"
        if abs(self.events_w / self.closed_w - 1) <= _AGREE:
            return "both"
        return "events" if self.is_long else "closed form"

    @property
    def latency_s(self) -> float:
        """Mean from making a message to its delivery; not a number for none."""
        arrived = [each for each in self.outcomes if each.delivered]
        counts = [each.delivered for each in arrived]
        if not counts:
            return math.nan
        return float(np.average([each.latency_s for each in arrived], weights=counts))

    def _days(self, life_s: float) -> float | None:
        """Return a life; None where none can be told."""
        return None if self.believed == "neither" else life_s / _DAY_S

    def count(self, name: str) -> int:
        """Return the sum of a count over all runs."""
        return sum(getattr(each, name) for each in self.outcomes)

    def as_json(self) -> dict[str, Any]:
        """Return plain values."""
        return {
            "load": self.load,
            "capacity": self.capacity,
            "region": Region(self.region).name.lower(),
            "bottleneck": self.bottleneck,
            "bottleneck_share": self.bottleneck_share,
            "closed_form_power_uw": self.closed_w * 1e6,
            "events_power_uw": self.events_w * 1e6,
            "closed_form_life_days": self._days(self.closed_s),
            "events_life_days": self._days(self.events_s),
            **{name: self.count(name) for name in _COUNTS},
            "latency_s": self.latency_s,
            "events": self.count("events"),
            "believe": self.believed,
        }


_COUNTS = ("made", "delivered", "lost", "waiting")
_AGREE = 0.01
_INTERVALS = 20
"""Messages of a node that a mean needs at least."""
_BELIEVED = {
    "both": "Believe both: the load is below 90 % of saturation, where queues grow.",
    "events": "Believe the events: the closed form knows no queues.",
    "closed form": "Believe the closed form: the load is below 90 % of saturation, "
    "where queues grow, and the time that was simulated is short for a mean. Give more "
    "--hours or --runs.",
    "neither": "Believe neither: queues grow, so that messages are lost in the end.",
}


def print_simulated(told: Simulated, nodes: int, node: str) -> None:
    """Print a network by events beside the closed form, and what a node is."""
    rows = [
        [
            name,
            f"{watts * 1e6:,.1f}",
            "-" if told.believed == "neither" else digits(life_s / _DAY_S),
        ]
        for name, watts, life_s in (
            ("closed form", told.closed_w, told.closed_s),
            ("events", told.events_w, told.events_s),
        )
    ]
    columns = [
        Column("told by"),
        Column("power, µW", numeric=True),
        Column("life, days", numeric=True),
    ]
    screen = console()
    title = (
        f"{nodes} nodes; node {told.bottleneck} draws the most, and sends "
        f"{told.bottleneck_share:.0%} of all messages"
    )
    print_table(screen, columns, rows, title=title, empty="nothing")
    runs_w = told.bottleneck_by_run_w
    if runs_w.size > 1:
        print_text(
            screen,
            f"Mean of {runs_w.size:,} runs; from {runs_w.min() * 1e6:,.1f} to "
            f"{runs_w.max() * 1e6:,.1f} µW.",
        )
    made, delivered, lost, waiting = map(told.count, _COUNTS)
    print_text(
        screen,
        f"{delivered:,} of {made:,} messages delivered, {lost:,} lost, {waiting:,} "
        f"waiting; mean latency {told.latency_s:,.2f} s. Load "
        f"{'' if told.capacity else 'at most '}{told.load:.0%} of saturation.",
    )
    print_text(screen, _BELIEVED[told.believed])
    print_text(screen, node)
