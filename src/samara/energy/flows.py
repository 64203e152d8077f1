# SPDX-License-Identifier: Apache-2.0
"""What happens at each node of a network while every node sends one message."""

from __future__ import annotations

from dataclasses import dataclass, fields
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from numpy.typing import NDArray

    Counts = NDArray[np.float64]

SINK = 0
"""The node that all messages are for."""
_MANY = 1000
"""Neighbours of a node from which on its leaves are not looked at one by one."""


@dataclass(frozen=True)
class Flows:
    """What happens at each node while every node sends one message.

    The arrays have an element for each node from 1 on.
    """

    messages: Counts
    """Messages that leave: the node's own, and those of its subtree."""
    sent: Counts
    """Transmissions of them, with those that have to be repeated."""
    received: Counts
    """Receptions of others' messages, with those that were received before."""
    overheard: Counts
    """Transmissions of neighbours that are not for this node."""
    around: Counts
    """Transmissions that share a medium: the largest sum over a node and its
    neighbours, of the places that this node belongs to."""
    in_reach: Counts
    """Transmissions of all others within two hops: they keep this node from sending."""
    at_parent: Counts
    """Transmissions that the node's parent takes part in: all that are for it, and its
    own unless it is the sink."""
    for_parent: Counts
    """Transmissions that are for the node's parent."""
    siblings: Counts
    """Nodes that send to the node's parent, it among them."""
    at_both: Counts
    """Transmissions that the node or its parent takes part in."""
    neighbours: Counts
    """Neighbours, the sink too: it sends what keeps the ways."""
    others_in_reach: Counts
    """Nodes within two hops, the sink too."""
    fewest_in_reach: Counts
    """Neighbours of the one of them that has the fewest."""
    share: Counts
    """Share of all messages that the node sends, its own and others'."""

    def of(self, nodes: Sequence[int]) -> Flows:
        """Return the same of some of the nodes alone, counted from 0."""
        every = {each.name: getattr(self, each.name) for each in fields(self)}
        return Flows(**{name: values[nodes] for name, values in every.items()})

    @cached_property
    def distinct(self) -> list[int]:
        """The first of all nodes to which the same happens, counted from 0."""
        every = np.stack([getattr(self, each.name) for each in fields(self)])
        _, first = np.unique(every, axis=1, return_index=True)
        return [int(each) for each in np.sort(first)]


def flows_of(
    parents_of: Sequence[int],
    neighbours: Sequence[frozenset[int]],
    transmissions: Sequence[float],
    receptions: Sequence[float],
) -> Flows:
    """Return what happens at each node while every node sends one message.

    Parameters
    ----------
    parents_of
        Of the nodes from 1 on.
    neighbours
        Of all nodes, the sink too.
    transmissions, receptions
        Of a message over the links to the parents.
    """
    count = len(parents_of)
    messages, received = np.ones(count + 1), np.zeros(count + 1)
    for node in reversed(parents_first(parents_of)):
        parent = parents_of[node - 1]
        messages[parent] += messages[node]
        received[parent] += messages[node] * receptions[node - 1]
    sent = np.zeros(count + 1)
    sent[1:] = messages[1:] * np.asarray(transmissions)
    overheard, places = np.zeros(count + 1), np.array(sent)
    parents = np.array(parents_of, dtype=np.intp)
    for_node = np.bincount(parents, weights=sent[1:], minlength=count + 1)
    at_node = sent + for_node
    for node, near in enumerate(neighbours):
        for other in near:
            places[node] += sent[other]
            if other != SINK and parents_of[other - 1] != node:
                overheard[node] += sent[other]
    around = [
        max(places[node], *(places[other] for other in near))
        for node, near in enumerate(neighbours)
        if node != SINK
    ]
    others = [len(near) for near in neighbours[1:]]
    reach = _reaches(neighbours, sent)
    return Flows(
        messages=messages[1:],
        sent=sent[1:],
        received=received[1:],
        overheard=overheard[1:],
        around=np.array(around),
        at_parent=at_node[parents],
        for_parent=np.asarray(for_node[parents], dtype=np.float64),
        siblings=np.bincount(parents).astype(np.float64)[parents],
        at_both=at_node[parents] + (at_node - sent)[1:],
        in_reach=np.array([each.transmissions for each in reach]),
        neighbours=np.array(others, dtype=np.float64),
        share=messages[1:] / count,
        others_in_reach=np.array([each.nodes for each in reach], dtype=np.float64),
        fewest_in_reach=np.array([each.fewest for each in reach], dtype=np.float64),
    )


class _Reach(NamedTuple):
    """The other nodes, the sink too, that sense what a node sends."""

    transmissions: float
    """Their transmissions."""
    nodes: int
    fewest: int
    """Neighbours of the one of them that has the fewest."""


def _reaches(neighbours: Sequence[frozenset[int]], sent: Counts) -> list[_Reach]:
    """Return the reach of each node from 1 on."""
    found, by_hub = [], dict[int, _Reach]()
    for node, near in enumerate(neighbours[1:], start=1):
        hub = next(iter(near)) if len(near) == 1 else None
        if hub is None or len(neighbours[hub]) < _MANY:
            found.append(_reach(neighbours, sent, _within_two_hops(neighbours, node)))
            continue
        if hub not in by_hub:
            around = neighbours[hub] | {hub}
            by_hub[hub] = _reach(neighbours, sent, around)
        # Two of its leaves have the same reach, but for each other.
        whole = by_hub[hub]
        own = float(sent[node])
        found.append(_Reach(whole.transmissions - own, whole.nodes - 1, whole.fewest))
    return found


def _reach(
    neighbours: Sequence[frozenset[int]], sent: Counts, nodes: Iterable[int]
) -> _Reach:
    every = sorted(nodes)
    fewest = min(len(neighbours[other]) for other in every)
    return _Reach(float(sent[every].sum()), len(every), fewest)


def _within_two_hops(neighbours: Sequence[frozenset[int]], node: int) -> set[int]:
    """Return the other nodes, the sink too, that sense what a node sends."""
    near = neighbours[node]
    return {*near}.union(*(neighbours[other] for other in near)) - {node}


def parents_first(parents: Sequence[int]) -> list[int]:
    """Return all nodes but the sink, each after its parent."""
    children: dict[int, list[int]] = {}
    for node, parent in enumerate(parents, start=1):
        children.setdefault(parent, []).append(node)
    order = [SINK]
    for node in order:
        order.extend(children.get(node, ()))
    return order[1:]
