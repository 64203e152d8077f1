# SPDX-License-Identifier: Apache-2.0
"""Discrete Fourier transform: periodic features. SP 800-22 rev. 1a, 2.6."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

from samara.extras import need
from samara.randomness.functions import erfc
from samara.randomness.sts.declaring import Test

if TYPE_CHECKING:
    from samara.randomness.sts.sequence import Sequence

_BELOW = 0.95
"""Share of the peaks of random bits that are below the threshold."""


def p_values(sequence: Sequence) -> list[float]:
    """Return the p-value of the number of peaks below the 95 % threshold."""
    n = sequence.n
    transform = need("scipy.fft", "randomness").rfft
    peaks = np.abs(transform(sequence.bits * 2.0 - 1.0))[: n // 2]
    below = np.count_nonzero(peaks < math.sqrt(n * math.log(1 / (1 - _BELOW))))
    off = below - _BELOW * n / 2
    distance = off / math.sqrt(n * _BELOW * (1 - _BELOW) / 4)
    return [float(erfc(abs(distance) / math.sqrt(2)))]


TEST = Test("spectral", "2.6", p_values, place=7)
