# SPDX-License-Identifier: Apache-2.0
"""What a trace has in it: sleep, kinds of events, charge by length."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from samara.energy.trace.blocks import Reading, TraceError
from samara.energy.trace.finding import Events, Finder, Rules
from samara.energy.trace.formats import format_of
from samara.energy.trace.kinds import Kind, kinds_of
from samara.energy.trace.lengths import Fit, KnownTransmissions, Sent, fit, matched
from samara.energy.trace.levels import Levels, levels_of
from samara.energy.trace.timing import Timing
from samara.energy.trace.windows import Windows
from samara.records import Progress

if TYPE_CHECKING:
    from collections.abc import Generator, Iterator, Mapping
    from pathlib import Path

    from numpy.typing import NDArray

    from samara.energy.trace.blocks import Array, Format
    from samara.energy.trace.timing import Stretch


@dataclass(frozen=True, slots=True)
class TraceOptions:
    """What a trace is looked at with."""

    path: Path
    format: str | None
    columns: Mapping[str, str]
    high_a: float | None
    """Above which an event begins; None: found in the trace."""
    shortest_s: float
    join_s: float
    around_s: float
    known: KnownTransmissions | None
    byte_s: float | None
    """Time of a byte on the air, if it is known."""


@dataclass(frozen=True, slots=True)
class NamedKind:
    """A kind of events, and its name."""

    name: str
    members: NDArray[np.int64]
    interval_s: float | None = None
    length: float | None = None
    """Of its transmissions, in bytes."""


@dataclass(frozen=True, slots=True)
class TraceFindings:
    """What a trace has in it."""

    reading: Reading
    format: Format
    timing: Timing
    levels: Levels | None
    """None: nothing stands out."""
    finder: Finder
    events: Events
    overview: Windows
    kinds: list[NamedKind]
    rest: NDArray[np.int64]
    """Events of no kind."""
    fit: Fit | None

    @property
    def sleep_a(self) -> float:
        """Mean current between events, pulses of recharge included."""
        return self.finder.sleep_c / self.finder.sleep_s if self.finder.sleep_s else 0.0

    @property
    def above_sleep_c(self) -> Array:
        """Charge of each event above that of sleep."""
        return self.events.charges_c - self.sleep_a * self.events.spans_s


def analysed(asked: TraceOptions) -> Generator[Progress, None, TraceFindings]:
    """Yield progress, and return what a trace has in it.

    Raises
    ------
    TraceError
        When the file is no trace, or is damaged.
    OSError
        When it cannot be read.
    """
    format_ = format_of(asked.path, asked.format)
    yield Progress(0.0, "thresholds")
    reading = Reading(asked.path, asked.columns)
    levels = levels_of(Timing().stretches(format_.blocks(reading)), asked.high_a)
    reading, timing = Reading(asked.path, asked.columns), Timing()
    # Without thresholds, all of the trace is sleep.
    rules = Rules(
        levels or Levels(np.inf, np.inf),
        asked.shortest_s, asked.join_s, asked.around_s,
    )  # fmt: skip
    finder, overview = Finder(rules), Windows()
    for stretch in timing.stretches(format_.blocks(reading)):
        if stretch.times_s.size:
            finder.add(stretch)
            _look_over(overview, stretch)
        yield Progress(stretch.share, "reading")
    events = finder.finish()
    if not timing.samples or not overview.weights_s().size:
        message = f"{asked.path} has no samples with a current"
        raise TraceError(message)
    found = TraceFindings(
        reading, format_, timing, levels, finder, events, overview, [],
        np.empty(0, dtype=np.int64), None,
    )  # fmt: skip
    return _sorted_out(found, asked.known, asked.byte_s)


def _look_over(overview: Windows, stretch: Stretch) -> None:
    known = ~np.isnan(stretch.current_a)
    lasts = np.where(known, stretch.lasts_s, 0.0)
    charges = lasts * np.where(known, stretch.current_a, 0.0)
    overview.add(stretch.times_s, lasts, charges)


def _sorted_out(
    found: TraceFindings, known: KnownTransmissions | None, byte_s: float | None
) -> TraceFindings:
    """Return the same with kinds of events."""
    whole = np.flatnonzero(~found.events.broken)
    kinds, rest = _kinds(found, whole)
    named: list[NamedKind] = []
    fitted: Fit | None = None
    if known is not None:
        candidates = whole
        if known.times_s is None:
            polls = next((each.members for each in kinds if each.interval_s), None)
            candidates = whole if polls is None else np.setdiff1d(whole, polls)
        places, lengths = matched(known, found.events.starts_s[candidates])
        sent = candidates[places]
        transmissions = Sent(
            lengths, found.events.lasts_s[sent], found.above_sleep_c[sent]
        )
        fitted = fit(transmissions, found.timing.step_s, byte_s)
        named = list(_by_length(sent, lengths))
        kinds, rest = _kinds(found, np.setdiff1d(whole, sent))
    return TraceFindings(
        found.reading, found.format, found.timing, found.levels, found.finder,
        found.events, found.overview, [*_named(kinds), *named], rest, fitted,
    )  # fmt: skip


def _kinds(
    found: TraceFindings, whole: NDArray[np.int64]
) -> tuple[list[Kind], NDArray[np.int64]]:
    """Return the kinds of some events, by their numbers in the trace."""
    kinds, rest = kinds_of(
        found.events.starts_s[whole],
        found.events.lasts_s[whole],
        found.above_sleep_c[whole],
        found.timing.step_s,
    )
    return [Kind(whole[each.members], each.interval_s) for each in kinds], whole[rest]


def _named(kinds: list[Kind]) -> Iterator[NamedKind]:
    """Name kinds: the most frequent one that comes at regular times is the poll."""
    number = 0
    has_poll = False
    for each in kinds:
        if each.interval_s and not has_poll:
            has_poll, name = True, "poll"
        else:
            number += 1
            name = f"event {number}"
        yield NamedKind(name, each.members, each.interval_s)


def _by_length(sent: NDArray[np.int64], lengths: Array) -> Iterator[NamedKind]:
    for length in np.unique(lengths):
        members = sent[lengths == length]
        yield NamedKind(f"transmit {length:g} bytes", members, length=float(length))
