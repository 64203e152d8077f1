# SPDX-License-Identifier: Apache-2.0
"""Captures of several sections and interfaces in both byte orders, made by a model."""

from __future__ import annotations

import io
import struct
from dataclasses import dataclass, field

from hypothesis import given
from hypothesis import strategies as st

from samara.link.ieee802154.captures.pcapng import MAGIC, Packet, Writer, packets_of

SECTION, INTERFACE, SIMPLE, STATISTICS, ENHANCED = 0x0A0D0D0A, 1, 3, 5, 6


@dataclass
class Interface:
    link_type: int
    size_max: int
    resolution: int | None
    """The byte of its option; None: it has none."""
    options: list[tuple[int, bytes]]

    def time_ns(self, ticks: int) -> int:
        resolution = 6 if self.resolution is None else self.resolution
        if resolution & 0x80:
            return ticks * 10**9 >> (resolution & 0x7F)
        return ticks * 10**9 // int(10**resolution)


@dataclass
class Section:
    """A section as it is written, and the packets that are to be read from it."""

    order: str
    blocks: list[bytes] = field(default_factory=list)
    expected: list[Packet] = field(default_factory=list)

    def add(self, kind: int, body: bytes) -> None:
        body += bytes(-len(body) % 4)
        size = struct.pack(f"{self.order}I", 12 + len(body))
        start = struct.pack(f"{self.order}I", kind)
        self.blocks.append(start + size + body + size)

    def option(self, code: int, value: bytes) -> bytes:
        start = struct.pack(f"{self.order}HH", code, len(value))
        return start + value + bytes(-len(value) % 4)

    def begin(self) -> None:
        start = struct.pack(f"{self.order}IHHq", 0x1A2B3C4D, 1, 0, -1)
        self.add(SECTION, start + self.option(4, b"model") + bytes(4))

    def describe(self, one: Interface) -> None:
        options = list(one.options)
        if one.resolution is not None:
            options.insert(len(options) // 2, (9, bytes([one.resolution])))
        body = struct.pack(f"{self.order}HHI", one.link_type, 0, one.size_max)
        self.add(INTERFACE, body + b"".join(self.option(*each) for each in options))

    def enhanced(self, number: int, one: Interface, ticks: int, data: bytes) -> None:
        whole = len(data) + ticks % 3
        start = struct.pack(
            f"{self.order}5I", number, ticks >> 32, ticks & 0xFFFFFFFF, len(data), whole
        )
        padded = data + bytes(-len(data) % 4)
        self.add(ENHANCED, start + padded + self.option(1, b"a comment") + bytes(4))
        time_ns = one.time_ns(ticks)
        self.expected.append(Packet(one.link_type, time_ns, data, whole))

    def simple(self, first: Interface, data: bytes) -> None:
        kept = data[: first.size_max] if first.size_max else data
        self.add(SIMPLE, struct.pack(f"{self.order}I", len(data)) + kept)
        self.expected.append(Packet(first.link_type, 0, kept, len(data)))


INTERFACES = st.builds(
    Interface,
    st.integers(0, 0xFFFF),
    st.sampled_from((0, 1, 2, 3, 4, 5, 21, 127, 65_535)),
    st.sampled_from((None, 0, 3, 6, 9, 12, 0x80, 0x8A, 0x9E, 0xA0)),
    st.lists(
        st.tuples(st.sampled_from((1, 2, 3, 8, 10, 11, 12)), st.binary(max_size=9)),
        max_size=4,
    ),
)
TICKS = st.integers(0, 2**64 - 1)
DATA = st.binary(max_size=30)


@st.composite
def sections(draw: st.DrawFn) -> Section:
    section = Section(draw(st.sampled_from("<>")))
    section.begin()
    known: list[Interface] = []
    for _ in range(draw(st.integers(1, 8))):
        what = draw(st.sampled_from(("interface", "enhanced", "simple", "other")))
        if what == "interface" or not known:
            known.append(draw(INTERFACES))
            section.describe(known[-1])
        elif what == "enhanced":
            number = draw(st.integers(0, len(known) - 1))
            section.enhanced(number, known[number], draw(TICKS), draw(DATA))
        elif what == "simple":
            section.simple(known[0], draw(DATA))
        else:
            section.add(STATISTICS, draw(DATA))
    return section


@given(st.lists(sections(), min_size=2, max_size=4))
def test_every_section_is_read_by_its_own_order_and_interfaces(
    found: list[Section],
) -> None:
    content = b"".join(block for section in found for block in section.blocks)
    file = io.BytesIO(content)
    assert file.read(4) == MAGIC
    expected = [packet for section in found for packet in section.expected]
    assert list(packets_of(file)) == expected


@given(
    st.integers(0, 0xFFFF),
    st.text(max_size=9),
    st.text(max_size=9),
    st.lists(st.tuples(DATA, TICKS), min_size=2, max_size=5),
)
def test_what_is_written_is_read(
    link_type: int, program: str, interface: str, packets: list[tuple[bytes, int]]
) -> None:
    file = io.BytesIO()
    writer = Writer(file, link_type, program, interface)
    for data, time_ns in packets:
        writer.write(data, time_ns)
    file.seek(4)
    assert list(packets_of(file)) == [
        Packet(link_type, time_ns, data, len(data)) for data, time_ns in packets
    ]
