# SPDX-License-Identifier: Apache-2.0
"""What nodes say to each other about their keys, within secured payloads.

Such a payload begins with the bytes f5 03 (`samara.link.node.messages` has the others)
and one that tells what it is. Numbers are big-endian.

====  =================================================================
01    join: id of the invitation (8)
02    welcome: the join was accepted
07    welcome to a group: generation of its key (4), lowest counter of the sender that
      is accepted under it (4), size of that key (1), the key with zeros behind it (32)
03    renewal asked for: generation (4), nonce of who asks (16)
04    renewal answered: generation (4), nonce of who asks (16), of who answers (16)
05    the key of this generation (4) is in use; secured with that key
06    the answer to 05, secured with that key
08    a new key of the group: as 07
09    the same, and no other key is used from now on
0a    the sender and all whom it has invited have the key of this generation (4)
0b    the key of the group of this generation (4) is in use, and is to be used
0c    the sender and all whom it has invited use the key of this generation (4)
====  =================================================================
"""

from __future__ import annotations

import struct
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Self, TypeAlias

if TYPE_CHECKING:
    from collections.abc import Mapping

PREFIX = b"\xf5\x03"
"""How such a payload begins."""
NONCE_SIZE = 16
INVITATION_ID_SIZE = 8

_KEY_SIZE_MAX = 32


class ControlError(ValueError):
    """A genuine payload of this kind that cannot be read: a newer program."""


@dataclass(frozen=True, slots=True)
class Join:
    """A newcomer has an invitation."""

    invitation: bytes


@dataclass(frozen=True, slots=True)
class Welcome:
    """The newcomer is a neighbour now."""


@dataclass(frozen=True, slots=True)
class GroupKey:
    """A key of a group."""

    generation: int
    expected: int
    """The lowest counter of the sender that the receiver accepts under it."""
    key_size: int
    padded_key: bytes = field(repr=False)

    @classmethod
    def of(cls, key: bytes, generation: int, expected: int) -> Self:
        """Return it with a key."""
        padded = key.ljust(_KEY_SIZE_MAX, b"\0")
        return cls(generation, expected, len(key), padded)

    @property
    def key(self) -> bytes:
        """The key of the group."""
        return self.padded_key[: self.key_size]


@dataclass(frozen=True, slots=True)
class WelcomeToGroup(GroupKey):
    """The newcomer is a neighbour now, and gets the key of the group."""


@dataclass(frozen=True, slots=True)
class NextGroupKey(GroupKey):
    """A new key of the group, to be used beside the one in use."""


@dataclass(frozen=True, slots=True)
class OnlyGroupKey(GroupKey):
    """A new key of the group, which takes the place of all others at once."""


@dataclass(frozen=True, slots=True)
class GroupKeyTaken:
    """The sender has this key of the group, and so has who got it from the sender."""

    generation: int


@dataclass(frozen=True, slots=True)
class UseGroupKey:
    """All have this key of the group: send with it."""

    generation: int


@dataclass(frozen=True, slots=True)
class GroupKeyUsed:
    """The sender sends with this key, and so does who got it from the sender."""

    generation: int


@dataclass(frozen=True, slots=True)
class Ask:
    """A new key is wanted."""

    generation: int
    nonce: bytes


@dataclass(frozen=True, slots=True)
class Answer:
    """Both nonces of a new key."""

    generation: int
    asked_nonce: bytes
    nonce: bytes


@dataclass(frozen=True, slots=True)
class Confirm:
    """The sender uses the key of this generation, and asks whether the other does."""

    generation: int


@dataclass(frozen=True, slots=True)
class Confirmed:
    """The sender uses the key of this generation."""

    generation: int


Control: TypeAlias = (
    Join
    | Welcome
    | WelcomeToGroup
    | Ask
    | Answer
    | Confirm
    | Confirmed
    | NextGroupKey
    | OnlyGroupKey
    | GroupKeyTaken
    | UseGroupKey
    | GroupKeyUsed
)

_GROUP_KEY = struct.Struct(f">IIB{_KEY_SIZE_MAX}s")
_FORMATS: Mapping[type[Control], tuple[int, struct.Struct]] = {
    Join: (1, struct.Struct(f">{INVITATION_ID_SIZE}s")),
    Welcome: (2, struct.Struct(">")),
    Ask: (3, struct.Struct(f">I{NONCE_SIZE}s")),
    Answer: (4, struct.Struct(f">I{NONCE_SIZE}s{NONCE_SIZE}s")),
    Confirm: (5, struct.Struct(">I")),
    Confirmed: (6, struct.Struct(">I")),
    WelcomeToGroup: (7, _GROUP_KEY),
    NextGroupKey: (8, _GROUP_KEY),
    OnlyGroupKey: (9, _GROUP_KEY),
    GroupKeyTaken: (10, struct.Struct(">I")),
    UseGroupKey: (11, struct.Struct(">I")),
    GroupKeyUsed: (12, struct.Struct(">I")),
}
_BY_CODE = {code: (kind, form) for kind, (code, form) in _FORMATS.items()}


def build(control: Control) -> bytes:
    """Return the bytes of a payload."""
    code, form = _FORMATS[type(control)]
    fields = [getattr(control, name) for name in control.__dataclass_fields__]
    return PREFIX + bytes([code]) + form.pack(*fields)


def parse(payload: bytes) -> Control | None:
    """Return what a verified payload says; None when it is not of this kind.

    Raises
    ------
    ControlError
        When it begins as one of these and goes on otherwise.
    """
    if payload[: len(PREFIX)] != PREFIX:
        return None
    code, rest = payload[len(PREFIX) :][:1], payload[len(PREFIX) + 1 :]
    kind, form = _BY_CODE.get(code[0] if code else 0, (None, None))
    if kind is None or form is None or len(rest) != form.size:
        message = "a genuine payload about keys that this program does not understand"
        raise ControlError(message)
    return kind(*form.unpack(rest))
