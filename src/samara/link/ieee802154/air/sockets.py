# SPDX-License-Identifier: Apache-2.0
"""The socket of a medium, and waking up in time for what is due there."""

from __future__ import annotations

import ctypes
import socket
import struct
from typing import Any

_PR_SET_TIMERSLACK, _TIMER_SLACK_NS = 29, 1_000
# Linux's names for "tell me when a datagram found nobody".
_IP_RECVERR = 11
_IPV6_RECVERR = 25
# The kernel gives less where its administrator says so (net.core.rmem_max).
_ROOM = 4 << 20
# struct sockaddr_in and sockaddr_in6: family, port, and the rest in network order.
_IPV4 = struct.Struct("=H2s4s8x")
_IPV6 = struct.Struct("=H2sI16sI")


def wake_up_in_time() -> None:
    """Have the kernel wake up this thread when a frame ends, not 50 us later.

    So late it may be, to wake up less often (the timer slack of prctl(2)); for each
    frame and acknowledgement that adds up to milliseconds a packet.
    """
    # It is no error where that is not possible.
    ctypes.CDLL(None).prctl(_PR_SET_TIMERSLACK, _TIMER_SLACK_NS, 0, 0, 0)


def bound(host: str, port: int) -> socket.socket:
    """Return a socket that listens there, and hears of datagrams that found nobody.

    Raises
    ------
    OSError
        When it cannot listen there.
    """
    family, *_, address = socket.getaddrinfo(host, port, type=socket.SOCK_DGRAM)[0]
    listening = socket.socket(family, socket.SOCK_DGRAM)
    try:
        level, option = (
            (socket.IPPROTO_IPV6, _IPV6_RECVERR)
            if family == socket.AF_INET6
            else (socket.IPPROTO_IP, _IP_RECVERR)
        )
        listening.setsockopt(level, option, 1)
        # Frames of many nodes that come while others are passed on.
        listening.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, _ROOM)
        listening.bind(address)
        listening.settimeout(0)
    except BaseException:
        listening.close()
        raise
    return listening


def packed(address: tuple[Any, ...]) -> bytes:
    """Return an address as the system's structure has it.

    >>> packed(("127.0.0.1", 17754)).hex()[4:16]
    '455a7f000001'
    """
    host, port, *rest = address
    network_port = port.to_bytes(2, "big")
    if not rest:
        number = socket.inet_pton(socket.AF_INET, host)
        return _IPV4.pack(socket.AF_INET, network_port, number)
    flow, scope = rest
    number = socket.inet_pton(socket.AF_INET6, host.partition("%")[0])
    return _IPV6.pack(socket.AF_INET6, network_port, socket.htonl(flow), number, scope)
