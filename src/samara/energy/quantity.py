# SPDX-License-Identifier: Apache-2.0
"""Quantities of data sheets, with how far they may be off.

A quantity is drawn from a log-normal distribution: it is never negative, and
one that is twice as large as stated is as likely as one that is half as large.
Its tolerance says how wide the distribution is: the 10 % and 90 % quantiles are
``value / (1 + tolerance)`` and ``value * (1 + tolerance)``. With a tolerance of
zero it is exact, as a setting is that the user chooses.

Who computes with quantities asks a `Draw` for each of them. `nominal` gives the
value as stated; `Sampled` gives many values at once, as a NumPy array, and all
formulas of this package work on those as they do on numbers.
"""

from __future__ import annotations

import math
import zlib
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cache, lru_cache
from statistics import NormalDist
from typing import TYPE_CHECKING, TypeAlias

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    from collections.abc import Mapping

Value: TypeAlias = float | NDArray[np.float64]
"""A number, or many: formulas are the same for both."""

QUANTILES = (0.1, 0.5, 0.9)
"""Quantiles that a result is given as; the middle one is the median."""

_Z_90 = NormalDist().inv_cdf(0.9)


@dataclass(frozen=True, slots=True)
class Quantity:
    """A value, and where it comes from.

    Raises
    ------
    ValueError
        When the value or the tolerance is negative or not finite.
    """

    value: float
    """In the unit that the quantity's name ends with."""
    tolerance: float
    """The 90 % quantile is larger than the value by this share of it."""
    source: str
    checked: bool
    """Whether the value was read in the source, and not remembered."""

    def __post_init__(self) -> None:
        for name in ("value", "tolerance"):
            number = getattr(self, name)
            if not (math.isfinite(number) and number >= 0):
                message = f"{name} is a finite number, not negative; not {number!r}"
                raise ValueError(message)

    def quantile(self, share: float) -> float:
        """Return the value that this share of all draws is below.

        >>> current = Quantity(0.010, 0.25, "a data sheet", checked=True)
        >>> [round(current.quantile(share), 4) for share in QUANTILES]
        [0.008, 0.01, 0.0125]
        """
        steps = NormalDist().inv_cdf(share) / _Z_90
        return float(self.value * (1 + self.tolerance) ** steps)


def exact(value: float, source: str) -> Quantity:
    """Return a quantity that somebody chose, such as a bit rate."""
    return Quantity(value, 0.0, source, checked=True)


Draw: TypeAlias = Callable[[str, Quantity], Value]
"""Returns what a quantity is taken to be; the text is its name, such as
``"at86rf231.receive_a"``. Asked twice for one name, it gives the same."""


def nominal(name: str, quantity: Quantity) -> Value:  # noqa: ARG001 - a Draw
    """Return the value as stated."""
    return quantity.value


@dataclass(frozen=True)
class Sampled:
    """Draws every quantity many times.

    What is drawn depends on the seed and the quantity's name alone, not on the
    order in which quantities are asked for: two set-ups that share a radio share
    its draws, and their difference is not blurred by chance.

    Parameters
    ----------
    count
        How many draws of each.
    seed
        The same seed gives the same draws.
    axes
        How many axes of length one follow the draws' own, for the axes of a grid.

    >>> draw = Sampled(1000, seed=1)
    >>> current = Quantity(0.010, 0.25, "a data sheet", checked=True)
    >>> values = draw("radio.receive_a", current)
    >>> values.shape, bool((draw("radio.receive_a", current) == values).all())
    ((1000,), True)
    """

    count: int
    seed: int = 0
    axes: int = 0

    def __call__(self, name: str, quantity: Quantity) -> Value:
        """Return the draws of a quantity."""
        if not quantity.tolerance:
            return quantity.value
        drawn = _drawn if self.count <= _KEPT else _drawn.__wrapped__
        return drawn(self, name, quantity)

    def steps(self, name: str) -> NDArray[np.float64]:
        """Return by how many tolerances each draw is off."""
        generator = np.random.default_rng((self.seed, zlib.crc32(name.encode())))
        return self._normal(generator) / _Z_90

    def _normal(self, generator: np.random.Generator) -> NDArray[np.float64]:
        return generator.standard_normal(self.count)


