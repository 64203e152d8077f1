# SPDX-License-Identifier: Apache-2.0
"""A receiver of frames of IEEE 802.15.4 with direct-sequence spreading.

1. Products of each sample and the one a chip before do not depend on the carrier
   frequency but for one factor. Correlated with those of preamble and delimiter, they
   tell where frames may begin.
2. There, samples times the known waveform are a tone: its frequency is the carrier
   offset, and its height the quality.
3. Symbols are correlated with the 16 (or 2) that there are. What is left of the carrier
   offset, and the difference of the clocks, are followed from symbol to symbol.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from samara.extras import need
from samara.phy.receivers.streaming import Packet, PacketReceiver, Read, peaks, sums

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

    from samara.phy.channel import Samples
    from samara.phy.receivers.dsss_table import Spreading
    from samara.phy.receivers.streaming import Positions

fft = need("scipy.fft", "phy")
signal = need("scipy.signal", "phy")

_LONGEST_PSDU = 127
_SMALLEST_PSDU = 3
# Of noise, the share of the energy is exponential with the mean 1 / window: one start
# in 10 million samples.
_LOG_FALSE_STARTS = 16.0
# Share of the energy of preamble and delimiter that has to be the known waveform.
# Data of other frames have up to 0.07 of it.
_LEAST_SHARE = 0.15
# Crystals of 60 ppm at both ends, at 2.48 GHz.
_FARTHEST_HZ = 300e3
_START_SYMBOLS = 16
_PHASES = 4
"""Fractions of a sample for which there is a waveform each."""
_AROUND = 2
"""Samples on each side of a start that are tried."""
_AT_ONCE = 16
"""Symbols after which carrier and clock are corrected."""
_CARRIER_GAIN, _CLOCK_GAIN = 0.5, 0.3


@dataclass(frozen=True, slots=True)
class _Found:
    """Where a frame begins, exactly."""

    shift: float
    """In samples from the first one."""
    frequency: float
    """Carrier offset in cycles per sample."""
    share: float


class DsssReceiver(PacketReceiver[Packet]):
    """Receives the frames of one channel.

    Parameters
    ----------
    spreading
        The physical layer; samples have its `sample_rate`.
    is_right
        Tells whether the check sequence of a frame is right.
    """

    def __init__(self, spreading: Spreading, is_right: Callable[[bytes], bool]) -> None:
        self._spreading, self._is_right = spreading, is_right
        self._symbol = spreading.symbol_samples
        header = spreading.header
        self._header = len(header) * self._symbol
        symbols = 8 * (1 + _LONGEST_PSDU) // spreading.bits_per_symbol
        frame = symbols * self._symbol
        super().__init__(self._header, self._header + frame + 8 * self._symbol)
        # Products over a chip hardly depend on bits of BPSK, those over a symbol do.
        is_offset = spreading.is_offset
        self._lag = spreading.samples_per_chip if is_offset else self._symbol
        # Of a long preamble, the end: all of it is alike.
        self._skipped = max(0, len(header) - _START_SYMBOLS) * self._symbol
        self._known = [
            np.conj(spreading.wave(header, phase / _PHASES)) for phase in range(_PHASES)
        ]
        products = _products(np.conj(self._known[0][self._skipped :]), self._lag)
        self._start_filter = np.conj(products[::-1]).astype(np.complex64)
        self._start_energy = float(np.sum(np.abs(products) ** 2))
        self._bank = [
            self._waves_of_symbols(phase / _PHASES) for phase in range(_PHASES)
        ]

    def _waves_of_symbols(self, shift: float) -> NDArray[np.complex64]:
        count = 16 if self._spreading.is_offset else 1
        each = [self._spreading.wave(np.array([i]), shift) for i in range(count)]
        return np.conj(np.stack(each)).astype(np.complex64)

    def starts(self, samples: Samples) -> Positions:
        """Return where the share of the energy that fits the header has a peak."""
        products = _products(samples[self._skipped :], self._lag)
        size = len(self._start_filter)
        if len(products) < size:
            return np.zeros(0, np.int64)
        fit = signal.oaconvolve(products, self._start_filter, mode="valid")
        energy = sums(_power(products), size)
        floor = np.finfo(np.float32).tiny + energy.max() * 1e-9
        share = _power(fit) / (self._start_energy * np.maximum(energy, floor))
        found = peaks(share, _LOG_FALSE_STARTS / size, size // 2)
        return np.maximum(found - _AROUND, 0)

    def read(self, samples: Samples, at: int) -> Read[Packet] | None:
        """Return the frame that begins here, if it has a length."""
        found = self._tuned(samples)
        if found is None:
            return None
        begin = found.shift + self._header
        reader = _Reader(self._spreading, self._bank, samples, begin, found.frequency)
        if not reader.finds_delimiter():
            return None
        length = reader.bytes(1)[0] & 0x7F
        if length < _SMALLEST_PSDU:
            return None
        psdu = reader.bytes(length)
        noise = max(1 - found.share, 1e-6)
        packet = Packet(
            at + round(found.shift),
            psdu,
            self._is_right(psdu),
            10 * math.log10(found.share / noise),
            found.frequency * self._spreading.sample_rate,
        )
        # After a frame that is wrong, another may begin at once.
        return Read(packet, int(reader.time) - self._symbol if packet.is_intact else 0)

    def _tuned(self, samples: Samples) -> _Found | None:
        """Return beginning and carrier offset with the best fit to the header."""
        whole = self._best(samples, [(begin, 0) for begin in range(2 * _AROUND + 1)])
        if whole.share < _LEAST_SHARE / 2:
            return None
        first = int(whole.shift)
        phases = range(1, _PHASES)
        near = [(begin, phase) for begin in (first, first + 1) for phase in phases]
        best = max(whole, self._best(samples, near), key=_share)
        return best if best.share > _LEAST_SHARE else None

    def _best(self, samples: Samples, tried: list[tuple[int, int]]) -> _Found:
        """Return the best fit of beginnings and phases."""
        # With a wave that is `phase` later, the frame began that much before.
        fits = (
            self._fit(
                samples[begin : begin + self._header],
                self._known[phase],
                begin - phase / _PHASES,
            )
            for begin, phase in tried
        )
        return max(fits, key=_share)

    def _fit(self, piece: Samples, known: Samples, shift: float) -> _Found:
        size = 1 << (2 * len(known) - 1).bit_length()
        spectrum = _power(fft.fft(piece * known[: len(piece)], size))
        farthest = int(_FARTHEST_HZ / self._spreading.sample_rate * size)
        near = np.r_[0:farthest, size - farthest : size]
        best = int(near[np.argmax(spectrum[near])])
        energy = float(_power(piece).sum() * _power(known).sum()) or 1.0
        left, top, right = spectrum[[(best - 1) % size, best, (best + 1) % size]]
        bend = left - 2 * top + right
        exact = best + (0.5 * (left - right) / bend if bend else 0.0)
        frequency = exact / size - (best > size // 2)
        return _Found(shift, frequency, float(top) / energy)


class _Reader:
    """Reads symbol after symbol of a frame, and follows carrier and clock."""

    def __init__(
        self,
        spreading: Spreading,
        bank: list[NDArray[np.complex64]],
        samples: Samples,
        time: float,
        frequency: float,
    ) -> None:
        self._spreading, self._bank, self._samples = spreading, bank, samples
        self._size = spreading.symbol_samples
        self._frequency, self._phase = frequency, 0.0
        self._last = np.complex64(0)
        self.time = time
        """Where the next symbol begins, in samples."""

    def finds_delimiter(self) -> bool:
        """Read the delimiter, and tell whether it is there."""
        wanted = self._spreading.header[-8 // self._spreading.bits_per_symbol :]
        self.time -= self._size * (len(wanted) + 1)
        self._symbols(1)
        return np.array_equal(self._symbols(len(wanted)), wanted)

    def bytes(self, count: int) -> bytes:
        """Read bytes; what is behind the samples is zeros."""
        per_symbol = self._spreading.bits_per_symbol
        left, parts = 8 * count // per_symbol, []
        while left:
            parts.append(self._symbols(min(left, _AT_ONCE)))
            left -= len(parts[-1])
        numbers = np.concatenate(parts)
        bits = numbers[:, None] >> np.arange(per_symbol) & 1
        return np.packbits(bits.astype(np.uint8), bitorder="little").tobytes()

    def _symbols(self, count: int) -> NDArray[np.int64]:
        first, piece = self._piece(count)

        def rows_at(time: float) -> tuple[int, NDArray[np.complex64]]:
            whole, phase = _split(time)
            begin = whole - first
            rows = piece[begin : begin + count * self._size]
            return phase, rows.reshape(count, self._size)

        phase, rows = rows_at(self.time)
        fits = rows @ self._bank[phase].T
        numbers = np.argmax(_power(fits), axis=1)
        aside = []
        quarter = self._spreading.samples_per_chip / 4
        for time in (self.time - quarter, self.time + quarter):
            phase, rows = rows_at(time)
            sums = np.einsum("ij,ij->i", rows, self._bank[phase][numbers])
            aside.append(float(_power(sums).sum()))
        early, late = aside
        total = early + late
        self._phase += self._frequency * self._size * count
        self.time += self._size * count
        ahead = (late - early) / total if total else 0.0
        self.time += _CLOCK_GAIN * 2 * quarter * ahead
        return self._followed(fits[np.arange(count), numbers], numbers)

    def _followed(
        self, best: NDArray[np.complex64], numbers: NDArray[np.int64]
    ) -> NDArray[np.int64]:
        """Correct the carrier by the turns from symbol to symbol; decide BPSK."""
        turns = best * np.conj(np.concatenate([[self._last], best[:-1]]))
        self._last = best[-1]
        if not self._spreading.is_offset:
            numbers = (turns.real < 0).astype(np.int64)
            turns = np.where(numbers, -turns, turns)
        angle = float(np.angle(turns.sum()))
        self._frequency += _CARRIER_GAIN * angle / (2 * np.pi * self._size)
        return numbers

    def _piece(self, count: int) -> tuple[int, NDArray[np.complex64]]:
        """Return samples of symbols without carrier offset, and where they begin."""
        first = _split(self.time)[0] - 1
        size = count * self._size + 2
        piece = self._samples[max(first, 0) : max(first, 0) + size]
        if len(piece) < size:
            piece = np.pad(piece, (0, size - len(piece)))
        cycles = self._phase + self._frequency * np.arange(-1, size - 1)
        turn = np.exp((-2j * np.pi * cycles).astype(np.complex64))
        return first, piece * turn


def _split(time: float) -> tuple[int, int]:
    """Return the sample after a time, and how many phases after it."""
    whole = math.ceil(time - 1 / (2 * _PHASES))
    return whole, round((whole - time) * _PHASES) % _PHASES


def _share(found: _Found) -> float:
    return found.share


def _products(samples: Samples, lag: int) -> Samples:
    products: Samples = samples[lag:] * np.conj(samples[:-lag])
    return products


def _power(values: NDArray[np.complex64]) -> NDArray[np.float64]:
    return values.real.astype(np.float64) ** 2 + values.imag.astype(np.float64) ** 2
