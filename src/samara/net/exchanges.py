# SPDX-License-Identifier: Apache-2.0
"""What is on the air, one packet and one hop at a time, for who has the keys."""

from __future__ import annotations

import time
from collections import deque
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from samara.errors import PacketError, RefusedError
from samara.link import ieee802154
from samara.link.ieee802154 import FrameType, receipts
from samara.link.ieee802154.frames.fcs import FCS_SIZE
from samara.net import traffic
from samara.net.energy import of_both_ends
from samara.net.keyring import Keyring
from samara.net.lowpan import Context, Hop, Reassembly

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from ipaddress import IPv6Network
    from pathlib import Path

    from samara.figure import Figure
    from samara.link.ieee802154 import Address, Frame
    from samara.link.node.receipt import Direction, Receipt
    from samara.net.keyring import Known

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
    frames: list[bytes] = field(default_factory=list)
    repetitions: list[bytes] = field(default_factory=list)
    acknowledgements: list[bytes] = field(default_factory=list)
    payload_bytes: int = 0
    """Of all frames: what 6LoWPAN has made of the packet."""
    security_bytes: int = 0
    """Of all frames and acknowledgements."""
    packet: bytes = b""
    level: int = 0
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

    def energy(self, cipher: str, device: str) -> Figure | None:
        """Return the energy of sender and receiver for it; None if it is not known.

        Parameters
        ----------
        cipher
            Of the frames.
        device
            The microcontroller of both ends.
        """
        suite = receipts.suite_of(cipher, self.level)

        def receipt(direction: Direction) -> Receipt:
            sent = receipts.Sent(
                direction,
                self.payload_bytes,
                self.frames,
                repetitions=self.repetitions,
                acknowledgements=self.acknowledgements,
            )
            return receipts.receipt_of(sent, suite)

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
        When one is not the directory of a node of IEEE 802.15.4.
    """

    def __init__(self, nodes: Sequence[Path], prefix: IPv6Network) -> None:
        self._contexts = (Context(prefix),)
        self.keyring = Keyring(nodes)
        self._open: dict[tuple[str, str, int], Exchange] = {}
        self._closing: deque[Exchange] = deque()
        # None: of a frame that could not be opened.
        self._recent: deque[tuple[bytes, Exchange | None]] = deque(maxlen=_OPEN_MAX)
        self._reassembly = Reassembly(slots=_OPEN_MAX, slots_each=4)
        self.heard = 0
        """Frames."""
        self.unopened = 0
        """Of these, frames that no key opens, or that no frames are."""

    def hear(self, psdu: bytes) -> None:
        """Take a frame with its FCS."""
        self.heard += 1
        try:
            frame = ieee802154.parse(psdu[:-FCS_SIZE])
        except (RefusedError, ValueError):
            self.unopened += 1
            return
        try:
            if frame.type is FrameType.ACKNOWLEDGEMENT:
                self._take_ack(frame, psdu)
            else:
                self._take(frame, psdu)
        except PacketError:
            # What nodes tell each other, such as a new key, is no packet.
            pass
        except (RefusedError, ValueError):
            self.unopened += 1
            # So that its acknowledgement is not taken for that of another frame.
            self._recent.append((psdu, None))

    def finished(self) -> Iterator[Exchange]:
        """Yield packets of which nothing more is expected."""
        now_s = time.monotonic()
        while self._closing and now_s - self._closing[0].heard_s > _CLOSING_S:
            yield self._closing.popleft()

    def _take_ack(self, frame: Frame, psdu: bytes) -> None:
        for sent, exchange in reversed(self._recent):
            if ieee802154.parse(sent[:-FCS_SIZE]).sequence == frame.sequence:
                if exchange is None:
                    return
                exchange.acknowledgements.append(psdu)
                exchange.security_bytes += _security_size_of_ack(frame)
                exchange.heard_s = time.monotonic()
                return

    def _take(self, frame: Frame, psdu: bytes) -> None:
        for sent, exchange in self._recent:
            if sent == psdu and exchange is not None:
                exchange.repetitions.append(psdu)
                exchange.heard_s = time.monotonic()
                return
        source = self.keyring.node_of(frame.source)
        destination = self.keyring.node_of(frame.destination)
        payload = self._payload(frame, psdu, source, destination)
        exchange, number = self._exchange(payload, source.name, destination.name)
        exchange.frames.append(psdu)
        exchange.payload_bytes += len(payload)
        exchange.security_bytes += _security_size(frame)
        exchange.level, exchange.heard_s = frame.level, time.monotonic()
        self._recent.append((psdu, exchange))
        hop = Hop(_bytes_of(frame.source), _bytes_of(frame.destination), self._contexts)
        packet = self._reassembly.receive(payload, hop, now=exchange.heard_s)
        if packet is not None:
            exchange.packet = packet
            self._open.pop((exchange.source, exchange.destination, number), None)
            self._closing.append(exchange)

    def _payload(
        self, frame: Frame, psdu: bytes, source: Known, destination: Known
    ) -> bytes:
        if not frame.level:
            return frame.payload
        return self.keyring.open(psdu[:-FCS_SIZE], source, destination).payload

    def _exchange(
        self, payload: bytes, source: str, destination: str
    ) -> tuple[Exchange, int]:
        """Return the packet that a payload belongs to, and the number of it."""
        if not payload or payload[0] & _FRAGMENT_MASK != _FRAGMENT:
            return Exchange(source, destination), -1
        number = int.from_bytes(payload[2:4], "big")
        key = source, destination, number
        if len(self._open) >= _OPEN_MAX and key not in self._open:
            self._open.pop(next(iter(self._open)))
        return self._open.setdefault(key, Exchange(source, destination)), number


def _bytes_of(address: Address) -> bytes:
    if address.long is not None:
        return address.long
    return (address.short or 0).to_bytes(2, "big")


def _security_size(frame: Frame) -> int:
    if frame.security is None:
        return 0
    key_id = frame.security.key_id
    index = 1 if key_id.mode else 0
    counter = 0 if frame.security.counter is None else 4
    return 1 + index + len(key_id.source) + counter + len(frame.mic)


def _security_size_of_ack(frame: Frame) -> int:
    """Return what security adds, with the counter that is all it carries."""
    return _security_size(frame) + (len(frame.payload) if frame.level else 0)
