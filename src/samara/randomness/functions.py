# SPDX-License-Identifier: Apache-2.0
"""The special functions that p-values are made of, from SciPy."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Any

import numpy as np

from samara.extras import need

if TYPE_CHECKING:
    from types import ModuleType

    from numpy.typing import ArrayLike, NDArray

    Floats = NDArray[np.float64]


@cache
def _special() -> ModuleType:
    # Slow to load: only a command that computes p-values loads it.
    return need("scipy.special", "randomness")


def erfc(x: ArrayLike) -> Floats:
    """Return the complementary error function of each value."""
    return np.asarray(_special().erfc(x), dtype=np.float64)


def normal(x: ArrayLike) -> Floats:
    """Return the standard normal distribution function of each value."""
    return np.asarray(_special().ndtr(x), dtype=np.float64)


def igamc(a: float, x: ArrayLike) -> Floats:
    """Return the regularised upper incomplete gamma function Q(a, x) of each x."""
    return np.asarray(_special().gammaincc(a, x), dtype=np.float64)


def chi_square(observed: Any, expected: Any) -> Floats:  # noqa: ANN401 - arrays or numbers
    """Return the chi-square statistic over the last axis."""
    observed = np.asarray(observed, dtype=np.float64)
    statistic: Floats = ((observed - expected) ** 2 / expected).sum(axis=-1)
    return statistic


def upper_tail_of_binomial(count: int, trials: int, probability: float) -> float:
    """Return the probability of at least `count` successes in `trials`."""
    if count <= 0:
        return 1.0
    # The regularised incomplete beta function: exact, and without a long sum.
    return float(_special().betainc(count, trials - count + 1, probability))
