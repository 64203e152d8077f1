# SPDX-License-Identifier: Apache-2.0
"""Captures: the pcap file format, as far as IEEE 802.15.4 frames need it.

Files of pcapng are read, too; what is written is pcap.

Link type 195 carries frames with their check sequence, 230 without, and 283
(TAP) puts a header of type-length-value fields before each.
"""

from __future__ import annotations

import struct
from dataclasses import dataclass
from enum import IntEnum
from itertools import chain
from typing import IO, TYPE_CHECKING

from samara.link import pcapng
from samara.link.fcs import FCS_SIZE, fcs_of
from samara.link.pcapng import Packet

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
    frame: bytes
    """Without check sequence."""
    before: bytes
    """The TAP header, if any."""
    has_fcs: bool

    def packet(self, frame: bytes | None = None) -> bytes:
        """Return the packet, with another frame in place of its own if given."""
        frame = self.frame if frame is None else frame
        return self.before + frame + (fcs_of(frame) if self.has_fcs else b"")


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

    def write(self, packet: bytes, time_ns: int) -> None:
        """Add a packet as it is."""
        seconds, rest = divmod(time_ns, _NS_PER_S)
        size = len(packet)
        self._file.write(
            struct.pack(f"<{_PACKET_HEADER}", seconds, rest, size, size) + packet
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
            yield _captured(self.link_type, packet.data, packet.time_ns, number)


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
            seconds, rest, size, _ = packet_header.unpack(start)
            if size > _PACKET_SIZE_MAX:
                message = f"packet {number} claims {size} bytes"
                raise PcapError(message)
            data = file.read(size)
            if len(data) < size:
                raise PcapError(_cut_short(number))
            yield Packet(link_type, seconds * _NS_PER_S + rest * tick_ns, data)

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


def _captured(
    link_type: LinkType, packet: bytes, time_ns: int, number: int
) -> Captured:
    before, has_fcs = b"", link_type is LinkType.WITH_FCS
    if link_type is LinkType.TAP:
        before, has_fcs = _tap_header(packet, number)
    frame = packet[len(before) :]
    if has_fcs:
        if len(frame) < FCS_SIZE:
            message = f"packet {number} is shorter than a check sequence"
            raise PcapError(message)
        frame = frame[:-FCS_SIZE]
    return Captured(time_ns, frame, before, has_fcs)


def _tap_header(packet: bytes, number: int) -> tuple[bytes, bool]:
    """Return the TAP header, and whether a 16-bit FCS ends the packet."""
    fits = len(packet) >= _TAP_START.size
    version, _, length = _TAP_START.unpack_from(packet) if fits else (0, 0, 0)
    if version != 0 or not _TAP_START.size <= length <= len(packet):
        message = f"packet {number} has no TAP header of version 0"
        raise PcapError(message)
    header, at = packet[:length], _TAP_START.size
    while at + _TAP_FIELD.size <= length:
        kind, size = _TAP_FIELD.unpack_from(header, at)
        at += _TAP_FIELD.size
        if kind == _TAP_FCS_TYPE and size >= 1 and at < length:
            return header, _has_fcs(header[at], number)
        at += -(-size // 4) * 4
    return header, False


def _has_fcs(fcs_type: int, number: int) -> bool:
    if fcs_type > _TAP_FCS_16:
        message = f"packet {number} has a check sequence of 32 bits"
        raise PcapError(message)
    return fcs_type == _TAP_FCS_16
