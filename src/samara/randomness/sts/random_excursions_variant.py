# SPDX-License-Identifier: Apache-2.0
"""Random excursions variant: all visits to a state. SP 800-22 rev. 1a, 2.15."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from samara.randomness.functions import erfc
from samara.randomness.sts import excursions
from samara.randomness.sts.declaring import Test
from samara.randomness.sts.sequence import NOT_APPLICABLE

if TYPE_CHECKING:
    from samara.randomness.sts.sequence import Sequence

_FARTHEST = 9
STATES = tuple(x for x in range(-_FARTHEST, _FARTHEST + 1) if x)


def p_values(sequence: Sequence) -> list[float]:
    """Return the p-values of the states from -9 to 9 without 0."""
    count = excursions.cycles(sequence)
    if not excursions.enough(sequence, count):
        return [NOT_APPLICABLE] * len(STATES)
    near = sequence.walk[np.abs(sequence.walk) <= _FARTHEST]
    visits = np.bincount(near + _FARTHEST, minlength=2 * _FARTHEST + 1)
    states = np.array(STATES)
    spread = np.sqrt(2 * count * (4 * np.abs(states) - 2))
    off = np.abs(visits[states + _FARTHEST] - count)
    return [float(p) for p in erfc(off / spread)]


TEST = Test(
    "random excursions variant",
    "2.15",
    p_values,
    parts=tuple(f"{x:+d}" for x in STATES),
    place=13,
)
