# SPDX-License-Identifier: Apache-2.0
"""Confidence intervals of measured rates, at a level of 95 %.

Frame errors are independent, so the frame error rate has the exact interval of
Clopper and Pearson, which SciPy computes. Bit errors are not: a decoder that fails
makes many of them in one frame, and an interval for independent bits would be far
too narrow. The interval of the bit error rate is therefore computed from the number
of bit errors of each frame, and these numbers are independent: the mean plus or
minus 1.96 standard deviations. Its upper end is at least the upper end of the frame
error rate's interval times the bit error rate of a failed frame.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

from samara.extras import need
from samara.figure import Figure, Origin

CONFIDENCE = 0.95
NORMAL = 1.959964
"""Quantile of the normal distribution for it, on both sides."""


@dataclass(frozen=True, slots=True)
class RateFigure(Figure):
    """A measured rate with the interval that contains the true one."""

    low: float
    high: float


@dataclass(frozen=True, slots=True)
class Rate:
    """A measured rate, and the interval that contains the true one."""

    value: float
    low: float
    high: float

    def figure(self, source: str) -> RateFigure:
        """Return the rate as a figure with its interval."""
        return RateFigure(self.value, "1", Origin.MEASURED, source, self.low, self.high)


def proportion(events: int, trials: int, confidence: float = CONFIDENCE) -> Rate:
    """Return the rate of independent events (Clopper and Pearson, 1934)."""
    if trials == 0:
        return Rate(math.nan, 0.0, 1.0)
    value = events / trials
    # Loaded here because it takes half a second. The interval does not depend on the
    # hypothesis; with this one SciPy computes no tail that underflows.
    test = need("scipy.stats", "phy").binomtest(events, trials, value)
    interval = test.proportion_ci(confidence, method="exact")
    return Rate(value, float(interval.low), float(interval.high))


def difference(one: Rate, other: Rate) -> Rate:
    """Return the first of two independent rates minus the second.

    The interval is Newcombe's (1998, method 10): the distances of both rates from
    the ends of their own intervals, squared and added. SciPy has no such interval.
    """
    value = one.value - other.value
    below = math.hypot(one.value - one.low, other.high - other.value)
    above = math.hypot(one.high - one.value, other.value - other.low)
    return Rate(value, value - below, value + above)


@dataclass(slots=True)
class Tally:
    """Received frames and their errors."""

    frames: int = 0
    frame_errors: int = 0
    bits: int = 0
    bit_errors: int = 0
    squares: int = 0
    """Sum over the frames of the square of their bit errors."""

    def add(self, other: Tally) -> None:
        """Add the frames of `other`."""
        self.frames += other.frames
        self.frame_errors += other.frame_errors
        self.bits += other.bits
        self.bit_errors += other.bit_errors
        self.squares += other.squares

    @property
    def frame_error_rate(self) -> Rate:
        """Share of the frames that were not received."""
        return proportion(self.frame_errors, self.frames)

    @property
    def bit_error_rate(self) -> Rate:
        """Share of the payload bits that are wrong."""
        if self.bits == 0:
            return Rate(math.nan, 0.0, 1.0)
        rate = self.bit_errors / self.bits
        mean = self.bit_errors / self.frames
        spread = max(self.squares / self.frames - mean**2, 0.0)
        reach = NORMAL * math.sqrt(spread / self.frames) * self.frames / self.bits
        # Without errors the deviation is 0 and gives no bound.
        in_failed = rate * self.frames / self.frame_errors if self.frame_errors else 0.5
        bound = self.frame_error_rate.high * in_failed
        return Rate(rate, max(rate - reach, 0.0), min(max(rate + reach, bound), 1.0))
