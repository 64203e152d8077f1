# SPDX-License-Identifier: Apache-2.0
"""NIST's Statistical Test Suite in NumPy and SciPy: SP 800-22 rev. 1a.

15 tests give 188 p-values of a sequence of 1,000,000 bits, with the parameters of
NIST's program: blocks of 128 bits (frequency), templates of 9, patterns of 10
(approximate entropy) and 16 (serial), blocks of 500 (linear complexity).

>>> from samara.randomness import sts
>>> len(sts.NAMES), sts.NAMES[0], sts.NAMES[-1]
(188, 'frequency', 'linear complexity')
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from samara.randomness.sts import (
    approximate_entropy,
    block_frequency,
    cumulative_sums,
    frequency,
    linear_complexity,
    longest_run,
    non_overlapping,
    overlapping,
    random_excursions,
    random_excursions_variant,
    rank,
    runs,
    serial,
    spectral,
    universal,
)
from samara.randomness.sts.sequence import Sequence
from samara.randomness.sts.templates import LENGTH, aperiodic

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

__all__ = ["NAMES", "TESTS", "Sequence", "Test", "p_values"]


class Test(NamedTuple):
    """A test of the suite."""

    name: str
    section: str
    """Of SP 800-22 rev. 1a."""
    p_values: Callable[[Sequence], list[float]]
    parts: tuple[str, ...] = ("",)
    """What each p-value is of."""

    @property
    def names(self) -> tuple[str, ...]:
        """The name of each p-value."""
        return tuple(f"{self.name} {part}".strip() for part in self.parts)


def _signed(states: tuple[int, ...]) -> tuple[str, ...]:
    return tuple(f"{x:+d}" for x in states)


TESTS = (
    Test("frequency", "2.1", frequency.p_values),
    Test("block frequency", "2.2", block_frequency.p_values),
    Test("cumulative sums", "2.13", cumulative_sums.p_values, ("forward", "backward")),
    Test("runs", "2.3", runs.p_values),
    Test("longest run", "2.4", longest_run.p_values),
    Test("rank", "2.5", rank.p_values),
    Test("spectral", "2.6", spectral.p_values),
    Test(
        "non-overlapping template",
        "2.7",
        non_overlapping.p_values,
        tuple(f"{one:0{LENGTH}b}" for one in aperiodic()),
    ),
    Test("overlapping template", "2.8", overlapping.p_values),
    Test("universal", "2.9", universal.p_values),
    Test("approximate entropy", "2.12", approximate_entropy.p_values),
    Test(
        "random excursions",
        "2.14",
        random_excursions.p_values,
        _signed(random_excursions.STATES),
    ),
    Test(
        "random excursions variant",
        "2.15",
        random_excursions_variant.p_values,
        _signed(random_excursions_variant.STATES),
    ),
    Test("serial", "2.11", serial.p_values, ("1", "2")),
    Test("linear complexity", "2.10", linear_complexity.p_values),
)
"""In the order in which NIST's program reports them."""

NAMES = tuple(name for test in TESTS for name in test.names)
"""Of all p-values, in the order of `p_values`."""


def p_values(sequence: Sequence) -> NDArray[np.float64]:
    """Return all 188 p-values; not a number for a test that does not apply."""
    return np.array([p for test in TESTS for p in test.p_values(sequence)])
