# SPDX-License-Identifier: Apache-2.0
"""What a router answers to hosts: neighbour discovery for 6LoWPAN (RFC 6775).

A host asks for routers, and is told the network, context 0 of compressed headers and
the border router. It registers its address, which is granted: addresses are made from
link addresses, and every neighbour is known by its link address. Nodes of samara do not
ask, since they have all of that from their directories.
"""

from __future__ import annotations

import struct
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

ROUTER_LIFETIME_S = 1800
_MINUTES = ROUTER_LIFETIME_S // 60
_FOREVER_S = 0xFFFFFFFF
_SOLICITS_ROUTERS, _ADVERTISES_ROUTER, _SOLICITS, _ADVERTISES = 133, 134, 135, 136
_OWN_LINK_ADDRESS, _PREFIX, _REGISTRATION, _CONTEXT, _BORDER = 1, 3, 33, 34, 35
# Of RFC 4861 and RFC 6775, without type, code and checksum.
_ADVERTISEMENT = struct.Struct("!BBHII")
_PREFIX_BODY = struct.Struct("!BBIII16s")
_CONTEXT_BODY = struct.Struct("!BBHH8s")
_BORDER_BODY = struct.Struct("!HHH16s")
_AUTONOMOUS, _COMPRESSES = 0x40, 0x10
_ROUTER_SOLICITED = 0xC0000000
_HOP_LIMIT, _PREFIX_BITS = 64, 64
_TARGET = slice(8, 24)
_OPTIONS_AT = 24
_REGISTRATION_SIZE = 16


class Discovery:
    """Answers hosts.

    Parameters
    ----------
    own
        Link-local address, and that in the network.
    link_address
        2 or 8 bytes.
    border
        Returns the address of the border router; None: not known, and nobody is told of
        this router.
    send
        Takes an address and an ICMPv6 message whose checksum is 0.
    """

    def __init__(
        self,
        own: tuple[bytes, bytes],
        link_address: bytes,
        border: Callable[[], bytes | None],
        send: Callable[[bytes, bytes], None],
    ) -> None:
        self._own, self._link_address = own, link_address
        self._border, self._send = border, send

    def take(self, source: bytes, content: bytes) -> None:
        """Answer a question of a neighbour.

        Parameters
        ----------
        source
            The address that it was sent from, which is the neighbour's.
        content
            An ICMPv6 message whose checksum is right.
        """
        if content[0] == _SOLICITS_ROUTERS and (border := self._border()):
            self._send(source, self._router(border))
        if content[0] == _SOLICITS and content[_TARGET] in self._own:
            self._send(source, _neighbour(content))

    def _router(self, border: bytes) -> bytes:
        network = self._own[1][:8]
        base = _ADVERTISEMENT.pack(_HOP_LIMIT, 0, ROUTER_LIFETIME_S, 0, 0)
        times = (_FOREVER_S, _FOREVER_S, 0)
        prefix = _PREFIX_BODY.pack(
            _PREFIX_BITS, _AUTONOMOUS, *times, network.ljust(16, b"\0")
        )
        context = _CONTEXT_BODY.pack(_PREFIX_BITS, _COMPRESSES, 0, _MINUTES, network)
        return b"".join(
            (
                bytes((_ADVERTISES_ROUTER, 0, 0, 0)) + base,
                _option(_OWN_LINK_ADDRESS, self._link_address),
                _option(_PREFIX, prefix),
                _option(_CONTEXT, context),
                _option(_BORDER, _BORDER_BODY.pack(1, 0, _MINUTES, border)),
            )
        )


def is_question(content: bytes) -> bool:
    """Tell whether an ICMPv6 message is one that `Discovery.take` answers."""
    return content[0] in (_SOLICITS_ROUTERS, _SOLICITS)


def _neighbour(asked: bytes) -> bytes:
    """Return the answer to who asks for an address or registers its own one."""
    target = asked[_TARGET]
    made = bytes((_ADVERTISES, 0, 0, 0)) + struct.pack("!I", _ROUTER_SOLICITED) + target
    return made + _registration(asked[_OPTIONS_AT:])


def _registration(options: bytes) -> bytes:
    """Return the option by which an address was registered, granted; or nothing."""
    at = 0
    while at + 2 <= len(options) and options[at + 1]:
        size = 8 * options[at + 1]
        found = options[at : at + size]
        if found[0] == _REGISTRATION and len(found) == size == _REGISTRATION_SIZE:
            # The status, 0, comes first.
            return found[:2] + b"\0" + found[3:]
        at += size
    return b""


def _option(kind: int, body: bytes) -> bytes:
    """Return an option; its size is a multiple of 8 bytes."""
    size = -(-(2 + len(body)) // 8)
    return (bytes((kind, size)) + body).ljust(8 * size, b"\0")
