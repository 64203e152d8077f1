# SPDX-License-Identifier: Apache-2.0
"""Non-overlapping templates: 148 patterns of nine bits. SP 800-22 rev. 1a, 2.7."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from samara.randomness.functions import igamc
from samara.randomness.sts.declaring import Test
from samara.randomness.sts.sequence import NOT_APPLICABLE, WINDOW
from samara.randomness.sts.templates import LENGTH, aperiodic

if TYPE_CHECKING:
    from samara.randomness.sts.sequence import Sequence

_BLOCKS = 8


def p_values(sequence: Sequence) -> list[float]:
    """Return the p-values of all templates, in the order of their numbers.

    No template overlaps itself. So the search that continues behind a match finds
    every occurrence, and one count of all patterns serves all templates.
    """
    templates = np.array(aperiodic())
    block = sequence.n // _BLOCKS
    places = block - LENGTH + 1
    mean = places / 2**LENGTH
    if mean < 1:
        return [NOT_APPLICABLE] * len(templates)
    variance = block * (2.0**-LENGTH - (2 * LENGTH - 1) * 2.0 ** (-2 * LENGTH))
    patterns = sequence.windows >> (WINDOW - LENGTH)
    found = np.array(
        [
            np.bincount(patterns[start : start + places], minlength=1 << LENGTH)
            for start in range(0, _BLOCKS * block, block)
        ]
    )[:, templates]
    statistics = ((found - mean) ** 2 / variance).sum(axis=0)
    return [float(p) for p in igamc(_BLOCKS / 2, statistics / 2)]


TEST = Test(
    "non-overlapping template",
    "2.7",
    p_values,
    parts=tuple(f"{one:0{LENGTH}b}" for one in aperiodic()),
    place=8,
)
