# SPDX-License-Identifier: Apache-2.0
"""One channel of a wider band: shifted to the middle, filtered, at another rate."""

from __future__ import annotations

import math
from fractions import Fraction
from typing import TYPE_CHECKING

import numpy as np

from samara.errors import ArgumentError
from samara.extras import need

if TYPE_CHECKING:
    from samara.phy.channel import Samples

signal = need("scipy.signal", "phy")

# A ratio of rates has terms up to this: 2.4 MS/s to 4 MS/s is 5 / 3.
_LARGEST_TERM = 1000
# Length of the filter, in samples of the slower of both rates.
_TAPS = 24
_CUT_OFF = 0.5
_STOP_DB = 60.0
# Over so many samples, more than a packet has, a constant is averaged.
_MEAN_SAMPLES = 1 << 20


class _Constant:
    """What a receiver adds to all samples (DC), followed over `_MEAN_SAMPLES`."""

    def __init__(self) -> None:
        self._sum, self._count = 0j, 0.0

    def subtracted(self, samples: Samples) -> Samples:
        """Return samples without it."""
        if not len(samples):
            return samples
        self._sum += complex(samples.sum(dtype=np.complex128))
        self._count += len(samples)
        constant = self._sum / self._count
        kept = min(1.0, _MEAN_SAMPLES / self._count)
        self._sum, self._count = self._sum * kept, self._count * kept
        return samples - np.complex64(constant)


class FrontEnd:
    """Takes samples of a band in pieces, and returns those of a channel.

    A constant is subtracted from the band, which receivers add (DC).

    Parameters
    ----------
    rate_in, rate_out
        Sample rates in Hz.
    shift_hz
        Where the channel's carrier is, seen from that of the band.

    Raises
    ------
    ArgumentError
        If the rates have no ratio of small numbers, or the channel is outside.
    """

    def __init__(self, rate_in: float, rate_out: float, shift_hz: float = 0.0) -> None:
        ratio = Fraction(rate_out / rate_in).limit_denominator(_LARGEST_TERM)
        if not 0 < ratio.numerator <= _LARGEST_TERM or not math.isclose(
            float(ratio), rate_out / rate_in, rel_tol=1e-7
        ):
            message = (
                f"a sample rate of {rate_in:,.0f} Hz cannot be converted to "
                f"{rate_out:,.0f} Hz: record with a round rate, such as "
                f"{rate_out:,.0f} Hz"
            )
            raise ArgumentError(message)
        if abs(shift_hz) > rate_in / 2:
            message = (
                f"the channel is {shift_hz / 1e6:+g} MHz from the carrier, and the "
                f"recording has only {rate_in / 1e6:g} MHz around it"
            )
            raise ArgumentError(message)
        self._up, self._down = ratio.numerator, ratio.denominator
        self._shift = shift_hz / rate_in
        self._phase = 0.0
        self._constant = _Constant()
        self._is_plain = ratio == 1
        self._filter = np.ones(1, np.float32) if self._is_plain else self._taps()
        # Whole outputs, and all inputs that the filter reaches back to.
        reach = -(-len(self._filter) // self._up)
        self._history = np.zeros(-(-reach // self._down) * self._down, np.complex64)
        self._left = np.zeros(0, np.complex64)

    @property
    def delay(self) -> float:
        """Samples of the input by which the output is late."""
        return (len(self._filter) - 1) / 2 / self._up

    def _taps(self) -> Samples:
        slower = max(self._up, self._down)
        count = _TAPS * slower + 1
        window = ("kaiser", signal.kaiser_beta(_STOP_DB))
        taps: Samples = signal.firwin(count, 2 * _CUT_OFF / slower, window=window)
        scaled: Samples = (taps * self._up).astype(np.float32)
        return scaled

    def feed(self, samples: Samples) -> Samples:
        """Return the samples of the channel that are complete."""
        moved = self._moved(self._constant.subtracted(samples))
        if self._is_plain:
            return moved
        whole = np.concatenate([self._left, moved])
        usable = len(whole) // self._down * self._down
        piece: Samples = whole[:usable]
        self._left = whole[usable:]
        if not usable:
            return piece
        behind = len(self._history)
        joined = np.concatenate([self._history, piece])
        made = signal.upfirdn(self._filter, joined, self._up, self._down)
        first = behind // self._down * self._up
        self._history = joined[-behind:]
        complete = made[first : first + usable // self._down * self._up]
        answer: Samples = complete.astype(np.complex64, copy=False)
        return answer

    def _moved(self, samples: Samples) -> Samples:
        if not self._shift or not len(samples):
            return samples
        cycles = self._phase + self._shift * np.arange(len(samples))
        self._phase = (self._phase + self._shift * len(samples)) % 1.0
        moved: Samples = samples * np.exp(-2j * np.pi * (cycles % 1.0)).astype(
            np.complex64
        )
        return moved
