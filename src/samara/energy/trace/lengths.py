# SPDX-License-Identifier: Apache-2.0
"""The charge of a transmission by its length, and what waiting adds to it.

A transmission waits for a free medium for a time that is drawn anew each time. The fit
has a charge, one for each byte, and a current while it waits. Without that, chance in
the waiting times would be taken for charge of bytes.
"""

from __future__ import annotations

import csv
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from samara.energy.trace.blocks import TraceError

if TYPE_CHECKING:
    from pathlib import Path

    from numpy.typing import NDArray

    from samara.energy.trace.blocks import Array

_NEAR_S = 0.1
"""How far from the beginning of an event a transmission may be told."""
_EARLIEST = 0.05
"""Quantile of durations at which a transmission hardly waited."""
_OUTLIER = 5.0
"""Usual deviations from which on an event was more than one transmission."""
_ROWS_MAX = 1_000_000
_FEWEST = 8
_ROUNDS = 4
_EXACT = 1e-3
"""Share of a charge that analyzers do not tell apart."""
_BYTES_MAX = 100_000


@dataclass(frozen=True, slots=True)
class KnownTransmissions:
    """Transmissions that the user knows, in the order of the file."""

    times_s: Array | None
    """None: the transmissions are all events that are no polls, in their order."""
    lengths: Array


@dataclass(frozen=True, slots=True)
class Fit:
    """The charge of a transmission."""

    base_c: float
    """Of one without bytes that does not wait."""
    byte_c: float
    wait_a: float
    """Current while it waits, above sleep."""
    wait_s: float
    """Mean time that it waits longer than the quickest ones."""
    used: int
    merged: int
    """Events that were left out: most likely more than one in a time."""
    spread: float
    """Usual deviation of an event from the fit, as a share of the mean."""


def read_lengths(path: Path) -> KnownTransmissions:
    """Return what a file says: columns ``bytes`` and, if known, ``time`` in seconds.

    Raises
    ------
    TraceError
        When it is no such file.
    OSError
        When it cannot be read.
    """
    with path.open(newline="", encoding="utf-8", errors="replace") as file:
        try:
            rows = list(_rows(csv.DictReader(file)))
        except csv.Error as error:
            message = f"{path} is no CSV: {error}"
            raise TraceError(message) from None
        except (KeyError, TypeError, ValueError):
            message = (
                f"{path} has no lengths: expected a head with bytes, or time,bytes, "
                "then a line for each transmission with its time in the trace in "
                f"seconds and its length, from 1 to {_BYTES_MAX:,} bytes"
            )
            raise TraceError(message) from None
    if not rows:
        message = f"{path} has no lengths: it has no line behind its head"
        raise TraceError(message)
    times, lengths = zip(*rows, strict=True)
    if None in times:
        return KnownTransmissions(None, np.array(lengths, dtype=float))
    return KnownTransmissions(
        np.array(times, dtype=float), np.array(lengths, dtype=float)
    )


def _rows(reader: csv.DictReader[str]) -> list[tuple[float | None, float]]:
    found: list[tuple[float | None, float]] = []
    for row in reader:
        length = float(row["bytes"])
        time = float(row["time"]) if "time" in row else None
        if not 1 <= length <= _BYTES_MAX or not np.isfinite(time or 0.0):
            raise ValueError
        if len(found) >= _ROWS_MAX:
            raise ValueError
        found.append((time, length))
    return found


def matched(
    known: KnownTransmissions, starts_s: Array
) -> tuple[NDArray[np.int64], Array]:
    """Return which events are transmissions, and their lengths.

    A transmission without an event near, or with another one near to the same event,
    is left out.

    Raises
    ------
    TraceError
        When the file has no times, and not as many lines as there are events.
    """
    if known.times_s is None:
        if known.lengths.size != starts_s.size:
            message = (
                f"the lengths are {known.lengths.size}, and the trace has "
                f"{starts_s.size} events that are no polls: give the times of the "
                "transmissions, too"
            )
            raise TraceError(message)
        return np.arange(starts_s.size), known.lengths
    if not starts_s.size:
        return np.empty(0, dtype=np.int64), np.empty(0)
    place = _nearest(starts_s, known.times_s)
    near = np.abs(starts_s[place] - known.times_s) <= _NEAR_S
    alone = np.bincount(place[near], minlength=starts_s.size)[place] == 1
    kept = near & alone
    order = np.argsort(place[kept])
    return place[kept][order], known.lengths[kept][order]


