# SPDX-License-Identifier: Apache-2.0
"""Answers as ranges, and what they depend on most.

An answer is a function of a `Draw`: it asks for the quantities that it needs. So the
same function gives the answer as stated, its range, and its ranking.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated

import numpy as np

from samara.energy.quantity import QUANTILES, Listed, Replaced, Sampled, nominal
from samara.records import Field, Record, record_class

if TYPE_CHECKING:
    from collections.abc import Callable

    from samara.energy.quantity import Draw, Quantity, Value

QUANTILES_IN_WORDS = (
    "10 %, 50 % and 90 % of draws from the tolerances of data sheets are below these "
    "values."
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


@record_class
class Influence(Record):
    """What an answer is while one quantity is at its 10 and 90 % quantile."""

    quantity: Annotated[str, Field("Its name.", heading="quantity", rank=0)]
    at_low: Annotated[
        float, Field("The answer at its 10 %.", heading="at its\xa010\xa0%")
    ]
    at_high: Annotated[
        float, Field("The answer at its 90 %.", heading="at its\xa090\xa0%")
    ]
    swing: Annotated[float, Field("How far the answer moves.", heading="swing")]
    checked: Annotated[
        bool, Field("Whether it was read in its source.", heading="checked")
    ]
    unit: Annotated[str, Field("Of the answer.")]
    stated: Annotated[
        float, Field("The answer as data sheets state it.", in_json=False)
    ]


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


def ranking(answer: Callable[[Draw], Value], unit: str = "1") -> list[Influence]:
    """Return what an answer, in this unit, depends on, the strongest first.

    One quantity is moved at a time, from its 10 % to its 90 % quantile; all others
    stay as stated. Exact quantities are left out, and those that move nothing.
    """
    listed = Listed()
    answer(listed)
    low, _, high = QUANTILES
    stated = float(answer(nominal))

    def moved_by(name: str, quantity: Quantity) -> Influence:
        at_low, at_high = (
            float(answer(Replaced({name: quantity.quantile(share)})))
            for share in (low, high)
        )
        swing = abs(at_high - at_low)
        return Influence(name, at_low, at_high, swing, quantity.checked, unit, stated)

    found = [
        moved_by(name, quantity)
        for name, quantity in listed.quantities.items()
        if quantity.tolerance
    ]
    moved = (influence for influence in found if influence.swing > 0)
    return sorted(moved, key=lambda influence: (-influence.swing, influence.quantity))
