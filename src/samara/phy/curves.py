# SPDX-License-Identifier: Apache-2.0
"""Error rates over Eb/N0 as pictures."""

from __future__ import annotations

from itertools import groupby
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np

from samara.phy import pictures, theory
from samara.phy.trial import Fading, Receiver

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from samara.phy.intervals import Rate
    from samara.phy.sweep import Point
    from samara.phy.trial import Case
    from samara.phy.uncoded import Curve

NAMES = {
    Receiver.PLAIN: "no encryption",
    Receiver.PLE: "Grain-128PLE, soft",
    Receiver.PLE_HARD: "Grain-128PLE, hard XOR",
    Receiver.NO_KEY: "eavesdropper, no key",
    Receiver.WRONG_KEY: "eavesdropper, wrong key",
    Receiver.PLAIN_APART: "no encryption, other noise",
}
_LEAST = "best code of this length, estimated"
# A curve without errors ends below this.
_LOWEST = 1e-7
# Curves that are equal lie on each other; with these marks both can be seen.
_MARKERS: dict[Receiver, Any] = {
    Receiver.PLAIN: {"marker": "o", "markersize": 9, "fillstyle": "none"},
    Receiver.PLE: {"marker": ".", "markersize": 7},
    Receiver.PLE_HARD: {"marker": "s", "markersize": 4},
    Receiver.NO_KEY: {"marker": "x", "markersize": 6},
    Receiver.WRONG_KEY: {"marker": "+", "markersize": 8},
    Receiver.PLAIN_APART: {"marker": "d", "markersize": 5, "fillstyle": "none"},
}


class _Measured(Protocol):
    """A record of what was measured at one point."""

    @property
    def point(self) -> Point: ...


def cells(rate: Rate) -> tuple[str, str]:
    """Return a rate and its interval as text."""
    if rate.value == 0:
        return "0", f"< {rate.high:.2g}"
    return f"{rate.value:.3g}", f"{rate.low:.3g} to {rate.high:.3g}"


def files(rates: Sequence[_Measured]) -> dict[str, bytes]:
    """Return png and svg of the curves."""
    points = [each.point for each in rates]
    cases = _by_case(points)
    size = (9.5, 4.3 * len(cases))

    def paint(figure: Figure) -> None:
        rows_of_axes = figure.subplots(len(cases), 2, squeeze=False)
        for (case, of_case), axes in zip(cases, rows_of_axes, strict=True):
            _paint_bits(axes[0], case, of_case)
            _paint_frames(axes[1], case, of_case)

    return {
        f"ber.{kind}": pictures.draw(paint, size, kind) for kind in pictures.FORMATS
    }


def _by_case(points: Sequence[Point]) -> list[tuple[Case, list[Point]]]:
    return [(case, list(some)) for case, some in groupby(points, lambda p: p.case)]


def _paint_bits(axes: Axes, case: Case, points: list[Point]) -> None:
    rates = {
        receiver: [point.tallies[receiver].bit_error_rate for point in points]
        for receiver in Receiver
    }
    _paint(axes, points, rates)
    _paint_theory(axes, case, points, theory.bit_error_rate)
    axes.set_title(f"{case.modulation}, code {case.code}{faded(case)}")
    axes.set_ylabel("bit error rate")
    axes.legend(fontsize=7.5, loc="lower left")


def _paint_theory(
    axes: Axes,
    case: Case,
    points: list[Point],
    rate: Callable[[Case, Curve], Curve],
) -> None:
    name = theory.label(case)
    if name is not None:
        places = np.linspace(points[0].ebn0_db, points[-1].ebn0_db, 200)
        curve = rate(case, places)
        axes.plot(places, curve, color=pictures.GREY, ls="--", lw=1, label=name)


def _paint_frames(axes: Axes, case: Case, points: list[Point]) -> None:
    rates = {
        receiver: [point.tallies[receiver].frame_error_rate for point in points]
        for receiver in Receiver
    }
    _paint(axes, points, rates)
    _paint_theory(axes, case, points, theory.frame_error_rate)
    if theory.has_least(case):
        places = np.linspace(points[0].ebn0_db, points[-1].ebn0_db, 200)
        least = theory.least_frame_error_rate(case, places)
        (line,) = axes.plot(
            places, least, color=pictures.GREY, ls=":", lw=1, label=_LEAST
        )
        axes.legend(fontsize=7.5, loc="lower left", handles=[line])
    axes.set_title(f"payload of {case.payload_size} bytes")
    axes.set_ylabel("frame error rate")


def _paint(axes: Axes, points: list[Point], rates: dict[Receiver, list[Rate]]) -> None:
    places = np.array([point.ebn0_db for point in points])
    for colour, (receiver, some) in zip(pictures.COLOURS, rates.items(), strict=False):
        values = np.array([rate.value for rate in some])
        reach = np.abs(np.array([(rate.low, rate.high) for rate in some]).T - values)
        # A logarithmic axis has no place for 0; the table has the upper bound.
        seen = values > 0
        axes.errorbar(
            places[seen],
            values[seen],
            reach[:, seen],
            color=colour,
            label=NAMES[receiver],
            capsize=2,
            elinewidth=0.8,
            lw=1.2,
            **_MARKERS[receiver],
        )
    axes.set_yscale("log")
    axes.set_ylim(max(_LOWEST, _lowest(rates) / 3), 1.5)
    axes.set_xlabel("Eb/N0, dB")


def _lowest(rates: dict[Receiver, list[Rate]]) -> float:
    values = [rate.value for some in rates.values() for rate in some if rate.value > 0]
    return min(values, default=1e-3)


def faded(case: Case) -> str:
    """Return what the title of a case says of its channel."""
    if case.surroundings is not None:
        return ", bursts"
    return ", Rayleigh fading" if case.fading is Fading.RAYLEIGH else ""
