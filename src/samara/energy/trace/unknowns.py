# SPDX-License-Identifier: Apache-2.0
"""What a trace does not show, in sentences."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Iterator

    from samara.energy.trace.analysis import TraceFindings

_DRIFT = 0.1
_FEW = 30
_COARSE = 10
_SHORTEST_S = 60.0


def noticed(found: TraceFindings) -> Iterator[str]:
    """Yield what was wrong or missing in the file."""
    reading, timing = found.reading, found.timing
    if reading.unreadable:
        yield f"{_are(reading.unreadable, 'line')} left out: without a sample."
    if reading.cut_short:
        yield "The file ends within a sample: it is not complete."
    if timing.gaps:
        places = "place" if timing.gaps == 1 else "places"
        yield (
            f"Samples are missing in {timing.gaps:,} {places}, {timing.missing_s:.3g} s"
            " in all. This time is not counted."
        )
    if timing.invalid:
        yield f"{_are(timing.invalid, 'sample')} left out: without a current."
    if timing.disordered:
        yield (
            f"{_are(timing.disordered, 'sample')} left out: at no possible time, or "
            "not later than the one before."
        )
    if found.overview.charges_c.sum() < 0:
        yield (
            "The mean current is below zero: the analyzer's input and output may be "
            "exchanged."
        )
    yield from _left_out(found)


def _left_out(found: TraceFindings) -> Iterator[str]:
    broken = int(np.count_nonzero(found.events.broken))
    if broken:
        yield (
            f"{_are(broken, 'event')} left out of the kinds: with missing samples, or "
            "at an end of the trace."
        )
    if found.finder.cut:
        yield f"{_are(found.finder.cut, 'event')} cut: too long."


def _are(count: int, what: str) -> str:
    return f"{count:,} {what} is" if count == 1 else f"{count:,} {what}s are"


def unknowns(found: TraceFindings, drift: float) -> Iterator[str]:
    """Yield what the trace does not show."""
    if found.levels is None:
        yield (
            "No event stands out of the trace: its mean is taken for sleep. Give "
            "--threshold if it has events."
        )
        return
    if found.finder.sleep_s < found.overview.lasts_s.sum() / 2:
        yield "The device sleeps less than half of the time: its sleep is uncertain."
    if abs(drift) > _DRIFT:
        yield (
            f"Sleep changes by {drift:+.0%} over the trace: temperature, or the zero "
            "of the analyzer. Its mean may not hold for longer."
        )
    if not any(each.interval_s for each in found.kinds):
        yield "No kind of event comes at regular times: which are polls is not known."
    few = [each.name for each in found.kinds if each.members.size < _FEW]
    if few:
        yield f"Fewer than {_FEW} events: the spread of {', '.join(few)} is uncertain."
    yield from _lengths(found)
    if found.timing.ends_s - found.timing.begins_s < _SHORTEST_S:
        yield "The trace is shorter than a minute: rare events may be missing."


def _lengths(found: TraceFindings) -> Iterator[str]:
    if found.fit is not None:
        return
    coarse = found.events.lasts_s.size and (
        float(np.median(found.events.lasts_s)) < _COARSE * found.timing.step_s
    )
    if coarse:
        yield (
            f"At {1 / found.timing.step_s:,.0f} samples a second durations of events "
            "are too coarse to tell waiting from length; charges hold."
        )
    if any(each.length for each in found.kinds):
        yield (
            "The charge of a byte is not known: it takes at least 8 transmissions of "
            "two lengths or more."
        )
    else:
        yield (
            "The charge of a byte is not known, since the lengths of the transmissions "
            "are not: give --lengths."
        )
