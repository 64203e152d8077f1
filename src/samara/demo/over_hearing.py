# SPDX-License-Identifier: Apache-2.0
"""Who tells what crosses the link of the experiment, while it does."""

from __future__ import annotations

import os
import socket
import time
from collections import deque
from typing import TYPE_CHECKING, Protocol

from samara.link.ieee802154.air.zep import CHANNEL, OBSERVER, Hello
from samara.link.ieee802154.air.zep_radio import ZepRadio
from samara.net.addresses import DEFAULT_PREFIX
from samara.net.exchanges import Exchange, Exchanges
from samara.net.payload_log import LoggedPacket, PayloadLogReader

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

    from samara.net.lab import Lab

HEAR_S = 0.02
"""How long a call of `hear` takes at most, in seconds."""

_SO_RCVBUFFORCE = 33
"""Of Linux; Python has no name for it."""
_WAITING_SIZE = 8 << 20


class Hearing(Protocol):
    """What is heard of packets."""

    def hear(self) -> bool:
        """Wait a little; tell whether there was something."""
        ...

    def finished(self) -> Iterator[Exchange | LoggedPacket]:
        """Yield the packets of which nothing more is expected."""
        ...

    def close(self) -> None:
        """Hear no more."""
        ...


class OnAir:
    """Hears the frames of IEEE 802.15.4 without loss, and opens them."""

    def __init__(self, medium: str, nodes: Sequence[Path]) -> None:
        self._radio = ZepRadio(medium, CHANNEL, hello=Hello(0, OBSERVER))
        _allow_to_wait(self._radio.fileno())
        self._exchanges = Exchanges(nodes, DEFAULT_PREFIX)
        self.finished = self._exchanges.finished
        self.close = self._radio.close

    def hear(self) -> bool:
        """Take the frames that wait."""
        frames = self._radio.receive(HEAR_S)
        for heard in frames:
            self._exchanges.hear(heard.psdu)
        return bool(frames)


class ByNodes:
    """Reads what the nodes log, where nobody hears whole frames."""

    def __init__(self, nodes: Sequence[Path]) -> None:
        self._reader = PayloadLogReader(nodes, DEFAULT_PREFIX)
        self._packets: deque[LoggedPacket] = deque()
        self.close = self._reader.close

    def hear(self) -> bool:
        """Take what the nodes have logged."""
        time.sleep(HEAR_S)
        before = len(self._packets)
        self._packets += self._reader.packets()
        return len(self._packets) > before

    def finished(self) -> Iterator[LoggedPacket]:
        """Yield what was taken."""
        while self._packets:
            yield self._packets.popleft()


def hearing(lab: Lab) -> Hearing:
    """Return what hears the packets of a lab from now on."""
    nodes = [member.folder for member in lab.members]
    medium = lab.address_options[1].get("medium")
    return ByNodes(nodes) if medium is None else OnAir(medium, nodes)


def _allow_to_wait(descriptor: int) -> None:
    """Let the kernel keep the frames of some seconds, more than it does by itself."""
    with socket.socket(fileno=os.dup(descriptor)) as same:
        same.setsockopt(socket.SOL_SOCKET, _SO_RCVBUFFORCE, _WAITING_SIZE)
