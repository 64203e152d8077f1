# SPDX-License-Identifier: Apache-2.0
"""Capture files: read pcap and pcapng, write pcap.

Only what IEEE 802.15.4 frames need is implemented. Packets of link type 195 are
frames with their frame check sequence (FCS), those of 230 frames without it. Those
of 283 (TAP) have a header of type-length-value fields in front of the frame.
"""

from __future__ import annotations

import struct
from dataclasses import dataclass, replace
from enum import IntEnum
from itertools import chain
from typing import IO, TYPE_CHECKING

from samara.errors import ArgumentError
from samara.link.ieee802154.captures import pcapng
from samara.link.ieee802154.captures.pcapng import Packet
from samara.link.ieee802154.frames.fcs import FCS_SIZE, fcs_of, is_intact

if TYPE_CHECKING:
    from collections.abc import Iterator

_MAGIC_US, _MAGIC_NS = 0xA1B2C3D4, 0xA1B23C4D
_FILE_HEADER = "IHHiIII"
_PACKET_HEADER = "IIII"
_VERSION = (2, 4)
_NS_PER_S = 1_000_000_000
_SECONDS_MAX = (1 << 32) - 1
# More than any frame with its TAP header; a damaged length does not read gigabytes.
_PACKET_SIZE_MAX = 65_535

_TAP_START = struct.Struct("<BBH")
_TAP_FIELD = struct.Struct("<HH")
_TAP_FCS_TYPE = 0
_TAP_FCS_16 = 1
_TAP_ASN = 7
_TAP_ASN_SIZE = 8
# Version 0, 12 bytes; one field: the FCS has 16 bits.
_TAP_WITH_FCS = bytes.fromhex("00000c00 00000100 01000000")


class PcapError(ArgumentError):
    """The file is not a capture of IEEE 802.15.4 frames, or is damaged."""


class LinkType(IntEnum):
    """Registered numbers of what a packet contains."""

    WITH_FCS = 195
    WITHOUT_FCS = 230
    TAP = 283


@dataclass(frozen=True, slots=True)
class Captured:
    """One packet of a capture, and the frame in it."""

    time_ns: int
    """Nanoseconds since 1970."""
    packet: bytes
    """The whole packet as it was captured."""
    whole_size: int
    """Size of the packet on the air, in bytes."""
    frame: bytes
    """Without FCS; empty when the packet was cut short."""
    tap_header: bytes = b""
    """The TAP header, if any."""
    has_fcs: bool = False
    asn: int | None = None
    """The absolute slot number, if the TAP header has it."""

    @property
    def is_cut_short(self) -> bool:
        """Whether only the beginning of the packet was captured."""
        return len(self.packet) < self.whole_size

    @property
    def has_wrong_fcs(self) -> bool:
        """Whether the frame has an FCS that does not match it."""
        return self.has_fcs and not is_intact(self.packet[len(self.tap_header) :])

    def with_frame(self, frame: bytes, asn: int | None = None) -> bytes:
        """Return the packet with another frame.

        Parameters
        ----------
        frame
            Without FCS. A new one is appended if the packet has one.
        asn
            Absolute slot number, which is added to a TAP header that has none.
        """
        before = self.tap_header
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
    """Writes a capture. Each packet is flushed, so that a reader sees it at once."""

    def __init__(self, file: IO[bytes], link_type: LinkType) -> None:
        self._file = file
        self._link_type = link_type
        header = struct.pack(
            f"<{_FILE_HEADER}", _MAGIC_NS, *_VERSION, 0, 0, _PACKET_SIZE_MAX, link_type
        )
        file.write(header)
        file.flush()

    def write_psdu(self, psdu: bytes, time_ns: int) -> None:
        """Add a frame that includes an FCS, correct or not."""
        match self._link_type:
            case LinkType.WITH_FCS:
                self.write(psdu, time_ns)
            case LinkType.WITHOUT_FCS:
                self.write(psdu[:-FCS_SIZE], time_ns)
            case LinkType.TAP:
                self.write(_TAP_WITH_FCS + psdu, time_ns)

    def write(self, packet: bytes, time_ns: int, whole_size: int | None = None) -> None:
        """Add a packet; `whole_size` is its size before it was cut short.

        Raises
        ------
        PcapError
            When its time is before 1970, or after what pcap has numbers for.
        """
        seconds, rest = divmod(time_ns, _NS_PER_S)
        if not 0 <= seconds <= _SECONDS_MAX:
            message = (
                f"a packet has a time of {seconds} seconds since 1970: pcap has times"
                f" up to {_SECONDS_MAX}, in 2106. Is its clock right?"
            )
            raise PcapError(message)
        size = len(packet)
        whole_size = size if whole_size is None else whole_size
        self._file.write(
            struct.pack(f"<{_PACKET_HEADER}", seconds, rest, size, whole_size) + packet
        )
        self._file.flush()


