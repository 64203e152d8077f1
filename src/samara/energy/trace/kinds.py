# SPDX-License-Identifier: Apache-2.0
"""Kinds of events: groups whose durations and charges are near one another.

Events are counted in cells of a plane, logarithms of duration and charge. The fullest
cell with its neighbours is a kind, and so on with the rest. A kind that comes at
regular times is a poll, or a task of the firmware.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from samara.energy.trace.blocks import Array

    Members = NDArray[np.int64]

_CELL = 0.03
_BELONGS = 0.05
"""Part of the fullest cell from which on a neighbour continues a kind."""
_SHARE = 0.002
_FEWEST = 3
_REGULAR = 0.7
"""Part of the intervals that are near a multiple of the usual one."""
_NEAR = 0.05
_KINDS_MAX = 12


@dataclass(frozen=True, slots=True)
class Kind:
    """Events that are alike."""

    members: Members
    interval_s: float | None
    """Between two of them if they come at regular times."""


def kinds_of(
    starts_s: Array, lasts_s: Array, charges_c: Array, step_s: float
) -> tuple[list[Kind], Members]:
    """Return the kinds of events, the largest first, and the events of none.

    Parameters
    ----------
    step_s
        From sample to sample: durations are not known more closely.
    """
    cells: dict[tuple[int, int], list[int]] = defaultdict(list)
    for number, place in enumerate(_places(lasts_s, charges_c, step_s)):
        cells[place].append(number)
    fewest = max(_FEWEST, int(_SHARE * starts_s.size))
    kinds: list[Kind] = []
    while cells and len(kinds) < _KINDS_MAX:
        members = _taken(cells)
        if members.size < fewest:
            cells[0, 0] += members.tolist()
            break
        kinds.append(Kind(members, interval_of(starts_s[members])))
    rest = [number for cell in cells.values() for number in cell]
    kinds.sort(key=lambda kind: -kind.members.size)
    return kinds, np.array(sorted(rest), dtype=np.int64)


def _places(lasts_s: Array, charges_c: Array, step_s: float) -> list[tuple[int, int]]:
    """Return the cell of each event."""
    if not lasts_s.size:
        return []
    coarse = max(_CELL, 2 * step_s / float(np.median(lasts_s)))
    lasts = np.log(np.maximum(lasts_s, step_s)) / coarse
    charges = np.log(np.maximum(charges_c, 1e-15)) / _CELL
    both = np.stack((np.rint(lasts), np.rint(charges)), axis=1).astype(int)
    return [(int(one), int(other)) for one, other in both]


def _taken(cells: dict[tuple[int, int], list[int]]) -> Members:
    """Take the fullest cell with those that continue it out of the cells."""
    fullest = max(cells, key=lambda cell: len(cells[cell]))
    least = _BELONGS * len(cells[fullest])
    waiting, kind = [fullest], {fullest}
    while waiting:
        for near in _around(waiting.pop()):
            if near in kind or near not in cells:
                continue
            kind.add(near)
            if len(cells[near]) > least:
                waiting.append(near)
    members = [number for cell in kind for number in cells.pop(cell)]
    return np.array(sorted(members), dtype=np.int64)


def _around(cell: tuple[int, int]) -> list[tuple[int, int]]:
    lasts, charge = cell
    steps = (-1, 0, 1)
    return [(lasts + one, charge + other) for one in steps for other in steps]


def interval_of(starts_s: Array) -> float | None:
    """Return the time between events that come at regular times; None if they do not.

    Some may be missing: intervals of twice the time or more count as regular.

    >>> round(interval_of(np.array([0.0, 1.0, 2.01, 4.0, 5.0])), 2)
    1.0
    >>> interval_of(np.array([0.0, 0.3, 2.2, 2.5, 9.0])) is None
    True
    """
    intervals = np.diff(starts_s)
    if intervals.size < _FEWEST:
        return None
    usual = float(np.median(intervals))
    times = np.maximum(np.rint(intervals / usual), 1)
    regular = np.abs(intervals / usual - times) <= _NEAR
    # A multiple of a much longer time is near to any time.
    regular &= times <= 1 / (4 * _NEAR)
    if np.count_nonzero(regular) < _REGULAR * intervals.size:
        return None
    return float(intervals[regular].sum() / times[regular].sum())
