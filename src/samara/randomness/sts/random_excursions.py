# SPDX-License-Identifier: Apache-2.0
"""Random excursions: visits to a state in a cycle. SP 800-22 rev. 1a, 2.14."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from samara.randomness.functions import chi_square, igamc
from samara.randomness.sts import excursions
from samara.randomness.sts.declaring import Test
from samara.randomness.sts.sequence import NOT_APPLICABLE

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from samara.randomness.sts.sequence import Sequence

_FARTHEST = 4
_MOST = 5
"""Visits of a cycle that are counted; more are counted as these."""
STATES = tuple(x for x in range(-_FARTHEST, _FARTHEST + 1) if x)


def p_values(sequence: Sequence) -> list[float]:
    """Return the p-values of the states from -4 to 4 without 0."""
    count = excursions.cycles(sequence)
    if not excursions.enough(sequence, count):
        return [NOT_APPLICABLE] * len(STATES)
    visits = _visits(sequence, count)
    found = []
    for x in STATES:
        of_state = np.minimum(visits[:, x + _FARTHEST], _MOST)
        observed = np.bincount(of_state, minlength=_MOST + 1)
        statistic = chi_square(observed, count * _probabilities(abs(x)))
        found.append(float(igamc(_MOST / 2, statistic / 2)))
    return found


def _visits(sequence: Sequence, count: int) -> NDArray[np.int64]:
    """Return how often each cycle visits each state; shape (cycles, 9)."""
    near = np.flatnonzero(np.abs(sequence.walk) <= _FARTHEST)
    states = sequence.walk[near]
    cycle = np.cumsum(states == 0)
    # The zero that ends a cycle belongs to the next one here, and is not counted.
    places = cycle * (2 * _FARTHEST + 1) + states + _FARTHEST
    counts = np.bincount(places, minlength=(count + 1) * (2 * _FARTHEST + 1))
    return counts.reshape(-1, 2 * _FARTHEST + 1)[:count]


def _probabilities(x: int) -> NDArray[np.float64]:
    """Return the probabilities of 0 to 4 and of more visits in a cycle (3.14)."""
    stays = 1 - 1 / (2 * x)
    some = [stays ** (k - 1) / (4 * x * x) for k in range(1, _MOST)]
    return np.array([stays, *some, stays ** (_MOST - 1) / (2 * x)])


TEST = Test(
    "random excursions",
    "2.14",
    p_values,
    parts=tuple(f"{x:+d}" for x in STATES),
    place=12,
)
