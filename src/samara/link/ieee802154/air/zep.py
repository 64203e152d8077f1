# SPDX-License-Identifier: Apache-2.0
"""ZEP version 2: frames of IEEE 802.15.4 in UDP datagrams.

Spoken by RIOT's native nodes and understood by Wireshark. A data packet carries
one PSDU, the frame with its check sequence; an acknowledgement names a data
packet; a hello, which RIOT sends to be known to a dispatcher, carries nothing.

The medium of samara has a packet of its own, which it sends to those nodes alone whose
hello asks for it: that the frame of a data packet will not be acknowledged.
"""

from __future__ import annotations

import struct
import time
from dataclasses import dataclass
from enum import IntEnum

from samara import _core
from samara.link.ieee802154.frames.fcs import FCS_SIZE, PSDU_SIZE_MAX

PORT = 17754
"""The UDP port that Wireshark takes for ZEP."""
CHANNELS = range(11, 27)
"""The channels of the 2.4 GHz band."""
CHANNEL = 26
"""The default channel, as in RIOT."""

_PREAMBLE = b"EX"
_VERSION = 2
_START = struct.Struct(">2sBB")
# Channel, device, whether the PSDU ends with the FCS, LQI, NTP time, sequence.
_DATA_FIELDS = struct.Struct(">BHBBQI10xB")
_ACK_FIELDS = struct.Struct(">I")
# A hello is laid out as a data packet; RIOT's ends with its extended address.
# Its byte for the mode of a data packet is 0, but for nodes of samara: that of the
# packet that they want to have, and another when they filter as well.
_HELLO_START = struct.Struct(">BHB13s5s5xB")
_HELLO_WORD = b"HELLO"
_FILTERING = 0xA6
# The years from 1900, where NTP's time begins, to 1970.
_NTP_EPOCH_S = 2_208_988_800
_NTP_FRACTION = 1 << 32
_BEST_LQI = 255
_EXTENDED_SIZE = _core.IEEE802154_ADDRESS_SIZE


OBSERVER = b"\xff" * _EXTENDED_SIZE
"""The extended address in the hello of who hears all frames, without loss."""


class _Kind(IntEnum):
    DATA = 1
    ACK = 2
    UNANSWERED = 0xA5
    HELLO = 255


class ZepError(ValueError):
    """A datagram that is not a ZEP packet of version 2."""


@dataclass(frozen=True, slots=True)
class Data:
    """One frame."""

    psdu: bytes
    """The frame and its check sequence, 3 to 127 bytes."""
    sequence: int
    channel: int = CHANNEL
    device: int = 0
    has_fcs: bool = True
    """False when a sniffer put its own two bytes where the FCS was."""
    lqi: int = _BEST_LQI
    time_s: float = 0.0
    """When it was sent, in seconds since 1970."""


@dataclass(frozen=True, slots=True)
class Ack:
    """The packet with this sequence number has arrived."""

    sequence: int


@dataclass(frozen=True, slots=True)
class Unanswered:
    """The frame of the data packet with this sequence number gets no acknowledgement.

    It was lost on the air, or its acknowledgement was, and a radio would have stopped
    to wait for that now.
    """

    sequence: int


@dataclass(frozen=True, slots=True)
class Hello:
    """The sender wants to hear what is on the air."""

    short: int = 0
    """Its short address, in the field of the device; 0 where it tells none."""
    extended: bytes = b""
    """Its extended address, 8 bytes, most significant first; or none."""
    wants_unanswered: bool = False
    """Whether it wants to be told of frames that get no acknowledgement."""
    filters: bool = False
    """Whether it wants, as well, no frame that is for another node alone: its radio has
    an address filter, which spares the host to be woken up."""


Packet = Data | Ack | Unanswered | Hello


