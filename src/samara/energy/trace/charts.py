# SPDX-License-Identifier: Apache-2.0
"""What the charts of a trace show: its current, charges of events, and their shapes."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from samara.energy.trace.finding import SHAPES_MAX
from samara.records.charts import Axis, Chart, Draws, Point, Series, curve

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

    from samara.energy.trace.analysis import TraceFindings
    from samara.energy.trace.windows import Windows
    from samara.records.answers import Written

    Array = NDArray[np.float64]

_SHOWN = 6
"""Kinds of events."""
_CLASSES = 40
_WINDOWS = 1000
"""Means that a line has room for; of more, adjacent ones are drawn as one."""
_MICRO = "\N{MICRO SIGN}"


def charts_of_trace(made: Written) -> list[Chart]:
    """Show a trace, the charges of its events, and the mean shape of each kind."""
    found: TraceFindings = made.drawn
    return [
        Chart(
            "Mean current over the trace",
            Axis("time", "s", counts=True),
            Axis("current", f"{_MICRO}A"),
            [
                _current("all", found.overview, 0),
                _current("asleep", found.finder.windows, 1),
            ],
        ),
        Chart(
            "Events by their charge",
            Axis("charge", f"{_MICRO}C"),
            Axis("events"),
            list(_charges(found)),
        ),
        Chart(
            "Mean shape of an event",
            Axis("time", "ms", counts=True),
            Axis("current", "mA"),
            list(_shapes(found)),
        ),
    ]


def _current(name: str, windows: Windows, colour: int) -> Series:
    times_s, means_a = windows.means()
    weights_s = windows.weights_s()
    count = max(1, -(-times_s.size // _WINDOWS))
    begins = np.arange(0, times_s.size, count)
    if not begins.size:
        return Series(name, [], colour=colour)
    lasts_s = np.add.reduceat(weights_s, begins)
    times = np.add.reduceat(times_s * weights_s, begins) / lasts_s
    means = np.add.reduceat(means_a * weights_s, begins) / lasts_s
    return curve(name, times.tolist(), (means * 1e6).tolist(), colour)


def _charges(found: TraceFindings) -> Iterator[Series]:
    """Yield how many events of each kind have which charge."""
    charges_uc = found.above_sleep_c * 1e6
    shown = charges_uc[charges_uc > 0]
    if not shown.size:
        return
    edges = np.geomspace(shown.min() * 0.97, shown.max() * 1.03, _CLASSES + 1)
    members = {each.name: each.members for each in found.kinds[:_SHOWN]}
    for colour, (name, some) in enumerate({**members, "other": found.rest}.items()):
        counts, _ = np.histogram(charges_uc[some], edges)
        points = [
            Point(float(np.sqrt(low * high)), int(count), label=_class(name, low, high))
            for count, low, high in zip(counts, edges, edges[1:], strict=False)
            if count
        ]
        if points:
            yield Series(name, points, Draws.POINTS, 7 if name == "other" else colour)


def _class(name: str, low: float, high: float) -> str:
    return f"{name}, {low:.3g} to {high:.3g} {_MICRO}C"


def _shapes(found: TraceFindings) -> Iterator[Series]:
    for colour, kind in enumerate(found.kinds[:_SHOWN]):
        kept = kind.members[kind.members < SHAPES_MAX]
        if not kept.size:
            continue
        shape: Array = found.events.shapes_a[kept].mean(axis=0) * 1e3
        span_ms = float(found.events.spans_s[kind.members].mean()) * 1e3
        times = (np.arange(shape.size) + 0.5) / shape.size * span_ms
        yield curve(kind.name, times.tolist(), shape.tolist(), colour)
