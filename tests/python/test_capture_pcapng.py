# SPDX-License-Identifier: Apache-2.0
"""Captures as pcapng: times, interfaces, damage, and what is cut short."""

from __future__ import annotations

import io
import struct

import pytest
from capture_cases import (
    KEYS,
    field,
    outcomes_of,
    secured,
)
from frame_cases import A

from samara.link.ieee802154.captures import protection as captures
from samara.link.ieee802154.captures.pcap import (
    Captured,
    LinkType,
    PcapError,
    Reader,
    Writer,
)


def block(kind: int, body: bytes) -> bytes:
    body += bytes(-len(body) % 4)
    size = struct.pack("<I", 12 + len(body))
    return struct.pack("<I", kind) + size + body + size


def pcapng(size_max: int, *blocks: bytes) -> bytes:
    section = block(0x0A0D0D0A, struct.pack("<IHHq", 0x1A2B3C4D, 1, 0, -1))
    return section + block(1, struct.pack("<HHI", 230, 0, size_max)) + b"".join(blocks)


def test_pcapng_tells_what_is_cut_short() -> None:
    frame = secured(A)
    enhanced = struct.pack("<IIIII", 0, 0, 7, 21, len(frame)) + frame[:21]
    simple = struct.pack("<I", len(frame)) + frame[:21]
    whole = struct.pack("<IIIII", 0, 0, 7, len(frame), len(frame)) + frame
    content = pcapng(21, block(6, enhanced), block(3, simple), block(6, whole))
    read = list(Reader(io.BytesIO(content)))
    assert [each.is_cut_short for each in read] == [True, True, False]
    assert [each.packet for each in read] == [frame[:21], frame[:21], frame]
    assert [each.whole_size for each in read] == [len(frame)] * 3
    results, copied = outcomes_of(content, captures.Opening(KEYS))
    assert [bool(each.refused) for each in results] == [True, True, False]
    again = list(Reader(io.BytesIO(copied)))
    assert [(each.packet, each.whole_size) for each in again[:2]] == [
        (frame[:21], len(frame))
    ] * 2


def read_pcapng(options: bytes, *blocks: bytes) -> list[Captured]:
    """Read a section with one interface, of these options, and these blocks."""
    section = block(0x0A0D0D0A, struct.pack("<IHHq", 0x1A2B3C4D, 1, 0, -1))
    interface = block(1, struct.pack("<HHI", 230, 0, 0) + options)
    return list(Reader(io.BytesIO(section + interface + b"".join(blocks))))


def packet_block(high: int, low: int, frame: bytes, interface: int = 0) -> bytes:
    fields = struct.pack("<5I", interface, high, low, len(frame), len(frame))
    return block(6, fields + frame)


END_OF_OPTIONS = bytes(4)


