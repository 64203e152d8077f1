# SPDX-License-Identifier: Apache-2.0
"""Messages as samples of bursts that went through a channel."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np

from samara.phy.bursts import form_of
from samara.phy.channel import (
    BURST_AMPLITUDE,
    Impairments,
    Noise,
    Path,
    noise_power,
)
from samara.phy.coded import Code, CodedFrames
from samara.phy.modulation import DEFAULT, find
from samara.phy.recordings import Annotation

if TYPE_CHECKING:
    from samara.phy.channel import Samples
    from samara.phy.mappers import Bits


@dataclass(frozen=True, slots=True, kw_only=True)
class Composition:
    """Parameters of a recording."""

    modulation: str = DEFAULT
    payload_size: int = 60
    """Payload of a frame in bytes; the last frame is padded with zeros."""
    encrypts: bool = True
    first_counter: int = 0
    """Frame counter of the first frame. Never use one twice with the same key."""
    gap: int = 4000
    """Samples between bursts."""
    ebn0_db: float = 20.0
    impairments: Impairments = field(default_factory=Impairments)
    seed: int = 1


@dataclass(frozen=True, slots=True)
class Composed:
    """The content of a recording."""

    samples: Samples
    annotations: tuple[Annotation, ...]
    frames: int


def compose(message: bytes, key: bytes, how: Composition) -> Composed:
    """Divide a message into frames and return them as received.

    Raises
    ------
    samara.phy.tuning.RadioError
        If GNU Radio is not installed.
    """
    frames = CodedFrames(Code.CONV, how.payload_size, key)
    payloads = _cut(message, how.payload_size)
    rows = frames.encode(payloads, how.first_counter, encrypts=how.encrypts)
    modulator = form_of(how.modulation).modulator(frames.coded_bits, BURST_AMPLITUDE)
    silence = np.zeros(how.gap, np.complex64)
    pieces = [silence]
    notes = []
    for number, row in enumerate(rows, how.first_counter):
        start = sum(map(len, pieces))
        pieces += [modulator.modulate(row), silence]
        label = f"frame {number}"
        comment = f"{how.modulation}, {'Grain-128PLE' if how.encrypts else 'plain'}"
        notes.append(Annotation(start, modulator.samples, label, comment))
    heard = Path(how.impairments, how.seed).process(np.concatenate(pieces))
    noise = Noise(burst_noise_power(how.modulation, frames, how.ebn0_db), how.seed + 1)
    samples: Samples = heard + noise.draw(len(heard))
    return Composed(samples, tuple(notes), len(rows))


def _cut(message: bytes, size: int) -> Bits:
    filled = message + bytes(-len(message) % size if message else size)
    return np.frombuffer(filled, np.uint8).reshape(-1, size)


def burst_noise_power(modulation: str, frames: CodedFrames, ebn0_db: float) -> float:
    """Return the variance of a sample of noise for bursts of `BURST_AMPLITUDE`.

    Eb is of a bit of payload or tag; preamble and pilots do not count.
    """
    mapper = find(modulation).mapper()
    # With DSSS, a symbol is 16 pairs of chips.
    spread = mapper.samples_per_symbol
    each = form_of(modulation).samples_per_value * spread
    samples = each * frames.coded_bits / mapper.bits_per_symbol
    bits_per_sample = frames.information_bits / samples
    return noise_power(ebn0_db, bits_per_sample, BURST_AMPLITUDE**2)
