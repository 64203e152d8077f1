# SPDX-License-Identifier: Apache-2.0
"""Events and sleep in a trace, block by block.

An event begins where the current rises above a threshold, and goes on while it is above
a lower one. Shorter dips belong to it, and some time around it, too. Two events that
are near share the time between them. What is above the threshold for a shorter time
than events take is a recharge pulse of a converter, or noise: it belongs to sleep.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np

from samara.energy.trace.blocks import TraceError
from samara.energy.trace.windows import Windows

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from samara.energy.trace.blocks import Array
    from samara.energy.trace.levels import Levels
    from samara.energy.trace.timing import Stretch

    Places = NDArray[np.int64]

EVENTS_MAX = 1_000_000
SHAPES_MAX = 4_000
SHAPE_PARTS = 128
_ROUNDING_S = 1e-9
"""By which times may be off: without it, chance would decide on equal ones."""
_LONGEST = 1 << 22
"""Samples of an event that is kept in memory; a longer one is cut."""


@dataclass(frozen=True, slots=True)
class Rules:
    """What an event is."""

    levels: Levels
    shortest_s: float
    join_s: float
    """Dips that are shorter belong to the event."""
    around_s: float
    """Time before and after it that belongs to it."""


@dataclass(frozen=True, slots=True)
class Events:
    """All events of a trace, an array a property."""

    starts_s: Array
    lasts_s: Array
    """Above the lower threshold, dips included."""
    charges_c: Array
    """With the current of sleep."""
    spans_s: Array
    """Time that the charge was counted in."""
    broken: NDArray[np.bool_]
    """Whether samples are missing in it, or the trace begins or ends in it."""
    shapes_a: NDArray[np.float32]
    """Current of the first events in equal parts of their spans."""


@dataclass
class Finder:
    """Finds events in stretches that come one after the other."""

    rules: Rules
    sleep_s: float = 0.0
    sleep_c: float = 0.0
    pulses: int = 0
    """Of recharge, or noise: above the threshold, and too short for an event."""
    cut: int = 0
    """Events that were too long to be kept as one."""
    windows: Windows = field(default_factory=Windows)
    _times: Array = field(default_factory=lambda: np.empty(0))
    _lasts: Array = field(default_factory=lambda: np.empty(0))
    _current: Array = field(default_factory=lambda: np.empty(0))
    _found: list[tuple[float, float, float, float, bool]] = field(default_factory=list)
    _shapes: list[NDArray[np.float32]] = field(default_factory=list)
    _begun: bool = False
    _short: Places = field(default_factory=lambda: np.empty(0, dtype=np.int64))
    """Last samples of the pulses in what is kept."""
    _strong: NDArray[np.bool_] = field(default_factory=lambda: np.empty(0, dtype=bool))
    """Which of the runs in what is kept are events."""

    def add(self, stretch: Stretch) -> None:
        """Look for events in the next samples.

        Raises
        ------
        TraceError
            When there are too many.
        """
        self._times = np.concatenate((self._times, stretch.times_s))
        self._lasts = np.concatenate((self._lasts, stretch.lasts_s))
        self._current = np.concatenate((self._current, stretch.current_a))
        self._work(is_end=False)

    def finish(self) -> Events:
        """Return all events, when all samples were added."""
        self._work(is_end=True)
        table = np.array(self._found, dtype=float).reshape(-1, 5)
        shapes = np.array(self._shapes, dtype=np.float32).reshape(-1, SHAPE_PARTS)
        starts, lasts, charges, spans, broken = table.T
        return Events(starts, lasts, charges, spans, broken > 0, shapes)

    def _work(self, *, is_end: bool) -> None:
        """Account for samples up to where it is certain what they belong to."""
        if not self._times.size:
            return
        runs = self._runs()
        spans = self._spans(*runs)
        upto = self._times.size if is_end else self._certain(*spans)
        done = self._strong & (runs[0] < upto)
        self.pulses += int(np.count_nonzero(self._short < upto))
        inside = runs[0][done], runs[1][done]
        self._account(inside, (spans[0][done], spans[1][done]), upto, is_end=is_end)
        self._begun = self._begun or upto > 0
        self._times = self._times[upto:]
        self._lasts = self._lasts[upto:]
        self._current = self._current[upto:]

    def _certain(self, begins: Places, ends: Places) -> int:
        """Return up to which sample it is certain what belongs to events."""
        rules = self.rules
        # What is nearer to the end than this may still become part of an event.
        near_s = rules.join_s + rules.shortest_s + rules.around_s
        certain_s = self._times[-1] - near_s - _ROUNDING_S
        certain = int(np.searchsorted(self._times, certain_s))
        # An event is accounted for as a whole.
        place = int(np.searchsorted(ends, certain, side="right"))
        if place == begins.size or begins[place] >= certain:
            return certain
        if self._times.size - begins[place] <= _LONGEST:
            return int(begins[place])
        self.cut += int(self._strong[place])
        return int(self._times.size)

    def _runs(self) -> tuple[Places, Places]:
        """Return the first and the last sample of what may be an event.

        It is one, if its current rises above the upper threshold.
        """
        with np.errstate(invalid="ignore"):
            above = self._current > self.rules.levels.low_a
        edges = np.flatnonzero(above[1:] != above[:-1]) + 1
        if above[0]:
            edges = np.concatenate(([0], edges))
        if above[-1]:
            edges = np.append(edges, above.size)
        first, last = edges[::2], edges[1::2] - 1
        self._short, self._strong = first[:0], np.empty(0, dtype=bool)
        if not first.size:
            return first, last
        ends = self._times[last] + self._lasts[last]
        lasts = ends - self._times[first]
        long = lasts > self.rules.shortest_s - _ROUNDING_S
        peaks = np.maximum.reduceat(np.nan_to_num(self._current), first)
        strong = peaks > self.rules.levels.high_a
        self._short = last[strong & ~long]
        first, last, strong, ends = (each[long] for each in (first, last, strong, ends))
        if not first.size:
            return first, last
        apart = self._times[first[1:]] - ends[:-1] > self.rules.join_s + _ROUNDING_S
        begins = np.flatnonzero(np.concatenate(([True], apart)))
        closes = np.append(begins[1:] - 1, first.size - 1)
        self._strong = np.maximum.reduceat(strong, begins)
        return first[begins], last[closes]

    def _spans(self, first: Places, last: Places) -> tuple[Places, Places]:
        """Return where runs begin and end with the time around them."""
        starts_s, ends_s = self._times[first], self._times[last] + self._lasts[last]
        begins = np.searchsorted(
            self._times, starts_s - self.rules.around_s - _ROUNDING_S
        )
        ends = np.searchsorted(self._times, ends_s + self.rules.around_s - _ROUNDING_S)
        middles_s = (ends_s[:-1] + starts_s[1:]) / 2
        middles = np.searchsorted(self._times, middles_s - _ROUNDING_S)
        begins[1:] = np.maximum(begins[1:], middles)
        ends[:-1] = np.minimum(ends[:-1], middles)
        return np.minimum(begins, first), np.maximum(ends, last + 1)

    def _account(
        self,
        runs: tuple[Places, Places],
        spans: tuple[Places, Places],
        upto: int,
        *,
        is_end: bool,
    ) -> None:
        self._account_sleep(*spans, upto)
        for run, span in zip(
            zip(*runs, strict=True), zip(*spans, strict=True), strict=True
        ):
            starts_in = not self._begun and span[0] == 0
            ends_in = is_end and span[1] == self._times.size
            self._keep(run, slice(*span), whole=not (starts_in or ends_in))

    def _account_sleep(self, begins: Places, ends: Places, upto: int) -> None:
        awake = np.zeros(upto + 1, dtype=np.int8)
        np.add.at(awake, begins, 1)
        np.add.at(awake, ends, -1)
        asleep = np.cumsum(awake[:upto], dtype=np.int8) == 0
        lasts = np.where(asleep, self._lasts[:upto], 0.0)
        current = self._current[:upto]
        unknown = np.isnan(current)
        if unknown.any():
            lasts[unknown] = 0.0
            current = np.where(unknown, 0.0, current)
        charges = lasts * current
        self.sleep_s += float(lasts.sum())
        self.sleep_c += float(charges.sum())
        if upto:
            self.windows.add(self._times[:upto], lasts, charges)

    def _keep(self, run: tuple[int, int], inside: slice, *, whole: bool) -> None:
        """Keep an event, whose current is above the lower threshold in a run."""
        if len(self._found) >= EVENTS_MAX:
            message = (
                f"there are more than {EVENTS_MAX:,} events: give a higher "
                "--threshold, or a longer --shortest"
            )
            raise TraceError(message)
        current, lasts = self._current[inside], self._lasts[inside]
        broken = bool(np.isnan(current).any()) or not whole
        charge = float(np.nansum(current * lasts))
        start = self._times[run[0]]
        end = self._times[run[1]] + self._lasts[run[1]]
        self._found.append((start, end - start, charge, float(lasts.sum()), broken))
        if len(self._shapes) < SHAPES_MAX:
            self._shapes.append(_downsampled(current))


def _downsampled(current: Array) -> NDArray[np.float32]:
    """Return the current in equal parts of an event."""
    parts = np.linspace(0, current.size, SHAPE_PARTS + 1).astype(int)
    begins = np.minimum(parts[:-1], current.size - 1)
    counts = np.maximum(np.diff(np.append(begins, current.size)), 1)
    sums = np.add.reduceat(np.nan_to_num(current), begins)
    shape: NDArray[np.float32] = (sums / counts).astype(np.float32)
    return shape
