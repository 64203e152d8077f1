# SPDX-License-Identifier: Apache-2.0
"""Rays of a channel that fade while somebody moves.

The gain of each ray is a complex Gaussian process with the spectrum of Clarke and
Jakes: a sum of sinusoids with random directions and phases (Zheng and Xiao, IEEE
Transactions on Communications 51(6), 2003). It is computed at every 16th sample and
interpolated.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray  # noqa: TC002 - of a type alias

if TYPE_CHECKING:
    from collections.abc import Sequence

    from samara.phy.mappers import Symbols as Samples

MOST_DOPPLER = 1e-3
"""The highest Doppler shift, in cycles per sample: where interpolation holds."""

_WAVES = 24
_STEP = 16


class Gain:
    """The gain of one ray, with unit power on average.

    Parameters
    ----------
    doppler
        The highest Doppler shift, in cycles per sample.
    random
        Source of directions and phases.
    """

    def __init__(self, doppler: float, random: np.random.Generator) -> None:
        turn = random.uniform(-np.pi, np.pi)
        angles = (2 * np.pi * np.arange(_WAVES) + turn) / _WAVES
        self._speeds = 2 * np.pi * doppler * np.cos(angles)
        self._phases = random.uniform(0, 2 * np.pi, _WAVES)
        self._next = 0

    def take(self, count: int) -> Samples:
        """Return the gains of the next samples."""
        first = self._next // _STEP
        last = -(-(self._next + count) // _STEP)
        points = np.arange(first, last + 1) * _STEP
        waves = np.exp(1j * (np.outer(points, self._speeds) + self._phases))
        known: NDArray[np.complex128] = waves.sum(1) / math.sqrt(_WAVES)
        times = np.arange(self._next, self._next + count)
        self._next += count
        gains: Samples = np.interp(times, points, known).astype(np.complex64)
        return gains


class FadingRays:
    """Delay lines, one for each ray, each with a gain of its own.

    Parameters
    ----------
    lines
        Taps of each ray; all have the same number.
    doppler
        The highest Doppler shift, in cycles per sample.
    random
        Source of the gains.
    """

    def __init__(
        self, lines: Sequence[Samples], doppler: float, random: np.random.Generator
    ) -> None:
        self._lines = lines
        self._gains = [Gain(doppler, random) for _ in lines]
        self._past = np.zeros(len(lines[0]) - 1, np.complex64)

    def process(self, samples: Samples) -> Samples:
        """Return the sum of the rays."""
        if not len(samples):
            return samples
        joined = np.concatenate((self._past, samples))
        self._past = joined[len(samples) :]
        faded: Samples = np.zeros(len(samples), np.complex64)
        for line, gain in zip(self._lines, self._gains, strict=True):
            ray = np.convolve(joined, line, "valid").astype(np.complex64)
            faded += ray * gain.take(len(samples))
        return faded
