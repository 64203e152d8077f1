# SPDX-License-Identifier: Apache-2.0
"""Error rates over Eb/N0 as rows, as JSON and as pictures."""

from __future__ import annotations

from dataclasses import asdict
from itertools import groupby
from typing import TYPE_CHECKING, Any

import numpy as np

from samara.phy import pictures, theory
from samara.phy.intervals import difference
from samara.phy.trial import Fading, Receiver

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from samara.phy.intervals import Rate, Tally
    from samara.phy.sweep import Point
    from samara.phy.trial import Case
    from samara.phy.uncoded import Curve

HEAD = ("modulation", "code", "Eb/N0, dB", "receiver", "frames", "FER", "BER")
NAMES = {
    Receiver.PLAIN: "without encryption",
    Receiver.PLE: "Grain-128PLE, soft",
    Receiver.PLE_HARD: "Grain-128PLE, hard XOR",
    Receiver.NO_KEY: "eavesdropper, no key",
    Receiver.WRONG_KEY: "eavesdropper, wrong key",
    Receiver.PLAIN_APART: "without encryption, other noise",
}
TEXT = (
    "Intervals have 95 % confidence: Clopper and Pearson's for frames; for bits, "
    "whose errors come in bunches, from the numbers of errors in each frame. Eb is "
    "the energy of a bit of payload or tag; the tail of the convolutional code "
    "counts as loss. All receivers hear the same noise but for the one named, whose "
    "frames and noise are its own. Without encryption and under the same noise, the "
    "decoded bits are the same by construction; under other noise the rates differ by "
    "chance alone. Dashed: theory, or a bound from above."
)

# A curve without errors ends below this.
_LOWEST = 1e-7
# Who is drawn over whom: equal curves are to be seen both.
_MARKS: dict[Receiver, Any] = {
    Receiver.PLAIN: {"marker": "o", "markersize": 9, "fillstyle": "none"},
    Receiver.PLE: {"marker": ".", "markersize": 7},
    Receiver.PLE_HARD: {"marker": "s", "markersize": 4},
    Receiver.NO_KEY: {"marker": "x", "markersize": 6},
    Receiver.WRONG_KEY: {"marker": "+", "markersize": 8},
    Receiver.PLAIN_APART: {"marker": "d", "markersize": 5, "fillstyle": "none"},
}


def rows(points: Sequence[Point]) -> list[tuple[str, ...]]:
    """Return the cells of a table, with `HEAD` above them."""
    return [
        (
            point.case.modulation + _faded(point.case),
            str(point.case.code),
            f"{point.ebn0_db:g}",
            NAMES[receiver],
            str(tally.frames),
            in_words(tally.frame_error_rate),
            in_words(tally.bit_error_rate),
        )
        for point in points
        for receiver, tally in point.tallies.items()
    ]


def in_words(rate: Rate) -> str:
    """Return a rate with its interval."""
    if rate.value == 0:
        return f"< {rate.high:.2g}"
    return f"{rate.value:.3g} ({rate.low:.3g} to {rate.high:.3g})"


def as_json(points: Sequence[Point], seed: int) -> dict[str, Any]:
    """Return everything that was measured."""
    return {
        "seed": seed,
        "confidence": 0.95,
        "points": [
            {
                **asdict(point.case),
                "ebn0_db": point.ebn0_db,
                "theory_ber": _theory(theory.bit_error_rate, point),
                "theory_fer": _theory(theory.frame_error_rate, point),
                "fer_encrypted_less_plain_apart": asdict(_cost(point)),
                "receivers": {
                    receiver: _tally_json(tally)
                    for receiver, tally in point.tallies.items()
                },
            }
            for point in points
        ],
    }


def _tally_json(tally: Tally) -> dict[str, Any]:
    counted = asdict(tally)
    del counted["squares"]
    return counted | {
        "fer": asdict(tally.frame_error_rate),
        "ber": asdict(tally.bit_error_rate),
    }


def _cost(point: Point) -> Rate:
    """Return how many frames more are lost with encryption, as a share."""
    rates = [
        point.tallies[receiver].frame_error_rate
        for receiver in (Receiver.PLE, Receiver.PLAIN_APART)
    ]
    return difference(*rates)


def _theory(
    curve: Callable[[Case, Curve], Curve], point: Point
) -> float | None:
    if theory.label(point.case) is None:
        return None
    return float(curve(point.case, np.array([point.ebn0_db]))[0])


def files(points: Sequence[Point]) -> dict[str, bytes]:
    """Return png, svg and html of the curves."""
    cases = _by_case(points)
    size = (9.5, 4.3 * len(cases))

    def paint(figure: Figure) -> None:
        rows_of_axes = figure.subplots(len(cases), 2, squeeze=False)
        for (case, of_case), axes in zip(cases, rows_of_axes, strict=True):
            _paint_bits(axes[0], case, of_case)
            _paint_frames(axes[1], case, of_case)

    svg = pictures.draw(paint, size, "svg")
    title = "Error rates of links with Grain-128PLE"
    return {
        "png": pictures.draw(paint, size, "png"),
        "svg": svg,
        "html": pictures.page(title, TEXT, svg, HEAD, rows(points)),
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
    axes.set_title(f"{case.modulation}, code {case.code}{_faded(case)}")
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
    axes.set_title(f"payload of {case.payload_size} bytes")
    axes.set_ylabel("frame error rate")


def _paint(axes: Axes, points: list[Point], rates: dict[Receiver, list[Rate]]) -> None:
    places = np.array([point.ebn0_db for point in points])
    for colour, (receiver, some) in zip(pictures.COLOURS, rates.items(), strict=False):
        values = np.array([rate.value for rate in some])
        reach = np.abs(np.array([(rate.low, rate.high) for rate in some]).T - values)
        # A rate of 0 is no point of a logarithmic axis; its bound is in the table.
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
            **_MARKS[receiver],
        )
    axes.set_yscale("log")
    axes.set_ylim(max(_LOWEST, _lowest(rates) / 3), 1.5)
    axes.set_xlabel("Eb/N0, dB")


def _lowest(rates: dict[Receiver, list[Rate]]) -> float:
    values = [rate.value for some in rates.values() for rate in some if rate.value > 0]
    return min(values, default=1e-3)


def _faded(case: Case) -> str:
    return ", Rayleigh fading" if case.fading is Fading.RAYLEIGH else ""
