# SPDX-License-Identifier: Apache-2.0
"""Frames of a simulation as bursts: modulator, channel and receiver of the real link.

Bursts go one after the other through the channel that `samara channel` has, and the
receiver of gr-samara finds them in its samples. A frame whose burst is not found has
soft bits of zero, so that it counts as wrong.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from samara.phy.bursts import form_of
from samara.phy.channel import BURST_AMPLITUDE, Path
from samara.phy.composing import burst_noise_power
from samara.phy.frames import sign_changed
from samara.phy.front_end import Reception

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from samara.phy.burst_form import Modulator
    from samara.phy.channel import Samples
    from samara.phy.coded import CodedFrames
    from samara.phy.front_end import Surroundings
    from samara.phy.mappers import Bits, SoftBits

_SHORTEST_GAP, _LONGEST_GAP = 500, 3000
# A ray may be the strongest one, and a clock may be wrong, by so many samples.
_NEAR = 64
# What no echo reaches beyond.
_TAIL = 200


def receive(
    modulation: str,
    surroundings: Surroundings,
    frames: CodedFrames,
    bits: Bits,
    ebn0_db: float,
    random: np.random.Generator,
) -> SoftBits:
    """Send rows of coded bits as bursts, and return their soft bits.

    Parameters
    ----------
    modulation
        Its name in `samara.phy.modulation`.
    surroundings
        What bursts go through.
    frames
        The codec that made the bits.
    bits
        One row for each burst.
    ebn0_db
        Energy of an information bit over the noise density. The energy of data
        symbols counts; that of preamble and pilots does not.
    random
        Source of the gaps, and of the seeds of the channel.
    """
    modulator = form_of(modulation).modulator(frames.coded_bits, BURST_AMPLITUDE)
    sent, starts = _stream(modulator, bits, random)
    path_seed, seed = (int(value) for value in random.integers(0, 2**63, 2))
    arrived = Path(surroundings.path, path_seed).process(sent)
    power = burst_noise_power(modulation, frames, ebn0_db)
    reception = Reception(surroundings.front_end, power, seed)
    heard = reception.convert(arrived + reception.draw(len(arrived)))
    starts = starts / (1 + surroundings.path.clock_ppm * 1e-6)
    return _received(modulation, heard, starts, frames.coded_bits)


def _stream(
    modulator: Modulator,
    bits: Bits,
    random: np.random.Generator,
) -> tuple[Samples, NDArray[np.float64]]:
    """Return bursts with gaps, and where the middle of each one's first pulse is."""
    gaps = random.integers(_SHORTEST_GAP, _LONGEST_GAP, len(bits))
    pieces = []
    for row, gap in zip(bits, gaps, strict=True):
        pieces += [np.zeros(gap, np.complex64), modulator.modulate(row)]
    pieces.append(np.zeros(_TAIL, np.complex64))
    lengths = gaps + modulator.samples
    starts = np.cumsum(lengths) - modulator.samples + modulator.half_span
    return np.concatenate(pieces), starts.astype(np.float64)


def _received(
    modulation: str, heard: Samples, starts: NDArray[np.float64], bits: int
) -> SoftBits:
    """Return the soft bits of the bursts that begin near `starts`; else zeros.

    A late echo may be found as a burst of its own: the one with more SNR counts.
    """
    receiver = form_of(modulation).receiver(bits)
    soft = np.zeros((len(starts), bits), np.float32)
    snr_db = np.full(len(starts), -np.inf)
    for burst in (*receiver.feed(heard), *receiver.finish()):
        nearest = int(np.argmin(np.abs(starts - burst.sample)))
        is_near = abs(starts[nearest] - burst.sample) <= _NEAR
        if is_near and burst.snr_db > snr_db[nearest]:
            snr_db[nearest] = burst.snr_db
            soft[nearest] = sign_changed(np.asarray(burst.soft, np.float32))
    return soft
