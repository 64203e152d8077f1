# SPDX-License-Identifier: Apache-2.0
"""How sure a measured rate is: intervals with 95 % confidence.

Frames are independent of each other, so their error rate has the exact interval
of Clopper and Pearson. Bit errors are not: a decoder that fails makes them in
bunches, and an interval that took them for independent would be far too narrow.
Theirs is computed from the numbers of errors in each frame, which are
independent, by their standard deviation; as the frame is what fails or not, its
upper end is never below what the bit errors of a failed frame make of the frame
error rate's.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

CONFIDENCE = 0.95
_NORMAL = 1.959964
"""The normal distribution's quantile for it, on both sides."""


@dataclass(frozen=True, slots=True)
class Rate:
    """A measured rate, and where the true one is."""

    value: float
    low: float
    high: float


def proportion(events: int, trials: int) -> Rate:
    """Return the rate of independent events (Clopper and Pearson, 1934)."""
    # It takes half a second to load.
    from scipy.stats import beta  # type: ignore[import-untyped]  # noqa: PLC0415

    if trials == 0:
        return Rate(math.nan, 0.0, 1.0)
    tail = (1 - CONFIDENCE) / 2
    rest = trials - events
    low = float(beta.ppf(tail, events, rest + 1)) if events else 0.0
    high = float(beta.ppf(1 - tail, events + 1, rest)) if rest else 1.0
    return Rate(events / trials, low, high)


def difference(one: Rate, other: Rate) -> Rate:
    """Return how much larger the first of two independent rates is.

    Newcombe's interval (1998, method 10): the distances of both rates from the
    ends of their own intervals, as squares that add up.
    """
    value = one.value - other.value
    below = math.hypot(one.value - one.low, other.high - other.value)
    above = math.hypot(one.high - one.value, other.value - other.low)
    return Rate(value, value - below, value + above)


@dataclass(slots=True)
class Tally:
    """Frames received, and what was wrong with them."""

    frames: int = 0
    frame_errors: int = 0
    bits: int = 0
    bit_errors: int = 0
    squares: int = 0
    """Sum over the frames of the square of their bit errors."""

    def add(self, other: Tally) -> None:
        """Count the frames of `other` too."""
        self.frames += other.frames
        self.frame_errors += other.frame_errors
        self.bits += other.bits
        self.bit_errors += other.bit_errors
        self.squares += other.squares

    @property
    def frame_error_rate(self) -> Rate:
        """Frames that were not received."""
        return proportion(self.frame_errors, self.frames)

    @property
    def bit_error_rate(self) -> Rate:
        """Wrong bits of payloads."""
        if self.bits == 0:
            return Rate(math.nan, 0.0, 1.0)
        rate = self.bit_errors / self.bits
        mean = self.bit_errors / self.frames
        spread = max(self.squares / self.frames - mean**2, 0.0)
        reach = _NORMAL * math.sqrt(spread / self.frames) * self.frames / self.bits
        # Without errors the deviation is 0, and says nothing.
        in_failed = rate * self.frames / self.frame_errors if self.frame_errors else 0.5
        bound = self.frame_error_rate.high * in_failed
        return Rate(rate, max(rate - reach, 0.0), min(max(rate + reach, bound), 1.0))
