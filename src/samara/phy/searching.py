# SPDX-License-Identifier: Apache-2.0
"""How well, and how fast, a frame's counter is found: see samara.crypto.ple_sync."""

from __future__ import annotations

import time
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from samara.crypto import ple_sync
from samara.phy import pictures
from samara.phy.intervals import proportion
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
    "found wrongly",
    "million/s, there",
    "million/s, not there",
    "decodable",
)


@dataclass(slots=True)
class Search:
    """One case at one Eb/N0 in dB, and what came of it."""

    case: Case
    ebn0_db: float
    window: int
    frames: int = 0
    found: int = 0
    wrong: int = 0
    """Counters found that were not the frame's, in either window."""
    decodable: int = 0
    present_s: float = 0.0
    """Time of the searches in windows that have the counter."""
    absent_s: float = 0.0
    """And of those in windows that do not."""

    @property
    def found_rate(self) -> Rate:
        """Share of the frames whose counter was found."""
        return proportion(self.found, self.frames)

    @property
    def decodable_rate(self) -> Rate:
        """Share of the frames with a right tag under their counter."""
        return proportion(self.decodable, self.frames)

    def per_second(self, seconds: float) -> float:
        """Return candidates a second."""
        return self.window * self.frames / seconds


def block(search: Search, seed: int, frames: int) -> int:
    """Send one more block, `frames` in all at most; return how many it had."""
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
    # Counters are not negative: the window begins at 0 for the first of them.
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
    """Return the cells of a table, with `HEAD` above them."""
    return [
        (
            f"{point.ebn0_db:g}",
            str(point.frames),
            _in_words(point.found_rate),
            str(point.wrong),
            f"{point.per_second(point.present_s) / 1e6:.1f}",
            f"{point.per_second(point.absent_s) / 1e6:.1f}",
            _in_words(point.decodable_rate),
        )
        for point in points
    ]


def _in_words(rate: Rate) -> str:
    return f"{rate.value:.3f} ({rate.low:.3f} to {rate.high:.3f})"


def as_json(points: Sequence[Search], seed: int) -> dict[str, Any]:
    """Return everything that was measured."""
    return {
        "seed": seed,
        "confidence": 0.95,
        "points": [
            asdict(point)
            | {
                "found_rate": asdict(point.found_rate),
                "decodable_rate": asdict(point.decodable_rate),
                "candidates_per_second": point.per_second(point.present_s),
                "candidates_per_second_absent": point.per_second(point.absent_s),
            }
            for point in points
        ],
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
        axes.set_ylabel("share of frames, in one frame")
        axes.set_ylim(0, 1.02)
        axes.legend(loc="lower right")

    return {kind: pictures.draw(paint, (6.5, 4.2), kind) for kind in ("png", "svg")}
