# SPDX-License-Identifier: Apache-2.0
"""UDP across a link without a network interface, for users that are not root.

A client on this machine sends its datagrams to a local socket; they cross the link as
IPv6 packets. What arrives from the link for the port of the service goes to a server
on this machine, from a socket of its own for each client. The other end of the link
may have a network interface or a proxy, too.
"""

from __future__ import annotations

import contextlib
import select
import socket
from dataclasses import dataclass
from typing import TYPE_CHECKING

from samara.errors import MisuseError
from samara.net.datagrams import DATA_SIZE_MAX, Datagram

if TYPE_CHECKING:
    from ipaddress import IPv6Address

COAP_PORT = 5683
"""The port of CoAP (RFC 7252)."""
FLOWS_MAX = 64
"""Clients at a time, in each direction; a further one replaces the quietest."""

# One byte shorter than others in a compressed header (RFC 6282, section 4.3.1).
_CLIENT_PORTS = range(0xF000, 0xF000 + FLOWS_MAX)
_DATAGRAM_SIZE_MAX = 65_535

Address = tuple[str, int]


class ProxyError(MisuseError):
    """A local socket cannot be had."""


@dataclass(frozen=True, slots=True)
class UdpService:
    """Which datagrams cross the link.

    Parameters
    ----------
    port
        UDP port of the service in the network.
    listen
        Local address for clients of the other end's server; None for none.
    forward
        Local server that the other end's clients reach; None for none.
    """

    port: int = COAP_PORT
    listen: Address | None = None
    forward: Address | None = None


class Proxy:
    """Makes packets of datagrams of local sockets, and the reverse.

    Parameters
    ----------
    own, peer
        Addresses of this end and the other one.

    Raises
    ------
    ProxyError
        When it cannot listen.
    """

    def __init__(
        self, own: IPv6Address, peer: IPv6Address, service: UdpService
    ) -> None:
        self._service = service
        self._own, self._peer = own.packed, peer.packed
        self._ready = select.epoll()
        self._clients: dict[int, tuple[object, ...]] = {}
        self._flows: dict[tuple[bytes, int], socket.socket] = {}
        self._listening: socket.socket | None = None
        self.too_long = 0
        """Datagrams of clients or the server that fit no packet."""
        if service.listen is not None:
            try:
                self._listening = _bound(service.listen)
            except OSError as error:
                self._ready.close()
                host, port = service.listen
                message = f"cannot listen on {host} port {port}: {error.strerror}"
                raise ProxyError(message) from None
            self._ready.register(self._listening, select.EPOLLIN)

    def fileno(self) -> int:
        """Return a file that is readable when a datagram waits."""
        return self._ready.fileno()

    def read(self) -> bytes | None:
        """Return the packet of a datagram that waits; None when there is none."""
        for ready, _ in self._ready.poll(0):
            if self._listening is not None and ready == self._listening.fileno():
                found = self._from_client(self._listening)
            else:
                found = self._from_server(ready)
            if found is not None:
                return found
        return None

    def write(self, packet: bytes) -> bool:
        """Send the datagram in a packet to a local socket; tell whether it has one."""
        datagram = Datagram.of(packet)
        if datagram is None or datagram.destination != self._own:
            return False
        port = datagram.destination_port
        if datagram.source_port == self._service.port and port in self._clients:
            return self._to_client(datagram)
        if port == self._service.port and self._service.forward is not None:
            return self._to_server(datagram, self._service.forward)
        return False

    def close(self) -> None:
        """Close all sockets."""
        for flow in self._flows.values():
            flow.close()
        if self._listening is not None:
            self._listening.close()
        self._ready.close()

    def _from_client(self, listening: socket.socket) -> bytes | None:
        data, client = _received(listening)
        if data is None:
            return None
        port = self._port_of(client)
        service = self._service.port
        return self._packet(Datagram(self._own, self._peer, port, service, data))

    def _from_server(self, ready: int) -> bytes | None:
        for (address, port), flow in self._flows.items():
            if flow.fileno() == ready:
                data, _ = _received(flow)
                if data is None:
                    return None
                service = self._service.port
                return self._packet(Datagram(self._own, address, service, port, data))
        return None

    def _packet(self, datagram: Datagram) -> bytes | None:
        if len(datagram.data) > DATA_SIZE_MAX:
            self.too_long += 1
            return None
        return datagram.packet()

    def _port_of(self, client: tuple[object, ...]) -> int:
        """Return the port in the network that stands for a client."""
        found = next((p for p, known in self._clients.items() if known == client), None)
        if found is None:
            unused = (port for port in _CLIENT_PORTS if port not in self._clients)
            found = next(unused, None) or next(iter(self._clients))
        # The last of them is the one that was heard last.
        self._clients.pop(found, None)
        self._clients[found] = client
        return found

    def _to_client(self, datagram: Datagram) -> bool:
        if self._listening is None:
            return False
        client = self._clients[datagram.destination_port]
        try:
            self._listening.sendto(datagram.data, client)
        except OSError:
            return False
        return True

    def _to_server(self, datagram: Datagram, server: Address) -> bool:
        key = datagram.source, datagram.source_port
        flow = self._flows.pop(key, None)
        try:
            flow = flow or self._new_flow(server)
            self._flows[key] = flow
            flow.send(datagram.data)
        except OSError:
            # Nobody listens there: the client will ask again.
            return False
        return True

    def _new_flow(self, server: Address) -> socket.socket:
        if len(self._flows) >= FLOWS_MAX:
            self._flows.pop(next(iter(self._flows))).close()
        family, address = _resolved(server)
        flow = socket.socket(family, socket.SOCK_DGRAM)
        flow.settimeout(0)
        flow.connect(address)
        self._ready.register(flow, select.EPOLLIN)
        return flow


def _bound(address: Address) -> socket.socket:
    family, place = _resolved(address)
    bound = socket.socket(family, socket.SOCK_DGRAM)
    try:
        bound.bind(place)
        bound.settimeout(0)
    except OSError:
        bound.close()
        raise
    return bound


def _resolved(address: Address) -> tuple[int, tuple[object, ...]]:
    family, *_, place = socket.getaddrinfo(*address, type=socket.SOCK_DGRAM)[0]
    return family, place


def _received(ready: socket.socket) -> tuple[bytes | None, tuple[object, ...]]:
    with contextlib.suppress(OSError):
        data, sender = ready.recvfrom(_DATAGRAM_SIZE_MAX)
        return data, sender
    return None, ()
