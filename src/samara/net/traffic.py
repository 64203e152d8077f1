# SPDX-License-Identifier: Apache-2.0
"""What is in an IPv6 packet, as far as it matters to what carries it."""

from __future__ import annotations

import struct

HEADER_SIZE = 40
ICMPV6, UDP, TCP = 58, 17, 6
DESTINATION = slice(24, 40)
SOURCE = slice(8, 24)

_VERSION = 6
_PSEUDO = struct.Struct("!16s16sII")
_UDP_PORTS_SHORT, _UDP_PORT_SHORT = 0xF0B, 0xF0
_UDP_SIZE, _TCP_SIZE, _ICMPV6_SIZE = 8, 20, 8
_ECHO = {128: "echo request", 129: "echo reply"}
_HOP_BY_HOP, FRAGMENT = 0, 44
_FRAGMENT_SIZE = 8
_NAMES = {ICMPV6: "ICMPv6", UDP: "UDP", TCP: "TCP"}
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


def checksum(source: bytes, destination: bytes, protocol: int, content: bytes) -> int:
    """Return the checksum of what a packet carries (RFC 8200, section 8.1).

    It is 0 of what has its own checksum in it.
    """
    whole = _PSEUDO.pack(source, destination, len(content), protocol) + content
    words = struct.unpack(f"!{(len(whole) + 1) // 2}H", whole + bytes(len(whole) % 2))
    total: int = sum(words)
    while total >> 16:
        total = (total & 0xFFFF) + (total >> 16)
    return total ^ 0xFFFF


def datagram_of(packet: bytes) -> bytes | None:
    """Return what the fragments of one packet have in common; None for a whole packet.

    Those are both addresses and the identification (RFC 8200, section 4.5).
    """
    if not is_ipv6(packet):
        return None
    protocol, at = upper_layer(packet)
    if protocol != FRAGMENT or len(packet) < at + _FRAGMENT_SIZE:
        return None
    return packet[SOURCE] + packet[DESTINATION] + packet[at + 4 : at + 8]


def described(packet: bytes) -> tuple[str, int, int]:
    """Return what a packet carries, and the bytes on the air of header and data."""
    protocol, at = upper_layer(packet)
    size = len(packet) - at
    if protocol == FRAGMENT and size >= _FRAGMENT_SIZE:
        # Of the last three bits, one says that more follow.
        offset = int.from_bytes(packet[at + 2 : at + 4], "big") & ~7
        name = _NAMES.get(packet[at], f"protocol {packet[at]}")
        return f"{name}, fragment at {offset}", _FRAGMENT_SIZE, size - _FRAGMENT_SIZE
    ports = [int.from_bytes(packet[at + n : at + n + 2], "big") for n in (0, 2)]
    way = " > ".join(map(str, ports))
    if protocol == UDP and size >= _UDP_SIZE:
        # Behind options it is not compressed.
        header = _udp_size(*ports) if at == HEADER_SIZE else _UDP_SIZE
        return f"UDP {way}", header, size - _UDP_SIZE
    if protocol == TCP and size >= _TCP_SIZE:
        header = 4 * (packet[at + 12] >> 4)
        return f"TCP {way}", header, size - header
    if protocol == ICMPV6 and size >= _ICMPV6_SIZE:
        kind = _ECHO.get(packet[at], f"type {packet[at]}")
        return f"ICMPv6 {kind}", _ICMPV6_SIZE, size - _ICMPV6_SIZE
    return f"protocol {protocol}", 0, size


def _udp_size(first: int, second: int) -> int:
    """Return the size of a compressed header of UDP (RFC 6282, section 4.3)."""
    if first >> 4 == second >> 4 == _UDP_PORTS_SHORT:
        ports = 1
    elif _UDP_PORT_SHORT in (first >> 8, second >> 8):
        ports = 3
    else:
        ports = 4
    return 1 + ports + 2
