# SPDX-License-Identifier: Apache-2.0
"""Mutual information from samples, and from theory where it is known. In bits.

Sources: Kraskov, Stögbauer and Grassberger, "Estimating mutual information", Physical
Review E 69(6), 2004, equation 8; Ross, "Mutual information between discrete and
continuous data sets", PLoS ONE 9(2), 2014, for symbols of an alphabet. Both count
neighbours, without a model of the channel.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from samara.extras import need

if TYPE_CHECKING:
    from samara.phy.mappers import Symbols

Reals: TypeAlias = NDArray[np.float64]

NEIGHBOURS = 3
"""Kraskov's and Ross's k: few neighbours mean little bias."""
_NODES = 24


def points_of(values: NDArray[np.complexfloating[Any, Any]]) -> Reals:
    """Return complex numbers as points in the plane."""
    parts: Reals = np.stack([values.real, values.imag], axis=1).astype(np.float64)
    return parts


def of_reals(one: Reals, other: Reals) -> float:
    """Estimate the information that two rows of points share (Kraskov's first)."""
    tree, digamma = _tools()
    joint = np.concatenate([one, other], axis=1)
    reach = tree(joint).query(joint, NEIGHBOURS + 1, p=np.inf)[0][:, -1]
    # Those that are nearer than the last neighbour, the point itself included.
    nearer = np.nextafter(reach, 0)
    counts = [
        tree(each).query_ball_point(each, nearer, p=np.inf, return_length=True)
        for each in (one, other)
    ]
    shared = sum(digamma(count).mean() for count in counts)
    return float(digamma(NEIGHBOURS) + digamma(len(joint)) - shared) / math.log(2)


def of_labels(labels: NDArray[Any], values: Reals) -> float:
    """Estimate the information that labels and points share (Ross).

    Labels with too few points for the estimator are left out.
    """
    tree, digamma = _tools()
    names, which, sizes = np.unique(labels, return_inverse=True, return_counts=True)
    kept = sizes[which] > NEIGHBOURS
    values, which = values[kept], which[kept]
    if not len(values):
        return math.nan
    reach = np.empty(len(values))
    for name in range(len(names)):
        own = values[which == name]
        if len(own):
            reach[which == name] = tree(own).query(own, NEIGHBOURS + 1)[0][:, -1]
    nearer = np.nextafter(reach, 0)
    among = tree(values).query_ball_point(values, nearer, return_length=True)
    total = digamma(len(values)) + digamma(NEIGHBOURS)
    found = total - digamma(sizes[which]).mean() - digamma(among).mean()
    return float(found) / math.log(2)


def _tools() -> tuple[Any, Any]:
    """Return SciPy's k-d tree and digamma function, which load slowly."""
    return need("scipy.spatial", "phy").cKDTree, need("scipy.special", "phy").digamma


def gaussian_capacity(ratio: float) -> float:
    """Return the bits of a complex Gaussian symbol at this signal-to-noise ratio."""
    return math.log2(1 + ratio)


def constellation_capacity(points: Symbols, variance: float) -> float:
    """Return the bits of a symbol, each equally likely, in complex noise.

    Ungerboeck, IEEE Transactions on Information Theory 28(1), 1982, equation 5, with
    the mean over the noise by Gauss and Hermite.
    """
    nodes, weights = need("scipy.special", "phy").roots_hermite(_NODES)
    noise = math.sqrt(variance) * (nodes[:, np.newaxis] + 1j * nodes)
    weight = np.outer(weights, weights) / math.pi
    lost = 0.0
    for point in points:
        away = np.abs(point - points[:, np.newaxis, np.newaxis] + noise) ** 2
        ratios = np.exp((np.abs(noise) ** 2 - away) / variance).sum(axis=0)
        lost += float((weight * np.log2(ratios)).sum())
    return math.log2(len(points)) - lost / len(points)


def turned_capacity(points: Symbols, variance: float) -> float:
    """Return the bits of a symbol that was turned by a uniformly random angle.

    Only its magnitude is left, which has Rice's distribution in complex noise.
    """
    sizes = np.abs(points).astype(np.float64)[:, np.newaxis]
    step = math.sqrt(variance) / _STEPS
    heard = np.arange(step / 2, sizes.max() + _FAR * math.sqrt(variance), step)
    bessel = need("scipy.special", "phy").ive(0, 2 * sizes * heard / variance)
    density = 2 * heard / variance * np.exp(-((heard - sizes) ** 2) / variance) * bessel
    mixed = density.mean(axis=0)
    ratios = np.log2(np.maximum(density, _TINY) / np.maximum(mixed, _TINY))
    return float((density * ratios).sum(axis=1).mean() * step)


# Integration of Rice's density: points in a deviation, deviations beyond the largest
# magnitude, and what takes the place of 0 in logarithms.
_STEPS, _FAR, _TINY = 64, 8, 1e-300
