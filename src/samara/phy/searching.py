# SPDX-License-Identifier: Apache-2.0
"""How reliably and how fast the frame counter of a frame is found.

The search itself is in `samara.crypto.ple_sync`.
"""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from samara import figure as figures
from samara.crypto import ple_sync
from samara.phy import pictures
from samara.phy.intervals import CONFIDENCE, proportion
from samara.phy.trial import BLOCK_FRAMES, generator, hear

if TYPE_CHECKING:
    from collections.abc import Sequence

    from matplotlib.figure import Figure

    from samara.phy.intervals import Rate
    from samara.phy.trial import Case

HEAD = (
    "Eb/N0, dB",
    "frames",
    "found",
    "found 95 %",
    "wrong",
    "decodable",
    "decodable 95 %",
    "million/s\nif present",
    "million/s\nif absent",
)
_SOURCE = "simulated frames"
_CLOCK = "processor time of one thread"


@dataclass(slots=True)
class Search:
    """Searches for one case at one Eb/N0 in dB, with what was counted."""

    case: Case
    ebn0_db: float
    window: int
    frames: int = 0
    found: int = 0
    wrong: int = 0
    """Searches in either window that found a wrong counter."""
    decodable: int = 0
    present_s: float = 0.0
    """Processor time of the searches in windows that contain the counter."""
    absent_s: float = 0.0
    """Processor time of the searches in windows that do not contain it."""

    @property
    def found_rate(self) -> Rate:
        """Share of the frames whose counter was found."""
        return proportion(self.found, self.frames)

    @property
    def decodable_rate(self) -> Rate:
        """Share of the frames that can be decoded if the counter is known."""
        return proportion(self.decodable, self.frames)

    def per_second(self, seconds: float) -> float:
        """Return how many counters are tried per second."""
        return self.window * self.frames / seconds


def block(search: Search, seed: int, frames: int) -> int:
    """Simulate one more block of frames, and return how many frames it had.

    The search has at most `frames` frames then.
    """
    random = generator(search.case, search.ebn0_db, seed, search.frames)
    count = min(BLOCK_FRAMES, frames - search.frames)
    key = random.bytes(16)
    heard = hear(search.case, search.ebn0_db, random, count, key)
    _, good = heard.frames.decode(heard.soft, 0)
    search.decodable += int(good.sum())
    places = random.integers(0, search.window, count)
    soft = ple_sync.quantise(heard.soft)
    for counter, place in enumerate(places):
        _search(search, key, soft[counter], counter, int(place))
    search.frames += count
    return count


def _search(
    search: Search, key: bytes, soft: ple_sync.SoftValues, counter: int, place: int
) -> None:
    # Counters are not negative: for the first frames the window begins at 0.
    first = max(counter - place, 0)
    begin = time.thread_time()
    found = ple_sync.scan(key, soft, range(first, first + search.window))
    middle = time.thread_time()
    away = first + search.window
    other = ple_sync.scan(key, soft, range(away, away + search.window))
    search.absent_s += time.thread_time() - middle
    search.present_s += middle - begin
    right = found is not None and found.counter == counter
    search.found += right
    search.wrong += (found is not None and not right) + (other is not None)


def rows(points: Sequence[Search]) -> list[tuple[str, ...]]:
    """Return the cells of a table; `HEAD` has the names of the columns."""
    return [
        (
            f"{point.ebn0_db:g}",
            str(point.frames),
            *_cells(point.found_rate),
            str(point.wrong),
            *_cells(point.decodable_rate),
            f"{point.per_second(point.present_s) / 1e6:.1f}",
            f"{point.per_second(point.absent_s) / 1e6:.1f}",
        )
        for point in points
    ]


def _cells(rate: Rate) -> tuple[str, str]:
    return f"{rate.value:.3f}", f"{rate.low:.3f} to {rate.high:.3f}"


def as_json(point: Search, seed: int) -> dict[str, Any]:
    """Return all that was measured at one point."""
    speeds = {
        name: figures.Figure(
            point.per_second(seconds), "1/s", figures.Origin.HOST_CLOCK, _CLOCK
        )
        for name, seconds in (("present", point.present_s), ("absent", point.absent_s))
    }
    return {
        "modulation": point.case.modulation,
        "code": point.case.code,
        "payload_bytes": point.case.payload_size,
        "ebn0_db": point.ebn0_db,
        "window": point.window,
        "seed": seed,
        "confidence": CONFIDENCE,
        "frames": point.frames,
        "found": point.found,
        "wrong": point.wrong,
        "decodable": point.decodable,
        "found_rate": point.found_rate.as_json(_SOURCE),
        "decodable_rate": point.decodable_rate.as_json(_SOURCE),
        "candidates_per_second_present": speeds["present"].as_json(),
        "candidates_per_second_absent": speeds["absent"].as_json(),
    }


def files(points: Sequence[Search]) -> dict[str, bytes]:
    """Return png and svg of the shares over Eb/N0."""

    def paint(figure: Figure) -> None:
        axes = figure.subplots()
        places = [point.ebn0_db for point in points]
        window, case = points[0].window, points[0].case
        found = [point.found_rate for point in points]
        decodable = [point.decodable_rate for point in points]
        curves = {f"counter found among {window}": found, "decodable": decodable}
        for colour, (name, rates) in zip(
            pictures.COLOURS, curves.items(), strict=False
        ):
            values = np.array([rate.value for rate in rates])
            ends = np.array([(rate.low, rate.high) for rate in rates]).T
            reach = np.abs(ends - values)
            axes.errorbar(
                places, values, reach, color=colour, label=name, marker="o", capsize=2
            )
        axes.set_title(
            f"{case.modulation}, code conv, payload of {case.payload_size} bytes"
        )
        axes.set_xlabel("Eb/N0, dB")
        axes.set_ylabel("share of frames")
        axes.set_ylim(0, 1.02)
        axes.legend(loc="lower right")

    return {kind: pictures.draw(paint, (6.5, 4.2), kind) for kind in ("png", "svg")}
