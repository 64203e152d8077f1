# SPDX-License-Identifier: Apache-2.0
"""The currents between which sleep ends and an event begins.

They are found from the means of short windows: long ones against the pulses by which a
converter recharges its capacitor, short ones against radio events. Both thresholds lie
between the mean of the quiet windows and the current of the busiest ones: a lower one
below that mean would never be left.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Iterable

    from samara.energy.trace.blocks import Array
    from samara.energy.trace.timing import Stretch

WINDOW_S = 0.5e-3
_CONTRAST = 8.0
"""Times the current of sleep that events have at least."""
_BUSY = 60
"""Windows as busy as events after which nothing more has to be read."""
_FLOOR_A = 100e-9
"""What a sleep is taken as at least: analyzers' offsets may make it negative."""
_LOW = 4.0
"""How far the lower threshold is below the upper one, at most."""


@dataclass(frozen=True, slots=True)
class Levels:
    """An event begins above the one current, and goes on above the other."""

    high_a: float
    low_a: float


@dataclass
class _Seen:
    """Counts of windows by their mean current, on a logarithmic scale."""

    edges: Array = field(default_factory=lambda: np.logspace(-7, 2, 181))
    counts: Array = field(default_factory=lambda: np.zeros(182))
    amounts: Array = field(default_factory=lambda: np.zeros(182))

    def add(self, stretch: Stretch) -> None:
        known = ~np.isnan(stretch.current_a)
        current, lasts = stretch.current_a[known], stretch.lasts_s[known]
        if not current.size:
            return
        means = _means(current, lasts)
        places = np.searchsorted(self.edges, means)
        self.counts += np.bincount(places, minlength=182)
        self.amounts += np.bincount(places, weights=means, minlength=182)

    def quiet_a(self) -> float:
        """Return the mean of the quieter half of the windows."""
        upto = np.searchsorted(np.cumsum(self.counts), self.counts.sum() / 2) + 1
        count = self.counts[:upto].sum()
        return max(float(self.amounts[:upto].sum() / max(count, 1)), _FLOOR_A)

    def busy_a(self) -> float:
        """Return the current that the busiest windows reach, a few apart."""
        above = np.cumsum(self.counts[::-1])[::-1]
        place = int(np.flatnonzero(above >= min(4, self.counts.sum()))[-1])
        count = self.counts[place]
        return float(self.amounts[place] / count) if count else 0.0

    def are_enough(self) -> bool:
        above = np.searchsorted(self.edges, _CONTRAST * 4 * self.quiet_a())
        return bool(self.counts[above:].sum() >= _BUSY)


def _means(current: Array, lasts: Array) -> Array:
    """Return the means of windows of samples."""
    step = float(np.median(lasts))
    size = int(np.clip(np.rint(WINDOW_S / step), 1, current.size))
    whole = current.size // size * size
    means: Array = current[:whole].reshape(-1, size).mean(axis=1)
    return means


def levels_of(
    stretches: Iterable[Stretch], high_a: float | None = None
) -> Levels | None:
    """Return the thresholds of a trace; None if nothing stands out of it.

    It reads as much as it has to.

    Parameters
    ----------
    high_a
        The upper one, if it is known. Default: found in the trace.
    """
    seen = _Seen()
    for stretch in stretches:
        seen.add(stretch)
        if seen.are_enough():
            break
    if not seen.counts.sum():
        return None
    quiet, busy = seen.quiet_a(), seen.busy_a()
    if high_a is not None:
        return levels_at(high_a, quiet)
    if busy < _CONTRAST * quiet:
        return None
    return levels_at(float(np.sqrt(quiet * busy)), quiet)


def levels_at(high_a: float, quiet_a: float) -> Levels:
    """Return the thresholds of which the upper one is known, and the current asleep."""
    middle_a = float(np.sqrt(quiet_a * high_a)) if quiet_a < high_a else 0.0
    return Levels(high_a, max(high_a / _LOW, middle_a))
