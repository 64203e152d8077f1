# SPDX-License-Identifier: Apache-2.0
"""Captures: the pcap file format, as far as IEEE 802.15.4 frames need it.

Files of pcapng are read, too; what is written is pcap.

Link type 195 carries frames with their check sequence, 230 without, and 283
(TAP) puts a header of type-length-value fields before each.
"""

from __future__ import annotations

import struct
from dataclasses import dataclass, replace
from enum import IntEnum
from itertools import chain
from typing import IO, TYPE_CHECKING

from samara.link.ieee802154 import pcapng
from samara.link.ieee802154.fcs import FCS_SIZE, fcs_of, is_intact
from samara.link.ieee802154.pcapng import Packet

if TYPE_CHECKING:
    from collections.abc import Iterator

_MAGIC_US, _MAGIC_NS = 0xA1B2C3D4, 0xA1B23C4D
_FILE_HEADER = "IHHiIII"
_PACKET_HEADER = "IIII"
_VERSION = (2, 4)
_NS_PER_S = 1_000_000_000
# More than any frame and its TAP header; a damaged length reads no gigabytes.
_PACKET_SIZE_MAX = 65_535

_TAP_START = struct.Struct("<BBH")
_TAP_FIELD = struct.Struct("<HH")
_TAP_FCS_TYPE = 0
_TAP_FCS_16 = 1
_TAP_ASN = 7
_TAP_ASN_SIZE = 8
# Version 0, 12 bytes; one field: the FCS has 16 bits.
_TAP_WITH_FCS = bytes.fromhex("00000c00 00000100 01000000")


class PcapError(ValueError):
    """A file that is not a capture of IEEE 802.15.4 frames, or is damaged."""


class LinkType(IntEnum):
    """What a packet of a capture is, by the registered number."""

    WITH_FCS = 195
    WITHOUT_FCS = 230
    TAP = 283


@dataclass(frozen=True, slots=True)
class Captured:
    """One frame of a capture, and what was around it."""

    time_ns: int
    """Since 1970."""
    packet: bytes
    """All of it, as it was captured."""
    whole_size: int
    """Bytes that the packet had."""
    frame: bytes
    """Without check sequence; of a packet that was cut short, nothing."""
    before: bytes = b""
    """The TAP header, if any."""
    has_fcs: bool = False
    asn: int | None = None
    """The absolute slot number, where the TAP header tells it."""

    @property
    def is_cut_short(self) -> bool:
        """Whether the packet was longer than what was captured of it."""
        return len(self.packet) < self.whole_size

    @property
    def has_wrong_fcs(self) -> bool:
        """Whether the frame has a check sequence that is not its own."""
        return self.has_fcs and not is_intact(self.packet[len(self.before) :])

    def with_frame(self, frame: bytes, asn: int | None = None) -> bytes:
        """Return the packet with another frame in place of its own.

        Parameters
        ----------
        frame
            Without check sequence, which is made anew where there was one.
        asn
            The absolute slot number that a TAP header is to tell which tells
            none.
        """
        before = self.before
        if before and asn is not None and self.asn is None:
            before = _with_asn(before, asn)
        return before + frame + (fcs_of(frame) if self.has_fcs else b"")


def _with_asn(header: bytes, asn: int) -> bytes:
    version, reserved, size = _TAP_START.unpack_from(header)
    size += _TAP_FIELD.size + _TAP_ASN_SIZE
    return b"".join(
        (
            _TAP_START.pack(version, reserved, size),
            header[_TAP_START.size :],
            _TAP_FIELD.pack(_TAP_ASN, _TAP_ASN_SIZE),
            asn.to_bytes(_TAP_ASN_SIZE, "little"),
        )
    )


class Writer:
    """Writes a capture; each packet is passed on at once, for who looks on."""

    def __init__(self, file: IO[bytes], link_type: LinkType) -> None:
        self._file = file
        self._link_type = link_type
        header = struct.pack(
            f"<{_FILE_HEADER}", _MAGIC_NS, *_VERSION, 0, 0, _PACKET_SIZE_MAX, link_type
        )
        file.write(header)
        file.flush()

    def write_psdu(self, psdu: bytes, time_ns: int) -> None:
        """Add a frame that comes with its check sequence, correct or not."""
        match self._link_type:
            case LinkType.WITH_FCS:
                self.write(psdu, time_ns)
            case LinkType.WITHOUT_FCS:
                self.write(psdu[:-FCS_SIZE], time_ns)
            case LinkType.TAP:
                self.write(_TAP_WITH_FCS + psdu, time_ns)

    def write(self, packet: bytes, time_ns: int, whole_size: int | None = None) -> None:
        """Add a packet as it is; `whole_size` of one that was cut short."""
        seconds, rest = divmod(time_ns, _NS_PER_S)
        size = len(packet)
        whole_size = size if whole_size is None else whole_size
        self._file.write(
            struct.pack(f"<{_PACKET_HEADER}", seconds, rest, size, whole_size) + packet
        )
        self._file.flush()


