# SPDX-License-Identifier: Apache-2.0
"""UDP datagrams in IPv6 packets (RFC 768, RFC 8200), for nodes without an interface."""

from __future__ import annotations

import struct
from dataclasses import dataclass

from samara.net import traffic

DATA_SIZE_MAX = 1280 - traffic.HEADER_SIZE - 8
"""Bytes that a datagram carries in a packet of 1280 bytes."""

_HOP_LIMIT = 64
_VERSION = 6 << 28
_IPV6 = struct.Struct("!IHBB16s16s")
_UDP = struct.Struct("!HHHH")


@dataclass(frozen=True, slots=True)
class Datagram:
    """A datagram, and between whom it travels."""

    source: bytes
    destination: bytes
    """IPv6 addresses, 16 bytes."""
    source_port: int
    destination_port: int
    data: bytes

    def packet(self) -> bytes:
        """Return the IPv6 packet."""
        size = _UDP.size + len(self.data)
        ports = self.source_port, self.destination_port
        bare = _UDP.pack(*ports, size, 0) + self.data
        ends = self.source, self.destination
        checksum = traffic.checksum(*ends, traffic.UDP, bare) or 0xFFFF
        header = _IPV6.pack(
            *(_VERSION, size, traffic.UDP, _HOP_LIMIT), self.source, self.destination
        )
        return header + _UDP.pack(*ports, size, checksum) + self.data

    @classmethod
    def of(cls, packet: bytes) -> Datagram | None:
        """Return the datagram in a packet; None if it has none, or a damaged one."""
        if not traffic.is_ipv6(packet):
            return None
        protocol, at = traffic.upper_layer(packet)
        if protocol != traffic.UDP or len(packet) < at + _UDP.size:
            return None
        source_port, destination_port, size, checksum = _UDP.unpack_from(packet, at)
        if size != len(packet) - at or not checksum:
            return None
        source, destination = packet[traffic.SOURCE], packet[traffic.DESTINATION]
        if traffic.checksum(source, destination, traffic.UDP, packet[at:]):
            return None
        data = packet[at + _UDP.size :]
        return cls(source, destination, source_port, destination_port, data)
