# SPDX-License-Identifier: Apache-2.0
"""What is told of packets, against what the compression of 6LoWPAN makes of them."""

from __future__ import annotations

import itertools
import struct

from hypothesis import example, given
from hypothesis import strategies as st

from samara.net import Hop, payloads, traffic
from samara.net.datagrams import Datagram

OWN, PEER = bytes.fromhex("0001"), bytes.fromhex("0002")
ONE, OTHER = (
    bytes.fromhex("fe80000000000000000000fffe00") + end for end in (OWN, PEER)
)
NO_NEXT_HEADER, HOP_BY_HOP = 59, 0
ROUTER_ALERT = bytes((5, 2, 0, 0, 1, 0))

# Both short forms of a port begin and end here.
EDGES = (
    *(0, 1, 0xEFFF, 0xF000, 0xF0AF, 0xF0B0),
    *(0xF0BF, 0xF0C0, 0xF0FF, 0xF100, 0xFFFF),
)
PORTS = st.one_of(
    st.sampled_from(EDGES),
    st.integers(0xF0B0, 0xF0BF),
    st.integers(0xF000, 0xF0FF),
    st.integers(0, 0xFFFF),
)


def with_next_header(packet: bytes, number: int, content: bytes) -> bytes:
    start = packet[:4] + struct.pack("!HB", len(content), number)
    return start + packet[7:40] + content


def sent(packet: bytes) -> int:
    """Return the size of a packet on the air, in one payload."""
    (payload,) = payloads(packet, Hop(OWN, PEER, ()), tag=1, payload_size=110)
    return len(payload)


def check(ports: tuple[int, int], data: bytes) -> None:
    packet = Datagram(ONE, OTHER, *ports, data).packet()
    # The same data without UDP, whose next header takes one byte.
    bare = sent(with_next_header(packet, NO_NEXT_HEADER, data)) - 1
    way = f"UDP {ports[0]} > {ports[1]}"
    found = (way, sent(packet) - bare, len(data))
    assert traffic.described(packet) == found


def test_the_edges_of_short_ports() -> None:
    for ports in itertools.product(EDGES, EDGES):
        check(ports, b"21.5 C")


@given(PORTS, PORTS, st.binary(max_size=40))
@example(0xF0B1, 0x1234, b"")
@example(0x1234, 0xF0B1, b"")
def test_a_header_of_udp_has_the_size_that_is_told(
    source: int, destination: int, data: bytes
) -> None:
    check((source, destination), data)


def test_udp_behind_options_is_not_compressed() -> None:
    packet = Datagram(ONE, OTHER, 0xF0B1, 0xF0B2, b"21.5 C").packet()
    with_udp, without = (
        sent(with_next_header(packet, HOP_BY_HOP, bytes((n, 0)) + ROUTER_ALERT + rest))
        for n, rest in ((traffic.UDP, packet[40:]), (NO_NEXT_HEADER, b"21.5 C"))
    )
    behind = bytes((traffic.UDP, 0)) + ROUTER_ALERT + packet[40:]
    told = traffic.described(with_next_header(packet, HOP_BY_HOP, behind))
    assert told == ("UDP 61617 > 61618", with_udp - without, 6)
