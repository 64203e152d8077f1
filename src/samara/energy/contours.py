# SPDX-License-Identifier: Apache-2.0
"""Networks of some shape over their number of nodes and interval, as contours show."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from samara.energy.network import node_events, of_deciding_nodes

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from numpy.typing import NDArray

    from samara.energy.node import Node
    from samara.energy.routing import Rpl
    from samara.energy.topology import Topology

    Array = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Contours:
    """A network of some shape, by its number of nodes and its interval.

    The axes are draws if there are any, then numbers of nodes, then intervals.
    """

    power_w: Array
    """Of the node that draws the most: its battery is empty first."""
    region: NDArray[np.int64]
    """The `Region`; where it is not `WORKS`, the power is not to be shown as if."""
    bottleneck_share: Array
    """Share of all messages that the node sends whose battery is empty first."""


def contours(  # noqa: PLR0913 - what is rarely given by name
    node: Node,
    shape: Callable[[int], Topology],
    sizes: Sequence[int],
    intervals_s: Array,
    *,
    rpl: Rpl | None = None,
    duty_max: float = 1.0,
    capacity_of: Callable[[Node, Topology, Rpl | None], float] | None = None,
    tell: Callable[[float], None] = lambda share: None,  # noqa: ARG005 - says nothing
) -> Contours:
    """Return what a network takes, over numbers of nodes and intervals.

    Parameters
    ----------
    node
        Its values may be draws with one more axis (`Sampled` with ``axes=1``); a
        supply that is to tell lives from the powers is drawn with ``axes=2``.
    shape
        Makes the network of a number of nodes: of `samara.energy.topology.SHAPES`.
    capacity_of
        Finds where a network saturates, which is asked for when a region depends on it:
        `samara.energy.capacity.capacity`. None: nothing does (`Consumption.region`).
    tell
        Is told which share of the numbers of nodes is done.
    """
    powers, regions, shares = [], [], []
    events = node_events(node, rpl)
    for done, size in enumerate(sizes, start=1):
        network = shape(size)
        one = of_deciding_nodes(node, network, intervals_s, rpl, events)
        powers.append(one.total_w.max(axis=-1))
        capacity = None
        if capacity_of is not None and one.needs_capacity:
            capacity = capacity_of(node, network, rpl)
        regions.append(one.region(duty_max, capacity))
        shares.append(one.share[one.bottleneck - 1])
        tell(done / len(sizes))
    return Contours(
        np.stack(powers, axis=-2),
        np.stack(regions, axis=-2),
        np.stack(shares, axis=-2),
    )


def taken_by_security(without: Array, secured: Array) -> Array:
    """Return the share of a network's life that security takes.

    Parameters
    ----------
    without, secured
        Lives, or any two arrays of them that have the same shape.
    """
    return np.asarray(1 - secured / without)
