# SPDX-License-Identifier: Apache-2.0
"""The cycles of the walk, for both tests of random excursions."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from samara.randomness.sts.sequence import Sequence

_LEAST_CYCLES = 500


def cycles(sequence: Sequence) -> int:
    """Return how many cycles the walk has; the last one is closed at its end."""
    zeros = np.count_nonzero(sequence.walk == 0)
    return int(zeros) + int(sequence.walk[-1] != 0)


def enough(sequence: Sequence, count: int) -> bool:
    """Tell whether the tests apply to a sequence with so many cycles (2.14.5)."""
    return count >= max(0.005 * math.sqrt(sequence.n), _LEAST_CYCLES)
