# SPDX-License-Identifier: Apache-2.0
"""The longest run of ones in a block. SP 800-22 rev. 1a, 2.4; probabilities of 3.4."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from samara.randomness.functions import chi_square, igamc
from samara.randomness.sts.declaring import Test
from samara.randomness.sts.sequence import NOT_APPLICABLE

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from samara.randomness.sts.sequence import Bits, Sequence


class _Case(NamedTuple):
    """Parameters for sequences of at least so many bits."""

    bits: int
    block: int
    shortest: int
    """Longest runs of up to so many ones are the first class."""
    probabilities: tuple[float, ...]


_CASES = (
    _Case(
        750_000, 10_000, 10, (0.0882, 0.2092, 0.2483, 0.1933, 0.1208, 0.0675, 0.0727)
    ),
    _Case(
        6272,
        128,
        4,
        (0.1174035788, 0.242955959, 0.249363483, 0.17517706, 0.102701071, 0.112398847),
    ),
    _Case(128, 8, 1, (0.21484375, 0.3671875, 0.23046875, 0.1875)),
)


def p_values(sequence: Sequence) -> list[float]:
    """Return the p-value of the longest runs of all blocks."""
    case = next((case for case in _CASES if sequence.n >= case.bits), None)
    if case is None:
        return [NOT_APPLICABLE]
    count = sequence.n // case.block
    longest = _longest(sequence.bits[: count * case.block].reshape(count, case.block))
    classes = len(case.probabilities)
    place = np.clip(longest - case.shortest, 0, classes - 1)
    observed = np.bincount(place, minlength=classes)
    statistic = chi_square(observed, count * np.array(case.probabilities))
    return [float(igamc((classes - 1) / 2, statistic / 2))]


def _longest(blocks: Bits) -> NDArray[np.int64]:
    """Return the longest run of ones of each row."""
    count, block = blocks.shape
    # A zero in front of each block and one behind the last: runs lie between zeros.
    fenced = np.zeros((count, block + 1), np.uint8)
    fenced[:, 1:] = blocks
    zeros = np.append(np.flatnonzero(fenced.reshape(-1) == 0), fenced.size)
    first_zeros = np.searchsorted(zeros, np.arange(count) * (block + 1))
    longest: NDArray[np.int64] = np.maximum.reduceat(np.diff(zeros) - 1, first_zeros)
    return longest


TEST = Test("longest run", "2.4", p_values, place=5)
