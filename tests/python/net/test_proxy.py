# SPDX-License-Identifier: Apache-2.0
"""Datagrams of several clients at both ends, against a model of a few lines."""

from __future__ import annotations

import contextlib
import random
import select
import socket
from ipaddress import IPv6Address
from typing import TYPE_CHECKING

import pytest

from samara.net.datagrams import DATA_SIZE_MAX, Datagram
from samara.net.proxy import FLOWS_MAX, Proxy, UdpService

if TYPE_CHECKING:
    from collections.abc import Iterator

NEAR, FAR = IPv6Address("fe80::ff:fe00:1"), IPv6Address("fe80::ff:fe00:2")
STRANGER = IPv6Address("fe80::ff:fe00:3")
PORT = 5683
FIRST_PORT = 0xF000


class Local(contextlib.ExitStack):
    """Sockets of this machine, which wait for what is on its way."""

    def socket(self) -> socket.socket:
        made = self.enter_context(socket.socket(socket.AF_INET, socket.SOCK_DGRAM))
        made.bind(("127.0.0.1", 0))
        made.settimeout(60)
        return made


@pytest.fixture
def local() -> Iterator[Local]:
    with Local() as sockets:
        yield sockets


def waiting(proxy: Proxy) -> bytes:
    """Return the packet of a datagram that is on its way to a proxy."""
    assert select.select([proxy], [], [], 20)[0]
    packet = proxy.read()
    assert packet is not None
    return packet


def client_end(local: Local) -> tuple[Proxy, tuple[str, int]]:
    proxy = Proxy(NEAR, FAR, UdpService(PORT, listen=("127.0.0.1", 0)))
    local.enter_context(contextlib.closing(proxy))
    return proxy, proxy._listening.getsockname()  # type: ignore[union-attr] # noqa: SLF001


def server_end(local: Local, own: IPv6Address = FAR) -> tuple[Proxy, socket.socket]:
    server = local.socket()
    proxy = Proxy(own, NEAR, UdpService(PORT, forward=server.getsockname()))
    return local.enter_context(contextlib.closing(proxy)), server


def answer_to(packet: bytes, data: bytes) -> bytes:
    asked = Datagram.of(packet)
    assert asked is not None
    ports = asked.destination_port, asked.source_port
    return Datagram(asked.destination, asked.source, *ports, data).packet()


def test_each_client_keeps_its_port_and_gets_its_own_answers(local: Local) -> None:
    proxy, place = client_end(local)
    clients = [local.socket() for _ in range(FLOWS_MAX + 5)]
    chance = random.Random(1)  # noqa: S311 - repeatable, not secret
    order = [*range(FLOWS_MAX), *(chance.randrange(len(clients)) for _ in range(300))]
    # Clients and their ports, the quietest first.
    model: dict[int, int] = {}
    for step, number in enumerate(order):
        data = f"{step}".encode()
        clients[number].sendto(data, place)
        packet = waiting(proxy)
        if number in model:
            port = model.pop(number)
        elif len(model) < FLOWS_MAX:
            port = FIRST_PORT + len(model)
        else:
            port = model.pop(next(iter(model)))
        model[number] = port
        expected = Datagram(NEAR.packed, FAR.packed, port, PORT, data)
        assert Datagram.of(packet) == expected, step
        # Now and then an answer to somebody who asked before.
        asked = chance.choice(list(model))
        answer = Datagram(FAR.packed, NEAR.packed, PORT, model[asked], data)
        assert proxy.write(answer.packet())
        assert clients[asked].recvfrom(100) == (data, place)
    assert proxy.read() is None


def test_the_server_sees_each_client_as_itself(local: Local) -> None:
    proxy, server = server_end(local)
    chance = random.Random(2)  # noqa: S311 - repeatable, not secret
    known = [
        (source, port)
        for source in (NEAR, STRANGER)
        for port in range(FIRST_PORT, FIRST_PORT + 40)
    ]
    # Sockets that the server sees, the quietest first.
    model: dict[tuple[IPv6Address, int], tuple[str, int]] = {}
    for step in range(300):
        key = source, port = chance.choice(known)
        data = f"{step}".encode()
        assert proxy.write(
            Datagram(source.packed, FAR.packed, port, PORT, data).packet()
        )
        found, seen = server.recvfrom(100)
        assert found == data
        if key in model:
            assert model.pop(key) == seen, step
        elif len(model) == FLOWS_MAX:
            del model[next(iter(model))]
        assert seen not in model.values(), step
        model[key] = seen
        # An answer goes to whom its socket stands for, also of another one.
        (other, back), address = chance.choice(list(model.items()))
        server.sendto(b"re " + data, address)
        expected = Datagram(FAR.packed, other.packed, PORT, back, b"re " + data)
        assert Datagram.of(waiting(proxy)) == expected, step
    assert len(proxy._flows) == FLOWS_MAX  # noqa: SLF001


def test_two_proxies_carry_both_ways(local: Local) -> None:
    near, place = client_end(local)
    far, server = server_end(local)
    clients = [local.socket() for _ in range(3)]
    for number, client in enumerate(clients):
        client.sendto(b"question %d" % number, place)
        assert far.write(waiting(near))
        data, seen = server.recvfrom(100)
        assert data == b"question %d" % number
        server.sendto(b"answer %d" % number, seen)
        assert near.write(waiting(far))
        assert client.recv(100) == b"answer %d" % number


def test_what_belongs_to_nobody_is_refused(local: Local) -> None:
    near, place = client_end(local)
    far, _ = server_end(local)
    client = local.socket()
    client.sendto(b"question", place)
    packet = waiting(near)
    assert near.write(answer_to(packet, b"answer"))
    near_, far_ = NEAR.packed, FAR.packed
    for wrong in (
        Datagram(far_, near_, PORT, FIRST_PORT + 1, b"to no client"),
        Datagram(far_, near_, PORT + 1, FIRST_PORT, b"of another service"),
        Datagram(far_, STRANGER.packed, PORT, FIRST_PORT, b"to another node"),
        Datagram(far_, near_, FIRST_PORT, PORT, b"to a server that is none"),
    ):
        assert not near.write(wrong.packet()), wrong
    for wrong in (
        Datagram(near_, far_, FIRST_PORT, PORT + 1, b"to another service"),
        Datagram(near_, STRANGER.packed, FIRST_PORT, PORT, b"to another node"),
    ):
        assert not far.write(wrong.packet()), wrong
    assert client.recv(100) == b"answer"


def test_the_longest_datagram_crosses_and_one_byte_more_is_counted(
    local: Local,
) -> None:
    near, place = client_end(local)
    client = local.socket()
    client.sendto(bytes(DATA_SIZE_MAX), place)
    assert len(waiting(near)) == 1280
    assert near.too_long == 0
    client.sendto(bytes(DATA_SIZE_MAX + 1), place)
    assert select.select([near], [], [], 20)[0]
    assert near.read() is None
    assert near.too_long == 1
