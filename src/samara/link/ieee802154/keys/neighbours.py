# SPDX-License-Identifier: Apache-2.0
"""The neighbours of a node: their addresses, and the keys shared with each.

A pair of nodes has one neighbour each, without a name, whose first key is in keys.json.
All other keys, and all that are drawn later, are records in the node's state: so that
a key, its counters and its role change together or not at all.

Each key has a generation, from 0. It sets the index that frames name the key by, so
that keys of one neighbour which are used side by side are told apart.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Self

from samara.edhoc import MESSAGE_3_SIZE
from samara.link.ieee802154.limits import NAME, SHORT_ADDRESSES
from samara.link.node.link import NeighbourError
from samara.link.node.members import Change
from samara.link.node.options import HexDigits
from samara.link.node.quantities import Number, Quantity
from samara.link.node.state import StateError

if TYPE_CHECKING:
    from collections.abc import Mapping

    from samara.link.node.state import State
    from samara.link.node.state_file import Record

NEIGHBOURS_MAX = 64
"""Neighbours of a node. Each has up to three keys, and the tables of C hold 255."""
CURRENT, NEXT, PREVIOUS = "current", "next", "previous"
GROUP = "group"
"""The name of the record of the key of a group."""
INVITED, INVITER, INTRODUCED = "invited", "inviter", "introduced"
"""How a neighbour became one: this node has invited it, or was invited by it, or
another neighbour has introduced the two."""
OSCORE_SIZE = 16 + 8 + 1 + 1
"""Bytes of what a node stores for OSCORE: see `oscore`."""
SENT, EXPECTED = Quantity.SENT, Quantity.EXPECTED
"""What is counted with each key: see `SharedKey.number`."""

_RECORD = "neighbour"
# Indexes 1 to 127 belong to keys of pairs.
_INDEXES = 127
# And those from here on to keys of groups.
_GROUP_INDEX = 128
_GENERATIONS = 2**32


@dataclass(frozen=True, slots=True)
class SharedKey:
    """One key that is shared with a neighbour."""

    key: bytes
    generation: int = 0
    role: str = CURRENT
    is_group: bool = False
    """Whether it is shared with the whole group."""

    @property
    def index(self) -> int:
        """The key index in frames, with key identifier modes 1 to 3."""
        lowest = _GROUP_INDEX if self.is_group else 1
        return lowest + self.generation % _INDEXES

    def number(self, quantity: Quantity, neighbour: str | None) -> Number:
        """Return which stored number belongs to this key and a neighbour."""
        return Number(quantity, neighbour or "", self.generation, self.is_group)

    def as_record(self) -> Record:
        """Return what is stored of it."""
        return {
            "generation": self.generation,
            "role": self.role,
            "key": self.key.hex(),
        }

    def numbers(self, neighbour: str | None) -> tuple[Number, Number]:
        """Return all stored numbers that belong to this key and a neighbour."""
        return self.number(SENT, neighbour), self.number(EXPECTED, neighbour)


@dataclass(frozen=True, slots=True)
class Renewal:
    """How far an agreement on a new key is; see `renewing`."""

    generation: int
    own_nonce: str
    """Hex digits."""
    other_nonce: str = ""
    """Empty: the neighbour has not answered yet."""
    by_edhoc: bool = False
    """Whether it is a run of EDHOC, without nonces; see `agreeing`."""
    peer: str = ""
    """Hex digits: the neighbour's public static key. Empty: follows from the key."""
    proof: str = ""
    """Hex digits: message_3, which the neighbour has not taken yet."""


