# SPDX-License-Identifier: Apache-2.0
"""Overlapping template: nine ones in a row. SP 800-22 rev. 1a, 2.8."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

from samara.randomness.functions import chi_square, igamc
from samara.randomness.sts.declaring import Test
from samara.randomness.sts.sequence import NOT_APPLICABLE, WINDOW
from samara.randomness.sts.templates import LENGTH

if TYPE_CHECKING:
    from samara.randomness.sts.sequence import Sequence

_BLOCK = 1032
_SHORTEST = 1_000_000
# As NIST's program computes them (2.8.4, with eta = 1): an approximation. Section 3.8
# has exact ones (0.364091, 0.185659, ...), but the values that SP 800-22 publishes are
# the program's. For 1000 sequences of 10^6 bits the difference does not show.
_SOME = [
    sum(math.comb(u - 1, i - 1) / math.factorial(i) for i in range(1, u + 1))
    / 2**u
    / math.e
    for u in range(1, 5)
]
_PROBABILITIES = np.array([1 / math.e, *_SOME, 1 - 1 / math.e - sum(_SOME)])
"""Of 0, 1, ... 4 and of more occurrences in a block."""


def p_values(sequence: Sequence) -> list[float]:
    """Return the p-value of the occurrences in blocks of 1032 bits."""
    if sequence.n < _SHORTEST:
        return [NOT_APPLICABLE]
    count = sequence.n // _BLOCK
    patterns = sequence.windows[: count * _BLOCK] >> (WINDOW - LENGTH)
    hits = (patterns == (1 << LENGTH) - 1).reshape(count, _BLOCK)
    occurrences = hits[:, : _BLOCK - LENGTH + 1].sum(axis=1)
    last = len(_PROBABILITIES) - 1
    observed = np.bincount(np.minimum(occurrences, last), minlength=last + 1)
    statistic = chi_square(observed, count * _PROBABILITIES)
    return [float(igamc(last / 2, statistic / 2))]


TEST = Test("overlapping template", "2.8", p_values, place=9)
