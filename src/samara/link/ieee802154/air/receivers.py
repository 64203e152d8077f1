# SPDX-License-Identifier: Apache-2.0
"""Who gets each frame on a medium: by reach, chance and collisions."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Generic, TypeVar

from samara.link.ieee802154.air.statistics import LINKS_MAX, LinkStatistics

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Sequence

    from samara.link.ieee802154.air.channel import Air
    from samara.link.ieee802154.air.reach import Reach
    from samara.link.ieee802154.air.statistics import Statistics

_Node = TypeVar("_Node")


@dataclass(frozen=True, slots=True)
class Reached(Generic[_Node]):
    """Who gets a frame of a node."""

    receivers: Sequence[_Node]
    """Each as often as it gets a copy."""
    links: Sequence[LinkStatistics]
    """What is counted for each of them."""
    observers: Sequence[_Node]
    out_of_reach: int

    def without(self, filtering: Collection[_Node]) -> Reached[_Node]:
        """Return the same without nodes whose radios filter the frame out.

        It has arrived there, and is counted for the link.
        """
        pairs = list(zip(self.receivers, self.links, strict=True))
        for node, link in pairs:
            link.delivered += node in filtering
        kept = [each for each in pairs if each[0] not in filtering]
        return replace(
            self,
            receivers=[node for node, _ in kept],
            links=[link for _, link in kept],
        )


class Receivers(Generic[_Node]):
    """Decides who gets a frame, and counts what the others miss.

    Parameters
    ----------
    nodes
        All that listen; whoever changes them says so by `note_change`.
    reach
        Who hears whom.
    air
        Decides what is lost.
    statistics
        Where it is counted.
    """

    def __init__(
        self,
        nodes: Collection[_Node],
        reach: Reach[_Node],
        air: Air,
        statistics: Statistics,
    ) -> None:
        self._nodes, self._reach, self._air = nodes, reach, air
        self._statistics = statistics
        self._plain: dict[_Node, Reached[_Node] | None] = {}
        self._plain_as_of = 0

    def note_change(self) -> None:
        """Note that a node has come or gone."""
        self._plain.clear()

    def of(
        self, sender: _Node, has_collided: Callable[[_Node], bool] | None
    ) -> Reached[_Node]:
        """Return who gets a frame.

        Parameters
        ----------
        has_collided
            Tells whether it was lost at a node, because it overlapped with others.
            None: it has overlapped with none.
        """
        reached = None
        if has_collided is None and self._air.is_faultless:
            reached = self._plain_of(sender)
        if reached is None:
            reached = self._drawn(sender, has_collided)
        self._statistics.out_of_reach += reached.out_of_reach
        return reached

    def others(self, sender: _Node) -> list[_Node]:
        """Return all nodes but one."""
        return [node for node in self._nodes if node != sender]

    def _plain_of(self, sender: _Node) -> Reached[_Node] | None:
        """Return who gets a frame of a node when nothing is left to chance.

        None: a link loses frames. It is the same until something changes: a frame to
        all of many nodes then takes no more than sending its copies.
        """
        if self._reach.changes != self._plain_as_of:
            self._plain.clear()
            self._plain_as_of = self._reach.changes
        if sender not in self._plain:
            self._plain[sender] = self._found_plain(sender)
        return self._plain[sender]

    def _found_plain(self, sender: _Node) -> Reached[_Node] | None:
        nodes, observers = self._parted(sender)
        losses = [self._reach.loss(sender, node) for node in nodes]
        if any(losses):
            return None
        heard = [node for node, loss in zip(nodes, losses, strict=True) if loss == 0]
        links = [self._link(sender, node) for node in heard]
        return Reached(heard, links, observers, len(nodes) - len(heard))

    def _drawn(
        self, sender: _Node, has_collided: Callable[[_Node], bool] | None
    ) -> Reached[_Node]:
        receivers: list[_Node] = []
        out_of_reach = 0
        nodes, observers = self._parted(sender)
        for node in nodes:
            loss = self._reach.loss(sender, node)
            if loss is None:
                out_of_reach += 1
            elif has_collided is not None and has_collided(node):
                self._statistics.collided += 1
                self._link(sender, node).collided += 1
            else:
                receivers += self._copies(sender, node, loss) * [node]
        links = [self._link(sender, node) for node in receivers]
        return Reached(receivers, links, observers, out_of_reach)

    def _parted(self, sender: _Node) -> tuple[list[_Node], list[_Node]]:
        """Return all others: first those that are receivers, then observers."""
        parted: tuple[list[_Node], list[_Node]] = ([], [])
        for node in self.others(sender):
            parted[self._reach.is_observer(node)].append(node)
        return parted

    def _copies(self, sender: _Node, node: _Node, loss: float) -> int:
        """Draw how many copies of a frame a node gets."""
        copies = self._air.copies(loss)
        if copies == 0:
            self._statistics.lost += 1
            self._link(sender, node).lost += 1
        self._statistics.duplicated += copies > 1
        return copies

    def _link(self, sender: _Node, receiver: _Node) -> LinkStatistics:
        """Return the statistics of a link, if both ends have shown who they are."""
        names = self._reach.name(sender), self._reach.name(receiver)
        links = self._statistics.links
        if "" in names or (names not in links and len(links) >= LINKS_MAX):
            return LinkStatistics()
        return links.setdefault(names, LinkStatistics())