@dataclass(frozen=True, slots=True)
class Neighbour:
    """One neighbour."""

    name: str | None
    """None: the other end of a pair."""
    short: int
    extended: bytes
    keys: tuple[SharedKey, ...]
    renewal: Renewal | None = None
    """The agreement on a next key that is under way."""
    is_confirmed: bool = True
    """Whether it has shown that it has the current key."""
    invitation: str = ""
    """Hex digits: the id of its invitation, until it has accepted this node."""
    kin: str = INVITED
    introduction: str = ""
    """Who has introduced it, and the id of that: see `introducing`."""
    waits: bool = False
    """Whether it speaks first: it was introduced, and may not know this node yet."""
    edhoc: bool = False
    """Whether its keys are agreed upon by EDHOC."""
    spent: str = ""
    """Hex digits: the key of its invitation, if that was never a key of messages."""
    oscore: str = ""
    """Hex digits: the secret for OSCORE of the last run of EDHOC. Empty: given out."""

    @property
    def is_joining(self) -> bool:
        """Whether it has still to accept this node, which it has invited."""
        return bool(self.invitation)

    def with_role(self, role: str) -> SharedKey | None:
        """Return the key in this role."""
        return next((each for each in self.keys if each.role == role), None)

    @property
    def current(self) -> SharedKey:
        """The key that this node sends with."""
        # There is always one: `_checked` sees to it.
        return next(each for each in self.keys if each.role == CURRENT)

    @property
    def first_run(self) -> Renewal | None:
        """Return the run of EDHOC that has to come before the request to join.

        Another renewal can be wanted already; it follows the joining.
        """
        renewal = self.renewal
        return renewal if renewal is not None and renewal.peer else None

    def with_next(self, key: bytes, renewal: Renewal) -> Self:
        """Return it with a next key, which replaces another next one."""
        kept = tuple(each for each in self.keys if each.role != NEXT)
        added = SharedKey(key, renewal.generation, NEXT)
        return replace(self, keys=(*kept, added), renewal=renewal)

    def without_next(self, renewal: Renewal) -> Self:
        """Return it without its next key, to agree on another one."""
        keys = tuple(each for each in self.keys if each.role != NEXT)
        # Of the run that the next key is from.
        return replace(self, keys=keys, renewal=renewal, oscore="")

    def rotated(self, *, is_confirmed: bool) -> Self:
        """Return it with the next key as the current one, and that as previous."""
        after = {NEXT: CURRENT, CURRENT: PREVIOUS}
        keys = tuple(
            replace(each, role=after[each.role])
            for each in self.keys
            if each.role != PREVIOUS
        )
        return replace(
            self, keys=keys, renewal=None, is_confirmed=is_confirmed, waits=False
        )

    def without_previous(self) -> Self:
        """Return it without its previous key."""
        keys = tuple(each for each in self.keys if each.role != PREVIOUS)
        return replace(self, keys=keys)

    @property
    def record_name(self) -> str:
        """The name of its record."""
        return record_name(self.name)

    def as_record(self) -> Record:
        """Return what is stored of it."""
        record: Record = {
            "short": f"{self.short:04x}",
            "extended": self.extended.hex(),
            "keys": [each.as_record() for each in self.keys],
            "confirmed": self.is_confirmed,
            "invitation": self.invitation,
            "kin": self.kin,
        }
        if self.introduction:
            record["introduction"] = self.introduction
            record["waits"] = self.waits
        if self.edhoc:
            record["edhoc"] = True
        if self.spent:
            record["spent"] = self.spent
        if self.oscore:
            record["oscore"] = self.oscore
        if self.renewal is not None:
            record["renewal"] = _record_of(self.renewal)
        return record


def _record_of(renewal: Renewal) -> Record:
    record: Record = {
        "generation": renewal.generation,
        "own": renewal.own_nonce,
        "other": renewal.other_nonce,
    }
    if renewal.by_edhoc:
        record |= {"edhoc": True, "peer": renewal.peer, "proof": renewal.proof}
    return record


def record_name(name: str | None) -> str:
    """Return the name of the record of a neighbour."""
    return _RECORD if name is None else f"{_RECORD} {name}"


def of_pair(peer: Mapping[str, str], key: bytes) -> Neighbour:
    """Return the other end of a pair, as it was made."""
    short, extended = int(peer["short"], 16), bytes.fromhex(peer["extended"])
    return Neighbour(None, short, extended, (SharedKey(key),))


def stored(state: State, key_size: int) -> list[Neighbour]:
    """Return the neighbours that are in the state of a node.

    Raises
    ------
    StateError
        When a record of one is not valid.
    """
    return of_records(state.records(), key_size)


def of_records(records: Mapping[str, Record], key_size: int) -> list[Neighbour]:
    """Return the neighbours in these records; as `stored`."""
    return [
        _neighbour_of(name, record, key_size)
        for name, record in records.items()
        if name.partition(" ")[0] == _RECORD
    ]


def check_known(records: Mapping[str, Record], name: str) -> None:
    """Refuse a name that is no neighbour's.

    Raises
    ------
    NeighbourError
        When there is none.
    """
    if record_name(name) not in records:
        known = ", ".join(described(records)) or "none"
        message = f"there is no neighbour {name!r:.60}; those of this node: {known}"
        raise NeighbourError(message)


