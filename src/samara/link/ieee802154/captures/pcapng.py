# SPDX-License-Identifier: Apache-2.0
"""Capture files of the pcapng format: read the packets and their times.

Blocks that are read: section headers (byte order), interface descriptions (link
type, resolution of time, longest packet) and packets. Other blocks are skipped.
What is written is one section with one interface.
"""

from __future__ import annotations

import struct
from dataclasses import dataclass, field
from typing import IO, TYPE_CHECKING

from samara.errors import ArgumentError

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

MAGIC = b"\x0a\x0d\x0d\x0a"
"""The first bytes of a file."""

_INTERFACE, _SIMPLE_PACKET, _PACKET = 1, 3, 6
_SECTION = int.from_bytes(MAGIC, "little")
_BYTE_ORDER = 0x1A2B3C4D
_BLOCK_SIZE_MAX = 1 << 24
_BLOCK_SIZE_MIN = 12
_OPTION_END, _OPTION_RESOLUTION = 0, 9
_OPTION_NAME, _OPTION_PROGRAM = 2, 4
_VERSION = (1, 0)
_SIZE_UNKNOWN = -1
_NANOSECONDS = 9
_NS_PER_S = 1_000_000_000
_MICROSECONDS = 6


class PcapngError(ArgumentError):
    """The file is damaged, or a packet has no interface."""


@dataclass(frozen=True, slots=True)
class Packet:
    """A packet of a capture."""

    link_type: int
    time_ns: int
    """Nanoseconds since 1970; 0 for a packet without a time."""
    data: bytes
    whole_size: int
    """Size of the packet on the air; more than in `data` if it was cut short."""


@dataclass(frozen=True, slots=True)
class _Interface:
    link_type: int
    ticks_per_s: int
    size_max: int
    """Bytes of a packet that are captured at most; 0: no limit."""


@dataclass(slots=True)
class _Section:
    order: str
    interfaces: list[_Interface] = field(default_factory=list)


class Writer:
    """Writes a capture. Each packet is flushed, so that a reader sees it at once.

    Parameters
    ----------
    link_type
        Number of what a packet contains.
    program, interface
        What captured, and where: shown to who reads the file.
    """

    def __init__(
        self, file: IO[bytes], link_type: int, program: str, interface: str
    ) -> None:
        self._file = file
        section = struct.pack("<IHHq", _BYTE_ORDER, *_VERSION, _SIZE_UNKNOWN)
        self._write(_SECTION, section + _options({_OPTION_PROGRAM: program.encode()}))
        options = {
            _OPTION_NAME: interface.encode(),
            _OPTION_RESOLUTION: bytes([_NANOSECONDS]),
        }
        self._write(
            _INTERFACE, struct.pack("<HHI", link_type, 0, 0) + _options(options)
        )

    def write(self, packet: bytes, time_ns: int) -> None:
        """Add a packet, whole, with its time in nanoseconds since 1970."""
        high, low = divmod(time_ns, 1 << 32)
        size = len(packet)
        start = struct.pack("<5I", 0, high, low, size, size)
        self._write(_PACKET, start + _padded(packet))

    def _write(self, kind: int, body: bytes) -> None:
        size = struct.pack("<I", _BLOCK_SIZE_MIN + len(body))
        self._file.write(struct.pack("<I", kind) + size + body + size)
        self._file.flush()


def _options(values: Mapping[int, bytes]) -> bytes:
    fields = [
        struct.pack("<HH", code, len(value)) + _padded(value)
        for code, value in values.items()
    ]
    return b"".join(fields) + struct.pack("<HH", _OPTION_END, 0)


def _padded(data: bytes) -> bytes:
    return data + bytes(-len(data) % 4)


def packets_of(file: IO[bytes]) -> Iterator[Packet]:
    """Yield the packets of a file from which `MAGIC` has been read.

    Raises
    ------
    PcapngError
        While iterating, when the file is damaged.
    """
    section, start = _Section("<"), MAGIC + file.read(8 - len(MAGIC))
    while start:
        section, kind, body = _block(file, start, section)
        try:
            if kind == _INTERFACE:
                section.interfaces.append(_interface(body, section.order))
            elif kind == _PACKET:
                yield _packet(body, section)
            elif kind == _SIMPLE_PACKET:
                yield _simple_packet(body, section)
        except (struct.error, IndexError):
            message = (
                "the capture is damaged: the contents of a block do not match its type"
            )
            raise PcapngError(message) from None
        start = file.read(8)


def _block(
    file: IO[bytes], start: bytes, section: _Section
) -> tuple[_Section, int, bytes]:
    """Return the section, the type and the body of a block."""
    more = file.read(4)
    if start[:4] == MAGIC:
        order = next((o for o in "<>" if more == struct.pack(f"{o}I", _BYTE_ORDER)), "")
        section = _Section(order)
    if len(start) + len(more) == _BLOCK_SIZE_MIN and section.order:
        kind, size = struct.unpack(f"{section.order}II", start)
        is_sane = _BLOCK_SIZE_MIN <= size <= _BLOCK_SIZE_MAX and size % 4 == 0
        body = more + file.read(size - _BLOCK_SIZE_MIN) if is_sane else b""
        # The size is repeated at the end of the block.
        if is_sane and len(body) == size - 8 and body[-4:] == start[4:]:
            return section, kind, body[:-4]
    message = "the capture is cut short, or damaged"
    raise PcapngError(message)


def _interface(body: bytes, order: str) -> _Interface:
    link_type, _, size_max = struct.unpack_from(f"{order}HHI", body)
    resolution = _MICROSECONDS
    at = 8
    while at + 4 <= len(body):
        code, size = struct.unpack_from(f"{order}HH", body, at)
        if code == _OPTION_END:
            break
        if code == _OPTION_RESOLUTION:
            resolution = body[at + 4]
        at += 4 + -(-size // 4) * 4
    # The highest bit says whether it is a power of two or of ten.
    base = 2 if resolution & 0x80 else 10
    return _Interface(link_type, base ** (resolution & 0x7F), size_max)


def _packet(body: bytes, section: _Section) -> Packet:
    number, high, low, size, whole = struct.unpack_from(f"{section.order}5I", body)
    interface = section.interfaces[number]
    data = body[20 : 20 + size]
    if len(data) < size:
        raise IndexError
    time_ns = (high << 32 | low) * _NS_PER_S // interface.ticks_per_s
    return Packet(interface.link_type, time_ns, data, whole)


def _simple_packet(body: bytes, section: _Section) -> Packet:
    (whole,) = struct.unpack_from(f"{section.order}I", body)
    interface = section.interfaces[0]
    size = min(whole, interface.size_max) if interface.size_max else whole
    data = body[4 : 4 + size]
    if len(data) < size:
        raise IndexError
    return Packet(interface.link_type, 0, data, whole)
