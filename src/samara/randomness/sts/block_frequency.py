# SPDX-License-Identifier: Apache-2.0
"""Frequency within a block. SP 800-22 rev. 1a, 2.2."""

from __future__ import annotations

from typing import TYPE_CHECKING

from samara.randomness.functions import igamc
from samara.randomness.sts.declaring import Test
from samara.randomness.sts.sequence import NOT_APPLICABLE

if TYPE_CHECKING:
    from samara.randomness.sts.sequence import Sequence

BLOCK = 128


def p_values(sequence: Sequence, block: int = BLOCK) -> list[float]:
    """Return the p-value of the ones in blocks of `block` bits."""
    count = sequence.n // block
    if not count:
        return [NOT_APPLICABLE]
    ones = sequence.bits[: count * block].reshape(count, block).sum(axis=1)
    statistic = 4 * block * ((ones / block - 0.5) ** 2).sum()
    return [float(igamc(count / 2, statistic / 2))]


TEST = Test("block frequency", "2.2", p_values, place=2)
