# SPDX-License-Identifier: Apache-2.0
"""What nodes say to each other within secured payloads.

A message that fits travels as it is, without a byte of ours. Everything else
begins with the byte 0xF5, which no UTF-8 text has, and one that tells what it is:

======  ===============================================================
00      the rest is a message (that itself begins with 0xF5)
01      counters before this one may be unused: the sender was interrupted;
        or with 4 bytes: frame counters below this number are refused, skip them;
        4 more: ids of messages below this number, which may have been received
02      acknowledgement: message id (4), status (1); if parts are missing:
        the first of them (2), and a bit for each part from there on
04      00: do you stay up, and skip counters when told? 01: yes; 02: yes, and ids
1x      part of a message: id (4), number of the part from 0 (2), its bytes;
        bit 0: the last part, bit 1: an acknowledgement is wanted now,
        bit 2: this message is acknowledged at all
======  ===============================================================

A message's id comes from a counter of the sender: unique there, and greater than
those before. Numbers are big-endian.
"""

from __future__ import annotations

import struct
from dataclasses import dataclass, field, replace
from enum import IntEnum
from typing import TYPE_CHECKING

from samara.errors import MisuseError

if TYPE_CHECKING:
    from samara.link.node.receipt import Direction

MESSAGE_SIZE_MAX = 1_048_576
"""Bytes of the longest message."""

_ESCAPE = 0xF5
_LITERAL, _RESTARTED, _ACK, _STEADY, _PART = 0x00, 0x01, 0x02, 0x04, 0x10
_LAST, _WANTED, _ACKNOWLEDGED = 1, 2, 4
_PART_HEADER = struct.Struct(">BBIH")
_ACK_HEADER = struct.Struct(">BBIB")
_SKIP, _SKIP_IDS = struct.Struct(">BBI"), struct.Struct(">BBII")
_STEADY_SIZE = 3
_MISSING_FROM = struct.Struct(">H")

PART_OVERHEAD = _PART_HEADER.size
"""Bytes that each part of a message adds."""


class PayloadError(ValueError):
    """A genuine payload that is not one of these: the peer is another program."""


class TooLongError(MisuseError):
    """A message of more than 1 MiB."""

    def __init__(self, size: int) -> None:
        super().__init__(
            f"a message has at most {MESSAGE_SIZE_MAX} bytes, and this one has {size}"
        )


class DeliveryStatus(IntEnum):
    """What a receiver knows of a message."""

    DELIVERED = 0
    INCOMPLETE = 1
    UNKNOWN = 2
    """It was stopped between taking the message and handing it on, or dropped it."""
    WAITING = 3
    """It keeps the message, which nobody has taken yet."""


@dataclass(frozen=True, slots=True)
class WholeMessage:
    """A message in one payload."""

    message: bytes


@dataclass(frozen=True, slots=True)
class Restarted:
    """Counters before this one may be unused."""


@dataclass(frozen=True, slots=True)
class Skip:
    """Frames with counters below this one are refused: leave them out."""

    counter: int
    ids: int = 0
    """Messages with ids below this one may have been received: leave them out."""


@dataclass(frozen=True, slots=True)
class Steady:
    """A question whether the other end stays up and skips counters, or a yes."""

    asks: bool
    skips_ids: bool = False
    """With a yes: whether it skips ids of messages, too."""


@dataclass(frozen=True, slots=True)
class Part:
    """One part of a message."""

    message_id: int
    number: int
    data: bytes
    is_last: bool
    wants_ack: bool = False
    is_acknowledged: bool = False


@dataclass(frozen=True, slots=True)
class Ack:
    """What became of a message."""

    message_id: int
    status: DeliveryStatus
    missing: tuple[int, ...] = ()
    """Numbers of parts, the first of them when there are many."""


Payload = WholeMessage | Restarted | Skip | Steady | Part | Ack


def build(payload: Payload) -> bytes:
    """Return the bytes of a payload."""
    match payload:
        case WholeMessage(message):
            escaped = message[:1] == bytes([_ESCAPE])
            return bytes([_ESCAPE, _LITERAL]) + message if escaped else message
        case Restarted():
            return bytes([_ESCAPE, _RESTARTED])
        case Skip(counter, ids):
            # Older versions read it as the other one, and go on.
            skipped = _SKIP_IDS.pack(_ESCAPE, _RESTARTED, counter, ids)
            return skipped if ids else skipped[: _SKIP.size]
        case Steady(asks, skips_ids):
            return bytes([_ESCAPE, _STEADY, 0 if asks else 1 + skips_ids])
        case Part():
            flags = (
                payload.is_last * _LAST
                | payload.wants_ack * _WANTED
                | payload.is_acknowledged * _ACKNOWLEDGED
            )
            return (
                _PART_HEADER.pack(
                    _ESCAPE, _PART | flags, payload.message_id, payload.number
                )
                + payload.data
            )
        case Ack():
            return _ACK_HEADER.pack(
                _ESCAPE, _ACK, payload.message_id, payload.status
            ) + _bits_of(payload.missing)


