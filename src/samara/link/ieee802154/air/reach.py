# SPDX-License-Identifier: Apache-2.0
"""Which addresses nodes of a medium have shown, and so who hears whom, and how well."""

from __future__ import annotations

from typing import TYPE_CHECKING, Generic, TypeVar

from samara.link.ieee802154.air import zep

if TYPE_CHECKING:
    from collections.abc import Collection

    from samara.link.ieee802154.air.topology import Topology

# Addresses that a node can show.
_NAMES_MAX = 4
_OBSERVER = zep.OBSERVER.hex()

_Node = TypeVar("_Node")


class Reach(Generic[_Node]):
    """Who hears whom.

    Parameters
    ----------
    topology
        By the addresses that nodes show in frames and hellos.
    usual
        The probability that a receiver misses a frame, where no link says another.
    """

    def __init__(self, topology: Topology, usual: float) -> None:
        self._topology, self._usual = topology, usual
        self._names: dict[_Node, frozenset[str]] = {}
        self._named: dict[str, set[_Node]] = {}
        self._shortest: dict[_Node, str] = {}
        self._losses: dict[tuple[_Node, _Node], float | None] = {}
        self._away: set[str] = set()
        self.changes = 0
        """How often it has become different who hears whom."""

    def move_away(self, name: str) -> None:
        """Let nobody hear the node with an address, and that node nobody."""
        self._away.add(name)
        self._changed()

    def move_back(self, name: str) -> None:
        """Let the node with an address be where it was."""
        self._away.discard(name)
        self._changed()

    def join(self, one: str, other: str) -> None:
        """Let the nodes with two addresses hear each other, if they did not."""
        self._topology = self._topology.joined(one, other)
        self._changed()

    def change(self, usual: float) -> None:
        """Have another usual probability from now on."""
        self._usual = usual
        self._changed()

    def learn(self, node: _Node, name: str) -> None:
        """Note an address that a node has shown, as hex digits."""
        known = self.names(node)
        if name not in known and len(known) < _NAMES_MAX:
            self._names[node] = known | {name}
            self._named.setdefault(name, set()).add(node)
            self._shortest[node] = min(
                self._names[node], key=lambda name: (len(name), name)
            )
            self._changed()

    def forget(self, node: _Node) -> None:
        """Note that a node is gone."""
        names = self._names.pop(node, None)
        if names is None:
            return
        del self._shortest[node]
        for name in names:
            self._named[name].discard(node)
            if not self._named[name]:
                del self._named[name]
        self._changed()

    def named(self, name: str | None) -> Collection[_Node]:
        """Return the nodes that have shown an address."""
        return self._named.get(name or "", ())

    def _changed(self) -> None:
        self._losses.clear()
        self.changes += 1

    def names(self, node: _Node) -> frozenset[str]:
        """Return the addresses that a node has shown."""
        return self._names.get(node, frozenset())

    def name(self, node: _Node) -> str:
        """Return the shortest of a node's addresses; empty when none is known."""
        return self._shortest.get(node, "")

    def is_observer(self, node: _Node) -> bool:
        """Tell whether a node hears everything, and is no receiver."""
        return _OBSERVER in self.names(node)

    def loss(self, sender: _Node, receiver: _Node) -> float | None:
        """Return how probable it is that a frame is missed; None: out of reach."""
        ends = sender, receiver
        if ends not in self._losses:
            self._losses[ends] = self._found_loss(
                self.names(sender), self.names(receiver)
            )
        return self._losses[ends]

    def _found_loss(
        self, sender: frozenset[str], receiver: frozenset[str]
    ) -> float | None:
        if self._away & (sender | receiver):
            return None
        return self._topology.loss(sender, receiver, self._usual)

    def hears(self, receiver: _Node, sender: _Node) -> bool:
        """Tell whether a node hears another one at all."""
        return self.loss(sender, receiver) is not None
