# SPDX-License-Identifier: Apache-2.0
"""Frequency (monobit): are there as many ones as zeros? SP 800-22 rev. 1a, 2.1."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from samara.randomness.functions import erfc
from samara.randomness.sts.declaring import Test

if TYPE_CHECKING:
    from samara.randomness.sts.sequence import Sequence


def p_values(sequence: Sequence) -> list[float]:
    """Return the p-value of the sum of all bits."""
    total = abs(2 * sequence.ones - sequence.n)
    return [float(erfc(total / math.sqrt(2 * sequence.n)))]


TEST = Test("frequency", "2.1", p_values, place=1)