def parse(payload: bytes) -> Payload:
    """Return what a verified payload says.

    Raises
    ------
    PayloadError
        When it begins as one of ours and goes on otherwise.
    """
    if payload[:1] != bytes([_ESCAPE]):
        return WholeMessage(payload)
    kind = payload[1] if len(payload) > 1 else None
    if kind == _LITERAL:
        return WholeMessage(payload[2:])
    if kind == _RESTARTED:
        return _parse_restarted(payload)
    if kind == _STEADY and len(payload) == _STEADY_SIZE:
        return Steady(asks=not payload[2], skips_ids=payload[2] > 1)
    if kind == _ACK and len(payload) >= _ACK_HEADER.size:
        return _parse_ack(payload)
    if kind is not None and kind & 0xF8 == _PART and len(payload) >= _PART_HEADER.size:
        _, _, message_id, number = _PART_HEADER.unpack_from(payload)
        return Part(
            message_id,
            number,
            payload[_PART_HEADER.size :],
            is_last=bool(kind & _LAST),
            wants_ack=bool(kind & _WANTED),
            is_acknowledged=bool(kind & _ACKNOWLEDGED),
        )
    message = "a genuine payload that this program does not understand"
    raise PayloadError(message)


def _parse_restarted(payload: bytes) -> Restarted | Skip:
    for known in (_SKIP, _SKIP_IDS):
        if len(payload) == known.size:
            return Skip(*known.unpack(payload)[2:])
    return Restarted()


def _parse_ack(payload: bytes) -> Ack:
    _, _, message_id, status = _ACK_HEADER.unpack_from(payload)
    rest = payload[_ACK_HEADER.size :]
    try:
        return Ack(message_id, DeliveryStatus(status), _numbers_of(rest))
    except (ValueError, struct.error):
        message = "an acknowledgement with an unknown status"
        raise PayloadError(message) from None


def _bits_of(missing: tuple[int, ...]) -> bytes:
    if not missing:
        return b""
    bits = 0
    for number in missing:
        bits |= 1 << (number - missing[0])
    size = (bits.bit_length() + 7) // 8
    return _MISSING_FROM.pack(missing[0]) + bits.to_bytes(size, "little")


def _numbers_of(rest: bytes) -> tuple[int, ...]:
    if not rest:
        return ()
    (first,) = _MISSING_FROM.unpack_from(rest)
    bits = int.from_bytes(rest[_MISSING_FROM.size :], "little")
    return tuple(first + at for at in range(bits.bit_length()) if bits >> at & 1)


def shortened(ack: Ack, payload_size: int) -> Ack:
    """Leave out missing parts that a payload has no bits for; they come later."""
    bits = 8 * (payload_size - _ACK_HEADER.size - _MISSING_FROM.size)
    named = (number for number in ack.missing if number - ack.missing[0] < bits)
    return replace(ack, missing=tuple(named))


def fits_whole(message: bytes, payload_size: int) -> bool:
    """Tell whether a message needs no parts.

    Raises
    ------
    TooLongError
        When it has more than 1 MiB.
    """
    if len(message) > MESSAGE_SIZE_MAX:
        raise TooLongError(len(message))
    return len(build(WholeMessage(message))) <= payload_size


def cut(message: bytes, payload_size: int) -> list[bytes]:
    """Cut a message into the data of parts; an empty one has one empty part.

    Raises
    ------
    TooLongError
        When it has more than 1 MiB.
    """
    if len(message) > MESSAGE_SIZE_MAX:
        raise TooLongError(len(message))
    size = payload_size - PART_OVERHEAD
    return [message[at : at + size] for at in range(0, len(message), size)] or [b""]


@dataclass(frozen=True, slots=True)
class Planned:
    """A message that has not been sent."""

    direction: Direction
    size: int
    """Bytes."""
    is_acknowledged: bool

    def payloads(self, payload_size: int) -> list[int]:
        """Return the sizes of the payloads in which a node sends it.

        Parameters
        ----------
        payload_size
            Bytes of the longest payload of the link.
        """
        message = bytes(self.size)
        if not self.is_acknowledged and fits_whole(message, payload_size):
            return [len(build(WholeMessage(message)))]
        return [PART_OVERHEAD + len(piece) for piece in cut(message, payload_size)]

    @property
    def answers(self) -> list[int]:
        """Return the size of the payload that acknowledges it, if one does."""
        if not self.is_acknowledged:
            return []
        return [len(build(Ack(0, DeliveryStatus.DELIVERED)))]


@dataclass(slots=True)
class Assembly:
    """The parts of one message that have arrived."""

    message_id: int
    _parts: dict[int, bytes] = field(default_factory=dict)
    _size: int = 0
    _count: int | None = None

    def add(self, part: Part) -> None:
        """Take a part; one that is known, or too much, changes nothing."""
        is_known = part.number in self._parts
        if is_known or self._size + len(part.data) > MESSAGE_SIZE_MAX:
            return
        self._parts[part.number] = part.data
        self._size += len(part.data)
        if part.is_last:
            self._count = part.number + 1

    @property
    def is_complete(self) -> bool:
        """Whether all parts are there."""
        return self._count is not None and len(self._parts) == self._count

    def message(self) -> bytes:
        """Return the message, when it is complete."""
        return b"".join(self._parts[number] for number in sorted(self._parts))

    def missing(self) -> tuple[int, ...]:
        """Return the numbers of the parts that are known to be missing."""
        end = max(self._parts, default=-1) + 1 if self._count is None else self._count
        return tuple(number for number in range(end) if number not in self._parts)
