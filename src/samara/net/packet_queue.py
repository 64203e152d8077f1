# SPDX-License-Identifier: Apache-2.0
"""Packets that wait for the link: whole ones, and the fragments of longer ones.

A packet of which one fragment is lost is lost, and what was sent of it was sent for
nothing. So the queue counts packets as they were before they were fragmented, and takes
all fragments of one or none.
"""

from __future__ import annotations

from collections import Counter, OrderedDict, deque
from typing import Final

from samara.net import traffic
from samara.net.tun import MTU

DATAGRAMS_MIN, DATAGRAMS_MAX = 4, 16
"""Packets that may wait. A link of 250 kbit/s takes a second for 16 of 1280 bytes; more
would only wait longer. With fewer than 4, TCP loses most of its first ones."""
FRAGMENTS_MAX: Final = 64
"""Fragments of one packet: the longest has 54 of 1280 bytes."""
FRAGMENTED_MAX: Final = 64
"""Fragmented packets of which it is kept whether they were taken."""
_FULL_S = 2.0
"""What a full queue may take on a slow link: CoAP repeats a request after as long
(ACK_TIMEOUT, RFC 7252)."""


def datagrams(bytes_a_second: float) -> int:
    """Return how many packets may wait for a link of such a rate.

    >>> datagrams(960), datagrams(5_760), datagrams(31_250)
    (4, 9, 16)
    """
    return min(max(int(_FULL_S * bytes_a_second / MTU), DATAGRAMS_MIN), DATAGRAMS_MAX)


class PacketQueue:
    """A queue of packets.

    Parameters
    ----------
    most
        How many may wait, all fragments of one counted once.
    """

    def __init__(self, most: int = DATAGRAMS_MAX) -> None:
        self._most = most
        self._packets: deque[tuple[bytes, bytes | int]] = deque()
        self._left: Counter[bytes | int] = Counter()
        """Fragments that wait, by packet: a number for each that is whole."""
        self._taken: OrderedDict[bytes, int] = OrderedDict()
        """Fragments that were taken of each fragmented packet; 0: none are."""
        self._number = 0

    def __bool__(self) -> bool:
        """Tell whether a packet waits."""
        return bool(self._packets)

    def put(self, packet: bytes) -> bool:
        """Add a packet or a fragment; tell whether it was taken."""
        has_room = len(self._left) < self._most
        datagram = traffic.datagram_of(packet)
        if datagram is None:
            if has_room:
                self._number += 1
                self._append(packet, self._number)
            return has_room
        taken = self._taken.get(datagram)
        is_taken = has_room if taken is None else 0 < taken < FRAGMENTS_MAX
        self._remember(datagram, (taken or 0) + is_taken)
        if is_taken:
            self._append(packet, datagram)
        return is_taken

    def take(self) -> bytes | None:
        """Return the next packet or fragment; None when there is none."""
        if not self._packets:
            return None
        packet, datagram = self._packets.popleft()
        self._left[datagram] -= 1
        if not self._left[datagram]:
            del self._left[datagram]
        return packet

    def _append(self, packet: bytes, datagram: bytes | int) -> None:
        self._packets.append((packet, datagram))
        self._left[datagram] += 1

    def _remember(self, datagram: bytes, taken: int) -> None:
        self._taken[datagram] = taken
        if len(self._taken) > FRAGMENTED_MAX:
            self._taken.popitem(last=False)
