# SPDX-License-Identifier: Apache-2.0
"""Receipts of messages that travelled as bursts of samples."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from samara.figure import Figure, Origin
from samara.link.receipt import Direction, Receipt

if TYPE_CHECKING:
    from collections.abc import Sequence

_TAG_BYTES = 4
_LENGTH_BYTES = 2
_SUITE = "grain128ple"
_NO_BIT_ADDED = "Encrypting adds no bit: coded bits were counted with and without it."
_NOTES = ("Cycles on a device are of encrypting all bits in one go, without the tag.",)


@dataclass(frozen=True, slots=True)
class Frames:
    """What all frames of a link have in common."""

    payload_bytes: int
    """With length and fill, without the tag."""
    coded_bits: int
    """On the air, encrypted."""
    bits_added_by_encryption: int
    """Coded bits with encryption less those without, counted."""
    preamble_bits: int
    """What preamble and pilots take, in bits of the modulation."""
    burst_s: float
    """How long a burst is."""
    state_bytes: int
    """Memory of the cipher's state on this machine."""


@dataclass(frozen=True, slots=True)
class Carried:
    """A message that was sent or received."""

    direction: Direction
    message: bytes
    payloads: Sequence[int]
    """Bytes that the node put into each frame."""
    cipher_s: float | None = None
    """Spent in the cipher for it, by the clock; None when nothing was sent."""
    sending_s: float | None = None
    """By the clock, until all was handed to the radio."""
    delivery_s: float | None = None


def receipt_of(carried: Carried, frames: Frames) -> Receipt:
    """Return what a message cost: every bit of every burst is in one part."""
    count = len(carried.payloads)
    inside = sum(carried.payloads)
    coded = count * frames.coded_bits / 8
    uncoded = count * (frames.payload_bytes + _TAG_BYTES)
    added = count * frames.bits_added_by_encryption / 8
    return Receipt(
        link="sdr",
        direction=carried.direction,
        protection="physical layer",
        suite=_SUITE,
        parts={
            "message": len(carried.message),
            "cipher": added,
            "framing": inside - len(carried.message) + count * _LENGTH_BYTES,
            "tag": count * _TAG_BYTES,
            "coding": coded - uncoded - added,
            "fill": count * (frames.payload_bytes - _LENGTH_BYTES) - inside,
            "radio": count * frames.preamble_bits / 8,
        },
        packets=count,
        encrypted_bytes=round(coded),
        figures=_figures(carried, frames),
        notes=_NOTES if added else (_NO_BIT_ADDED, *_NOTES),
    )


def _figures(carried: Carried, frames: Frames) -> dict[str, Figure]:
    count = len(carried.payloads)
    found = {
        "air_time": Figure(
            count * frames.burst_s,
            "s",
            Origin.ESTIMATED,
            "samples of its bursts at the sample rate",
        ),
        "cipher_state": Figure(
            frames.state_bytes, "byte", Origin.MEASURED, "the compiler of this machine"
        ),
    }
    if carried.cipher_s is not None:
        where = "the clock of this machine, within the cipher"
        found["cipher_time_measured"] = Figure(
            carried.cipher_s, "s", Origin.MEASURED, where
        )
    if carried.delivery_s is not None:
        found["delivery_time_measured"] = Figure(
            carried.delivery_s, "s", Origin.MEASURED, "the clocks of both ends"
        )
    return found
