# SPDX-License-Identifier: Apache-2.0
"""The keys of a group at one node: what is stored, and how it changes.

The first node of a network draws the key. It goes down the tree of invitations: each
node takes it from the one that has invited it, and from nobody else, and hands it on
to those that it has invited. So a node that was forgotten by its inviter gets none
any more, and cannot give others one of its own.

A new key is used beside the old one at first (`Group.with_next`): each node opens
frames under both, and sends under the old one until it is told that all have the new
one. When a neighbour is forgotten, the new key takes the place of the old one at once
(`Group.replaced`): nothing is sent or opened under the old key any more.
"""

from __future__ import annotations

import secrets
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Self

from samara.link.ieee802154.keys.neighbours import (
    CURRENT,
    EXPECTED,
    GROUP,
    INVITED,
    NEXT,
    PREVIOUS,
    SENT,
    Neighbour,
    SharedKey,
    key_of,
    of_records,
)
from samara.link.node.members import Change
from samara.link.node.state import StateError

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from samara.link.node.quantities import Number
    from samara.link.node.state_file import Record

NOBODY = ""
"""`Group.source` after this node has forgotten the neighbour that invited it."""
UNKNOWN = "?"
"""The source in a group from before keys of groups could change: no node of it knows
whether it was the first, so that none would take a new key from another."""
MAKE_ANEW = (
    "it was made by an older samara, which did not note who was first: make the "
    "network anew (`samara node init --network --group`, then invite the others)"
)
"""What is to be done about such a group."""
_ROLES = (
    {CURRENT},
    {CURRENT, NEXT},
    {CURRENT, PREVIOUS},
)


@dataclass(frozen=True, slots=True)
class Group:
    """The keys of a group at one node."""

    keys: tuple[SharedKey, ...]
    source: str | None = None
    """Name of the neighbour that the key comes from; None: it is drawn here."""
    waiting: frozenset[str] = frozenset()
    """Invited neighbours that have not answered about the newest key."""

    @property
    def current(self) -> SharedKey:
        """The key that this node sends to all with."""
        return next(each for each in self.keys if each.role == CURRENT)

    @property
    def newest(self) -> SharedKey:
        """The next key, or else the current one."""
        return next((each for each in self.keys if each.role == NEXT), self.current)

    @property
    def has_next(self) -> bool:
        """Whether a new key is being handed out, beside the one in use."""
        return self.newest.role == NEXT

    @property
    def has_previous(self) -> bool:
        """Whether frames under the previous key are still opened."""
        return any(each.role == PREVIOUS for each in self.keys)

    @property
    def is_settled(self) -> bool:
        """Whether no change is under way, as far as this node knows."""
        return not (self.waiting or self.has_next or self.has_previous)

    def with_next(self, key: bytes, generation: int, waiting: Iterable[str]) -> Self:
        """Return the group with a new key as next, beside the one in use."""
        added = SharedKey(key, generation, NEXT, is_group=True)
        return replace(self, keys=(self.current, added), waiting=frozenset(waiting))

    def replaced(self, key: bytes, generation: int, waiting: Iterable[str]) -> Self:
        """Return the group with a new key as the only one."""
        only = SharedKey(key, generation, CURRENT, is_group=True)
        return replace(self, keys=(only,), waiting=frozenset(waiting))

    def rotated(self, waiting: Iterable[str]) -> Self:
        """Return the group with the next key as current, the current as previous."""
        keys = (
            replace(self.current, role=PREVIOUS),
            replace(self.newest, role=CURRENT),
        )
        return replace(self, keys=keys, waiting=frozenset(waiting))

    def without_previous(self) -> Self:
        """Return the group without its previous key."""
        return replace(self, keys=(self.current,))

    def answered_by(self, name: str) -> Self:
        """Return the group after a neighbour has answered about the newest key."""
        return replace(self, waiting=self.waiting - {name})

    def joined_by(self, name: str) -> Self:
        """Return it with a newcomer, who got the key in use while there is a next one.

        Others still send with that one. So the newcomer is one of those that have to
        take the next key.
        """
        return replace(self, waiting=self.waiting | {name})

    @property
    def record_name(self) -> str:
        """The name of its record."""
        return GROUP

    def as_record(self) -> Record:
        """Return what is stored of it."""
        return {
            "source": self.source,
            "waiting": sorted(self.waiting),
            "keys": [each.as_record() for each in self.keys],
        }


