# SPDX-License-Identifier: Apache-2.0
"""What an attack gained, with an interval.

If many attacks are tried, some intervals miss the truth by chance. So that all of a run
contain it with 95 %, each has a higher confidence (Bonferroni's correction).
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from samara.extras import need
from samara.phy.intervals import CONFIDENCE, Rate, proportion

if TYPE_CHECKING:
    from collections.abc import Sequence

Outcomes = NDArray[np.bool_]


@dataclass(frozen=True, slots=True)
class Estimate:
    """One measure of an attack."""

    measure: str
    """What is measured, in a few words."""
    unit: str
    rate: Rate
    by_chance: float
    """The value that an eavesdropper gets without looking."""
    trials: int
    outcomes: Outcomes | None = None
    """Whether each guess of a game with two outcomes was right."""

    @property
    def wins(self) -> bool:
        """Whether the attack gained something: not by chance, says the interval."""
        return self.rate.low > self.by_chance


def confidence_of_each(comparisons: int) -> float:
    """Return the confidence of each interval, so that all hold with 95 %."""
    return 1 - (1 - CONFIDENCE) / comparisons


def advantage(measure: str, right: Outcomes, confidence: float) -> Estimate:
    """Return the advantage over guessing which of two: 2 P(right) - 1."""
    rate = proportion(int(right.sum()), len(right), confidence)
    ends = (2 * each - 1 for each in (rate.value, rate.low, rate.high))
    return Estimate(measure, "1", Rate(*ends), 0.0, len(right), right)


def share(
    measure: str, hits: Outcomes, confidence: float, by_chance: float = 0.0
) -> Estimate:
    """Return the share of the trials in which the attack succeeded."""
    rate = proportion(int(hits.sum()), len(hits), confidence)
    return Estimate(measure, "1", rate, by_chance, len(hits))


def mean(
    measure: str, values: Sequence[float], unit: str, confidence: float, trials: int
) -> Estimate:
    """Return the mean of independent values, with Student's interval."""
    middle = float(np.mean(values))
    # Loaded here because it takes half a second.
    quantile = need("scipy.stats", "phy").t.ppf((1 + confidence) / 2, len(values) - 1)
    reach = float(quantile * np.std(values, ddof=1) / math.sqrt(len(values)))
    return Estimate(
        measure, unit, Rate(middle, middle - reach, middle + reach), 0.0, trials
    )
