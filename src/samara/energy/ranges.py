# SPDX-License-Identifier: Apache-2.0
"""Answers as ranges, and what they depend on most.

An answer is a function of a `Draw`: it asks for the quantities that it needs. So the
same function gives the answer as stated, its range, and its ranking.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from samara.energy.quantity import QUANTILES, Listed, Replaced, Sampled

if TYPE_CHECKING:
    from collections.abc import Callable

    from samara.energy.quantity import Draw, Value

QUANTILES_IN_WORDS = (
    "10 %, 50 % and 90 % of draws from the tolerances of data sheets are below."
)
"""What the three values of a `Range` are."""
DRAWS = 2000
"""Enough for quantiles within about 2 % of the range."""


@dataclass(frozen=True, slots=True)
class Range:
    """An answer that 10, 50 and 90 % of all draws are below."""

    low: float
    middle: float
    high: float


@dataclass(frozen=True, slots=True)
class Influence:
    """What an answer is while one quantity is at its 10 and 90 % quantile."""

    quantity: str
    at_low: float
    at_high: float
    checked: bool

    @property
    def swing(self) -> float:
        """How far the answer moves."""
        return abs(self.at_high - self.at_low)

    def as_json(self) -> dict[str, Any]:
        """Return everything as plain values, in the unit of the answer."""
        return {
            "quantity": self.quantity,
            "at_low": self.at_low,
            "at_high": self.at_high,
            "swing": self.swing,
            "checked": self.checked,
        }


def quantiles(values: Value) -> Range:
    """Return the range of an answer's draws, which are its first axis.

    >>> quantiles(np.arange(101.0))
    Range(low=10.0, middle=50.0, high=90.0)
    """
    low, middle, high = np.quantile(np.atleast_1d(values), QUANTILES, axis=0)
    return Range(float(low), float(middle), float(high))


def spread(
    answer: Callable[[Draw], Value], *, draws: int = DRAWS, seed: int = 0
) -> Range:
    """Return the range of an answer, from the tolerances of all it depends on."""
    return quantiles(answer(Sampled(draws, seed)))


def ranking(answer: Callable[[Draw], Value]) -> list[Influence]:
    """Return what an answer depends on, the strongest first.

    One quantity is moved at a time, from its 10 % to its 90 % quantile; all others
    stay as stated. Exact quantities are left out, and those that move nothing.
    """
    listed = Listed()
    answer(listed)
    low, _, high = QUANTILES
    found = [
        Influence(
            name,
            float(answer(Replaced({name: quantity.quantile(low)}))),
            float(answer(Replaced({name: quantity.quantile(high)}))),
            quantity.checked,
        )
        for name, quantity in listed.quantities.items()
        if quantity.tolerance
    ]
    moved = (influence for influence in found if influence.swing > 0)
    return sorted(moved, key=lambda influence: (-influence.swing, influence.quantity))
