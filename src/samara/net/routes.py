# SPDX-License-Identifier: Apache-2.0
"""Which neighbour the kernel's routes lead to.

A TUN interface hands over packets without the router that they are to be sent to.
The kernel is asked for it by rtnetlink (RFC 3549), as `ip route get` does.
"""

from __future__ import annotations

import errno
import os
import socket
import struct
import time

_MESSAGE = struct.Struct("=IHHII")
_ROUTE = struct.Struct("=BBBBBBBBI")
_ATTRIBUTE = struct.Struct("=HH")
_REQUEST, _GET_ROUTE, _NEW_ROUTE, _ERROR = 1, 26, 24, 2
_DESTINATION, _INTERFACE, _GATEWAY = 1, 4, 5
_ADDRESS_BITS = 128

KNOWN_S = 1.0
"""How long an answer is remembered, in seconds: changed routes are followed then."""
_KNOWN_MAX = 256


class Routes:
    """The routes of an interface, in the namespace of the thread that makes this.

    Parameters
    ----------
    interface
        The index of the interface.
    """

    def __init__(self, interface: int) -> None:
        self._interface = interface
        self._known: dict[bytes, tuple[float, bytes | None]] = {}
        kind = socket.SOCK_RAW | socket.SOCK_CLOEXEC
        self._socket = socket.socket(socket.AF_NETLINK, kind, socket.NETLINK_ROUTE)
        self._socket.bind((0, 0))

    def next_hop(self, destination: bytes) -> bytes | None:
        """Return the address of the router, or the destination if it is near.

        Parameters
        ----------
        destination
            An IPv6 address, 16 bytes.

        Returns
        -------
        None
            When no route leads there.
        """
        now_s = time.monotonic()
        known = self._known.get(destination)
        if known is not None and now_s < known[0]:
            return known[1]
        if len(self._known) >= _KNOWN_MAX:
            self._known.clear()
        found = self._asked(destination)
        self._known[destination] = now_s + KNOWN_S, found
        return found

    def close(self) -> None:
        """Let go of the socket."""
        self._socket.close()

    def _asked(self, destination: bytes) -> bytes | None:
        self._socket.send(_question(destination, self._interface))
        answer = self._socket.recv(4096)
        _, kind, *_ = _MESSAGE.unpack_from(answer)
        if kind == _ERROR:
            (number,) = struct.unpack_from("=i", answer, _MESSAGE.size)
            if -number in (errno.ENETUNREACH, errno.EHOSTUNREACH, errno.EACCES):
                return None
            raise OSError(-number, os.strerror(-number))
        if kind != _NEW_ROUTE:
            return None
        return _attributes(answer).get(_GATEWAY, destination)


def _question(destination: bytes, interface: int) -> bytes:
    route = _ROUTE.pack(socket.AF_INET6, _ADDRESS_BITS, 0, 0, 0, 0, 0, 0, 0)
    route += _ATTRIBUTE.pack(_ATTRIBUTE.size + len(destination), _DESTINATION)
    route += destination
    route += _ATTRIBUTE.pack(_ATTRIBUTE.size + 4, _INTERFACE)
    route += struct.pack("=I", interface)
    size = _MESSAGE.size + len(route)
    return _MESSAGE.pack(size, _GET_ROUTE, _REQUEST, 1, 0) + route


def _attributes(answer: bytes) -> dict[int, bytes]:
    size, *_ = _MESSAGE.unpack_from(answer)
    found, at = {}, _MESSAGE.size + _ROUTE.size
    while at + _ATTRIBUTE.size <= min(size, len(answer)):
        length, kind = _ATTRIBUTE.unpack_from(answer, at)
        if length < _ATTRIBUTE.size:
            break
        found[kind] = answer[at + _ATTRIBUTE.size : at + length]
        # Attributes begin at multiples of four bytes.
        at += (length + 3) & ~3
    return found
