# SPDX-License-Identifier: Apache-2.0
"""Which frames are acknowledged, and by what.

A frame of 2003 or 2006 is answered by an immediate acknowledgement: three bytes, of
which one is the sequence number. It contains no address and no MIC: anybody can forge
it, and it proves nothing. A frame of 2015 is answered by an enhanced acknowledgement,
which is secured if the frame was.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cache
from typing import TYPE_CHECKING

from samara.link.ieee802154.frames.frame import (
    Address,
    Frame,
    FrameError,
    FrameType,
    Version,
    build,
)
from samara.link.ieee802154.frames.security import acknowledges

if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any, Self

BROADCAST_SHORT = 0xFFFF
"""The short address and the PAN that stand for all."""


@dataclass(frozen=True, slots=True)
class Identity:
    """The addresses by which a node's MAC knows that a frame is for it."""

    pan: int
    short: int | None
    extended: bytes

    @classmethod
    def of(cls, settings: Mapping[str, Any]) -> Self:
        """Return the identity that the settings of a node give it."""
        own = settings["own"]
        return cls(
            int(settings["pan"], 16),
            int(own["short"], 16),
            bytes.fromhex(own["extended"]),
        )

    def is_addressed(self, frame: Frame) -> bool:
        """Tell whether a frame is for this node alone."""
        to = frame.destination
        if to.pan not in (None, self.pan, BROADCAST_SHORT):
            return False
        if to.long is not None:
            return to.long == self.extended
        return to.short is not None and to.short == self.short

    def is_to_all(self, frame: Frame) -> bool:
        """Tell whether a frame is for everybody in the PAN of this node."""
        is_here = frame.destination.pan in (None, self.pan, BROADCAST_SHORT)
        return is_here and frame.destination.short == BROADCAST_SHORT


def wants_ack(frame: Frame) -> bool:
    """Tell whether a receiver has to acknowledge a frame that is for it.

    Nodes take no commands, and so acknowledge none.
    """
    return frame.ack_request and frame.type is FrameType.DATA


def confirmation_of(frame: Frame) -> bytes:
    """Return what the secured acknowledgement of a frame contains: its counter."""
    if frame.security is None or frame.security.counter is None:
        return b""
    return frame.security.counter.to_bytes(4, "little")


@cache
def immediate(sequence: int) -> bytes:
    """Return the immediate acknowledgement of a frame with this number, 8 bits.

    There are 256, and a sender waits for each of them.
    """
    return build(_immediate(sequence))


def _immediate(sequence: int | None) -> Frame:
    return Frame(
        type=FrameType.ACKNOWLEDGEMENT, version=Version.V2003, sequence=sequence
    )


def unsecured_answer_to(frame: Frame) -> bytes:
    """Return the bytes of an acknowledgement without security."""
    if frame.version is not Version.V2015 and frame.sequence is not None:
        return immediate(frame.sequence)
    return build(answer_to(frame))


def answer_to(frame: Frame) -> Frame:
    """Return the acknowledgement of a frame; an enhanced one is not secured yet."""
    if frame.version is not Version.V2015:
        return _immediate(frame.sequence)
    source = frame.source
    has_source = source.short is not None or source.long is not None
    pan = source.pan if source.pan is not None else frame.destination.pan
    security = frame.security
    if security is not None:
        security = replace(security, counter=0, reserved=0)
    return Frame(
        type=FrameType.ACKNOWLEDGEMENT,
        version=Version.V2015,
        sequence=frame.sequence,
        destination=replace(source, pan=pan) if has_source else Address(),
        # Two extended addresses do without any PAN.
        pan_compression=has_source and pan is None,
        security=security,
    )


def belongs_to(acknowledgement: bytes, sent: bytes) -> bool:
    """Tell whether an acknowledgement, opened if it was secured, answers a frame."""
    try:
        acknowledges(acknowledgement, sent)
    except FrameError:
        return False
    return True


__all__ = [
    "BROADCAST_SHORT",
    "Identity",
    "answer_to",
    "belongs_to",
    "confirmation_of",
    "immediate",
    "unsecured_answer_to",
    "wants_ack",
]