def _nearest(starts_s: Array, times_s: Array) -> NDArray[np.int64]:
    """Return the event that is nearest to each time."""
    right = np.searchsorted(starts_s, times_s).clip(0, starts_s.size - 1)
    left = np.maximum(right - 1, 0)
    to_left, to_right = (np.abs(starts_s[each] - times_s) for each in (left, right))
    return np.where(to_left < to_right, left, right)


@dataclass(frozen=True, slots=True)
class Sent:
    """Transmissions, an array a property."""

    lengths: Array
    lasts_s: Array
    charges_c: Array
    """Above sleep."""


def fit(sent: Sent, step_s: float, byte_s: float | None = None) -> Fit | None:
    """Return the charge of transmissions by length; None if they do not tell it.

    Parameters
    ----------
    step_s
        From sample to sample: durations are not known more closely.
    byte_s
        Time of a byte on the air. Default: found from the quickest of each length.
    """
    kept = np.ones(sent.lengths.size, dtype=bool)
    found: Fit | None = None
    for _ in range(_ROUNDS):
        if np.count_nonzero(kept) < _FEWEST or np.ptp(sent.lengths[kept]) == 0:
            return None
        found, off = _fitted(sent, kept, step_s, byte_s)
        least = _EXACT * float(np.mean(sent.charges_c[kept]))
        still = np.abs(off) <= _OUTLIER * max(_usual(off[kept]), least)
        if (still == kept).all():
            break
        kept = still
    return found


def _usual(off: Array) -> float:
    """Return the usual deviation, whatever the largest ones are."""
    return 1.4826 * float(np.median(np.abs(off)))


def _fitted(
    sent: Sent, kept: NDArray[np.bool_], step_s: float, byte_s: float | None
) -> tuple[Fit, Array]:
    """Return the fit of those that are kept, and how far all are off."""
    waits = waits_of(sent.lengths, sent.lasts_s, kept, byte_s)
    # If durations vary by less than the samples show, the current is not known: it
    # becomes 0, since of all solutions the smallest is taken.
    waits *= float(np.std(waits[kept])) > step_s
    matrix = np.stack((np.ones(waits.size), sent.lengths, waits), axis=1)
    scale = np.maximum(np.abs(matrix).max(axis=0), np.finfo(float).tiny)
    scaled = np.linalg.lstsq(matrix[kept] / scale, sent.charges_c[kept], rcond=None)[0]
    off = sent.charges_c - matrix @ (scaled / scale)
    base, byte, wait = (float(each) for each in scaled / scale)
    count = int(np.count_nonzero(kept))
    spread = _usual(off[kept]) / float(np.mean(sent.charges_c[kept]))
    mean_wait = float(np.mean(waits[kept]))
    return Fit(base, byte, wait, mean_wait, count, waits.size - count, spread), off


def waits_of(
    lengths: Array, lasts_s: Array, kept: NDArray[np.bool_], byte_s: float | None
) -> Array:
    """Return how much longer each took than the quickest of its length.

    The quickest durations of all lengths lie on a line, whose slope is the time of a
    byte.
    """
    if byte_s is not None:
        rest: Array = lasts_s - byte_s * lengths
        return rest - float(np.quantile(rest[kept], _EARLIEST))
    each = np.unique(lengths[kept])
    quick = np.array(
        [np.quantile(lasts_s[kept & (lengths == one)], _EARLIEST) for one in each]
    )
    counts = np.array([np.count_nonzero(kept & (lengths == one)) for one in each])
    slope, base = np.polyfit(each, quick, 1, w=np.sqrt(counts))
    waits: Array = lasts_s - (base + slope * lengths)
    return waits
