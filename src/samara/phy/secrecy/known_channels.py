# SPDX-License-Identifier: Apache-2.0
"""The bias of the estimators, on channels whose information is known."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from samara.phy.secrecy.attacks.mutual_information import PLACES
from samara.phy.secrecy.estimates import mean
from samara.phy.secrecy.estimators import (
    constellation_capacity,
    gaussian_capacity,
    of_labels,
    of_reals,
    points_of,
    turned_capacity,
)
from samara.phy.secrecy.link import noisy
from samara.phy.trial import white_noise

if TYPE_CHECKING:
    from collections.abc import Iterator

    from samara.phy.mappers import Symbols
    from samara.phy.secrecy.estimates import Estimate


class ChannelEstimate(NamedTuple):
    """What an estimator finds where the truth is known."""

    channel: str
    estimator: str
    truth: float
    """In bits a symbol."""
    estimate: Estimate


def known_channels(
    points: Symbols, variance: float, count: int, random: np.random.Generator
) -> Iterator[ChannelEstimate]:
    """Yield what the estimators find, each in as many batches as the attack takes.

    Parameters
    ----------
    points
        The constellation.
    variance
        Of the noise.
    count
        Symbols of a batch.
    """

    def gaussian() -> float:
        sent = white_noise(random, (count,))
        return of_reals(points_of(sent), points_of(noisy(sent, variance, random)))

    def labels(*, heard: bool = True, turned: bool = False) -> float:
        sent = random.integers(0, len(points), count)
        symbols = points[sent if heard else random.permutation(sent)]
        if turned:
            angles = random.uniform(0, 2 * np.pi, count)
            symbols = (symbols * np.exp(1j * angles)).astype(np.complex64)
        return of_labels(sent, points_of(noisy(symbols, variance, random)))

    yield ChannelEstimate(
        "Gaussian symbols",
        "Kraskov",
        gaussian_capacity(1 / variance),
        _batches([gaussian() for _ in range(PLACES)], count),
    )
    yield ChannelEstimate(
        "symbols of the link",
        "Ross",
        constellation_capacity(points, variance),
        _batches([labels() for _ in range(PLACES)], count),
    )
    yield ChannelEstimate(
        "the same, turned at random",
        "Ross",
        turned_capacity(points, variance),
        _batches([labels(turned=True) for _ in range(PLACES)], count),
    )
    yield ChannelEstimate(
        "symbols of others",
        "Ross",
        0.0,
        _batches([labels(heard=False) for _ in range(PLACES)], count),
    )


def _batches(values: list[float], count: int) -> Estimate:
    return mean("information", values, "bit", _CONFIDENCE, count * len(values))


_CONFIDENCE = 0.95
