# SPDX-License-Identifier: Apache-2.0
"""A linear classifier of two kinds of frames, over several views of them.

A view makes numbers of the symbols of a frame. For each view, ridge regression on
labels -1 and 1 gives a linear discriminant (Hastie, Tibshirani and Friedman, The
Elements of Statistical Learning, 2nd edition (2009), sections 3.4 and 4.2). The view
that is best on a part of the frames of training is taken; the frames that it is judged
by are others.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    from collections.abc import Mapping

    from samara.phy.secrecy.estimates import Outcomes

Features: TypeAlias = NDArray[np.float64]
Labels: TypeAlias = NDArray[np.float64]

_RIDGE = 1.0
"""Penalty, in mean squares of a row of features."""

MOST_TRAINED = 2000


@dataclass(frozen=True, slots=True)
class Discriminant:
    """A linear discriminant of standardised features."""

    middle: Features
    scale: Features
    weights: Features
    offset: float

    @classmethod
    def fitted(cls, rows: Features, labels: Labels) -> Discriminant:
        """Fit one to rows of features with labels -1 and 1."""
        middle, scale = rows.mean(axis=0), rows.std(axis=0)
        scale[scale < 1e-12 * (1 + np.abs(middle))] = np.inf
        standard = (rows - middle) / scale
        products = standard @ standard.T
        penalty = _RIDGE * max(float(np.trace(products)) / len(rows), 1e-12)
        offset = float(labels.mean())
        # The dual form: there may be more features than rows.
        dual = np.linalg.solve(products + penalty * np.eye(len(rows)), labels - offset)
        return cls(middle, scale, standard.T @ dual, offset)

    def right(self, rows: Features, labels: Labels) -> Outcomes:
        """Tell for which rows it finds the label."""
        found = (rows - self.middle) / self.scale @ self.weights + self.offset
        outcomes: Outcomes = (found >= 0) == (labels > 0)
        return outcomes


def judged(views: Mapping[str, Features], labels: Labels) -> tuple[str, Outcomes]:
    """Return the best view of frames for training, and what it finds in the others.

    Half of the frames are for training, or `MOST_TRAINED`.
    """
    half = min(len(labels) // 2, MOST_TRAINED)
    quarter = half // 2

    def score(rows: Features) -> float:
        fitted = Discriminant.fitted(rows[:quarter], labels[:quarter])
        right = fitted.right(rows[quarter:half], labels[quarter:half])
        return float(right.mean())

    best = max(views, key=lambda name: score(views[name]))
    rows = views[best]
    fitted = Discriminant.fitted(rows[:half], labels[:half])
    return best, fitted.right(rows[half:], labels[half:])
