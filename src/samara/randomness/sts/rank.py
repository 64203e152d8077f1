# SPDX-License-Identifier: Apache-2.0
"""Rank of binary matrices: linear dependence. SP 800-22 rev. 1a, 2.5."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from samara.randomness.functions import chi_square, igamc
from samara.randomness.sts.declaring import Test
from samara.randomness.sts.sequence import NOT_APPLICABLE

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from samara.randomness.sts.sequence import Sequence

SIDE = 32
_LEAST_MATRICES = 38


def p_values(sequence: Sequence) -> list[float]:
    """Return the p-value of the ranks of matrices of 32 x 32 bits."""
    count = sequence.n // SIDE**2
    if count < _LEAST_MATRICES:
        return [NOT_APPLICABLE]
    packed = np.packbits(sequence.bits[: count * SIDE**2])
    ranks = _ranks(packed.view(">u4").astype(np.uint32).reshape(count, SIDE))
    full = int((ranks == SIDE).sum())
    one_less = int((ranks == SIDE - 1).sum())
    observed = [full, one_less, count - full - one_less]
    likely = [_probability(SIDE), _probability(SIDE - 1)]
    statistic = chi_square(observed, count * np.array([*likely, 1 - sum(likely)]))
    return [float(igamc(1, statistic / 2))]


def _probability(rank: int) -> float:
    """Return the probability of a rank (3.5)."""
    found = 2.0 ** (rank * (2 * SIDE - rank) - SIDE**2)
    for i in range(rank):
        found *= (1 - 2.0 ** (i - SIDE)) ** 2 / (1 - 2.0 ** (i - rank))
    return found


def _ranks(rows: NDArray[np.uint32]) -> NDArray[np.int64]:
    """Return the rank of each matrix: elimination of all of them at once.

    Parameters
    ----------
    rows
        Shape (matrices, 32), a row of bits an element; it is overwritten.
    """
    ranks = np.zeros(len(rows), np.int64)
    every = np.arange(len(rows))
    for bit in range(SIDE):
        has = (rows >> np.uint32(bit) & np.uint32(1)).astype(bool)
        pivot = has.argmax(axis=1)
        ranks += has[every, pivot]
        # The pivot is subtracted from itself, too, so it is not taken again.
        chosen = np.where(has[every, pivot], rows[every, pivot], 0)
        rows ^= np.where(has, chosen[:, None], 0).astype(np.uint32)
    return ranks


TEST = Test("rank", "2.5", p_values, place=6)
