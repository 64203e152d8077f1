# SPDX-License-Identifier: Apache-2.0
"""From p-values to a verdict: NIST's two criteria, and a rule that counts them all.

NIST looks at each test by itself (SP 800-22 rev. 1a, 4.2): the share of sequences with
p >= 0.01 lies within three standard deviations of 0.99, and the p-values are uniform,
p >= 0.0001 by chi-square over ten classes. Each p-value of a sequence makes two
such decisions, so that a good source misses one now and then.

The verdict of a run therefore divides an error of 0.001 among all its decisions
(Bonferroni): a good source passes with a probability of 99.9 %, as far as its p-values
are uniform. That is so approximately, because the tests' distributions are limits.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING

import numpy as np

from samara.errors import MisuseError
from samara.randomness.functions import igamc, upper_tail_of_binomial

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

ALPHA = 0.01
"""A sequence passes a test when its p-value is not below."""
FAMILY = 0.001
"""Probability that a good source fails the whole run."""
UNIFORM = 0.0001
"""NIST's limit for the uniformity of p-values (4.2.2)."""
CLASSES = 10
LEAST_FOR_UNIFORMITY = 55
"""Sequences from which on the uniformity says something (4.2.2)."""

PROPORTION, UNIFORMITY, SMALLEST = "proportion", "uniformity", "smallest p-value"


@dataclass(frozen=True, slots=True)
class Judged:
    """One test over all sequences that it applies to."""

    test: str
    section: str
    """Where the test is defined; may be empty."""
    sequences: int
    """That the test applies to."""
    passed: int
    """With p >= 0.01."""
    low: float
    high: float
    """NIST's interval for the proportion."""
    uniformity: float | None
    """p-value of the chi-square test over ten classes; None below 55 sequences."""
    histogram: tuple[int, ...]
    """Of p-values, in ten classes of equal width."""
    smallest: float | None
    missed: tuple[str, ...]
    """NIST's criteria that it does not keep."""
    failed: tuple[str, ...]
    """What fails by the rule of the whole run."""

    @property
    def proportion(self) -> float | None:
        """Share of the sequences that pass; None where the test applies to none."""
        return self.passed / self.sequences if self.sequences else None


@dataclass(frozen=True, slots=True)
class Verdict:
    """All tests of a run."""

    tests: tuple[Judged, ...]
    sequences: int
    decisions: int
    """Of NIST's criteria."""
    level: float
    """A decision of the whole run's rule fails below this probability."""
    expected: float
    """How many of NIST's criteria a good source misses on average."""

    @property
    def passes(self) -> bool:
        """Whether no test fails by the rule of the whole run."""
        return not any(test.failed for test in self.tests)

    @property
    def missed(self) -> int:
        """How many of NIST's criteria are not kept."""
        return sum(len(test.missed) for test in self.tests)


def judge(
    names: Sequence[str], sections: Sequence[str], p_values: NDArray[np.float64]
) -> Verdict:
    """Judge a run.

    Parameters
    ----------
    names, sections
        Of each test: its name and where it is defined.
    p_values
        Shape (sequences, tests); not a number where a test does not apply.

    Raises
    ------
    MisuseError
        When no test applies to any sequence.
    """
    columns = [column[~np.isnan(column)] for column in p_values.T]
    counts = [len(column) for column in columns]
    if not any(counts):
        message = "no test applies to sequences so short: give more --bits"
        raise MisuseError(message)
    decisions = sum((n > 0) + (n >= LEAST_FOR_UNIFORMITY) for n in counts)
    # The smallest p-value of each test is a decision more.
    level = FAMILY / (decisions + sum(n > 0 for n in counts))
    tests = tuple(
        _judged(name, section, column, level)
        for name, section, column in zip(names, sections, columns, strict=True)
    )
    expected = sum(_expected(n) for n in counts if n)
    return Verdict(tests, len(p_values), decisions, level, expected)


def _judged(
    name: str, section: str, found: NDArray[np.float64], level: float
) -> Judged:
    count = len(found)
    passed = int((found >= ALPHA).sum())
    low, high = interval(count)
    histogram, _ = np.histogram(found, CLASSES, (0, 1))
    uniformity = _uniformity(histogram) if count >= LEAST_FOR_UNIFORMITY else None
    smallest = float(found.min()) if count else None
    missed, failed = [], []
    if count and not low <= passed / count <= high:
        missed.append(PROPORTION)
    if count and upper_tail_of_binomial(count - passed, count, ALPHA) < level:
        failed.append(PROPORTION)
    if uniformity is not None and uniformity < UNIFORM:
        missed.append(UNIFORMITY)
    if uniformity is not None and uniformity < level:
        failed.append(UNIFORMITY)
    if smallest is not None and smallest * count < level:
        failed.append(SMALLEST)
    return Judged(
        test=name,
        section=section,
        sequences=count,
        passed=passed,
        low=low,
        high=high,
        uniformity=uniformity,
        histogram=tuple(int(one) for one in histogram),
        smallest=smallest,
        missed=tuple(missed),
        failed=tuple(failed),
    )


def interval(count: int) -> tuple[float, float]:
    """Return NIST's interval for the share of `count` sequences that pass (4.2.1).

    >>> [round(end, 4) for end in interval(1000)]
    [0.9806, 0.9994]
    """
    spread = 3 * math.sqrt(ALPHA * (1 - ALPHA) / count) if count else 1.0
    return max(1 - ALPHA - spread, 0.0), min(1 - ALPHA + spread, 1.0)


def _uniformity(histogram: NDArray[np.int64]) -> float:
    expected = histogram.sum() / CLASSES
    statistic = ((histogram - expected) ** 2 / expected).sum()
    return float(igamc((CLASSES - 1) / 2, statistic / 2))


@cache
def _expected(count: int) -> float:
    """Return how many of NIST's criteria a good test of `count` p-values misses."""
    low, high = interval(count)
    # Failures with which the proportion is within the interval: first to last.
    first = math.ceil(count * (1 - high) - 1e-9)
    last = math.floor(count * (1 - low) + 1e-9)
    within = upper_tail_of_binomial(first, count, ALPHA)
    if last < count:
        within -= upper_tail_of_binomial(last + 1, count, ALPHA)
    return 1 - within + (UNIFORM if count >= LEAST_FOR_UNIFORMITY else 0)