class Reader:
    """Reads a capture, pcap or pcapng; iterating yields its packets.

    Raises
    ------
    PcapError
        In the constructor when the file is not a capture of such frames; while
        iterating when it is damaged, or when the link type changes.
    """

    def __init__(self, file: IO[bytes]) -> None:
        magic = file.read(len(pcapng.MAGIC))
        if magic == pcapng.MAGIC:
            self._packets = _as_pcap_errors(pcapng.packets_of(file))
            first = next(self._packets, None)
            if first is None:
                message = "the capture has no packets"
                raise PcapError(message)
            self._packets = chain([first], self._packets)
            number = first.link_type
        else:
            number, self._packets = _packets_of(file, magic)
        try:
            self.link_type = LinkType(number)
        except ValueError:
            known = ", ".join(str(int(each)) for each in LinkType)
            message = f"the link type of the capture is {number}; supported are {known}"
            raise PcapError(message) from None

    def __iter__(self) -> Iterator[Captured]:
        for number, packet in enumerate(self._packets, 1):
            if packet.link_type != self.link_type:
                message = f"packet {number} has another link type than the first"
                raise PcapError(message)
            yield _captured(self.link_type, packet, number)


def _as_pcap_errors(packets: Iterator[Packet]) -> Iterator[Packet]:
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
                message = (
                    f"the capture is damaged: packet {number} has a size of {size} "
                    f"bytes, more than {_PACKET_SIZE_MAX}"
                )
                raise PcapError(message)
            data = file.read(size)
            if len(data) < size:
                raise PcapError(_cut_short(number))
            time_ns = seconds * _NS_PER_S + rest * tick_ns
            yield Packet(link_type, time_ns, data, whole)

    return link_type, packets()


def _order_and_tick(header: bytes, size: int) -> tuple[str, int]:
    """Return the byte order, and the nanoseconds of one unit of time."""
    if len(header) == size:
        for order in "<>":
            magic = struct.unpack_from(f"{order}I", header)[0]
            if magic in (_MAGIC_US, _MAGIC_NS):
                return order, 1 if magic == _MAGIC_NS else 1000
    message = "the file is not a capture: neither pcap nor pcapng"
    raise PcapError(message)


def _cut_short(number: int) -> str:
    return f"the capture is cut short: it ends within packet {number}"


def _captured(link_type: LinkType, packet: Packet, number: int) -> Captured:
    data = packet.data
    captured = Captured(packet.time_ns, data, packet.whole_size, data)
    if captured.is_cut_short:
        # Its last bytes are not an FCS, and its TAP header may be incomplete.
        return replace(captured, frame=b"")
    if link_type is LinkType.TAP:
        captured = _with_tap_header(captured, number)
    elif link_type is LinkType.WITH_FCS:
        captured = replace(captured, has_fcs=True)
    if not captured.has_fcs:
        return captured
    if len(captured.frame) < FCS_SIZE:
        message = f"packet {number} is shorter than a frame check sequence"
        raise PcapError(message)
    return replace(captured, frame=captured.frame[:-FCS_SIZE])


def _with_tap_header(captured: Captured, number: int) -> Captured:
    """Separate the TAP header from the frame, and read the fields needed."""
    packet = captured.packet
    fits = len(packet) >= _TAP_START.size
    version, _, length = _TAP_START.unpack_from(packet) if fits else (0, 0, 0)
    if version != 0 or not _TAP_START.size <= length <= len(packet):
        message = f"packet {number} does not begin with a TAP header of version 0"
        raise PcapError(message)
    header = packet[:length]
    has_fcs, asn = False, None
    for kind, value in _tap_fields(header):
        if kind == _TAP_FCS_TYPE and value:
            has_fcs = _has_fcs(value[0], number)
        elif kind == _TAP_ASN and len(value) == _TAP_ASN_SIZE:
            asn = int.from_bytes(value, "little")
    return replace(
        captured, frame=packet[length:], tap_header=header, has_fcs=has_fcs, asn=asn
    )


def _tap_fields(header: bytes) -> Iterator[tuple[int, bytes]]:
    """Yield type and value of each field; fields are padded to four bytes."""
    at = _TAP_START.size
    while at + _TAP_FIELD.size <= len(header):
        kind, size = _TAP_FIELD.unpack_from(header, at)
        at += _TAP_FIELD.size
        yield kind, header[at : at + size]
        at += -(-size // 4) * 4


def _has_fcs(fcs_type: int, number: int) -> bool:
    if fcs_type > _TAP_FCS_16:
        message = (
            f"packet {number} has a frame check sequence of 32 bits; only 16 bits are "
            "supported"
        )
        raise PcapError(message)
    return fcs_type == _TAP_FCS_16
