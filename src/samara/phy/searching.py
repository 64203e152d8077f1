# SPDX-License-Identifier: Apache-2.0
"""How reliably and how fast the frame counter of a frame is found.

The search itself is in `samara.crypto.ple_sync`.
"""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated

import numpy as np

from samara.crypto import ple_sync
from samara.figure import Figure, Origin
from samara.phy import pictures
from samara.phy.coded import Code
from samara.phy.intervals import CONFIDENCE, RateFigure, proportion
from samara.phy.modulation import find
from samara.phy.parameters import (
    EbN0Values,
    ModulationName,
    PayloadSize,
    values_of,
)
from samara.phy.trial import BLOCK_FRAMES, Case, Fading, generator, hear
from samara.records import (
    Answer,
    Between,
    Field,
    Parameter,
    Progress,
    Record,
    Request,
    Title,
    record_class,
    request_class,
)
from samara.records.usual import Seed

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from matplotlib.figure import Figure as Picture

    from samara.phy.intervals import Rate

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


@request_class
class SearchRequest(Request):
    """Which frames are searched for, and among how many counters."""

    window: Annotated[
        int,
        Parameter(help="Frame counters to try.", values=Between(1, 1 << 24)),
    ] = ple_sync.WIDE_WINDOW
    ebn0: EbN0Values = "0:5:1"
    frames: Annotated[
        int,
        Parameter(help="Frames for each value of Eb/N0.", values=Between(1)),
    ] = 1000
    modulation: ModulationName = "bpsk"
    payload_size: PayloadSize = 48
    seed: Seed = 1


@record_class
class _Row:
    """A row for a value of Eb/N0. Texts are numbers as they are shown."""

    ebn0: Annotated[float, Field("Eb/N0.", heading="Eb/N0,\xa0dB", digits="g", rank=0)]
    frames: Annotated[int, Field("Frames.", heading="frames", digits="d", rank=3)]
    found: Annotated[float | str, Field("Share found.", heading="found", rank=0)]
    found_range: Annotated[
        float | str, Field("Interval of it.", heading="found\xa095\xa0%", rank=2)
    ]
    wrong: Annotated[int, Field("Wrong counters.", heading="wrong", digits="d")]
    decodable: Annotated[
        float | str, Field("Share decodable.", heading="decodable", rank=0)
    ]
    decodable_range: Annotated[
        float | str, Field("Interval of it.", heading="decodable\xa095\xa0%", rank=4)
    ]
    present: Annotated[
        float,
        Field("Rate.", heading="million/s if\xa0present", digits=".1f"),
    ]
    absent: Annotated[
        float,
        Field("Rate.", heading="million/s if\xa0absent", digits=".1f"),
    ]


@record_class
class CounterSearch(Record):
    """How reliably and how fast frame counters are found, at one value of Eb/N0."""

    modulation: Annotated[str, Field("Modulation.")]
    code: Annotated[Code, Field("Channel code.")]
    payload_bytes: Annotated[int, Field("Payload of a frame.", unit="byte")]
    ebn0_db: Annotated[float, Field("Eb/N0.", unit="dB")]
    window: Annotated[int, Field("Number of frame counters that are tried.")]
    seed: Annotated[int, Field("Random seed.")]
    confidence: Annotated[float, Field("Of the intervals.")]
    frames: Annotated[int, Field("Number of frames.")]
    found: Annotated[int, Field("Number of frames whose counter was found.")]
    wrong: Annotated[int, Field("Number of wrong counters that were found.")]
    decodable: Annotated[
        int, Field("Number of frames that can be decoded if the counter is known.")
    ]
    found_rate: Annotated[
        RateFigure, Field("Share of the frames whose counter was found.", unit="1")
    ]
    decodable_rate: Annotated[
        RateFigure, Field("Share of the frames that can be decoded.", unit="1")
    ]
    candidates_per_second_present: Annotated[
        Figure, Field("Counters tried in windows that have the right one.", unit="1/s")
    ]
    candidates_per_second_absent: Annotated[
        Figure, Field("Counters tried in windows that do not have it.", unit="1/s")
    ]
    search: Annotated[Search, Field("All that was counted.", in_json=False)]

    def table_rows(self) -> Sequence[_Row]:
        """Return the row of tables."""
        speeds = self.candidates_per_second_present, self.candidates_per_second_absent
        return [
            _Row(
                self.ebn0_db,
                self.frames,
                *_cells(self.search.found_rate),
                self.wrong,
                *_cells(self.search.decodable_rate),
                *(speed.value / 1e6 for speed in speeds),
            )
        ]


def search_counters(request: SearchRequest) -> Answer[CounterSearch]:
    """Yield how reliably counters are found, at one value of Eb/N0 after the other.

    Raises
    ------
    MisuseError
        When there is no such modulation, or the values of Eb/N0 are none.
    """
    name = find(request.modulation).name
    case = Case(name, Code.CONV, Fading.NONE, request.payload_size)
    places = values_of(request.ebn0)
    empty = "no point is complete: give the command more time, or less to do"
    yield Title(f"{name}, code conv, {request.window} counters", empty=empty)
    for number, ebn0_db in enumerate(places):
        search = Search(case, ebn0_db, request.window)
        while search.frames < request.frames:
            for _ in block(search, request.seed, request.frames):
                done = number + search.frames / request.frames
                yield Progress(done / len(places), f"{ebn0_db:g} dB", len(places))
        yield _record(search, request.seed)


def block(search: Search, seed: int, frames: int) -> Iterator[int]:
    """Simulate one more block of frames; yield how many there are, after each.

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
        search.frames += 1
        yield search.frames


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


def _cells(rate: Rate) -> tuple[str, str]:
    return f"{rate.value:.3f}", f"{rate.low:.3f} to {rate.high:.3f}"


def _record(search: Search, seed: int) -> CounterSearch:
    """Return all that was measured at one point."""
    present, absent = (
        Figure(search.per_second(seconds), "1/s", Origin.HOST_CLOCK, _CLOCK)
        for seconds in (search.present_s, search.absent_s)
    )
    return CounterSearch(
        modulation=search.case.modulation,
        code=search.case.code,
        payload_bytes=search.case.payload_size,
        ebn0_db=search.ebn0_db,
        window=search.window,
        seed=seed,
        confidence=CONFIDENCE,
        frames=search.frames,
        found=search.found,
        wrong=search.wrong,
        decodable=search.decodable,
        found_rate=search.found_rate.figure(_SOURCE),
        decodable_rate=search.decodable_rate.figure(_SOURCE),
        candidates_per_second_present=present,
        candidates_per_second_absent=absent,
        search=search,
    )


def files(records: Sequence[CounterSearch]) -> dict[str, bytes]:
    """Return png and svg of the shares over Eb/N0."""
    points = [each.search for each in records]

    def paint(figure: Picture) -> None:
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

    kinds = ("png", "svg")
    return {f"sync.{kind}": pictures.draw(paint, (6.5, 4.2), kind) for kind in kinds}