class Reader:
    """Reads a capture, pcap or pcapng: iterate over it for its frames.

    Raises
    ------
    PcapError
        At once when it is no such capture; while reading when it is damaged, or
        when the link type changes within.
    """

    def __init__(self, file: IO[bytes]) -> None:
        magic = file.read(len(pcapng.MAGIC))
        if magic == pcapng.MAGIC:
            self._packets = _told(pcapng.packets_of(file))
            first = next(self._packets, None)
            if first is None:
                message = "the file has no packets"
                raise PcapError(message)
            self._packets = chain([first], self._packets)
            number = first.link_type
        else:
            number, self._packets = _packets_of(file, magic)
        try:
            self.link_type = LinkType(number)
        except ValueError:
            known = ", ".join(str(int(each)) for each in LinkType)
            message = f"the link type is {number}, not one of {known}"
            raise PcapError(message) from None

    def __iter__(self) -> Iterator[Captured]:
        for number, packet in enumerate(self._packets, 1):
            if packet.link_type != self.link_type:
                message = f"packet {number} is of another link type than the first"
                raise PcapError(message)
            yield _captured(self.link_type, packet, number)


def _told(packets: Iterator[Packet]) -> Iterator[Packet]:
    try:
        yield from packets
    except pcapng.PcapngError as error:
        raise PcapError(str(error)) from None


def _packets_of(file: IO[bytes], magic: bytes) -> tuple[int, Iterator[Packet]]:
    """Return the link type and the packets of a pcap file."""
    size = struct.calcsize(f"<{_FILE_HEADER}")
    header = magic + file.read(size - len(magic))
    order, tick_ns = _order_and_tick(header, size)
    link_type = struct.unpack(f"{order}{_FILE_HEADER}", header)[-1] & 0xFFFF

    def packets() -> Iterator[Packet]:
        packet_header = struct.Struct(f"{order}{_PACKET_HEADER}")
        number = 0
        while start := file.read(packet_header.size):
            number += 1
            if len(start) < packet_header.size:
                raise PcapError(_cut_short(number))
            seconds, rest, size, whole = packet_header.unpack(start)
            if size > _PACKET_SIZE_MAX:
                message = f"packet {number} claims {size} bytes"
                raise PcapError(message)
            data = file.read(size)
            if len(data) < size:
                raise PcapError(_cut_short(number))
            time_ns = seconds * _NS_PER_S + rest * tick_ns
            yield Packet(link_type, time_ns, data, whole)

    return link_type, packets()


def _order_and_tick(header: bytes, size: int) -> tuple[str, int]:
    """Return the byte order, and how many nanoseconds a fraction's unit has."""
    if len(header) == size:
        for order in "<>":
            magic = struct.unpack_from(f"{order}I", header)[0]
            if magic in (_MAGIC_US, _MAGIC_NS):
                return order, 1 if magic == _MAGIC_NS else 1000
    message = "this is not a pcap file"
    raise PcapError(message)


def _cut_short(number: int) -> str:
    return f"the file ends within packet {number}"


def _captured(link_type: LinkType, packet: Packet, number: int) -> Captured:
    data = packet.data
    captured = Captured(packet.time_ns, data, packet.whole_size, data)
    if captured.is_cut_short:
        # Its last bytes are no check sequence, and its TAP header may end early.
        return replace(captured, frame=b"")
    if link_type is LinkType.TAP:
        captured = _with_tap_header(captured, number)
    elif link_type is LinkType.WITH_FCS:
        captured = replace(captured, has_fcs=True)
    if not captured.has_fcs:
        return captured
    if len(captured.frame) < FCS_SIZE:
        message = f"packet {number} is shorter than a check sequence"
        raise PcapError(message)
    return replace(captured, frame=captured.frame[:-FCS_SIZE])


def _with_tap_header(captured: Captured, number: int) -> Captured:
    """Tell the TAP header from the frame, and read what is needed of it."""
    packet = captured.packet
    fits = len(packet) >= _TAP_START.size
    version, _, length = _TAP_START.unpack_from(packet) if fits else (0, 0, 0)
    if version != 0 or not _TAP_START.size <= length <= len(packet):
        message = f"packet {number} has no TAP header of version 0"
        raise PcapError(message)
    header = packet[:length]
    has_fcs, asn = False, None
    for kind, value in _tap_fields(header):
        if kind == _TAP_FCS_TYPE and value:
            has_fcs = _has_fcs(value[0], number)
        elif kind == _TAP_ASN and len(value) == _TAP_ASN_SIZE:
            asn = int.from_bytes(value, "little")
    return replace(
        captured, frame=packet[length:], before=header, has_fcs=has_fcs, asn=asn
    )


def _tap_fields(header: bytes) -> Iterator[tuple[int, bytes]]:
    """Yield type and value of each field; values are padded to four bytes."""
    at = _TAP_START.size
    while at + _TAP_FIELD.size <= len(header):
        kind, size = _TAP_FIELD.unpack_from(header, at)
        at += _TAP_FIELD.size
        yield kind, header[at : at + size]
        at += -(-size // 4) * 4


def _has_fcs(fcs_type: int, number: int) -> bool:
    if fcs_type > _TAP_FCS_16:
        message = f"packet {number} has a check sequence of 32 bits"
        raise PcapError(message)
    return fcs_type == _TAP_FCS_16
