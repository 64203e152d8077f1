# SPDX-License-Identifier: Apache-2.0
"""What is in an IPv6 packet, as far as it matters to what carries it."""

from __future__ import annotations

HEADER_SIZE = 40
ICMPV6, UDP, TCP = 58, 17, 6
DESTINATION = slice(24, 40)
SOURCE = slice(8, 24)

_VERSION = 6
_HOP_BY_HOP = 0
_MULTICAST = 0xFF
# Multicast listener discovery, neighbour discovery and redirects.
_HOUSEKEEPING = frozenset((130, 131, 132, 133, 134, 135, 136, 137, 143))


def is_ipv6(packet: bytes) -> bool:
    """Tell whether it begins as a packet of IPv6."""
    return len(packet) >= HEADER_SIZE and packet[0] >> 4 == _VERSION


def is_multicast(address: bytes) -> bool:
    """Tell whether an address stands for several nodes."""
    return address[0] == _MULTICAST


def upper_layer(packet: bytes) -> tuple[int, int]:
    """Return protocol and offset of what follows hop-by-hop options, if any."""
    protocol, at = packet[6], HEADER_SIZE
    if protocol == _HOP_BY_HOP and len(packet) > at + 1:
        protocol, at = packet[at], at + 8 * (packet[at + 1] + 1)
    return protocol, at


def is_housekeeping(packet: bytes) -> bool:
    """Tell whether a packet asks for neighbours, routers or listeners.

    Nobody here needs the answer: identifiers are made from link addresses, routes are
    given, and a redirect would lead past the router (RFC 6775, section 1.4).
    """
    protocol, at = upper_layer(packet)
    return protocol == ICMPV6 and len(packet) > at and packet[at] in _HOUSEKEEPING
