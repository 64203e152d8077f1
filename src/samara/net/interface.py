# SPDX-License-Identifier: Apache-2.0
"""IPv6 packets across the link of a node.

A port brings packets and takes them: a TUN interface, or the proxy of
`samara.net.proxy`. Over a link that says so (`Kind.fragments`), a packet becomes
payloads of RFC 4944, one a frame, as other 6LoWPAN nodes have them. Other links carry a
compressed packet as one message, which the node cuts.
"""

from __future__ import annotations

import time
from collections import Counter, deque
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Protocol

from samara.errors import PacketError
from samara.link.node.kinds import kind
from samara.link.node.link import BROADCAST, LinkError, NeighbourError
from samara.net import addresses, traffic
from samara.net.lowpan import Context, Hop, Reassembly, identifier, payloads
from samara.net.packet_queue import PacketQueue

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from ipaddress import IPv6Network

    from samara.link.node.events import Received
    from samara.link.node.link import Transmission
    from samara.link.node.link_addresses import LinkAddresses
    from samara.link.node.node import Node
    from samara.net.rpl.routing import Routing

# A packet that is not compressed has a byte in front.
_WHOLE_SIZE = 1281
_SLOTS_EACH = 2
_SLOTS_MAX = 255
_PREFIX_SIZE = 8
_LOOK_INTERVAL_S = 1.0


class Port(Protocol):
    """Where packets come from, and go to."""

    def fileno(self) -> int:
        """Return a file that is readable when there is a packet."""
        ...

    def read(self) -> bytes | None:
        """Return the next packet; None when there is none."""
        ...

    def write(self, packet: bytes) -> bool:
        """Take a packet; tell whether that was possible."""
        ...

    def close(self) -> None:
        """Let go of it."""
        ...


@dataclass(slots=True)
class Statistics:
    """What crossed the link since the start."""

    packets_sent: int = 0
    packets_received: int = 0
    payloads_sent: int = 0
    payloads_received: int = 0
    payloads_lost: int = 0
    """Those that were lost on the way here, by the frame counters."""
    dropped: Counter[str] = field(default_factory=Counter)
    """Packets that were not carried, by the reason."""
    refused: Counter[str] = field(default_factory=Counter)
    """Payloads that belong to no packet, by the reason."""

    def as_json(self) -> dict[str, Any]:
        """Return all of it by name."""
        return {
            "packets_sent": self.packets_sent,
            "packets_received": self.packets_received,
            "payloads_sent": self.payloads_sent,
            "payloads_received": self.payloads_received,
            "payloads_lost": self.payloads_lost,
            "dropped": dict(self.dropped),
            "refused": dict(self.refused),
        }


