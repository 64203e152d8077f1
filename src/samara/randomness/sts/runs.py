# SPDX-License-Identifier: Apache-2.0
"""Runs: do bits change as often as they should? SP 800-22 rev. 1a, 2.3."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

from samara.randomness.functions import erfc
from samara.randomness.sts.declaring import Test

if TYPE_CHECKING:
    from samara.randomness.sts.sequence import Sequence


def p_values(sequence: Sequence) -> list[float]:
    """Return the p-value of the number of runs; 0 where the frequency test fails."""
    n = sequence.n
    share = sequence.ones / n
    if abs(share - 0.5) >= 2 / math.sqrt(n):
        return [0.0]
    runs = 1 + np.count_nonzero(sequence.bits[1:] != sequence.bits[:-1])
    both = share * (1 - share)
    return [float(erfc(abs(runs - 2 * n * both) / (2 * math.sqrt(2 * n) * both)))]


TEST = Test("runs", "2.3", p_values, place=4)
