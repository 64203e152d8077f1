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
    from collections.abc import Iterator, Sequence

    from numpy.typing import NDArray
    from rich.console import Console

    from samara.energy.events import Outcome
    from samara.energy.lives import Life, Message
    from samara.energy.network import Consumption
    from samara.energy.scenario import Scenario
    from samara.energy.supply import Supply

_DAY_S = 86_400.0
_TOLD = "10 %, 50 % and 90 % of draws from the tolerances of data sheets are below."


def print_message(scenario: Scenario, told: Message) -> None:
    """Print what one message takes, part by part."""
    total_j = float(told.energy_j.total)
    rows = [
        [str(part), f"{joules * 1e6:,.2f}", f"{joules / total_j:.1%}"]
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
        title=f"One message: {scenario.device}, {scenario.radio}, {scenario.mac}",
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


def print_lives(told: Sequence[Life], battery: str, interval_s: float) -> None:
    """Print how long a battery lasts, for each that is compared."""
    rows = [
        [
            each.name,
            str(each.frame_bytes),
            *(f"{y:.2f}" for y in (each.years.low, each.years.middle, each.years.high)),
            f"{each.taken_hours.middle:,.1f}",
            f"{each.taken:.2%}",
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
        title=f"Life of {battery}, a message every {interval_s:g} s",
        caption=_TOLD,
        empty="nothing to compare",
    )
    for doubt in sorted({text for each in told for text in each.doubts}):
        print_text(screen, doubt)
    _print_unchecked(screen, sorted({name for each in told for name in each.unchecked}))


@dataclass(frozen=True, slots=True)
class Grid:
    """Networks by numbers of nodes and intervals."""

    sizes: Sequence[int]
    intervals_s: NDArray[np.float64]
    life_s: NDArray[np.float64]
    taken: NDArray[np.float64]
    region: NDArray[np.int64]
    bottleneck_share: NDArray[np.float64]

    def panels(self) -> list[tuple[str, NDArray[np.float64]]]:
        """Return what is drawn: titles with units, and values."""
        return [
            ("taken by security, %", self.taken * 100),
            ("life, days", self.life_s / _DAY_S),
        ]

    def rows(self) -> Iterator[dict[str, Any]]:
        """Yield each network; one that does not work has no life."""
        for i, size in enumerate(self.sizes):
            for j, interval_s in enumerate(self.intervals_s):
                region = Region(int(self.region[i, j]))
                told = region <= Region.DOUBTFUL
                yield {
                    "nodes": size,
                    "interval_s": float(interval_s),
                    "life_days": float(self.life_s[i, j]) / _DAY_S if told else None,
                    "taken": float(self.taken[i, j]) if told else None,
                    "region": region.name.lower(),
                    "bottleneck_share": float(self.bottleneck_share[i, j]),
                }


def print_grid(grid: Grid, shape: str) -> None:
    """Print the corners of a grid, and what of it does not work."""
    every = list(grid.rows())
    wide = len(grid.intervals_s)
    ends = (0, len(grid.sizes) - 1), (0, wide - 1)
    corners = {(i, j) for i in ends[0] for j in ends[1]}
    rows = []
    for i, j in sorted(corners, reverse=True):
        row = every[i * wide + j]
        told = row["life_days"] is not None
        rows.append(
            [
                str(row["nodes"]),
                f"{row['interval_s']:g}",
                f"{row['life_days']:,.1f}" if told else "-",
                f"{row['taken']:.2%}" if told else "-",
                row["region"],
            ]
        )
    heads = ("nodes", "interval, s", "life, days", "taken by security")
    columns = [*(Column(head, numeric=True) for head in heads), Column("region")]
    screen = console()
    print_table(screen, columns, rows, title=f"Networks: {shape}", empty="none")
    works = np.isin(grid.region, (Region.WORKS, Region.DOUBTFUL))
    if works.any():
        print_text(
            screen,
            f"Life {grid.life_s[works].min() / _DAY_S:,.1f} to "
            f"{grid.life_s[works].max() / _DAY_S:,.1f} days; security takes "
            f"{grid.taken[works].min():.2%} to {grid.taken[works].max():.2%}.",
        )
    for region in (Region.DOUBTFUL, Region.ILLEGAL, Region.SATURATED):
        count = int((grid.region == region).sum())
        if count:
            print_text(
                screen,
                f"{count} of {grid.region.size} networks: {region.name.lower()}.",
            )


@dataclass(frozen=True, slots=True)
class Simulated:
    """A network by events, in one run or in several, beside the closed form."""

    region: int
    load: float
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

    @classmethod
    def of(
        cls, closed: Consumption, outcomes: Sequence[Outcome], cells: Supply
    ) -> Self:
        """Return the runs beside the closed form."""
        by_run_w = np.array([each.total_w for each in outcomes])
        mean_w = by_run_w.mean(axis=0)
        node = int(np.argmax(mean_w))
        closed_w = float(closed.total_w.max())
        return cls(
            region=int(closed.region()),
            load=float(closed.load.max()),
            closed_w=closed_w,
            closed_s=float(cells.life_s(closed_w)),
            events_by_node_w=mean_w,
            bottleneck_by_run_w=by_run_w[:, node],
            events_s=float(cells.life_s(float(mean_w[node]))),
            bottleneck=node + 1,
            bottleneck_share=float(closed.share[node]),
            outcomes=outcomes,
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
        return "both" if self.region == Region.WORKS else "events"

    @property
    def latency_s(self) -> float:
        """Mean from making a message to its delivery; not a number for none."""
        arrived = [each for each in self.outcomes if each.delivered]
        counts = [each.delivered for each in arrived]
        if not counts:
            return math.nan
        return float(np.average([each.latency_s for each in arrived], weights=counts))

    def count(self, name: str) -> int:
        """Return the sum of a count over all runs."""
        return sum(getattr(each, name) for each in self.outcomes)

    def as_json(self) -> dict[str, Any]:
        """Return plain values."""
        return {
            "load": self.load,
            "region": Region(self.region).name.lower(),
            "bottleneck": self.bottleneck,
            "bottleneck_share": self.bottleneck_share,
            "closed_form_power_uw": self.closed_w * 1e6,
            "events_power_uw": self.events_w * 1e6,
            "closed_form_life_days": self.closed_s / _DAY_S,
            "events_life_days": self.events_s / _DAY_S,
            **{name: self.count(name) for name in _COUNTS},
            "latency_s": self.latency_s,
            "events": self.count("events"),
            "believe": self.believed,
        }


_COUNTS = ("made", "delivered", "lost", "waiting")
_BELIEVED = {
    "both": "Believe both: the load is below 80 % of what the medium can carry.",
    "events": "Believe the events: the closed form knows no queues.",
    "neither": "Believe neither: queues grow, so that messages are lost in the end.",
}


def print_simulated(told: Simulated, nodes: int) -> None:
    """Print a network by events beside the closed form."""
    rows = [
        [name, f"{watts * 1e6:,.1f}", f"{life_s / _DAY_S:,.1f}"]
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
        f"waiting; mean latency {told.latency_s:,.2f} s. Load {told.load:.0%} of what "
        "the medium can carry.",
    )
    print_text(screen, _BELIEVED[told.believed])
