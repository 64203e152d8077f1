# SPDX-License-Identifier: Apache-2.0
"""Who is whose neighbour in a network, and which way packets take."""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass
from typing import TYPE_CHECKING

from samara.errors import MisuseError

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

NODES_MAX = 50
"""Nodes of a network that this machine runs."""
NODES_MIN = 2

Edges = list[tuple[int, int]]


def chain(nodes: int) -> Edges:
    """Return a row of nodes, each with the next one as a neighbour.

    >>> chain(4)
    [(1, 2), (2, 3), (3, 4)]
    """
    return [(number, number + 1) for number in range(1, nodes)]


def star(nodes: int) -> Edges:
    """Return a first node that has all others as neighbours.

    >>> star(4)
    [(1, 2), (1, 3), (1, 4)]
    """
    return [(1, number) for number in range(2, nodes + 1)]


TOPOLOGIES: Mapping[str, Callable[[int], Edges]] = {"chain": chain, "star": star}


@dataclass(frozen=True, slots=True)
class Network:
    """Nodes, numbered from 1, and who is whose neighbour."""

    nodes: int
    edges: Sequence[tuple[int, int]]

    @classmethod
    def of(cls, topology: str, nodes: int) -> Network:
        """Return a network of a topology.

        Raises
        ------
        MisuseError
            When there are too few nodes, or too many.
        """
        if not NODES_MIN <= nodes <= NODES_MAX:
            message = (
                f"a network has {NODES_MIN} to {NODES_MAX} nodes here, not {nodes}"
            )
            raise MisuseError(message)
        return cls(nodes, TOPOLOGIES[topology](nodes))

    def with_neighbour(self, node: int) -> Network:
        """Return the same with one more node, which has one neighbour.

        >>> Network(2, chain(2)).with_neighbour(1)
        Network(nodes=3, edges=[(1, 2), (1, 3)])

        Raises
        ------
        MisuseError
            When there are too many.
        """
        if self.nodes >= NODES_MAX:
            message = f"a network has at most {NODES_MAX} nodes here"
            raise MisuseError(message)
        added = self.nodes + 1
        return Network(added, [*self.edges, (node, added)])

    def neighbours(self, node: int) -> list[int]:
        """Return the neighbours of a node."""
        found = [b for a, b in self.edges if a == node]
        return sorted(found + [a for a, b in self.edges if b == node])

    def routes(self, node: int) -> dict[int, int]:
        """Return which neighbour leads to each node that is no neighbour.

        >>> Network(4, chain(4)).routes(1)
        {3: 2, 4: 2}
        """
        near = self.neighbours(node)
        by = {number: number for number in near}
        waiting = deque(near)
        while waiting:
            known = waiting.popleft()
            for further in self.neighbours(known):
                if further != node and further not in by:
                    by[further] = by[known]
                    waiting.append(further)
        return {number: by[number] for number in sorted(by) if number not in near}
