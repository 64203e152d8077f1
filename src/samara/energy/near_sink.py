# SPDX-License-Identifier: Apache-2.0
"""The part of a network around its sink, where most messages pass.

Networks saturate near the sink, where all messages meet. What is far from it can be
left out: the last nodes that are kept make the messages of all behind them.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from samara.energy.flows import SINK, parents_first
from samara.energy.topology import Topology

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray


@dataclass(frozen=True, slots=True)
class NearSink:
    """Some nodes of a network, with the messages of those that are left out."""

    topology: Topology
    messages: Sequence[int]
    """How many each node makes while every node of the whole network makes one."""

    @property
    def sent(self) -> float:
        """How many transmissions these nodes make in that time."""
        passed = np.array([0, *self.messages], dtype=np.float64)
        for node in reversed(parents_first(self.topology.parents)):
            passed[self.topology.parents[node - 1]] += passed[node]
        each = [link.transmissions for link in self.topology.uplinks]
        return float(passed[1:] @ np.asarray(each))


def depths(parents: Sequence[int]) -> NDArray[np.int64]:
    """Return how many hops each node is away from the sink, from node 1 on.

    >>> depths([0, 1, 1, 2])
    array([1, 2, 2, 3])
    """
    found = np.zeros(len(parents) + 1, dtype=np.int64)
    for node in parents_first(parents):
        found[node] = found[parents[node - 1]] + 1
    return found[1:]


def near_sink(topology: Topology, depth: int) -> NearSink:
    """Return the nodes up to so many hops from the sink.

    >>> from samara.energy.topology import chain
    >>> near = near_sink(chain(5), 2)
    >>> list(near.topology.parents), list(near.messages)
    ([0, 1], [1, 4])
    """
    behind = np.ones(topology.nodes + 1, dtype=np.int64)
    hops = depths(topology.parents)
    for node in reversed(parents_first(topology.parents)):
        if hops[node - 1] > depth:
            behind[topology.parents[node - 1]] += behind[node]
    kept = [SINK, *(np.flatnonzero(hops <= depth) + 1).tolist()]
    numbers = {node: number for number, node in enumerate(kept)}
    near = [
        frozenset(
            numbers[other] for other in topology.neighbours[node] & numbers.keys()
        )
        for node in kept
    ]
    return NearSink(
        Topology(
            [numbers[topology.parents[node - 1]] for node in kept[1:]],
            near,
            [topology.uplinks[node - 1] for node in kept[1:]],
        ),
        behind[kept[1:]].tolist(),
    )
