# SPDX-License-Identifier: Apache-2.0
"""Cumulative sums: how far does the walk go? SP 800-22 rev. 1a, 2.13."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

from samara.randomness.functions import normal
from samara.randomness.sts.declaring import Test

if TYPE_CHECKING:
    from samara.randomness.sts.sequence import Sequence


def p_values(sequence: Sequence) -> list[float]:
    """Return the p-values of the walk forward and backward."""
    walk = sequence.walk
    highest, lowest, end = int(walk.max()), int(walk.min()), int(walk[-1])
    forward = max(highest, -lowest)
    # The walk from the end visits its differences to the end, and the end itself.
    backward = max(abs(end), end - lowest, highest - end)
    return [_p_value(sequence.n, far) for far in (forward, backward)]


def _p_value(n: int, far: int) -> float:
    steps = n // far
    scale = far / math.sqrt(n)
    # The limits are rounded towards zero, as in NIST's program.
    last = int((steps - 1) / 4)
    k = np.arange(int((1 - steps) / 4), last + 1)
    inner = normal((4 * k + 1) * scale) - normal((4 * k - 1) * scale)
    k = np.arange(int((-steps - 3) / 4), last + 1)
    outer = normal((4 * k + 3) * scale) - normal((4 * k + 1) * scale)
    return float(np.clip(1 - inner.sum() + outer.sum(), 0, 1))


TEST = Test("cumulative sums", "2.13", p_values, parts=("forward", "backward"), place=3)
