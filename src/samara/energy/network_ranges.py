# SPDX-License-Identifier: Apache-2.0
"""Networks over numbers of nodes and intervals, as ranges from the tolerances.

Each draw of all quantities is a network of its own: it has a life, and it works or it
does not. Of a network is told

- its life: the 10, 50 and 90 % quantiles over all draws. A draw that does not work
  has no life: it counts as shorter than all others;
- what security takes: the same quantiles of the share of the life without security,
  by the closed form in all draws;
- its region: the worst that at least one of ten draws is in, or the one as stated if
  that is worse. So what is told to work does in more than nine of ten draws;
- the share of draws that do not work.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np

from samara.energy.capacity import searched
from samara.energy.contours import contours, taken_by_security
from samara.energy.network import (
    Region,
    consumption,
    deciding,
    node_events,
    of_deciding_nodes,
)
from samara.energy.quantity import QUANTILES
from samara.energy.steps import part_of, result_of

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from numpy.typing import NDArray

    from samara.energy.assumptions import Case
    from samara.energy.network import Consumption
    from samara.energy.node import Node
    from samara.energy.node_events import NodeEvents
    from samara.energy.routing import Rpl
    from samara.energy.steps import Steps
    from samara.energy.topology import Topology

    Array = NDArray[np.float64]

DRAWS = 150
"""Of a grid: see docs/energy.md for how close they are."""
_TENTHS = 10
"""Less than one of so many draws of a network may fail that is told to work."""


@dataclass(frozen=True, slots=True)
class Bands:
    """Values by number of nodes and interval, that so many of all draws are below."""

    low: Array
    middle: Array
    high: Array

    @classmethod
    def of(cls, drawn: Array) -> Bands:
        """Return the quantiles of draws, which are the first axis."""
        return cls(*np.quantile(drawn, QUANTILES, axis=0))

    def __mul__(self, factor: float) -> Bands:
        """Return the same in another unit."""
        return Bands(self.low * factor, self.middle * factor, self.high * factor)


@dataclass(frozen=True, slots=True)
class Networks:
    """Networks of one shape, by number of nodes and interval."""

    sizes: Sequence[int]
    largest: Topology
    """The network of the last of the sizes."""
    intervals_s: Array
    stated_s: Array
    """The life as data sheets state all quantities."""
    stated_taken: Array
    """The share of the life without security that security takes, the same way."""
    life_s: Bands
    taken: Bands
    region: NDArray[np.int64]
    fails: Array
    """Share of the draws that do not work."""
    bottleneck_share: Array
    """Share of all messages that the node sends whose battery is empty first."""


def networks(
    stated: Case,
    drawn: Case | None,
    shape: Callable[[int], Topology],
    sizes: Sequence[int],
    intervals_s: Array,
    *,
    duty_max: float = 1.0,
) -> Steps[Networks]:
    """Compute networks over numbers of nodes and intervals.

    Parameters
    ----------
    stated
        A preset as stated.
    drawn
        The same from draws; None for no tolerances: a range is then one value.
    shape
        Makes the network of a number of nodes: of `samara.energy.topology.SHAPES`.
    """
    made = {size: shape(size) for size in sizes}
    # Which share of the bound a network carries hardly depends on what is drawn, nor
    # on security: it is found once, as stated.
    found = _Capacities(stated.secured)
    yield from part_of(found.found_for(stated.rpl, made, intervals_s), 0, 3)
    secured, plain = (
        contours(
            each, made.__getitem__, sizes, intervals_s, rpl=stated.rpl,
            duty_max=duty_max, capacity_of=found.of if each is stated.secured else None,
        )
        for each in (stated.secured, stated.plain)
    )  # fmt: skip
    stated_s = np.asarray(stated.life_s(secured.power_w))
    whole_s = np.asarray(stated.life_s(plain.power_w))
    region, fails = secured.region, (secured.region > Region.DOUBTFUL).astype(float)
    lifetimes_s, wholes_s = stated_s[np.newaxis], whole_s[np.newaxis]
    if drawn is not None:
        grid = _Grid(
            [made[size] for size in sizes], intervals_s, drawn.rpl, duty_max, found
        )
        power_w, regions = yield from part_of(grid.drawn(drawn.secured), 1, 3)
        plain_w, _ = yield from part_of(grid.drawn(drawn.plain), 2, 3)
        lifetimes_s = np.asarray(drawn.life_s(power_w))
        wholes_s = np.asarray(drawn.life_s(plain_w))
        region, fails = _judged(region, regions)
        taken = Bands.of(taken_by_security(wholes_s, lifetimes_s))
        lifetimes_s = np.where(regions > Region.DOUBTFUL, 0.0, lifetimes_s)
    else:
        taken = Bands.of(taken_by_security(wholes_s, lifetimes_s))
    return Networks(
        sizes=sizes,
        largest=made[sizes[-1]],
        intervals_s=intervals_s,
        stated_s=stated_s,
        stated_taken=taken_by_security(whole_s, stated_s),
        life_s=Bands.of(lifetimes_s),
        taken=taken,
        region=region,
        fails=fails,
        bottleneck_share=secured.bottleneck_share,
    )


def _judged(
    stated: NDArray[np.int64], drawn: NDArray[np.int64]
) -> tuple[NDArray[np.int64], Array]:
    """Return the regions of networks, and the share of their draws that do not work."""
    best_first = np.sort(drawn, axis=0)
    tenth = best_first[len(drawn) * (_TENTHS - 1) // _TENTHS]
    fails = np.asarray((drawn > Region.DOUBTFUL).mean(axis=0))
    return np.maximum(stated, tenth), fails


@dataclass(frozen=True, slots=True)
class _Capacities:
    """Where networks saturate, each of them found when it is asked for first."""

    node: Node
    found: dict[int, float] = field(default_factory=dict)
    """By the number of nodes: those of a grid have one shape."""

    def of(self, node: Node, topology: Topology, rpl: Rpl | None) -> float:
        """Return `samara.energy.capacity.capacity`."""
        return result_of(self.searched(node, topology, rpl))

    def searched(self, node: Node, topology: Topology, rpl: Rpl | None) -> Steps[float]:
        """Compute the same."""
        if topology.nodes not in self.found:
            self.found[topology.nodes] = yield from searched(node, topology, rpl)
        return self.found[topology.nodes]

    def found_for(
        self, rpl: Rpl | None, made: Mapping[int, Topology], intervals_s: Array
    ) -> Steps[None]:
        """Compute those that a region depends on."""
        events = node_events(self.node, rpl)
        for done, each in enumerate(made.values()):
            one = of_deciding_nodes(self.node, each, intervals_s, rpl, events)
            if one.needs_capacity:
                steps = self.searched(self.node, each, rpl)
                yield from part_of(steps, done, len(made))


@dataclass(frozen=True, slots=True)
class _Grid:
    """Networks of which many draws are computed."""

    topologies: Sequence[Topology]
    intervals_s: Array
    rpl: Rpl | None
    duty_max: float
    capacities: _Capacities

    def drawn(self, node: Node) -> Steps[tuple[Array, NDArray[np.int64]]]:
        """Compute the power of the node that draws the most, and the region.

        Both by draw, number of nodes, and interval.
        """
        powers, regions = [], []
        events = node_events(node, self.rpl)
        for done, topology in enumerate(self.topologies, start=1):
            one = self._of_deciding_nodes(events, topology)
            shape = np.broadcast_shapes(one.load.shape, (1, self.intervals_s.size, 1))
            powers.append(np.broadcast_to(one.total_w, shape).max(axis=-1))
            capacity = None
            # If the region of any draw depends on it.
            if one.needs_capacity:
                steps = self.capacities.searched(
                    self.capacities.node, topology, self.rpl
                )
                capacity = yield from part_of(steps, done - 1, len(self.topologies))
            region = one.region(self.duty_max, capacity)
            regions.append(np.broadcast_to(region, shape[:-1]))
            yield done / len(self.topologies)
        return np.stack(powers, axis=-2), np.stack(regions, axis=-2)

    def _of_deciding_nodes(self, events: NodeEvents, topology: Topology) -> Consumption:
        """Return what those nodes draw that can decide about their network.

        The power, the load and the duty of a node grow evenly with the rate of
        messages. So a node that has the largest of all at the shortest and at the
        longest interval has it in between, too.
        """
        node, ends_s = events.node, self.intervals_s[[0, -1]]
        found = deciding(node, topology, ends_s, self.rpl, events)
        return consumption(
            node, topology, self.intervals_s, self.rpl, only=found, events=events
        )
