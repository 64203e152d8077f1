# SPDX-License-Identifier: Apache-2.0
"""NIST's Statistical Test Suite in NumPy and SciPy: SP 800-22 rev. 1a.

Each module with an object `TEST` is a test, found by scanning this package. Those of
NIST have the parameters of NIST's program: blocks of 128 bits (frequency), templates of
9, patterns of 10 (approximate entropy) and 16 (serial), blocks of 500 (linear
complexity).

>>> from samara.randomness import sts
>>> [test.name for test in sts.TESTS if test.place][:2]
['frequency', 'block frequency']
"""

from __future__ import annotations

import importlib
import math
import pkgutil
from typing import TYPE_CHECKING

import numpy as np

from samara.randomness.sts.declaring import Test
from samara.randomness.sts.sequence import Sequence

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

__all__ = ["NAMES", "TESTS", "Sequence", "Test", "p_values"]


def _found() -> Iterator[Test]:
    for module in pkgutil.iter_modules(__path__):
        imported = importlib.import_module(f"{__name__}.{module.name}")
        if test := getattr(imported, "TEST", None):
            yield test


TESTS = tuple(sorted(_found(), key=lambda test: (test.place or math.inf, test.name)))
"""In the order in which NIST's program reports them; others follow by name."""

NAMES = tuple(name for test in TESTS for name in test.names)
"""Of all p-values, in the order of `p_values`."""


def p_values(sequence: Sequence) -> NDArray[np.float64]:
    """Return all p-values; not a number for a test that does not apply."""
    return np.array([p for test in TESTS for p in test.p_values(sequence)])