class Stratified(Sampled):
    """Draws every quantity many times, each time from another part of its range.

    The draws of a quantity are the middles of as many parts that are equally likely,
    in an order that is drawn (a Latin hypercube). Few draws give quantiles of answers
    as close as some times as many of `Sampled` do: for answers that take long.

    >>> current = Quantity(0.010, 0.25, "a data sheet", checked=True)
    >>> values = Stratified(5, seed=1)("radio.receive_a", current)
    >>> [round(float(value), 4) for value in sorted(values)]
    [0.008, 0.0091, 0.01, 0.011, 0.0125]
    """

    def _normal(self, generator: np.random.Generator) -> NDArray[np.float64]:
        middles = _middles(self.count)
        return generator.permutation(middles)


_KEPT = 10_000
"""Draws of a quantity that are kept at most: more take too much memory."""


# Hundreds of set-ups are compared that have most of their quantities in common.
@lru_cache(maxsize=256)
def _drawn(draw: Sampled, name: str, quantity: Quantity) -> NDArray[np.float64]:
    """Return the draws of a quantity, which nobody may write to."""
    steps = _steps(draw, name)
    drawn: NDArray[np.float64] = quantity.value * (1 + quantity.tolerance) ** steps
    drawn.setflags(write=False)
    return drawn.reshape((draw.count,) + (1,) * draw.axes)


@lru_cache(maxsize=64)
def _steps(draw: Sampled, name: str) -> NDArray[np.float64]:
    """Return the steps of a quantity, which nobody may write to."""
    steps = draw.steps(name)
    steps.setflags(write=False)
    return steps


@cache
def _middles(count: int) -> NDArray[np.float64]:
    """Return the middles of equally likely parts of a normal distribution."""
    normal = NormalDist()
    return np.array([normal.inv_cdf((part + 0.5) / count) for part in range(count)])


BLOCK = 20
"""Seeds of `SingleDraw`, from a multiple of it on, that divide a quantity's range."""


@dataclass(frozen=True)
class SingleDraw:
    """Draws every quantity once, as a number: for what cannot take many at a time.

    What is drawn depends on the seed and the quantity's name alone. The seeds from a
    multiple of `BLOCK` to the next take one draw each from as many equally likely parts
    of a quantity's range, in an order that is drawn: so few draws give a range.

    Parameters
    ----------
    seed
        The same seed gives the same draw.
    """

    seed: int

    def __call__(self, name: str, quantity: Quantity) -> Value:
        """Return the draw of a quantity."""
        block, place = divmod(self.seed, BLOCK)
        generator = np.random.default_rng((block, zlib.crc32(name.encode())))
        part = generator.permutation(BLOCK)[place]
        within = generator.random(BLOCK)[place]
        return quantity.quantile(float(part + within) / BLOCK)


@dataclass
class Listed:
    """Gives values as stated, and lists what it was asked for.

    Raises
    ------
    ValueError
        When two quantities have one name: their draws would be the same.
    """

    quantities: dict[str, Quantity] = field(default_factory=dict)

    def __call__(self, name: str, quantity: Quantity) -> Value:
        """Return the value as stated."""
        if self.quantities.setdefault(name, quantity) != quantity:
            message = f"two quantities have the name {name!r}"
            raise ValueError(message)
        return quantity.value


@dataclass(frozen=True)
class Replaced:
    """Gives values as stated, but for some."""

    values: Mapping[str, float]

    def __call__(self, name: str, quantity: Quantity) -> Value:
        """Return the replacement, or the value as stated."""
        return self.values.get(name, quantity.value)
