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
    described = traffic.described(with_next_header(packet, HOP_BY_HOP, behind))
    assert described == ("UDP 61617 > 61618", with_udp - without, 6)


def test_options_are_as_long_as_they_say() -> None:
    """Of 8, 16 and 24 bytes: the length counts units of 8 bytes behind the first."""
    packet = Datagram(ONE, OTHER, 0xF0B1, 0xF0B2, b"21.5 C").packet()
    for units in range(3):
        options = bytes((traffic.UDP, units)) + ROUTER_ALERT + bytes(8 * units)
        behind = with_next_header(packet, HOP_BY_HOP, options + packet[40:])
        assert traffic.upper_layer(behind) == (traffic.UDP, 48 + 8 * units)
        assert traffic.described(behind) == ("UDP 61617 > 61618", 8, 6)


def test_housekeeping_is_discovery_of_listeners_and_neighbours() -> None:
    """RFC 2710 and 3810: 130 to 132 and 143; RFC 4861: 133 to 137."""
    packet = Datagram(ONE, OTHER, 1, 2, b"").packet()
    icmp = {n: bytes((n, 0, 0, 0, 0, 0, 0, 0)) for n in range(256)}
    found = {
        number
        for number, content in icmp.items()
        if traffic.is_housekeeping(with_next_header(packet, traffic.ICMPV6, content))
    }
    assert found == {*range(130, 138), 143}
    # A report of listeners has a router alert in front.
    options = bytes((traffic.ICMPV6, 0)) + ROUTER_ALERT
    report = with_next_header(packet, HOP_BY_HOP, options + icmp[143])
    assert traffic.is_housekeeping(report)
    for number, content in ((traffic.ICMPV6, b""), (traffic.UDP, icmp[143])):
        assert not traffic.is_housekeeping(with_next_header(packet, number, content))


def test_the_header_of_a_datagram() -> None:
    """No traffic class and no flow; 8 + 6 bytes of UDP; 64 hops, as hosts send."""
    packet = Datagram(ONE, OTHER, 0x1234, 0xF0B2, b"21.5 C").packet()
    assert packet[:8] == bytes.fromhex("60000000 000e 11 40")
    assert (packet[8:24], packet[24:40]) == (ONE, OTHER)
    assert packet[40:46] == bytes.fromhex("1234 f0b2 000e")
    assert packet[48:] == b"21.5 C"


def test_a_checksum_of_zero_is_sent_as_ones() -> None:
    """Zero would say that there is none, which IPv6 does not allow (RFC 8200, 8.1)."""
    bare = Datagram(ONE, OTHER, 1, 2, b"\0\0").packet()
    checksum = bare[46:48]
    # Its own checksum as data makes the sum one of all ones.
    packet = Datagram(ONE, OTHER, 1, 2, checksum).packet()
    assert packet[46:48] == b"\xff\xff"
    assert Datagram.of(packet) == Datagram(ONE, OTHER, 1, 2, checksum)
    assert Datagram.of(packet[:46] + b"\0\0" + packet[48:]) is None
