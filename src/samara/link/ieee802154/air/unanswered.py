# SPDX-License-Identifier: Apache-2.0
"""Which frames on an emulated medium get no acknowledgement.

A radio waits macAckWaitDuration for an acknowledgement and then sends again. A process
on a host cannot: its peer may need longer to wake up. But the medium knows which frame
or acknowledgement it has lost, so that it can tell the sender at the time at which a
radio would have known (`samara.link.ieee802154.air.zep.Unanswered`). Nothing is told of
what the medium did not decide itself: a receiver that does not acknowledge is waited
for.
"""

from __future__ import annotations

from collections import OrderedDict
from dataclasses import dataclass
from typing import Generic, TypeVar

from samara import _core
from samara.link.ieee802154.air.channel import TURNAROUND_S, air_time_s

ACK_WAIT_S = 864e-6
"""macAckWaitDuration: 54 symbols, from the end of a frame."""
EXPECTED_MAX = 1024
"""Acknowledgements that may come; of more, the oldest are forgotten."""

_ACK_SIZE = 5
# Addresses that all have.
_TO_ALL = ("ffff", "f" * 16)

Node = TypeVar("Node")


@dataclass(frozen=True, slots=True)
class OnAir(Generic[Node]):
    """A frame that a node has handed to the medium."""

    datagram: bytes
    sender: Node
    sequence: int
    """Of the data packet that carried it."""
    frame: _core.RawFrame | None
    """What it says; None when it cannot be read."""

    @property
    def is_ack(self) -> bool:
        """Whether it is an acknowledgement."""
        return self.frame is not None and (
            self.frame.type is _core.FrameType.ACKNOWLEDGEMENT
        )

    @property
    def number(self) -> int | None:
        """The sequence number in the frame, which its acknowledgement repeats."""
        return None if self.frame is None else self.frame.sequence

    @property
    def asks_ack(self) -> bool:
        """Whether it asks for one."""
        return self.frame is not None and self.frame.ack_request

    @property
    def is_to_all(self) -> bool:
        """Whether more nodes than one may want it; also if it cannot be read."""
        return self.addressee in (None, *_TO_ALL)

    @property
    def addressee(self) -> str | None:
        """The address that it is for, in hexadecimal; None when it has none."""
        if self.frame is None:
            return None
        to = self.frame.destination
        if to.long is not None:
            return to.long.hex()
        return None if to.short is None else f"{to.short:04x}"


class Expected(Generic[Node]):
    """The acknowledgements that may come."""

    def __init__(self) -> None:
        self._asked: OrderedDict[tuple[Node, int], tuple[Node, int]] = OrderedDict()

    def arrived(self, sent: OnAir[Node], receiver: Node) -> None:
        """Note that a frame that asks for it has arrived where it is acknowledged."""
        if sent.number is None:
            return
        key = receiver, sent.number
        self._asked.pop(key, None)
        self._asked[key] = sent.sender, sent.sequence
        if len(self._asked) > EXPECTED_MAX:
            self._asked.popitem(last=False)

    def answered(self, ack: OnAir[Node]) -> tuple[Node, int] | None:
        """Return whom an acknowledgement answers, and which data packet of his."""
        if ack.number is None:
            return None
        return self._asked.pop((ack.sender, ack.number), None)


def after_frame_s(ends_s: float) -> float:
    """Return when a radio knows of a frame that it is not acknowledged."""
    return ends_s + ACK_WAIT_S


def after_ack_s(ends_s: float) -> float:
    """Return the same, from the end of an acknowledgement that was lost."""
    return ends_s + max(ACK_WAIT_S - TURNAROUND_S - air_time_s(_ACK_SIZE), 0.0)
