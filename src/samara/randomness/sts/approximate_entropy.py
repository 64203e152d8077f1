# SPDX-License-Identifier: Apache-2.0
"""Approximate entropy: do m bits tell the next one? SP 800-22 rev. 1a, 2.12."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

from samara.randomness.functions import igamc
from samara.randomness.sts.declaring import Test
from samara.randomness.sts.sequence import NOT_APPLICABLE

if TYPE_CHECKING:
    from samara.randomness.sts.sequence import Sequence

_LONGEST = 10


def p_values(sequence: Sequence, m: int | None = None) -> list[float]:
    """Return the p-value of the entropy of patterns of m bits and of m + 1.

    Parameters
    ----------
    m
        Bits of a pattern. Default: 10, and less for sequences below 2^16 bits,
        because m is to be less than floor(log2(n)) - 5 (2.12.7).
    """
    m = m or min(_LONGEST, sequence.log2 - 6)
    if m < 1:
        return [NOT_APPLICABLE]
    entropy = _phi(sequence, m) - _phi(sequence, m + 1)
    statistic = 2 * sequence.n * (math.log(2) - entropy)
    # A sequence may have more entropy than the limit of a long one: not less than 0.
    return [float(igamc(2.0 ** (m - 1), max(statistic / 2, 0.0)))]


def _phi(sequence: Sequence, m: int) -> float:
    counts = sequence.counts(m)
    shares = counts[counts > 0] / sequence.n
    return float((shares * np.log(shares)).sum())


TEST = Test("approximate entropy", "2.12", p_values, place=11)
