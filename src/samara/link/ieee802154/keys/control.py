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
0d    introduction of another node: id (4), its short (2) and extended address (8), its
      lowest counter that is accepted under the key of the group (4), generation of that
      key (4), size of its name with 128 added if the receiver has to speak to it first
      (1), name, shared key
0e    the answer to 0d and 0f: id (4), status (1)
0f    the introduction with this id (4) is taken back
10    the request to join is refused: why (1): 1 used already, 2 expired
11    join by EDHOC: id of the invitation (8), message_1 (37)
12    renewal by EDHOC asked for: generation (4), message_1 (37)
13    EDHOC answered: generation (4), tag of message_1 (4), message_2 (45)
14    EDHOC ended: generation (4), message_3 (19)
15    message_3 with this tag (4) comes too late, for this generation (4): begin anew
====  =================================================================
"""

from __future__ import annotations

import hashlib
import struct
from dataclasses import dataclass, field
from enum import IntEnum
from typing import TYPE_CHECKING, Self, TypeAlias

from samara.edhoc import MESSAGE_1_SIZE, MESSAGE_2_SIZE, MESSAGE_3_SIZE

if TYPE_CHECKING:
    from collections.abc import Mapping

PREFIX = b"\xf5\x03"
"""How such a payload begins."""
NONCE_SIZE = 16
INVITATION_ID_SIZE = 8
TAG_SIZE = 4
"""What names a message of EDHOC in the answer to it."""

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


class IntroductionStatus(IntEnum):
    """What becomes of an introduction."""

    TAKEN = 0
    KNOWN = 1
    """The other one is a neighbour already."""
    NAME_IN_USE = 2
    """The name or the short address."""
    FULL = 3
    REFUSED = 4
    RETRACTED = 5


@dataclass(frozen=True, slots=True)
class Introduce:
    """Another node, and a key that the receiver shares with it from now on."""

    id: int
    short: int
    extended: bytes
    expected: int
    """The lowest counter of the other one that is accepted in the group."""
    generation: int
    """Of the key of the group that it was counted under."""
    begins: bool
    """Whether the receiver speaks to the other one first."""
    name: str
    key: bytes = field(repr=False)


@dataclass(frozen=True, slots=True)
class Introduced:
    """The answer to an introduction, and to the one that takes it back."""

    id: int
    status: int


@dataclass(frozen=True, slots=True)
class Retract:
    """The other one does not take the introduction."""

    id: int


class Refusal(IntEnum):
    """Why a request to join is refused."""

    USED = 1
    """Another node has joined with the invitation."""
    EXPIRED = 2
    """By the clock of the node that has invited."""


@dataclass(frozen=True, slots=True)
class JoinRefused:
    """The newcomer is not accepted with its invitation."""

    reason: int
    """A `Refusal`, or what a newer program says."""


@dataclass(frozen=True, slots=True)
class EdhocJoin:
    """A newcomer has an invitation, and begins a run of EDHOC."""

    invitation: bytes
    message_1: bytes


@dataclass(frozen=True, slots=True)
class EdhocAsk:
    """A new key is wanted, by a run of EDHOC."""

    generation: int
    message_1: bytes


@dataclass(frozen=True, slots=True)
class EdhocAnswer:
    """The answer to the first message of a run."""

    generation: int
    tag: bytes
    """Of that first message."""
    message_2: bytes


@dataclass(frozen=True, slots=True)
class EdhocProof:
    """The last message of a run: the receiver has the new key with it."""

    generation: int
    message_3: bytes


@dataclass(frozen=True, slots=True)
class EdhocAgain:
    """The run of a last message is not known, and never will be: begin another one."""

    generation: int
    tag: bytes
    """Of that last message."""


def tag_of(message: bytes) -> bytes:
    """Return what names a message of EDHOC in the answer to it."""
    return hashlib.sha256(message).digest()[:TAG_SIZE]


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
    | Introduce
    | Introduced
    | Retract
    | JoinRefused
    | EdhocJoin
    | EdhocAsk
    | EdhocAnswer
    | EdhocProof
    | EdhocAgain
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
    Introduced: (14, struct.Struct(">IB")),
    Retract: (15, struct.Struct(">I")),
    JoinRefused: (16, struct.Struct(">B")),
    EdhocJoin: (17, struct.Struct(f">{INVITATION_ID_SIZE}s{MESSAGE_1_SIZE}s")),
    EdhocAsk: (18, struct.Struct(f">I{MESSAGE_1_SIZE}s")),
    EdhocAnswer: (19, struct.Struct(f">I{TAG_SIZE}s{MESSAGE_2_SIZE}s")),
    EdhocProof: (20, struct.Struct(f">I{MESSAGE_3_SIZE}s")),
    EdhocAgain: (21, struct.Struct(f">I{TAG_SIZE}s")),
}
_INTRODUCE, _FIXED = 13, struct.Struct(">IH8sIIB")
_BEGINS = 0x80
_UNKNOWN = (
    "a genuine payload about keys that this program does not understand: the other "
    "node has an older or newer samara; give both the same"
)
_BY_CODE = {code: (kind, form) for kind, (code, form) in _FORMATS.items()}


def build(control: Control) -> bytes:
    """Return the bytes of a payload."""
    if isinstance(control, Introduce):
        return _built(control)
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
    if code == bytes([_INTRODUCE]):
        return _introduction_of(rest)
    kind, form = _BY_CODE.get(code[0] if code else 0, (None, None))
    if kind is None or form is None or len(rest) != form.size:
        raise ControlError(_UNKNOWN)
    return kind(*form.unpack(rest))


def _built(said: Introduce) -> bytes:
    name = said.name.encode("ascii")
    size = len(name) | (_BEGINS if said.begins else 0)
    fixed = _FIXED.pack(
        said.id, said.short, said.extended, said.expected, said.generation, size
    )
    return PREFIX + bytes([_INTRODUCE]) + fixed + name + said.key


def _introduction_of(rest: bytes) -> Introduce:
    if len(rest) < _FIXED.size:
        raise ControlError(_UNKNOWN)
    number, short, extended, expected, generation, size = _FIXED.unpack_from(rest)
    end = _FIXED.size + size % _BEGINS
    name, key = rest[_FIXED.size : end], rest[end:]
    if not name or not 0 < len(key) <= _KEY_SIZE_MAX or not name.isascii():
        raise ControlError(_UNKNOWN)
    return Introduce(
        number,
        short,
        extended,
        expected,
        generation,
        begins=size >= _BEGINS,
        name=name.decode(),
        key=key,
    )
