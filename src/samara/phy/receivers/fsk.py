# SPDX-License-Identifier: Apache-2.0
"""A receiver of packets in 2-FSK and GFSK, which a sync word begins.

1. Preamble and sync word tell where packets may begin, and the carrier offset: see
   `fsk_search`.
2. Each bit is decided from three: samples are correlated with the waveforms of all
   eight, whatever the phase, and the bit in the middle of the best is taken. That suits
   any modulation index.
3. The clock is followed by the correlation before and after the time of a bit.
"""

from __future__ import annotations

import itertools
from typing import TYPE_CHECKING

import numpy as np

from samara.phy.receivers.fsk_search import SyncSearch, power
from samara.phy.receivers.streaming import Packet, PacketReceiver, Read
from samara.phy.transceivers.keying import bits_of

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

    from samara.phy.channel import Samples
    from samara.phy.receivers.streaming import Positions
    from samara.phy.transceivers.keying import Bits, Keying
    from samara.phy.transceivers.packet_formats import Parsed

_TRIPLES = np.array([*itertools.product((0, 1), repeat=3)], np.uint8)
_AT_ONCE = 64
"""Bits after which the clock is corrected."""
_CLOCK_GAIN = 0.5
# Wrong bits of a sync word of 16 bits and more that are accepted, as chips do.
_WRONG_BITS = 1


class FskReceiver(PacketReceiver[Packet]):
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
        self._search_sync = SyncSearch(keying, bits_of(preamble + sync))
        self._header = self._search_sync.size
        super().__init__(self._header, self._header + (longest + 4) * self._each)
        self._bank = np.conj(np.stack([keying.wave(row) for row in _TRIPLES]))

    def starts(self, samples: Samples) -> Positions:
        """Return where preamble and sync word may begin."""
        return self._search_sync.starts(samples)

    def read(self, samples: Samples, at: int) -> Read[Packet] | None:
        """Return the packet that begins here."""
        turn, share = self._search_sync.turn_and_share(samples[: self._header])
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
            self._search_sync.snr_db(share),
            turn * self._keying.sample_rate,
        )
        end = self._header + parsed.bits * self._each
        return Read(packet, end if parsed.is_intact else 0)


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
        parts = [self._symbols(min(_AT_ONCE, count - start)) for start in starts]
        return np.concatenate(parts) if parts else np.zeros(0, np.uint8)

    def _symbols(self, count: int) -> Bits:
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
        return power(windows @ self._bank.T)
