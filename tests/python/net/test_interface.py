# SPDX-License-Identifier: Apache-2.0
"""Packets and payloads between a port and neighbours, without a kernel or a link."""

from __future__ import annotations

import struct
from collections import deque
from dataclasses import dataclass, field
from ipaddress import IPv6Address
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

import pytest

from samara.errors import MisuseError
from samara.link.node.link import BROADCAST, LinkError, NeighbourError
from samara.link.node.link_addresses import LinkAddresses
from samara.net.addresses import (
    DEFAULT_PREFIX,
    LINK_LOCAL,
    address_in,
    interfaces_of,
    prefix_of,
)
from samara.net.datagrams import DATA_SIZE_MAX, Datagram
from samara.net.interface import Interface
from samara.net.topology import Network

if TYPE_CHECKING:
    from collections.abc import Iterator

OWN, NEAR, FAR = (bytes.fromhex(text) for text in ("0001", "0002", "0003"))
ROUTER = address_in(LINK_LOCAL, NEAR).packed


@dataclass
class Port:
    """Keeps what it is given."""

    waiting: deque[bytes] = field(default_factory=deque)
    taken: list[bytes] = field(default_factory=list)

    def fileno(self) -> int:
        return -1

    def read(self) -> bytes | None:
        return self.waiting.popleft() if self.waiting else None

    def write(self, packet: bytes) -> bool:
        self.taken.append(packet)
        return True

    def close(self) -> None:
        pass


@dataclass
class FakeNode:
    """Keeps what it is to send."""

    sent: list[tuple[str | None, bytes]] = field(default_factory=list)
    is_away: bool = False
    is_in_group: bool = False

    @property
    def link(self) -> Any:  # noqa: ANN401 - stands for an end of a link
        return SimpleNamespace(payload_size=96, named=self.named)

    def named(self, to: str | None) -> str | None:
        if to == BROADCAST and not self.is_in_group:
            raise NeighbourError
        return to

    def send_in_turn(self, messages: list[tuple[bytes, str | None]]) -> Iterator[None]:
        for message, to in messages:
            if self.is_away:
                raise LinkError
            self.sent.append((to, message))
            yield


def interface(
    own: bytes, neighbours: dict[str | None, bytes], link: str = "ieee802154"
) -> tuple[Interface, Port, Any]:
    port, node = Port(), FakeNode()
    made = Interface(
        node,  # type: ignore[arg-type]
        port,
        link,
        lambda: LinkAddresses(own, neighbours),
        DEFAULT_PREFIX,
        lambda destination: ROUTER if destination[0] == 0x20 else None,
    )
    return made, port, node


def received(payload: bytes, source: str | None, *, to_all: bool = False) -> Any:  # noqa: ANN401 - stands for an event
    return SimpleNamespace(message=payload, source=source, to_all=to_all)


def packet(
    destination: bytes | IPv6Address, size: int = 10, source: bytes = OWN
) -> bytes:
    if isinstance(destination, bytes):
        destination = address_in(DEFAULT_PREFIX, destination)
    sender = address_in(DEFAULT_PREFIX, source)
    return Datagram(
        sender.packed, destination.packed, 61616, 61617, bytes(size)
    ).packet()


def carry(one: Interface, port: Port, packet_: bytes) -> None:
    port.waiting.append(packet_)
    one.take_packets()
    one.begin_packet()
    while one.is_sending:
        one.send_payload()


@pytest.mark.parametrize("link", ["ieee802154", "rf-serial"])
@pytest.mark.parametrize("size", [0, 10, DATA_SIZE_MAX])
def test_what_one_sends_the_other_gets(link: str, size: int) -> None:
    one, port, node = interface(OWN, {None: NEAR}, link)
    other, other_port, _ = interface(NEAR, {None: OWN}, link)
    wanted = packet(NEAR, size)
    carry(one, port, wanted)
    for _, payload in node.sent:
        other.take(received(payload, None))
    assert other_port.taken == [wanted]
    # Other links cut messages themselves.
    assert link == "ieee802154" or len(node.sent) == 1
    assert one.statistics.payloads_sent == len(node.sent)
    assert other.statistics.packets_received == 1


def test_the_identifier_says_which_neighbour() -> None:
    one, port, node = interface(OWN, {"near": NEAR, "far": FAR})
    carry(one, port, packet(FAR))
    carry(one, port, packet(address_in(LINK_LOCAL, NEAR)))
    assert [to for to, _ in node.sent] == ["far", "near"]


def test_a_route_leads_to_a_neighbour_and_nothing_else_leads_anywhere() -> None:
    one, port, node = interface(OWN, {"near": NEAR, "far": FAR})
    carry(one, port, packet(IPv6Address("2001:db8::1")))
    assert [to for to, _ in node.sent] == ["near"]
    carry(one, port, packet(IPv6Address("3001:db8::1")))
    # A neighbour's identifier in another network is another address.
    carry(one, port, packet(IPv6Address("3001:db8::ff:fe00:2")))
    assert len(node.sent) == 1
    assert one.statistics.dropped == {"no route": 2}


def test_multicast_goes_to_all_neighbours() -> None:
    one, port, node = interface(OWN, {"near": NEAR, "far": FAR})
    carry(one, port, packet(IPv6Address("ff02::1")))
    assert [to for to, _ in node.sent] == ["near", "far"]


