# SPDX-License-Identifier: Apache-2.0
"""How long each sample stands for: gaps, samples out of order, and the rate.

A sample stands for the time until the next one. Where that is much longer than usual,
samples are missing: the sample stands for the usual time, and one that is not a number
is put in for the rest.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from samara.energy.trace.blocks import UNLIMITED_A, TraceError

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from samara.energy.trace.blocks import Array, Block

_STEPS = (1e-8, 1000.0)
"""Seconds from sample to sample that are possible."""
_FARTHEST_S = 1e11
"""From the origin of a trace, which may be that of a calendar."""
_DIGITS = 4
"""How often the smallest difference of two times has to go into a step."""
_GAP_EVEN, _GAP_UNEVEN = 1.6, 20.0
"""Usual times from sample to sample from which on samples are missing."""
_EVEN = 0.02


@dataclass(frozen=True, slots=True)
class Stretch:
    """Samples, each with the time that it stands for."""

    times_s: Array
    lasts_s: Array
    current_a: Array
    """NaN where it is not known."""
    share: float | None


@dataclass(slots=True)
class Timing:
    """Makes stretches of blocks, and counts what it meets."""

    step_s: float = 0.0
    """The usual time from sample to sample; 0: not known yet."""
    samples: int = 0
    gaps: int = 0
    missing_s: float = 0.0
    """Time without samples, or with such as are not numbers."""
    invalid: int = 0
    """Samples that are not numbers, or no possible current."""
    disordered: int = 0
    """Samples at no possible time, or not later than the one before."""
    begins_s: float = 0.0
    ends_s: float = 0.0
    _gap_s: float = 0.0

    def stretches(self, blocks: Iterable[Block]) -> Iterator[Stretch]:
        """Yield the samples of blocks with their times.

        Raises
        ------
        TraceError
            When there are fewer than two samples, or the rate is not possible.
        """
        held: tuple[Array, Array] = (np.empty(0), np.empty(0))
        share: float | None = None
        for block in blocks:
            share = block.share
            times = np.concatenate((held[0], block.times_s))
            current = np.concatenate((held[1], block.current_a))
            times, current = self._in_order(times, current, held[0].size)
            if times.size < 2:  # noqa: PLR2004 - a time from one to the next
                held = times, current
                continue
            if not self.step_s:
                self._learn(times)
            yield self._stretch(times, current, share)
            held = times[-1:], current[-1:]
        if not self.step_s:
            message = "the trace has fewer than two samples"
            raise TraceError(message)
        # The last sample stands for the usual time, as far as numbers can tell it.
        after = np.maximum(held[0] + self.step_s, np.nextafter(held[0], np.inf))
        end = np.append(held[0], after)
        yield self._stretch(end, np.append(held[1], np.nan), share)

    def _in_order(
        self, times: Array, current: Array, known: int
    ) -> tuple[Array, Array]:
        """Return samples whose times rise, and count the others."""
        possible = np.abs(times) <= _FARTHEST_S
        rises = bool(possible.all()) and bool((np.diff(times) > 0).all())
        if not rises:
            usable = np.where(possible, times, -np.inf)
            before = np.maximum.accumulate(np.concatenate(([-np.inf], usable[:-1])))
            kept = usable > before
            self.disordered += int(times.size - np.count_nonzero(kept))
            times, current = times[kept], current[kept]
        wrong = ~(np.abs(current) < UNLIMITED_A)
        wrong[:known] = False
        if wrong.any():
            self.invalid += int(np.count_nonzero(wrong))
            current = np.where(wrong, np.nan, current)
        return times, current

    def _learn(self, times: Array) -> None:
        """Learn the rate from the first samples."""
        steps = np.diff(times)
        self.step_s = float(np.median(steps))
        low, high = _STEPS
        if not low <= self.step_s <= high:
            message = (
                f"the samples are {self.step_s:.3g} s from one another: expected "
                f"{low:g} to {high:g} s; check the unit of the times"
            )
            raise TraceError(message)
        smallest_s = float(np.spacing(np.median(np.abs(times))))
        if self.step_s < _DIGITS * smallest_s:
            message = (
                f"the times, such as {times[0]:.0f} s, have too few digits for steps "
                f"of {self.step_s:.3g} s: expected times from the begin of the trace"
            )
            raise TraceError(message)
        even = np.abs(steps - self.step_s) <= _EVEN * self.step_s
        is_even = np.count_nonzero(even) >= 0.5 * steps.size
        self._gap_s = self.step_s * (_GAP_EVEN if is_even else _GAP_UNEVEN)
        self.begins_s = float(times[0])

    def _stretch(self, times: Array, current: Array, share: float | None) -> Stretch:
        lasts = np.diff(times)
        times, ends, current = times[:-1], times[-1], current[:-1]
        self.samples += times.size
        self.ends_s = float(ends)
        long = np.flatnonzero(lasts > self._gap_s)
        if long.size:
            self.gaps += long.size
            rest = lasts[long] - self.step_s
            lasts[long] = self.step_s
            times = np.insert(times, long + 1, times[long] + self.step_s)
            lasts = np.insert(lasts, long + 1, rest)
            current = np.insert(current, long + 1, np.nan)
        unknown = np.isnan(current)
        if unknown.any():
            self.missing_s += float(lasts[unknown].sum())
        return Stretch(times, lasts, current, share)
