# SPDX-License-Identifier: Apache-2.0
"""Maurer's universal test: can the bits be compressed? SP 800-22 rev. 1a, 2.9."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from samara.randomness.functions import erfc
from samara.randomness.sts.declaring import Test
from samara.randomness.sts.sequence import NOT_APPLICABLE

if TYPE_CHECKING:
    from samara.randomness.sts.sequence import Sequence


class _Case(NamedTuple):
    """A length of patterns: from how many bits on, and what random bits give."""

    bits: int
    expected: float
    variance: float


_CASES = {
    6: _Case(387_840, 5.2177052, 2.954),
    7: _Case(904_960, 6.1962507, 3.125),
    8: _Case(2_068_480, 7.1836656, 3.238),
    9: _Case(4_654_080, 8.1764248, 3.311),
    10: _Case(10_342_400, 9.1723243, 3.356),
    11: _Case(22_753_280, 10.170032, 3.384),
    12: _Case(49_643_520, 11.168765, 3.401),
    13: _Case(107_560_960, 12.168070, 3.410),
    14: _Case(231_669_760, 13.167693, 3.416),
    15: _Case(496_435_200, 14.167488, 3.419),
    16: _Case(1_059_061_760, 15.167379, 3.421),
}


def p_values(sequence: Sequence) -> list[float]:
    """Return the p-value of the distances at which patterns return."""
    length = max(
        (m for m, case in _CASES.items() if sequence.n >= case.bits), default=0
    )
    if not length:
        return [NOT_APPLICABLE]
    first = 10 * 2**length
    blocks = sequence.n // length
    tested = blocks - first
    total = _sum_of_logarithms(sequence, length, blocks, first)
    case = _CASES[length]
    factor = 0.7 - 0.8 / length + (4 + 32 / length) * tested ** (-3 / length) / 15
    deviation = factor * math.sqrt(case.variance / tested)
    off = abs(total / tested - case.expected)
    return [float(erfc(off / (math.sqrt(2) * deviation)))]


def _sum_of_logarithms(
    sequence: Sequence, length: int, blocks: int, first: int
) -> float:
    """Return the sum of log2 of the distances from each tested block to its like."""
    weights = 1 << np.arange(length)[::-1].astype(np.uint16)
    bits = sequence.bits[: blocks * length].reshape(blocks, length)
    patterns = (bits @ weights).astype(np.uint16)
    # Stable: the blocks of one pattern follow one another in their order.
    order = np.argsort(patterns, kind="stable")
    previous = np.full(blocks, -1)
    same = patterns[order[1:]] == patterns[order[:-1]]
    previous[order[1:][same]] = order[:-1][same]
    # Blocks are numbered from 1; a pattern that was not seen has the number 0.
    distances = (np.arange(blocks) - previous)[first:]
    return float(np.log2(distances).sum())


TEST = Test("universal", "2.9", p_values, place=10)