def test_multicast_goes_once_to_a_group() -> None:
    one, port, node = interface(OWN, {"near": NEAR, "far": FAR})
    node.is_in_group = True
    wanted = packet(IPv6Address("ff02::1"), 300)
    carry(one, port, wanted)
    assert len(node.sent) > 1
    assert {to for to, _ in node.sent} == {BROADCAST}
    assert one.statistics.payloads_sent == len(node.sent)
    other, other_port, _ = interface(NEAR, {"own": OWN})
    for _, payload in node.sent:
        other.take(received(payload, "own", to_all=True))
    assert other_port.taken == [wanted]
    # Packets to one node still go to that one.
    node.sent.clear()
    carry(one, port, packet(FAR))
    assert [to for to, _ in node.sent] == ["far"]


def test_multicast_to_one_neighbour_is_acknowledged() -> None:
    one, port, node = interface(OWN, {"near": NEAR})
    node.is_in_group = True
    carry(one, port, packet(IPv6Address("ff02::1")))
    assert [to for to, _ in node.sent] == ["near"]


def test_a_fragment_to_all_completes_no_packet_to_one() -> None:
    one, port, node = interface(OWN, {"near": NEAR, "far": FAR})
    carry(one, port, packet(NEAR, 200))
    other, other_port, _ = interface(NEAR, {"own": OWN})
    first, *rest = [payload for _, payload in node.sent]
    other.take(received(first, "own"))
    for payload in rest:
        other.take(received(payload, "own", to_all=True))
    assert other_port.taken == []


def test_a_neighbour_that_joined_later_is_found(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    neighbours: dict[str | None, bytes] = {"near": NEAR, "nearer": b"\0\x09"}
    one, port, node = interface(OWN, neighbours)
    neighbours["far"] = FAR
    monkeypatch.setattr("samara.net.interface._LOOK_INTERVAL_S", 0)
    carry(one, port, packet(FAR))
    assert [to for to, _ in node.sent] == ["far"]


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        (b"\x45" + bytes(40), "not IPv6"),
        (b"", "not IPv6"),
        # A redirect, and a listener report behind hop-by-hop options.
        (
            struct.pack("!IHBB", 6 << 28, 8, 58, 255)
            + bytes(32)
            + bytes([137, *[0] * 7]),
            "housekeeping",
        ),
        (
            struct.pack("!IHBB", 6 << 28, 16, 0, 1)
            + bytes(32)
            + bytes([58, 0, 5, 2, 0, 0, 1, 0, 143, *[0] * 7]),
            "housekeeping",
        ),
    ],
)
def test_what_is_not_carried_is_counted(content: bytes, reason: str) -> None:
    one, port, node = interface(OWN, {None: NEAR})
    carry(one, port, content)
    assert node.sent == []
    assert one.statistics.dropped == {reason: 1}


def test_a_link_that_is_away_loses_the_packet_and_no_more() -> None:
    one, port, node = interface(OWN, {None: NEAR})
    node.is_away = True
    carry(one, port, packet(NEAR, 500))
    node.is_away = False
    carry(one, port, packet(NEAR))
    assert len(node.sent) == 1
    assert one.statistics.dropped == {"link away": 1}


def test_a_flood_of_fragments_takes_no_more_memory() -> None:
    one, port, node = interface(OWN, {None: NEAR})
    other, other_port, _ = interface(NEAR, {None: OWN})
    for _ in range(2000):
        carry(one, port, packet(NEAR, 500))
        # The first fragment alone.
        other.take(received(node.sent[0][1], None))
        node.sent.clear()
    assert other.incomplete <= 2
    carry(one, port, packet(NEAR, 500))
    for _, payload in node.sent:
        other.take(received(payload, None))
    assert len(other_port.taken) == 1


@pytest.mark.parametrize("payload", [b"", b"\xf5\x05", b"\xc5", b"\xe5\0\0\1\xff"])
def test_payloads_that_are_no_packets_are_refused(payload: bytes) -> None:
    other, other_port, _ = interface(NEAR, {None: OWN})
    other.take(received(payload, None))
    assert other_port.taken == []
    assert sum(other.statistics.refused.values()) == 1


def test_a_datagram_is_read_back_and_a_damaged_one_is_not() -> None:
    content = packet(NEAR, 33)
    assert Datagram.of(content) is not None
    for at in range(8, len(content)):
        damaged = bytearray(content)
        damaged[at] ^= 0x10
        assert Datagram.of(bytes(damaged)) is None
    assert Datagram.of(content[:-1]) is None


def test_a_node_has_an_address_in_the_network_and_on_the_link() -> None:
    found = interfaces_of(DEFAULT_PREFIX, bytes.fromhex("acde480000000001"))
    assert [str(each) for each in found] == [
        "fd00:5a::aede:4800:0:1/64",
        "fe80::aede:4800:0:1/64",
    ]


@pytest.mark.parametrize(
    "text", ["fd00::/48", "fd00::1/64", "fe80::/64", "ff02::/64", "10.0.0.0/8", "x"]
)
def test_a_prefix_has_64_bits(text: str) -> None:
    with pytest.raises(MisuseError, match="prefix"):
        prefix_of(text)


@pytest.mark.parametrize("topology", ["chain", "star"])
@pytest.mark.parametrize("nodes", [2, 3, 20])
def test_routes_lead_everywhere(topology: str, nodes: int) -> None:
    network = Network.of(topology, nodes)
    ways = {number: network.routes(number) for number in range(1, nodes + 1)}
    for start in ways:
        for end in ways:
            at, hops = start, 0
            while at != end:
                near = network.neighbours(at)
                at = end if end in near else ways[at][end]
                assert at in near
                hops += 1
                assert hops < nodes


@pytest.mark.parametrize("nodes", [-1, 0, 1, 51])
def test_a_network_has_2_to_50_nodes(nodes: int) -> None:
    with pytest.raises(MisuseError, match="2 to 50"):
        Network.of("chain", nodes)
