# SPDX-License-Identifier: Apache-2.0
"""Waveforms of 2-FSK, MSK and GFSK, which are sent and compared samples with."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Bits = NDArray[np.uint8]
Waves = NDArray[np.complex64]

_LEAST_SAMPLES = 8
# Symbols to each side that a Gaussian filter reaches.
_REACH = 2
_INDEX_OF_MSK = 0.5


@dataclass(frozen=True, slots=True)
class Keying:
    """How bits become frequencies."""

    bit_rate: float
    deviation: float
    """Of the higher frequency (bit 1) from the carrier, in Hz."""
    bandwidth_time: float = 0.0
    """Of the Gaussian filter; 0: none."""

    @property
    def samples(self) -> int:
        """Samples of a bit, so that both frequencies and some offset fit."""
        wanted = 4 * (self.deviation / self.bit_rate + 1)
        return max(_LEAST_SAMPLES, 2 * int(-(-wanted // 2)))

    @property
    def sample_rate(self) -> float:
        """Sample rate that a receiver takes."""
        return self.bit_rate * self.samples

    @property
    def lag(self) -> int:
        """Samples in which the frequencies turn a quarter of a circle apart."""
        quarter = self.sample_rate / (4 * self.deviation)
        return min(max(1, round(quarter)), self.samples)

    @property
    def index(self) -> float:
        """Modulation index: distance of both frequencies over the bit rate."""
        return 2 * self.deviation / self.bit_rate

    @property
    def in_words(self) -> str:
        """Return what it is, such as for a title.

        >>> Keying(100e3, 25e3).in_words
        'MSK, 100 kbit/s, deviation 25 kHz'
        >>> Keying(38400, 20600, 0.5).in_words
        'GFSK, BT 0.5, 38.4 kbit/s, deviation 20.6 kHz'
        """
        is_msk = math.isclose(self.index, _INDEX_OF_MSK)
        name = "MSK" if is_msk else "2-FSK"
        if self.bandwidth_time:
            name = f"G{name.removeprefix('2-')}, BT {self.bandwidth_time:g}"
        rate, deviation = self.bit_rate / 1e3, self.deviation / 1e3
        return f"{name}, {rate:g} kbit/s, deviation {deviation:g} kHz"

    def wave(self, bits: Bits) -> Waves:
        """Return the samples of bits; outside, the first and the last are repeated."""
        each = self.samples
        padded = np.pad(2.0 * bits - 1, _REACH, mode="edge")
        levels = np.repeat(padded, each)
        if self.bandwidth_time:
            levels = np.convolve(levels, self._gauss(), mode="same")
        levels = levels[_REACH * each : -_REACH * each]
        turns = np.cumsum(levels) - levels / 2
        phases = 2 * np.pi * self.deviation / self.sample_rate * turns
        waves: Waves = np.exp(1j * phases).astype(np.complex64)
        return waves

    def _gauss(self) -> NDArray[np.float64]:
        each = self.samples
        times = np.arange(-_REACH * each, _REACH * each + 1) / each
        width = np.sqrt(np.log(2)) / (2 * np.pi * self.bandwidth_time)
        pulse = np.exp(-((times / width) ** 2) / 2)
        scaled: NDArray[np.float64] = pulse / pulse.sum()
        return scaled


def bits_of(content: bytes) -> Bits:
    """Return the bits of bytes, most significant first."""
    return np.unpackbits(np.frombuffer(content, np.uint8))
