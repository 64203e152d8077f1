# SPDX-License-Identifier: Apache-2.0
"""RPL at an interface: packets to and from a `Router`."""

from __future__ import annotations

import struct
import time
from typing import TYPE_CHECKING

from samara.errors import PacketError
from samara.net import traffic
from samara.net.rpl import headers, messages
from samara.net.rpl.discovery import Discovery, is_question
from samara.net.rpl.own_node import Role
from samara.net.rpl.router import Router

if TYPE_CHECKING:
    from collections.abc import Callable

    from samara.net.rpl.messages import Message
    from samara.net.rpl.own_node import OwnNode

ALL_NODES = bytes.fromhex("ff02000000000000000000000000001a")
"""All nodes of RPL on a link."""
_IPV6 = struct.Struct("!IHBB16s16s")
_VERSION = 6 << 28
_HOP_LIMIT = 255


class Routing:
    """Finds routes for an interface.

    Parameters
    ----------
    own
        Who the node is.
    local
        Its link-local address.
    link_address
        That in frames: 2 or 8 bytes.
    put
        Takes a packet to be sent.
    tell
        Takes a sentence about what has changed.
    """

    def __init__(
        self,
        own: OwnNode,
        local: bytes,
        link_address: bytes,
        put: Callable[[bytes], object],
        tell: Callable[[str], None],
    ) -> None:
        self._local, self._own, self._put = local, own.address, put
        since_1970_s = time.time() - time.monotonic()
        self.router = Router(
            own, time.monotonic, self._send, tell, starts_s=since_1970_s
        )
        self._carries = own.role is not Role.LEAF
        self._discovery = None
        if own.role is not Role.LEAF:
            addresses, border = (local, own.address), self._border
            self._discovery = Discovery(addresses, link_address, border, self._say)
        self.refused = 0
        """Messages that were not taken: damaged, or not of who has sent the frame."""

    @property
    def due_s(self) -> float:
        """When `work` is to be called, by `time.monotonic`."""
        return self.router.due_s

    def work(self) -> None:
        """Do what is due."""
        if time.monotonic() >= self.router.due_s:
            self.router.work()

    def next_hop(self, destination: bytes) -> bytes | None:
        """Return the link-local address of who leads to a destination; or None."""
        return self.router.next_hop(destination)

    def outward(self, packet: bytes) -> bytes:
        """Return a packet with the way that it is to take, where the root knows it."""
        return headers.with_way(packet, self.router.way(packet[traffic.DESTINATION]))

    def inward(self, packet: bytes) -> bytes | None:
        """Return a packet without what RPL has put into it.

        None: it was sent on to the next hop of its way, or dropped.
        """
        try:
            option = headers.option_in(packet)
            if option is not None and not self.router.allows(option):
                self.refused += 1
                return None
            is_here = packet[traffic.DESTINATION] in (self._local, self._own)
            if not is_here or not headers.hops_left(packet):
                return headers.bare(packet)
            onward = headers.advanced(packet)
        except PacketError:
            self.refused += 1
            return None
        if self._carries:
            self._put(onward)
        return None

    def sent(self, neighbour: bytes, attempts: int, *, is_missed: bool) -> None:
        """Note how often a frame to a neighbour was sent, and whether it arrived."""
        self.router.sent(neighbour, attempts, is_missed=is_missed)

    def take(self, packet: bytes, neighbour: bytes) -> bool:
        """Take a message of RPL or a host's question; tell whether it was one.

        Parameters
        ----------
        neighbour
            The link-local address of who has sent its frames. The message must come
            from that address: a neighbour speaks for itself alone. What is carried to
            the root has the address of its sender in the network instead.
        """
        protocol, at = traffic.upper_layer(packet)
        content = packet[at:]
        if protocol != traffic.ICMPV6 or len(content) < _LEAST_SIZE:
            return False
        is_of_rpl = content[0] == messages.TYPE
        if not is_of_rpl and (self._discovery is None or not is_question(content)):
            return False
        source, destination = packet[traffic.SOURCE], packet[traffic.DESTINATION]
        is_far = is_of_rpl and source[:8] == self._own[:8]
        if is_far and destination != self._own:
            # For the root.
            return False
        is_whole = not traffic.checksum(source, destination, protocol, content)
        # A host asks from its address in the network, too.
        if not is_whole or (source[8:] != neighbour[8:] and not is_far):
            self.refused += 1
        elif is_of_rpl:
            self._hear(source, destination, content)
        elif self._discovery is not None:
            self._discovery.take(source, content)
        return True

    def _hear(self, source: bytes, destination: bytes, content: bytes) -> None:
        try:
            message = messages.parse(content[1:2] + content[4:])
        except PacketError:
            self.refused += 1
            return
        if message is None:
            return
        if source[:8] == self._own[:8]:
            self.router.hear_far(source, message)
        elif source[:8] == self._local[:8]:
            is_to_all = traffic.is_multicast(destination)
            self.router.hear(source, message, is_to_all=is_to_all)

    def _send(self, neighbour: bytes | None, message: Message) -> None:
        to = neighbour or ALL_NODES
        # To the root, and from it, a message has addresses of the network.
        source = self._own if to[:8] == self._own[:8] else self._local
        self._put(packet_of(source, to, message))

    def _say(self, destination: bytes, content: bytes) -> None:
        self._put(_packet(self._local, destination, content))

    def _border(self) -> bytes | None:
        """Return the root, if this node has a way to it."""
        return self.router.dodag if self.router.is_joined else None


# Type, code and checksum.
_LEAST_SIZE = 4


def packet_of(source: bytes, destination: bytes, message: Message) -> bytes:
    """Return the IPv6 packet with a message of RPL."""
    built = messages.build(message)
    content = bytes((messages.TYPE, built[0], 0, 0)) + built[1:]
    return _packet(source, destination, content)


def _packet(source: bytes, destination: bytes, bare: bytes) -> bytes:
    """Return the packet with an ICMPv6 message whose checksum is 0."""
    number = traffic.checksum(source, destination, traffic.ICMPV6, bare)
    size, limits = len(bare), (traffic.ICMPV6, _HOP_LIMIT)
    header = _IPV6.pack(_VERSION, size, *limits, source, destination)
    return header + bare[:2] + number.to_bytes(2) + bare[4:]
