# SPDX-License-Identifier: Apache-2.0
"""What the charts of error rates over Eb/N0 show: a page of them has two for a link."""

from __future__ import annotations

from itertools import groupby
from typing import TYPE_CHECKING

import numpy as np

from samara.figure import Origin
from samara.phy import theory
from samara.phy.curves import NAMES, faded
from samara.phy.trial import Receiver
from samara.records.charts import Axis, Chart, Draws, Point, Series, curve

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from samara.phy.intervals import Rate, Tally
    from samara.phy.sweep import Point as Measured
    from samara.phy.trial import Case
    from samara.phy.uncoded import Curve
    from samara.records.answers import Written

_ACROSS = Axis("Eb/N0", "dB")
_GREY = 7
_PLACES = 60
"""Of a curve in theory."""


def charts_of_rates(made: Written) -> list[Chart]:
    """Show bit and frame error rates of each link."""
    points = [each.point for each in made.drawn]
    return [
        chart
        for case, some in groupby(points, key=lambda point: point.case)
        for chart in _of_case(case, list(some))
    ]


def _of_case(case: Case, points: Sequence[Measured]) -> Iterator[Chart]:
    title = f"{case.modulation}, code {case.code}{faded(case)}"
    for name, rate, theoretical in (
        ("bit error rate", _of_bits, theory.bit_error_rate),
        ("frame error rate", _of_frames, theory.frame_error_rate),
    ):
        series = [*_theory(case, points, theoretical), *_measured(points, rate)]
        frames = f", payload of {case.payload_size} bytes: {name}"
        yield Chart(title + frames, _ACROSS, Axis(name), series)


def _of_bits(tally: Tally) -> Rate:
    return tally.bit_error_rate


def _of_frames(tally: Tally) -> Rate:
    return tally.frame_error_rate


def _theory(
    case: Case, points: Sequence[Measured], rate: Callable[[Case, Curve], Curve]
) -> Iterator[Series]:
    name = theory.label(case)
    if name is not None:
        places = np.linspace(points[0].ebn0_db, points[-1].ebn0_db, _PLACES)
        rates = rate(case, places)
        yield curve(name, places.tolist(), rates.tolist(), _GREY, Origin.ESTIMATED)


def _measured(
    points: Sequence[Measured], rate: Callable[[Tally], Rate]
) -> Iterator[Series]:
    """Yield the rates of each receiver; the table has the bound of a rate of 0."""
    for colour, receiver in enumerate(Receiver):
        rates = [(point, rate(point.tallies[receiver])) for point in points]
        seen = [_point(each, found) for each, found in rates if found.value > 0]
        if seen:
            yield Series(NAMES[receiver], seen, Draws.POINTS, colour)


def _point(at: Measured, found: Rate) -> Point:
    return Point(
        at.ebn0_db,
        found.value,
        found.low,
        found.high,
        origin=Origin.ESTIMATED,
        source="simulated frames, 95 % confidence",
    )
