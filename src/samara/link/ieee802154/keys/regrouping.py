# SPDX-License-Identifier: Apache-2.0
"""A new key for a group, handed down the tree of invitations, while all go on.

    first node:  NextGroupKey      to those it has invited, and these to theirs
    the others:  GroupKeyTaken     when all whom they have invited have answered so
    first node:  UseGroupKey       sends under the new key from now on; and so down
    the others:  GroupKeyUsed      when all whom they have invited have answered so

Each message goes under the key of the two neighbours. Until `UseGroupKey` arrives, a
node opens frames under both keys and sends under the old one; afterwards it sends
under the new one, and opens the old one until all below it use the new one.

    first node:  OnlyGroupKey      after it has forgotten a neighbour
    the others:  GroupKeyTaken

The new key then replaces the old one at once. A node that has it opens no frame under
the old one, and sends nothing that the forgotten neighbour could read.

Each step is stored before it is acted upon, and what is not answered is repeated. So a
node that was killed continues where it was. A generation is used once, and so is each
counter under it.
"""

from __future__ import annotations

import secrets
from functools import partial
from typing import TYPE_CHECKING

from samara.link.ieee802154.keys import renewing
from samara.link.ieee802154.keys.control import (
    GroupKey,
    GroupKeyTaken,
    GroupKeyUsed,
    NextGroupKey,
    OnlyGroupKey,
    UseGroupKey,
)
from samara.link.ieee802154.keys.exchanges import Exchange, Question
from samara.link.ieee802154.keys.group import (
    MAKE_ANEW,
    UNKNOWN,
    Group,
    invited,
)
from samara.link.ieee802154.keys.neighbours import EXPECTED
from samara.link.ieee802154.keys.timers import LateFrames
from samara.link.node.link import BROADCAST, NeighbourError
from samara.link.node.quantities import COUNTER_LIMIT

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from samara.link.ieee802154.keys.control import Control
    from samara.link.ieee802154.keys.neighbours import SharedKey
    from samara.link.ieee802154.keys.table import Table


class Regrouping(Exchange):
    """Changes of the key of the group of a running node.

    Parameters
    ----------
    answer
        Sends to a neighbour, under the key that is shared with it.
    """

    controls = (NextGroupKey, OnlyGroupKey, GroupKeyTaken, UseGroupKey, GroupKeyUsed)

    def __init__(
        self, table: Table, answer: Callable[[Control, str | None], None]
    ) -> None:
        self._table, self._answer = table, answer
        self._late = LateFrames()

    def begin(self) -> None:
        """Draw a new key, unless a change is under way.

        Raises
        ------
        NeighbourError
            When this node is in no group, or has the key from another node.
        """
        group = self._table.group
        if group is None:
            message = (
                "this node has no key for a group: `samara node init --network --group`"
                " makes a network that has one"
            )
            raise NeighbourError(message)
        if group.source == UNKNOWN:
            message = f"the key of this group cannot be changed: {MAKE_ANEW}"
            raise NeighbourError(message)
        if group.source is not None:
            source = group.source or "a node that it has forgotten"
            message = (
                f"this node got the key of the group from {source}: only the first node"
                " of the network changes it"
            )
            raise NeighbourError(message)
        if not group.is_settled:
            return
        newest = group.newest
        key = secrets.token_bytes(len(newest.key))
        self._table.store(group.with_next(key, newest.generation + 1, self._invited()))

    def questions(self) -> Iterator[Question]:
        """Return what invited neighbours have still to answer about the newest key."""
        group = self._table.group
        if group is None:
            return
        what = "used" if group.has_previous else "taken"
        for name in sorted(group.waiting):
            yield Question(
                name,
                (BROADCAST, what, group.newest.generation),
                BROADCAST,
                f"{name} has not {what} the new key of the group yet",
                partial(self._said, group),
            )

    def _said(self, group: Group) -> Control:
        newest = group.newest
        if group.has_previous:
            return UseGroupKey(newest.generation)
        kind = NextGroupKey if group.has_next else OnlyGroupKey
        counter = self._table.group_counter(newest)
        return kind.of(newest.key, newest.generation, counter.next)

    def is_due(self) -> bool:
        """Return whether so few counter values are left that a new key is needed."""
        group = self._table.group
        if group is None or group.source is not None or not group.is_settled:
            return False
        left = COUNTER_LIMIT - self._table.group_counter(group.current).next
        return left <= renewing.RENEWED_BEFORE_END

    def advance(self) -> None:
        """When all have answered: use the next key, or remove the previous one."""
        group = self._table.group
        if group is None or group.waiting:
            return
        if group.has_next and group.source is None:
            self._use(group)
        elif group.has_previous and self._late.are_over(BROADCAST):
            self.close()

    def close(self) -> None:
        """Remove the key that nobody uses any more."""
        group = self._table.group
        if group and group.has_previous and not group.waiting:
            self._table.store(group.without_previous())

    def take(self, control: Control, name: str | None, key: SharedKey) -> None:
        """Act upon what a neighbour says about the key of the group."""
        del key
        group = self._table.group
        if group is None or name is None:
            return
        match control:
            case NextGroupKey() | OnlyGroupKey() if name == group.source:
                self._given(group, control, name)
            case UseGroupKey(generation) if name == group.source:
                self._switch(group, generation)
            case GroupKeyTaken(generation) if not group.has_previous:
                self._answered(group, generation, name)
            case GroupKeyUsed(generation) if group.has_previous:
                self._answered(group, generation, name)

    def _given(self, group: Group, given: GroupKey, name: str) -> None:
        newest = group.newest
        if len(given.key) != len(newest.key) or given.generation < newest.generation:
            return
        if given.generation > newest.generation:
            is_next = isinstance(given, NextGroupKey)
            change = group.with_next if is_next else group.replaced
            after = change(given.key, given.generation, self._invited())
            expected = after.newest.number(EXPECTED, name)
            self._table.store(after, numbers={expected: given.expected})
        self._answer_source(GroupKeyTaken)

    def _switch(self, group: Group, generation: int) -> None:
        if generation != group.newest.generation:
            return
        if group.has_next and not group.waiting:
            self._use(group)
        self._answer_source(GroupKeyUsed)

    def _answered(self, group: Group, generation: int, name: str) -> None:
        if generation != group.newest.generation or name not in group.waiting:
            return
        self._table.store(group.answered_by(name))
        self._answer_source(GroupKeyUsed if group.has_previous else GroupKeyTaken)

    def _use(self, group: Group) -> None:
        """Send under the next key from now on, and have the others do so."""
        self._table.store(group.rotated(self._invited()))
        self._late.begin(BROADCAST)

    def _answer_source(self, answer: type[GroupKeyTaken | GroupKeyUsed]) -> None:
        """Tell the neighbour that the key came from, when all here are as far."""
        group = self._table.group
        if group is not None and group.source and not group.waiting:
            self._answer(answer(group.newest.generation), group.source)

    def _invited(self) -> list[str]:
        return invited(self._table.neighbours.values())