def parse(datagram: bytes) -> Packet:
    """Return what a datagram says.

    Raises
    ------
    ZepError
        When it is not ZEP version 2, or its length is not the one it names.
    """
    if len(datagram) < _START.size:
        message = "shorter than a header"
        raise ZepError(message)
    preamble, version, kind = _START.unpack_from(datagram)
    if (preamble, version) != (_PREAMBLE, _VERSION):
        message = "not ZEP version 2"
        raise ZepError(message)
    fields = datagram[_START.size :]
    match kind:
        case _Kind.DATA:
            return _parse_data(fields)
        case _Kind.ACK if len(fields) == _ACK_FIELDS.size:
            return Ack(*_ACK_FIELDS.unpack(fields))
        case _Kind.UNANSWERED if len(fields) == _ACK_FIELDS.size:
            return Unanswered(*_ACK_FIELDS.unpack(fields))
        case _Kind.HELLO:
            return _parse_hello(fields)
    message = f"a packet of type {kind} with {len(datagram)} bytes"
    raise ZepError(message)


def _parse_data(fields: bytes) -> Data:
    if len(fields) < _DATA_FIELDS.size:
        message = "shorter than the header of a data packet"
        raise ZepError(message)
    channel, device, mode, lqi, ntp, sequence, length = _DATA_FIELDS.unpack_from(fields)
    psdu = fields[_DATA_FIELDS.size :]
    if len(psdu) != length or not FCS_SIZE < length <= PSDU_SIZE_MAX:
        message = f"a data packet of {length} bytes that has {len(psdu)}"
        raise ZepError(message)
    return Data(
        psdu=psdu,
        sequence=sequence,
        channel=channel,
        device=device,
        has_fcs=bool(mode),
        lqi=lqi,
        time_s=ntp / _NTP_FRACTION - _NTP_EPOCH_S,
    )


def _parse_hello(fields: bytes) -> Hello:
    """Return a hello; whatever follows its type, it is one."""
    if len(fields) < _HELLO_START.size:
        return Hello()
    _, short, mode, _, word, length = _HELLO_START.unpack_from(fields)
    extended = fields[_HELLO_START.size :]
    if word != _HELLO_WORD or length != len(extended):
        return Hello()
    extended = extended if length == _EXTENDED_SIZE else b""
    wants_unanswered = mode in (_Kind.UNANSWERED, _FILTERING)
    return Hello(short, extended, wants_unanswered, mode == _FILTERING)


def build(packet: Packet) -> bytes:
    """Return the datagram of a packet."""
    match packet:
        case Data():
            fields = _DATA_FIELDS.pack(
                packet.channel,
                packet.device,
                packet.has_fcs,
                packet.lqi,
                int((packet.time_s + _NTP_EPOCH_S) * _NTP_FRACTION),
                packet.sequence,
                len(packet.psdu),
            )
            return _START.pack(_PREAMBLE, _VERSION, _Kind.DATA) + fields + packet.psdu
        case Ack():
            fields = _ACK_FIELDS.pack(packet.sequence)
            return _START.pack(_PREAMBLE, _VERSION, _Kind.ACK) + fields
        case Unanswered():
            fields = _ACK_FIELDS.pack(packet.sequence)
            return _START.pack(_PREAMBLE, _VERSION, _Kind.UNANSWERED) + fields
        case Hello(short, extended, wants_unanswered, filters):
            mode = _Kind.UNANSWERED if wants_unanswered else 0
            mode = _FILTERING if filters else mode
            fields = _HELLO_START.pack(
                0, short, mode, bytes(13), _HELLO_WORD, len(extended)
            )
            start = _START.pack(_PREAMBLE, _VERSION, _Kind.HELLO)
            return start + fields + extended


def data_now(
    psdu: bytes, sequence: int, channel: int = CHANNEL, time_s: float | None = None
) -> Data:
    """Return a data packet with the present time, or another."""
    time_s = time.time() if time_s is None else time_s
    return Data(psdu, sequence & 0xFFFFFFFF, channel, time_s=time_s)
