# SPDX-License-Identifier: Apache-2.0
"""Messages of the Spinel protocol, as a host sends and reads them.

A message is a header byte, a command, and for most commands a property with its value.
Source: draft-rquattle-spinel-unified-00, and the properties that OpenThread's radio
co-processors have added since (RCP API versions 1 to 11).
"""

from __future__ import annotations

import enum
import struct
from dataclasses import dataclass

TRANSACTIONS = range(1, 16)
"""Identifiers by which an answer is told from others; 0 is for what nobody asked."""

_HEADER = 0x80
_TRANSACTION_MASK = 0x0F
_PACKED_BYTES_MAX = 3
# Of each byte of a packed integer: its share, and whether another follows.
_SHARE, _MORE = 0x7F, 0x80


class SpinelError(ValueError):
    """Bytes that are no message of Spinel."""


class Command(enum.IntEnum):
    """What a message is."""

    RESET = 1
    GET = 2
    SET = 3
    IS = 6


class Property(enum.IntEnum):
    """What a value is of."""

    LAST_STATUS = 0x00
    PROTOCOL_VERSION = 0x01
    NCP_VERSION = 0x02
    CAPS = 0x05
    HWADDR = 0x08
    RCP_API_VERSION = 0xB0
    PHY_ENABLED = 0x20
    PHY_CHANNEL = 0x21
    PHY_CCA_THRESHOLD = 0x24
    PHY_TX_POWER = 0x25
    MAC_LONG_ADDRESS = 0x34
    MAC_SHORT_ADDRESS = 0x35
    MAC_PAN = 0x36
    MAC_RAW_STREAM_ENABLED = 0x37
    MAC_PROMISCUOUS = 0x38
    STREAM_RAW = 0x71
    MAC_SOURCE_MATCH = 0x1303
    MAC_SOURCES_SHORT = 0x1304
    MAC_SOURCES_LONG = 0x1305


class Status(enum.IntEnum):
    """How a request ended, as far as a host tells them apart."""

    OK = 0
    INVALID_STATE = 4
    NO_ACK = 17
    CCA_FAILURE = 18


RESETS = range(112, 128)
"""Values of LAST_STATUS that say that the co-processor was started anew."""
CAPABILITY_MAC_RAW = 513
"""That the co-processor sends and gives frames as they are."""
PROTOCOL_MAJOR = 4


def packed(number: int) -> bytes:
    """Return an unsigned integer in as few bytes as it needs, 7 bits each.

    >>> packed(0x1203).hex()
    '8324'
    """
    found = bytearray()
    while number > _SHARE:
        found.append(number & _SHARE | _MORE)
        number >>= 7
    return bytes((*found, number))


def unpacked(data: bytes) -> tuple[int, bytes]:
    """Return a packed integer, and what follows it.

    Raises
    ------
    SpinelError
        When there is none, or one of more than 21 bits.
    """
    number = 0
    for place, byte in enumerate(data[:_PACKED_BYTES_MAX]):
        number |= (byte & _SHARE) << 7 * place
        if not byte & _MORE:
            return number, data[place + 1 :]
    message = "no packed integer"
    raise SpinelError(message)


@dataclass(frozen=True, slots=True)
class Message:
    """A message, from either side."""

    transaction: int
    command: int
    name: int | None = None
    value: bytes = b""
    status: int | None = None
    """What a message that was read tells of a request; None if it tells nothing."""

    def encoded(self) -> bytes:
        """Return the message as bytes."""
        header = bytes((_HEADER | self.transaction,))
        name = b"" if self.name is None else packed(self.name)
        return header + packed(self.command) + name + self.value


def parsed(data: bytes) -> Message:
    """Return the message that bytes are.

    Raises
    ------
    SpinelError
        When they are none.
    """
    if not data or data[0] & 0xC0 != _HEADER:
        message = "no header of Spinel"
        raise SpinelError(message)
    transaction = data[0] & _TRANSACTION_MASK
    command, rest = unpacked(data[1:])
    if not rest:
        return Message(transaction, command)
    name, value = unpacked(rest)
    tells_status = command == Command.IS and name == Property.LAST_STATUS
    status = unpacked(value)[0] if tells_status else None
    return Message(transaction, command, name, value, status)


# ---- frames ----


@dataclass(frozen=True, slots=True)
class RawFrame:
    """A frame that a co-processor has received."""

    psdu: bytes
    """The frame, with the two bytes of its check sequence as the chip gives them."""
    rssi_dbm: int | None = None
    lqi: int | None = None
    """Link quality indication, 0 to 255."""


_FRAME_LENGTH = struct.Struct("<H")
_POWERS = struct.Struct("<bbH")
_PHY_LENGTH = struct.Struct("<H")
# Channel and LQI; the time stamp that follows is not used.
_PHY = struct.Struct("<BB")
_UNKNOWN_RSSI = 127


def frame_of(value: bytes) -> RawFrame:
    """Return the frame in a value of STREAM_RAW.

    Raises
    ------
    SpinelError
        When the value ends within the frame.
    """
    psdu, rest = _cut(value)
    if len(rest) < _POWERS.size:
        return RawFrame(psdu)
    rssi, _, _ = _POWERS.unpack_from(rest)
    known = None if rssi == _UNKNOWN_RSSI else rssi
    rest = rest[_POWERS.size :]
    if len(rest) < _PHY_LENGTH.size + _PHY.size:
        return RawFrame(psdu, known)
    _, lqi = _PHY.unpack_from(rest, _PHY_LENGTH.size)
    return RawFrame(psdu, known, lqi)


def acknowledgement_in(value: bytes) -> RawFrame | None:
    """Return the acknowledgement in the status of a frame that was sent.

    The status is followed by two flags (frame pending, header updated), and then by the
    acknowledgement, if the frame asked for one.
    """
    _, rest = unpacked(value)
    flags = 2
    if len(rest) < flags + _FRAME_LENGTH.size:
        return None
    found = frame_of(rest[flags:])
    return found if found.psdu else None


def _cut(value: bytes) -> tuple[bytes, bytes]:
    """Return what a length of 16 bits says, and what follows."""
    if len(value) < _FRAME_LENGTH.size:
        message = "no length of a frame"
        raise SpinelError(message)
    (size,) = _FRAME_LENGTH.unpack_from(value)
    rest = value[_FRAME_LENGTH.size :]
    if len(rest) < size:
        message = f"a frame of {size} bytes, of which {len(rest)} are there"
        raise SpinelError(message)
    return rest[:size], rest[size:]


# The standard's defaults of CSMA-CA: macMaxCsmaBackoffs.
CSMA_BACKOFFS = 4
# Channel, backoffs, retries, CSMA-CA on, header updated, retransmission, security
# processed.
_SENDING = struct.Struct("<BBB????")


def sending(psdu: bytes, channel: int) -> bytes:
    """Return the value of STREAM_RAW that sends a frame once, after CSMA-CA.

    The co-processor is told that the frame has its final header and is secured.
    Otherwise it would write a frame counter of its own into the frame.

    Parameters
    ----------
    psdu
        The frame with its check sequence, which the chip computes again.
    """
    how = _SENDING.pack(
        channel,
        CSMA_BACKOFFS,
        0,
        True,  # noqa: FBT003 - the fields in their order
        True,  # noqa: FBT003
        False,  # noqa: FBT003
        True,  # noqa: FBT003
    )
    return _FRAME_LENGTH.pack(len(psdu)) + psdu + how