class Interface:
    """Carries packets between a port and the neighbours of a node.

    Parameters
    ----------
    link
        The kind of link.
    look
        Returns the link addresses of the node and its neighbours. It is called again
        when there is a neighbour that is not known.
    prefix
        The network; headers leave it out, as context 0.
    next_hop
        Returns the address that a packet is sent to next, for one that is no
        neighbour's. Default: there is none.
    """

    def __init__(
        self,
        node: Node,
        port: Port,
        link: str,
        look: Callable[[], LinkAddresses],
        prefix: IPv6Network,
        next_hop: Callable[[bytes], bytes | None] = lambda _: None,
    ) -> None:
        self._node, self._port, self._next_hop = node, port, next_hop
        self._look, self._contexts = look, (Context(prefix),)
        self._networks = (prefix.network_address.packed[:_PREFIX_SIZE], _LINK_LOCAL)
        self._look_again()
        self._payload_size = (
            node.link.payload_size if kind(link).fragments else _WHOLE_SIZE
        )
        slots = min(_SLOTS_EACH * max(len(self._outward), 1), _SLOTS_MAX)
        self._reassembly = Reassembly(slots=slots, slots_each=_SLOTS_EACH)
        self._tag = 0
        self.routing: Routing | None = None
        """Finds routes; default: there are those of `next_hop` alone."""
        self.queue = PacketQueue()
        """Packets that wait for the link; a slow one may be given a shorter queue."""
        self._payloads: deque[tuple[bytes, str | None]] = deque()
        self._steps: Iterator[Transmission | None] = iter(())
        self.statistics = Statistics()
        self.on_payload: Callable[[bytes], None] = lambda _: None
        """Called with each payload that was sent."""

    def _look_again(self) -> None:
        ends = self._look()
        self._looked_s = time.monotonic()
        self._outward = {
            name: Hop(ends.own, address, self._contexts)
            for name, address in ends.neighbours.items()
        }
        self._inward = {
            name: Hop(address, ends.own, self._contexts)
            for name, address in ends.neighbours.items()
        }
        self._inward_to_all = {
            name: Hop(address, addresses.BROADCAST, self._contexts)
            for name, address in ends.neighbours.items()
        }
        self._to_all = Hop(ends.own, addresses.BROADCAST, self._contexts)
        self._near = {
            name: _LINK_LOCAL + identifier(address)
            for name, address in ends.neighbours.items()
        }
        self._by_identifier = {
            identifier(address): name for name, address in ends.neighbours.items()
        }

    def _may_be_new(self) -> bool:
        """Look for new neighbours, unless that was done just now; tell whether."""
        if time.monotonic() - self._looked_s < _LOOK_INTERVAL_S:
            return False
        self._look_again()
        return True

    @property
    def incomplete(self) -> int:
        """Number of packets that wait for fragments."""
        return self._reassembly.incomplete

    @property
    def is_sending(self) -> bool:
        """Whether payloads of a packet wait to be sent."""
        return bool(self._payloads)

    @property
    def has_packet(self) -> bool:
        """Whether a packet waits to be begun."""
        return bool(self.queue)

    def take_packets(self) -> None:
        """Take all packets that the port has; what finds no room is dropped whole."""
        while (packet := self._port.read()) is not None:
            if traffic.is_ipv6(packet) and traffic.is_housekeeping(packet):
                # Not what `routing` answers itself.
                self.statistics.dropped["housekeeping"] += 1
            elif not self.queue.put(packet):
                self.statistics.dropped["queue full"] += 1

    def begin_packet(self) -> None:
        """Make the payloads that carry the next of the packets that were taken."""
        packet = self.queue.take()
        if packet is None:
            return
        made: list[tuple[bytes, str | None]] = []
        reason = self._refusal(packet, made)
        if reason is not None:
            self.statistics.dropped[reason] += 1
            return
        self.statistics.packets_sent += 1
        self._payloads += made
        self._steps = self._node.send_in_turn(made)

    def send_payload(self) -> None:
        """Send one payload of the packet that was begun, if there is one.

        If it cannot be sent, the rest of the packet is dropped, too.
        """
        if not self._payloads:
            return
        payload, name = self._payloads.popleft()
        try:
            sent = next(self._steps)
        except LinkError:
            self._payloads.clear()
            self.statistics.dropped["link away"] += 1
        except NeighbourError:
            # It was forgotten meanwhile: `samara node forget`.
            self._payloads.clear()
            self.statistics.dropped["no neighbour"] += 1
        else:
            self.statistics.payloads_sent += 1
            self.on_payload(payload)
            self._note_sent(name, sent)

    def _note_sent(self, name: str | None, sent: Transmission | None) -> None:
        """Tell what finds routes how good a link is."""
        if self.routing is None or sent is None or name not in self._near:
            return
        if sent.asked_for_acknowledgement:
            attempts = sent.carrier.attempts
            self.routing.sent(self._near[name], attempts, is_missed=sent.is_missed)

    def take(self, event: Received) -> None:
        """Hand the packet that a payload completes to the port."""
        self.statistics.payloads_received += 1
        hop = self._hop_of(event)
        if hop is None and self._may_be_new():
            hop = self._hop_of(event)
        if hop is None:
            self.statistics.refused["unknown neighbour"] += 1
            return
        try:
            packet = self._reassembly.receive(event.message, hop, now=time.monotonic())
        except PacketError as error:
            self.statistics.refused[error.reason] += 1
            return
        if packet is None:
            return
        if self.routing is not None:
            bare = self.routing.inward(packet)
            if bare is None or self.routing.take(bare, self._near[event.source]):
                return
            packet = bare
        if self._port.write(packet):
            self.statistics.packets_received += 1
        else:
            self.statistics.dropped["not taken"] += 1

    def _hop_of(self, event: Received) -> Hop | None:
        known = self._inward_to_all if event.to_all else self._inward
        return known.get(event.source)

    def _refusal(
        self, packet: bytes, made: list[tuple[bytes, str | None]]
    ) -> str | None:
        """Make the payloads of a packet; return why there are none."""
        if not traffic.is_ipv6(packet):
            return "not IPv6"
        if self.routing is not None:
            packet = self.routing.outward(packet)
        receivers = self._receivers(packet[traffic.DESTINATION])
        if not receivers:
            return "no route"
        try:
            for name in receivers:
                made += [(each, name) for each in self._payloads_to(name, packet)]
        except PacketError as error:
            return error.reason
        return None

    def _payloads_to(self, name: str | None, packet: bytes) -> list[bytes]:
        self._tag = (self._tag + 1) & 0xFFFF
        return payloads(
            packet,
            self._to_all if name == BROADCAST else self._outward[name],
            tag=self._tag,
            payload_size=self._payload_size,
        )

    def _receivers(self, destination: bytes) -> list[str | None]:
        """Return the neighbours that a packet is sent to."""
        found = self._known_receivers(destination)
        if not found and self._may_be_new():
            found = self._known_receivers(destination)
        return found

    def _is_in_group(self) -> bool:
        """Tell whether one frame may reach several neighbours."""
        if len(self._outward) < 2:  # noqa: PLR2004 - with one, it is acknowledged
            return False
        try:
            self._node.link.named(BROADCAST)
        except NeighbourError:
            return False
        return True

    def _known_receivers(self, destination: bytes) -> list[str | None]:
        if traffic.is_multicast(destination) and self._is_in_group():
            return [BROADCAST]
        if traffic.is_multicast(destination) or list(self._outward) == [None]:
            # On a link of two ends there is nobody else, whatever routes say.
            return list(self._outward)
        for address in self._hops(destination):
            if address is None or address[:_PREFIX_SIZE] not in self._networks:
                continue
            name = self._by_identifier.get(address[_PREFIX_SIZE:])
            if name is not None:
                return [name]
        return []

    def _hops(self, destination: bytes) -> Iterator[bytes | None]:
        """Yield whom a packet may be sent to: neighbours, routes given, and found."""
        yield destination
        yield self._next_hop(destination)
        if self.routing is not None:
            yield self.routing.next_hop(destination)


_LINK_LOCAL = bytes.fromhex("fe80000000000000")