def first(key: bytes, source: str | None = None, generation: int = 0) -> Group:
    """Return the group of a node that has just got its key."""
    return Group((SharedKey(key, generation, is_group=True),), source)


def stored(records: Mapping[str, Record], key_size: int) -> Group | None:
    """Return the group of a node, if it is in one.

    Raises
    ------
    StateError
        When its record is not valid.
    """
    record = records.get(GROUP)
    if record is None:
        return None
    try:
        return _checked(record, key_size)
    except (KeyError, TypeError, ValueError, AttributeError):
        # The record has keys: nothing of it is repeated.
        message = f"the state of the node is damaged: its record {GROUP!r} is not valid"
        raise StateError(message) from None


def _checked(record: Record, key_size: int) -> Group:
    if "keys" not in record:
        # Stored before keys of groups could change.
        record = {
            "source": UNKNOWN,
            "waiting": [],
            "keys": [{"generation": 0, "role": CURRENT, "key": record["key"]}],
        }
    keys = tuple(key_of(each, key_size, is_group=True) for each in record["keys"])
    roles = {each.role for each in keys}
    generations = {each.generation for each in keys}
    waiting = frozenset(map(_text, record["waiting"]))
    source = record["source"] if record["source"] is None else _text(record["source"])
    if roles not in _ROLES or not len(keys) == len(roles) == len(generations):
        raise ValueError(roles)
    return Group(keys, source, waiting)


def _text(value: Any) -> str:  # noqa: ANN401 - of a file that may be damaged
    if not isinstance(value, str):
        raise TypeError
    return value


def invited(neighbours: Iterable[Neighbour]) -> list[str]:
    """Return the names of the neighbours that get the key from this node."""
    return [each.name for each in neighbours if each.name and each.kin == INVITED]


def after_forgetting(
    records: Mapping[str, Record], neighbour: Neighbour, key_size: int
) -> Change:
    """Return what happens to the group when a neighbour is forgotten.

    Where the key was drawn, a new one takes its place, which the neighbour does not
    get. Elsewhere the user has to be told what to do.
    """
    group, name = stored(records, key_size), str(neighbour.name)
    if group is None:
        return Change()
    others = [each for each in of_records(records, key_size) if each.name != name]
    if group.source is None and neighbour.kin == INVITED:
        key = secrets.token_bytes(key_size)
        after = group.replaced(key, group.newest.generation + 1, invited(others))
        names = [name, *(each.name for each in others)]
        notice = f"the key of the group is changed: {name} does not get the new one"
        gone = numbers_of(group.keys, names)
        return Change({GROUP: after.as_record()}, gone, (notice,))
    after = group.answered_by(name)
    if group.source == name:
        after = replace(after, source=NOBODY)
    notice = f"{name} still has the key of the group: "
    if group.source == UNKNOWN:
        notice += MAKE_ANEW
    elif neighbour.kin == INVITED:
        notice += "run `samara node rekey --group` for the first node of the network"
    else:
        notice += "it gets it from the node that has invited it, which must forget it"
    return Change({GROUP: after.as_record()}, expected_of(group.keys, name), (notice,))


def expected_of(keys: Iterable[SharedKey], name: str | None) -> list[Number]:
    """Return the stored numbers of what a neighbour sent under keys."""
    return [key.number(EXPECTED, name) for key in keys]


def numbers_of(keys: Iterable[SharedKey], names: Iterable[str | None]) -> list[Number]:
    """Return all stored numbers of keys that are gone."""
    known = list(keys)
    sent = [key.number(SENT, None) for key in known]
    return sent + [number for name in names for number in expected_of(known, name)]
