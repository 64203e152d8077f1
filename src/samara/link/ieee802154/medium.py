# SPDX-License-Identifier: Apache-2.0
"""The medium: joins nodes of IEEE 802.15.4 that speak ZEP over UDP.

Who sends a packet, be it a hello, hears from then on what all others send. Data
takes its time on the air (`samara.link.ieee802154.air`), acknowledgements of ZEP,
which no radio sends, none. Packets are passed on byte for byte. What is not ZEP version
2 is counted and otherwise ignored.
"""

from __future__ import annotations

import heapq
import itertools
import selectors
import socket
import time
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any, Self

from samara.link.ieee802154 import zep
from samara.link.ieee802154.air import Air, Conditions
from samara.link.ieee802154.fcs import is_intact

if TYPE_CHECKING:
    from collections.abc import Callable

    from samara.link.ieee802154.pcap import Writer

NODES_MAX = 256
"""Nodes that hear the medium; who comes later replaces who was quiet longest."""
WAITING_MAX = 4096
"""Packets on their way to a receiver; more are lost."""

_DATAGRAM_SIZE_MAX = 2048
# Linux's names for "tell me when a datagram found nobody".
_IP_RECVERR = 11
_IPV6_RECVERR = 25

Address = tuple[Any, ...]


@dataclass(slots=True)
class Statistics:
    """What the medium has seen since its start."""

    frames: int = 0
    frame_bytes: int = 0
    """With check sequences."""
    wrong_fcs: int = 0
    """Frames whose check sequence is wrong; they are passed on."""
    acks: int = 0
    hellos: int = 0
    malformed: int = 0
    """Datagrams that are not ZEP version 2."""
    deliveries: int = 0
    lost: int = 0
    duplicated: int = 0
    overflowed: int = 0
    """Deliveries that did not take place because too many were waiting."""
    nodes: int = 0

    def as_json(self) -> dict[str, int]:
        """Return all of it by name."""
        return asdict(self)


class Medium:
    """Passes packets between UDP sockets until told to stop.

    Parameters
    ----------
    host, port
        Where to listen; port 0 takes a free one.
    conditions
        What happens to frames.
    sniffer
        Gets every frame that was sent, also those that are lost.

    Raises
    ------
    OSError
        When it cannot listen there.
    """

    def __init__(
        self,
        host: str,
        port: int,
        conditions: Conditions,
        sniffer: Writer | None = None,
    ) -> None:
        self.statistics = Statistics()
        self._air = Air(conditions)
        self._sniffer = sniffer
        self._nodes: dict[Address, None] = {}
        self._waiting: list[tuple[float, int, Address, bytes]] = []
        self._number = itertools.count()
        self._socket = _bound(host, port)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._socket.close()

    @property
    def port(self) -> int:
        """Where it listens."""
        return int(self._socket.getsockname()[1])

    def run(self, is_over: Callable[[], bool] = lambda: False) -> None:
        """Serve until `is_over`, which is asked at least ten times a second."""
        with selectors.DefaultSelector() as selector:
            selector.register(self._socket, selectors.EVENT_READ)
            while not is_over():
                selector.select(self._patience_s())
                self._forget_the_gone()
                self._take_all()
                self._deliver_due()

    def _patience_s(self) -> float:
        longest_s = 0.1
        if not self._waiting:
            return longest_s
        return min(max(self._waiting[0][0] - time.monotonic(), 0.0), longest_s)

    def _take_all(self) -> None:
        # Not without end: what is due has to be delivered in between.
        for _ in range(WAITING_MAX):
            try:
                datagram, sender = self._socket.recvfrom(_DATAGRAM_SIZE_MAX)
            except BlockingIOError:
                return
            except OSError:
                # An error about a datagram of before: the node has gone.
                continue
            self._take(datagram, sender)

    def _take(self, datagram: bytes, sender: Address) -> None:
        try:
            packet = zep.parse(datagram)
        except zep.ZepError:
            self.statistics.malformed += 1
            return
        self._register(sender)
        now_s = time.monotonic()
        match packet:
            case zep.Data(psdu=psdu):
                self._sniff(psdu)
                self.statistics.wrong_fcs += packet.has_fcs and not is_intact(psdu)
                self.statistics.frames += 1
                self.statistics.frame_bytes += len(psdu)
                self._send_to_others(
                    datagram, sender, self._air.carry(now_s, len(psdu))
                )
            case zep.Ack():
                self.statistics.acks += 1
                self._send_to_others(datagram, sender, now_s)
            case zep.Hello():
                self.statistics.hellos += 1

    def _register(self, sender: Address) -> None:
        self._nodes.pop(sender, None)
        self._nodes[sender] = None
        if len(self._nodes) > NODES_MAX:
            del self._nodes[next(iter(self._nodes))]
        self.statistics.nodes = len(self._nodes)

    def _sniff(self, psdu: bytes) -> None:
        if self._sniffer is None:
            return
        try:
            self._sniffer.write_psdu(psdu, time.time_ns())
        except BrokenPipeError:
            # Who looked on has seen enough; the nodes have not.
            self._sniffer = None

    def _send_to_others(self, datagram: bytes, sender: Address, at_s: float) -> None:
        for node in self._nodes:
            if node == sender:
                continue
            copies = self._air.copies()
            self.statistics.lost += copies == 0
            self.statistics.duplicated += copies > 1
            for _ in range(copies):
                if len(self._waiting) >= WAITING_MAX:
                    self.statistics.overflowed += 1
                    break
                entry = (at_s, next(self._number), node, datagram)
                heapq.heappush(self._waiting, entry)

    def _deliver_due(self) -> None:
        now_s = time.monotonic()
        while self._waiting and self._waiting[0][0] <= now_s:
            _, _, node, datagram = heapq.heappop(self._waiting)
            self.statistics.deliveries += self._sent(datagram, node)

    def _sent(self, datagram: bytes, node: Address) -> bool:
        # The first error may be about the datagram before, whose node has gone.
        for _ in range(2):
            try:
                self._socket.sendto(datagram, node)
            except OSError:
                self._forget_the_gone()
            else:
                return True
        return False

    def _forget_the_gone(self) -> None:
        """Forget nodes whose sockets were closed, as the kernel reports them."""
        while True:
            try:
                *_, node = self._socket.recvmsg(0, 512, socket.MSG_ERRQUEUE)
            except OSError:
                break
            self._nodes.pop(node, None)
        self.statistics.nodes = len(self._nodes)


def _bound(host: str, port: int) -> socket.socket:
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
