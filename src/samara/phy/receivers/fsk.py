# SPDX-License-Identifier: Apache-2.0
"""A receiver of packets in 2-FSK and GFSK, which a sync word begins.

1. Products of samples that are `lag` apart, correlated with those of preamble and sync
   word, tell where packets may begin, and the carrier offset: as in `dsss`.
2. Each bit is decided from three: samples are correlated with the waveforms of all
   eight, whatever the phase, and the bit in the middle of the best is taken. That suits
   any modulation index.
3. The clock is followed by the correlation before and after the time of a bit.
"""

from __future__ import annotations

import itertools
import math
from typing import TYPE_CHECKING

import numpy as np

from samara.extras import need
from samara.phy.receivers.streaming import Packet, PacketReceiver, Read, peaks, sums
from samara.phy.transceivers.keying import bits_of

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

    from samara.phy.channel import Samples
    from samara.phy.receivers.streaming import Positions
    from samara.phy.transceivers.keying import Bits, Keying
    from samara.phy.transceivers.packet_formats import Parsed

signal = need("scipy.signal", "phy")

# Share of the products' energy that has to be that of the sync word.
_LEAST_SHARE = 0.25
_TRIPLES = np.array([*itertools.product((0, 1), repeat=3)], np.uint8)
_AT_ONCE = 64
"""Bits after which the clock is corrected."""
_CLOCK_GAIN = 0.5
# Wrong bits of a sync word of 16 bits and more that are accepted, as chips do.
_WRONG_BITS = 1


class FskReceiver(PacketReceiver):
    """Receives packets that begin with a sync word.

    Parameters
    ----------
    keying
        How bits are sent; samples have its `sample_rate`.
    preamble, sync
        What a packet begins with; preamble may be its last part.
    longest
        Bits of the longest packet after its sync word.
    parse
        Takes a function that returns the next bits; returns the packet, or None if
        there is none.
    """

    def __init__(
        self,
        keying: Keying,
        preamble: bytes,
        sync: bytes,
        longest: int,
        parse: Callable[[Callable[[int], Bits]], Parsed | None],
    ) -> None:
        self._keying, self._parse, self._each = keying, parse, keying.samples
        self._sync = bits_of(sync)
        known = bits_of(preamble + sync)
        self._header = len(known) * self._each
        super().__init__(self._header, self._header + (longest + 4) * self._each)
        products = _products(keying.wave(known), keying.lag)
        # Without their mean, so that a tone is no sync word.
        shape = products - products.mean()
        self._filter = np.conj(shape[::-1]).astype(np.complex64)
        self._energy = float(_power(shape).sum())
        self._bank = np.conj(np.stack([keying.wave(row) for row in _TRIPLES]))

    def starts(self, samples: Samples) -> Positions:
        """Return where the products fit those of the sync word best."""
        share, _ = self._fit(samples)
        return peaks(share, _LEAST_SHARE, self._header // 2)

    def _fit(self, samples: Samples) -> tuple[NDArray[np.float64], Samples]:
        products = _products(samples, self._keying.lag)
        size = len(self._filter)
        if len(products) < size:
            return np.zeros(0), np.zeros(0, np.complex64)
        fit: Samples = signal.oaconvolve(products, self._filter, mode="valid")
        energy = sums(_power(products), size)
        floor = np.finfo(np.float32).tiny + energy.max() * 1e-9
        return _power(fit) / (self._energy * np.maximum(energy, floor)), fit

    def read(self, samples: Samples, at: int) -> Read | None:
        """Return the packet that begins here."""
        share, fit = self._fit(samples[: self._header])
        turn = float(np.angle(fit[0])) / (2 * np.pi * self._keying.lag)
        after = self._header - len(self._sync) * self._each
        reader = _Reader(self._bank, self._each, samples, after, turn)
        wrong = np.count_nonzero(reader.bits(len(self._sync)) != self._sync)
        if wrong > _WRONG_BITS:
            return None
        parsed = self._parse(reader.bits)
        if parsed is None:
            return None
        packet = Packet(
            at,
            parsed.content,
            parsed.is_intact,
            _snr_db(float(share[0])),
            turn * self._keying.sample_rate,
        )
        end = self._header + parsed.bits * self._each
        return Read(packet, end if parsed.is_intact else 0)


def _snr_db(share: float) -> float:
    """Return the signal-to-noise ratio at which products have this share of signal.

    With a ratio of g, signal is g^2 of (g + 1)^2 of the energy of the products.
    """
    root = math.sqrt(min(share, 0.9999))
    return 10 * math.log10(root / (1 - root))


class _Reader:
    """Reads bit after bit of a packet, and follows the clock."""

    def __init__(
        self, bank: Samples, each: int, samples: Samples, time: float, turn: float
    ) -> None:
        self._bank, self._each, self._samples = bank, each, samples
        self._turn = turn
        self.time = time
        """Where the next bit begins, in samples."""

    def bits(self, count: int) -> Bits:
        """Read bits; what is behind the samples is decided from silence."""
        starts = range(0, count, _AT_ONCE)
        parts = [self._some(min(_AT_ONCE, count - start)) for start in starts]
        return np.concatenate(parts) if parts else np.zeros(0, np.uint8)

    def _some(self, count: int) -> Bits:
        powers = self._powers(self.time, count)
        best = powers.argmax(axis=1)
        rows = np.arange(count)
        aside = max(1, self._each // 8)
        early, late = (
            float(self._powers(self.time + by, count)[rows, best].sum())
            for by in (-aside, aside)
        )
        total = early + late
        self.time += count * self._each
        if total:
            self.time += _CLOCK_GAIN * aside * (late - early) / total
        decided: Bits = _TRIPLES[best, 1]
        return decided

    def _powers(self, time: float, count: int) -> NDArray[np.float64]:
        """Return how well three bits fit around each of `count` bits."""
        each = self._each
        first = round(time) - each
        size = (count + 2) * each
        piece = self._samples[max(first, 0) : max(first + size, 0)]
        piece = np.pad(piece, (max(-first, 0), size - len(piece) - max(-first, 0)))
        turn = np.exp(-2j * np.pi * self._turn * np.arange(size))
        straight = (piece * turn).astype(np.complex64)
        windows = np.lib.stride_tricks.sliding_window_view(straight, 3 * each)[::each]
        return _power(windows @ self._bank.T)


def _products(samples: Samples, lag: int) -> Samples:
    products: Samples = samples[lag:] * np.conj(samples[:-lag])
    return products


def _power(values: Samples) -> NDArray[np.float64]:
    return values.real.astype(np.float64) ** 2 + values.imag.astype(np.float64) ** 2
