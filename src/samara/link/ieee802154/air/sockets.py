# SPDX-License-Identifier: Apache-2.0
"""The socket of a medium, and waking up in time for what is due there."""

from __future__ import annotations

import ctypes
import socket

_PR_SET_TIMERSLACK, _TIMER_SLACK_NS = 29, 1_000
# Linux's names for "tell me when a datagram found nobody".
_IP_RECVERR = 11
_IPV6_RECVERR = 25


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
        listening.bind(address)
        listening.settimeout(0)
    except BaseException:
        listening.close()
        raise
    return listening
