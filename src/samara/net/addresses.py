# SPDX-License-Identifier: Apache-2.0
"""Addresses: those of the link, and those of IPv6 that are made from them.

An IPv6 address is a prefix and an interface identifier. The identifier is made from
the address that stands in frames (RFC 4944, RFC 6282), so that compressed headers
contain neither, and nobody has to ask which neighbour has an address.
"""

from __future__ import annotations

from ipaddress import IPv6Address, IPv6Interface, IPv6Network
from typing import TYPE_CHECKING

from samara.errors import MisuseError
from samara.link.node import folder as folders
from samara.link.node import state_file
from samara.link.node.kinds import kind
from samara.net.lowpan import identifier

if TYPE_CHECKING:
    from pathlib import Path

    from samara.link.node.link_addresses import LinkAddresses

DEFAULT_PREFIX = IPv6Network("fd00:5a::/64")
"""Prefix of the network: a private one (RFC 4193)."""
LINK_LOCAL = IPv6Network("fe80::/64")
PREFIX_BITS = 64
BROADCAST = b"\xff\xff"
"""The address in frames to all nodes."""

_IDENTIFIER_SIZE = 8


class PrefixError(MisuseError):
    """A network that nodes cannot have."""


def prefix_of(text: str) -> IPv6Network:
    """Return a prefix of 64 bits.

    Raises
    ------
    PrefixError
        When it is none.
    """
    try:
        prefix = IPv6Network(text)
    except ValueError as error:
        message = f"a prefix is written as {DEFAULT_PREFIX}: {error}"
        raise PrefixError(message) from None
    if prefix.prefixlen != PREFIX_BITS or prefix.is_multicast:
        message = f"a prefix has {PREFIX_BITS} bits, as {DEFAULT_PREFIX} has: {text}"
        raise PrefixError(message)
    if prefix == LINK_LOCAL:
        message = f"{text} is there anyway: give another prefix, as {DEFAULT_PREFIX}"
        raise PrefixError(message)
    return prefix


def address_in(prefix: IPv6Network, link_address: bytes) -> IPv6Address:
    """Return the address of a node in a network.

    >>> print(address_in(DEFAULT_PREFIX, bytes.fromhex("1234")))
    fd00:5a::ff:fe00:1234
    """
    start = prefix.network_address.packed[: 16 - _IDENTIFIER_SIZE]
    return IPv6Address(start + identifier(link_address))


def interfaces_of(prefix: IPv6Network, link_address: bytes) -> list[IPv6Interface]:
    """Return all addresses of a node: in the network and link-local."""
    return [
        IPv6Interface((address_in(network, link_address), PREFIX_BITS))
        for network in (prefix, LINK_LOCAL)
    ]


def link_addresses_of(folder: Path) -> LinkAddresses:
    """Return the link addresses of a node and its neighbours, as they are now.

    Raises
    ------
    MisuseError
        When it is not the directory of a node, or cannot be read.
    """
    described = folders.read(folder)
    records = state_file.records_in(folder)
    return kind(described.link).addresses(described.end.settings, records)
