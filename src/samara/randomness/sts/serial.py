# SPDX-License-Identifier: Apache-2.0
"""Serial: are all patterns of m bits as frequent? SP 800-22 rev. 1a, 2.11."""

from __future__ import annotations

from typing import TYPE_CHECKING

from samara.randomness.functions import igamc
from samara.randomness.sts.declaring import Test
from samara.randomness.sts.sequence import NOT_APPLICABLE, WINDOW

if TYPE_CHECKING:
    from samara.randomness.sts.sequence import Sequence


def p_values(sequence: Sequence, m: int | None = None) -> list[float]:
    """Return the p-values of the first and the second difference.

    Parameters
    ----------
    m
        Bits of a pattern. Default: 16, and less for sequences below 2^19 bits,
        because m is to be less than floor(log2(n)) - 2 (2.11.7).
    """
    m = m or min(WINDOW, sequence.log2 - 3)
    if m < 2:  # noqa: PLR2004 - the differences are of m, m - 1 and m - 2
        return [NOT_APPLICABLE] * 2
    whole, less, least = (_psi_square(sequence, m - i) for i in range(3))
    first = whole - less
    second = whole - 2 * less + least
    return [
        float(igamc(2.0 ** (m - 2), first / 2)),
        float(igamc(2.0 ** (m - 3), second / 2)),
    ]


def _psi_square(sequence: Sequence, m: int) -> float:
    counts = sequence.counts(m)
    return float(2**m / sequence.n * (counts.astype(float) ** 2).sum() - sequence.n)


TEST = Test("serial", "2.11", p_values, parts=("1", "2"), place=14)
