# SPDX-License-Identifier: Apache-2.0
"""Receipts of messages that travelled as bursts of samples."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from samara.figure import Figure, Origin
from samara.link.node.receipt import Call, Direction, Receipt, together

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

_TAG_BYTES = 4
_LENGTH_BYTES = 2
_SUITE = "grain128ple"
_BURSTS = "samples of its bursts at the sample rate"
_NO_BIT_ADDED = "Encrypting adds no bit: coded bits were counted with and without it."
_REMARKS = ("Cycles on a device are of encrypting each frame's bits, without the tag.",)


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
    answers: int = 0
    """Frames that go the other way and acknowledge it."""


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
            "acknowledgement": carried.answers * frames.coded_bits / 8,
            "radio": (count + carried.answers) * frames.preamble_bits / 8,
        },
        packets=count,
        payloads=count,
        encrypted_bytes=round(coded),
        calls=together(_calls(carried, frames)),
        figures=_figures(carried, frames),
        remarks=_REMARKS if added else (_NO_BIT_ADDED, *_REMARKS),
    )


def _calls(carried: Carried, frames: Frames) -> Iterator[Call]:
    """Yield the encryption of whole frames: each has a nonce of its own."""
    size = -(-frames.coded_bits // 8)
    counts = (len(carried.payloads), carried.answers)
    for verb, count in zip(carried.direction.verbs, counts, strict=True):
        if count:
            yield Call(_SUITE, verb, size, 0, count)


def _figures(carried: Carried, frames: Frames) -> dict[str, Figure]:
    count = len(carried.payloads)
    found = {
        "air_time": Figure(
            (count + carried.answers) * frames.burst_s, "s", Origin.ESTIMATED, _BURSTS
        ),
        "cipher_state": Figure(
            frames.state_bytes, "byte", Origin.MEASURED, "the compiler of this machine"
        ),
    }
    if carried.answers:
        seconds = carried.answers * frames.burst_s
        found["acknowledgement_time"] = Figure(seconds, "s", Origin.ESTIMATED, _BURSTS)
    if carried.cipher_s is not None:
        where = "the clock of this machine, within the cipher"
        found["cipher_time_by_clock"] = Figure(
            carried.cipher_s, "s", Origin.HOST_CLOCK, where
        )
    if carried.delivery_s is not None:
        found["delivery_time_by_clock"] = Figure(
            carried.delivery_s, "s", Origin.HOST_CLOCK, "the clocks of both ends"
        )
    return found