def forgotten(records: Mapping[str, Record], name: str) -> Change:
    """Return what removes a neighbour.

    Raises
    ------
    NeighbourError
        When there is no such neighbour.
    """
    check_known(records, name)
    record = records[record_name(name)]
    generations = [key.get("generation", 0) for key in record.get("keys", [])]
    if "spent" in record:
        # Who has a copy of its invitation was told so under that key.
        generations.append(0)
    numbers = [
        number for each in generations for number in SharedKey(b"", each).numbers(name)
    ]
    return Change({record_name(name): None}, numbers)


def described(records: Mapping[str, Record]) -> dict[str, dict[str, Any]]:
    """Return the neighbours of a node by name, for users: no keys, but generations."""
    found = {}
    for name, record in sorted(records.items()):
        kind, _, of = name.partition(" ")
        if kind != _RECORD:
            continue
        current = [k for k in record.get("keys", []) if k.get("role") == CURRENT]
        is_settled = record.get("confirmed") and "renewal" not in record
        fields = {
            "short": record.get("short"),
            "extended": record.get("extended"),
            "key": current[0].get("generation") if current else None,
            "state": "settled" if is_settled else "changing keys",
        }
        if record.get("invitation"):
            fields["state"] = "joining"
        elif record.get("waits"):
            fields["state"] = "introduced"
        found[of] = fields
    return found


def _neighbour_of(name: str, record: Record, key_size: int) -> Neighbour:
    try:
        return _checked(name.partition(" ")[2], record, key_size)
    except (KeyError, TypeError, ValueError, AttributeError):
        # The record has keys: nothing of it is repeated.
        message = f"the state of the node is damaged: its record {name!r} is not valid"
        raise StateError(message) from None


def _checked(name: str, record: Record, key_size: int) -> Neighbour:
    short = int(_matching(record["short"], 4), 16)
    keys = tuple(key_of(each, key_size) for each in record["keys"])
    roles = [each.role for each in keys]
    generations = {each.generation for each in keys}
    is_possible = (
        (not name or NAME.fullmatch(name))
        and short in SHORT_ADDRESSES
        and CURRENT in roles
        and len(roles) == len(set(roles)) == len(generations)
    )
    if not is_possible:
        raise ValueError(name)
    renewal, invitation = record.get("renewal"), record["invitation"]
    return Neighbour(
        name or None,
        short,
        bytes.fromhex(_matching(record["extended"], 16)),
        keys,
        None if renewal is None else _renewal_of(renewal),
        is_confirmed=record["confirmed"] is True,
        invitation=invitation and _matching(invitation, 16),
        kin=_kin(record.get("kin", INVITED)),
        introduction=_text(record.get("introduction", "")),
        waits=record.get("waits", False) is True,
        edhoc=record.get("edhoc", False) is True,
        spent=_or_nothing(record.get("spent", ""), 2 * key_size),
        oscore=_or_nothing(record.get("oscore", ""), 2 * OSCORE_SIZE),
    )


def _text(value: object) -> str:
    if not isinstance(value, str):
        raise TypeError
    return value


def _kin(value: object) -> str:
    if value not in (INVITED, INVITER, INTRODUCED):
        raise ValueError(value)
    return str(value)


def key_of(
    record: Mapping[str, Any], key_size: int, *, is_group: bool = False
) -> SharedKey:
    """Return a key as it was stored.

    Raises
    ------
    KeyError, TypeError, ValueError
        When its record is not valid.
    """
    key = bytes.fromhex(_matching(record["key"], 2 * key_size))
    role = record["role"]
    if role not in (CURRENT, NEXT, PREVIOUS):
        raise ValueError(role)
    return SharedKey(key, _generation(record["generation"]), role, is_group)


def _renewal_of(record: Mapping[str, Any]) -> Renewal:
    other, by_edhoc = record["other"], record.get("edhoc", False) is True
    return Renewal(
        _generation(record["generation"]),
        "" if by_edhoc else _matching(record["own"], 32),
        other and _matching(other, 32),
        by_edhoc=by_edhoc,
        peer=_or_nothing(record.get("peer", ""), 64),
        proof=_or_nothing(record.get("proof", ""), 2 * MESSAGE_3_SIZE),
    )


def _generation(value: object) -> int:
    if type(value) is not int or value not in range(_GENERATIONS):
        raise ValueError(value)
    return value


def _or_nothing(value: object, digits: int) -> str:
    return "" if value == "" else _matching(value, digits)


def _matching(value: object, digits: int) -> str:
    if value not in HexDigits(digits, digits):
        raise ValueError
    return str(value)
