# SPDX-License-Identifier: Apache-2.0
"""What is on the air, one packet and one hop at a time, for who has the keys."""

from __future__ import annotations

import time
from collections import deque
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from samara.errors import MisuseError, PacketError, RefusedError
from samara.link.node import folder as folders
from samara.link.node.kinds import kind, kinds
from samara.net import traffic
from samara.net.energy import of_both_ends
from samara.net.lowpan import Context, Hop, Reassembly

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from ipaddress import IPv6Network
    from pathlib import Path

    from samara.figure import Figure
    from samara.link.node.receipt import Direction, Receipt
    from samara.link.node.sniffing import SniffedFrame, Sniffer, Sniffing

_OPEN_MAX = 64
"""Packets of which some frames were heard; the oldest is given up."""
_CLOSING_S = 0.3
"""How long an acknowledgement or a repetition is waited for, in seconds."""
# First and later fragments differ in one bit (RFC 4944, section 5.3).
_FRAGMENT, _FRAGMENT_MASK = 0xC0, 0xD8


@dataclass(slots=True)
class Exchange:
    """A packet on one hop, with all frames that carried it."""

    source: str
    destination: str
    sniffer: Sniffer
    """Who has heard it."""
    frames: list[bytes] = field(default_factory=list)
    repetitions: list[bytes] = field(default_factory=list)
    acknowledgements: list[bytes] = field(default_factory=list)
    payload_bytes: int = 0
    """Of all frames: what 6LoWPAN has made of the packet."""
    security_bytes: int = 0
    """Of all frames and acknowledgements."""
    packet: bytes = b""
    heard_s: float = 0.0
    """When the last frame was heard, by `time.monotonic`."""

    @property
    def protocol(self) -> str:
        """What the packet carries, in words."""
        return traffic.described(self.packet)[0]

    def layers(self) -> dict[str, int]:
        """Return the bytes of all frames by the layer that they are of."""
        _, header, data = traffic.described(self.packet)
        all_bytes = sum(
            len(psdu)
            for psdu in (*self.frames, *self.repetitions, *self.acknowledgements)
        )
        repeated = sum(map(len, self.repetitions))
        return {
            "mac": all_bytes - repeated - self.security_bytes - self.payload_bytes,
            "security": self.security_bytes,
            "6lowpan": self.payload_bytes - header - data,
            "transport": header,
            "payload": data,
            "repeated": repeated,
        }

    def energy(self, device: str) -> Figure | None:
        """Return the energy of sender and receiver for it; None if it is not known.

        Parameters
        ----------
        device
            The microcontroller of both ends.
        """

        def receipt(direction: Direction) -> Receipt:
            return self.sniffer.receipt(
                direction,
                self.payload_bytes,
                self.frames,
                self.repetitions,
                self.acknowledgements,
            )

        return of_both_ends(receipt, device)


class Exchanges:
    """Puts frames together to packets.

    Parameters
    ----------
    nodes
        Directories of nodes of one network. Keys that they share open frames.
    prefix
        The network.

    Raises
    ------
    MisuseError
        When one is not the directory of a node, or nobody can hear its frames.
    """

    def __init__(self, nodes: Sequence[Path], prefix: IPv6Network) -> None:
        self._contexts = (Context(prefix),)
        # The first one tells the kind of link.
        self.sniffing = _sniffing(nodes[0])
        self.sniffer = self.sniffing.sniffer(nodes)
        """Has the keys of the nodes."""
        self._open: dict[tuple[str, str, int], Exchange] = {}
        self._closing: deque[Exchange] = deque()
        # None: of a frame that could not be opened.
        self._recent: deque[tuple[SniffedFrame, Exchange | None]] = deque(
            maxlen=_OPEN_MAX
        )
        self._reassembly = Reassembly(slots=_OPEN_MAX, slots_each=4)
        self.heard = 0
        """Frames."""
        self.unopened = 0
        """Of these, frames that no key opens, or that no frames are."""

    def hear(self, encoded: bytes) -> None:
        """Take a frame as it was on the air."""
        self.heard += 1
        try:
            frame = self.sniffer.read(encoded)
        except (RefusedError, ValueError):
            self.unopened += 1
            return
        try:
            if frame.is_acknowledgement:
                self._take_ack(frame)
            else:
                self._take(frame)
        except PacketError:
            # What nodes tell each other, such as a new key, is no packet.
            pass
        except (RefusedError, ValueError):
            self.unopened += 1
            # So that its acknowledgement is not taken for that of another frame.
            self._recent.append((frame, None))

    def finished(self) -> Iterator[Exchange]:
        """Yield packets of which nothing more is expected."""
        now_s = time.monotonic()
        while self._closing and now_s - self._closing[0].heard_s > _CLOSING_S:
            yield self._closing.popleft()

    def _take_ack(self, frame: SniffedFrame) -> None:
        for sent, exchange in reversed(self._recent):
            if sent.number == frame.number:
                if exchange is None:
                    return
                exchange.acknowledgements.append(frame.encoded)
                exchange.security_bytes += frame.security_bytes
                exchange.heard_s = time.monotonic()
                return

    def _take(self, frame: SniffedFrame) -> None:
        for sent, exchange in self._recent:
            if sent.encoded == frame.encoded and exchange is not None:
                exchange.repetitions.append(frame.encoded)
                exchange.heard_s = time.monotonic()
                return
        opened = frame.open()
        payload = opened.payload
        exchange, number = self._exchange(payload, opened.source, opened.destination)
        exchange.frames.append(frame.encoded)
        exchange.payload_bytes += len(payload)
        exchange.security_bytes += frame.security_bytes
        exchange.heard_s = time.monotonic()
        self._recent.append((frame, exchange))
        hop = Hop(opened.source_address, opened.destination_address, self._contexts)
        packet = self._reassembly.receive(payload, hop, now=exchange.heard_s)
        if packet is not None:
            exchange.packet = packet
            self._open.pop((exchange.source, exchange.destination, number), None)
            self._closing.append(exchange)

    def _exchange(
        self, payload: bytes, source: str, destination: str
    ) -> tuple[Exchange, int]:
        """Return the packet that a payload belongs to, and the number of it."""
        if not payload or payload[0] & _FRAGMENT_MASK != _FRAGMENT:
            return Exchange(source, destination, self.sniffer), -1
        number = int.from_bytes(payload[2:4], "big")
        key = source, destination, number
        if len(self._open) >= _OPEN_MAX and key not in self._open:
            self._open.pop(next(iter(self._open)))
        new = Exchange(source, destination, self.sniffer)
        return self._open.setdefault(key, new), number


def _sniffing(node: Path) -> Sniffing:
    """Return what hears the frames of a node."""
    link = folders.read(node).link
    found = kind(link).sniffing
    if found is None:
        able = [name for name, each in kinds().items() if each.sniffing is not None]
        message = (
            f"{node} is a node of {link}: only frames of {' or '.join(able)} can be"
            " heard"
        )
        raise MisuseError(message)
    return found