@pytest.mark.parametrize(
    ("options", "time_ns"),
    [
        # Without the option, microseconds.
        (b"", 0x1_0000_0007 * 1000),
        (END_OF_OPTIONS, 0x1_0000_0007 * 1000),
        (field(9, b"\x09") + END_OF_OPTIONS, 0x1_0000_0007),
        (field(9, b"\x09"), 0x1_0000_0007),
        (field(9, b"\x03"), 0x1_0000_0007 * 10**6),
        (field(9, b"\x8a"), 0x1_0000_0007 * 10**9 // 1024),
        (field(9, b"\xa0"), (1 << 32 | 7) * 10**9 >> 32),
        # Behind other options, whose values are padded to four bytes.
        (field(2, b"wpan0") + field(9, b"\x09") + END_OF_OPTIONS, 0x1_0000_0007),
        (field(2, b"wpan") + field(9, b"\x09") + END_OF_OPTIONS, 0x1_0000_0007),
        (field(8, b"\x09") + field(10, b"\x09"), 0x1_0000_0007 * 1000),
        # What follows the end of the options is none.
        (END_OF_OPTIONS + field(9, b"\x09"), 0x1_0000_0007 * 1000),
    ],
)
def test_pcapng_times_have_the_resolution_of_their_interface(
    options: bytes, time_ns: int
) -> None:
    (captured,) = read_pcapng(options, packet_block(1, 7, b"\2\0\1"))
    assert (captured.time_ns, captured.packet) == (time_ns, b"\2\0\1")


def test_pcapng_packets_belong_to_their_interface() -> None:
    other = block(1, struct.pack("<HHI", 230, 0, 2) + field(9, b"\x09"))
    simple = block(3, struct.pack("<I", 3) + b"\2\0\1")
    blocks = (
        block(0x0BAD, b"not known"),
        other,
        packet_block(0, 5, b"\2\0\1", interface=1),
        packet_block(0, 5, b"\2\0\1", interface=0),
        simple,
    )
    read = read_pcapng(b"", *blocks)
    assert [each.time_ns for each in read] == [5, 5000, 0]
    assert [each.packet for each in read] == [b"\2\0\1"] * 3


@pytest.mark.parametrize(
    "damaged",
    [
        packet_block(0, 5, b"\2\0\1", interface=1),  # no such interface
        block(6, struct.pack("<5I", 0, 0, 5, 5, 5) + b"abcd"),
        block(6, bytes(16)),
        block(3, struct.pack("<I", 5) + b"abcd"),
        block(3, b""),
        block(1, bytes(4)),
        struct.pack("<II", 5, 12) + struct.pack("<I", 16),
        struct.pack("<II", 5, 12) + struct.pack("<I", 0),
        struct.pack("<II", 5, 8) + struct.pack("<I", 8),
        struct.pack("<II", 5, 14) + b"ab" + struct.pack("<I", 14),
        struct.pack("<II", 5, 20) + b"abcd" + struct.pack("<I", 20),
        struct.pack("<II", 0x0A0D0D0A, 16) + b"\x4d\x3c\x2b\x1b" + b"\x10\0\0\0",
        struct.pack("<I", 5),
    ],
)
def test_damaged_blocks_of_pcapng_are_reported(damaged: bytes) -> None:
    good = packet_block(0, 5, b"\2\0\1")
    assert len(read_pcapng(b"", good, good)) == 2
    with pytest.raises(PcapError, match=r"damaged|do not match its type"):
        read_pcapng(b"", good, damaged)


def test_the_smallest_and_the_largest_block_of_pcapng_are_read() -> None:
    good = packet_block(0, 5, b"\2\0\1")
    largest = block(5, bytes((1 << 24) - 12))
    assert len(read_pcapng(b"", block(5, b""), largest, good)) == 1
    with pytest.raises(PcapError, match="damaged"):
        read_pcapng(b"", good, block(5, bytes((1 << 24) - 8)))


def test_pcapng_without_interfaces_or_packets_is_reported() -> None:
    section = block(0x0A0D0D0A, struct.pack("<IHHq", 0x1A2B3C4D, 1, 0, -1))
    with pytest.raises(PcapError, match="do not match its type"):
        Reader(io.BytesIO(section + packet_block(0, 5, b"\2\0\1")))
    with pytest.raises(PcapError, match="no packets"):
        read_pcapng(b"")


@pytest.mark.parametrize("high", [0x3FFFFFFF, 0x40000000, 0xFFFFFFFF])
def test_times_that_pcap_has_no_numbers_for_are_refused(high: int) -> None:
    """The time is in units of 2**-30 s: the first is the last second of pcap."""
    unit = field(9, b"\x9e")
    (captured,) = read_pcapng(unit, packet_block(high, 0xFFFFFFFF, secured(A)))
    target = io.BytesIO()
    writer = Writer(target, LinkType.WITHOUT_FCS)
    if high == 0x3FFFFFFF:
        writer.write(captured.packet, captured.time_ns)
        target.seek(0)
        (read,) = Reader(target)
        assert read.time_ns == captured.time_ns
        return
    with pytest.raises(PcapError, match="pcap has times up to 4294967295, in 2106"):
        writer.write(captured.packet, captured.time_ns)
