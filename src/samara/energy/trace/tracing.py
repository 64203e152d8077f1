# SPDX-License-Identifier: Apache-2.0
"""A trace of a device's current, as records."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import numpy as np

from samara.energy.trace import formats
from samara.energy.trace.analysis import TraceOptions, analysed
from samara.energy.trace.blocks import TraceError
from samara.energy.trace.lengths import read_lengths
from samara.energy.trace.parts_file import PartsFile, write_parts
from samara.energy.trace.unknowns import noticed, unknowns
from samara.errors import ArgumentError
from samara.figure import Figure, Origin
from samara.records import (
    Answer,
    Between,
    Field,
    Parameter,
    Record,
    Remark,
    Request,
    Title,
    Written,
    record_class,
    request_class,
)
from samara.units import BIT_RATE, SECONDS, Unit

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from numpy.typing import NDArray

    from samara.energy.trace.analysis import TraceFindings
    from samara.energy.trace.blocks import Array

_AMPERES = Unit(
    "amperes",
    {"A": Fraction(1), "mA": Fraction(1, 1000), "uA": Fraction(1, 10**6)},
)
_QUANTILES = (0.1, 0.9)
_ROUND_OFF = 1e-9
"""A drift, as a share of sleep, that is none."""


@request_class
class TraceRequest(Request):
    """Which trace is read, and what in it is an event."""

    file: Annotated[
        Path,
        Parameter(
            is_argument=True,
            metavar="FILE",
            help="Trace of the current: CSV, .ppk2 or .jls.",
        ),
    ]
    format: Annotated[
        str | None,
        Parameter(
            metavar="FORMAT",
            help="Format of the file.",
            names=formats.names,
            default_text="found by the content",
        ),
    ] = None
    columns: Annotated[
        str | None,
        Parameter(
            metavar="NAME=UNIT,NAME=UNIT",
            help="Columns of a CSV file with time and current: what their names begin "
            "with, or their numbers from 1; and their units (s, ms, us, ns; A, mA, "
            "uA, nA). Such as time=ms,current=uA.",
            default_text="those of the format, or with a unit in the head",
        ),
    ] = None
    threshold: Annotated[
        str | None,
        Parameter(
            metavar="CURRENT",
            help="Current above which an event begins, such as 150uA. It goes on above "
            "a quarter of that, or above the geometric mean of that and sleep, "
            "whichever is more.",
            default_text="between sleep and the busiest half millisecond",
        ),
    ] = None
    shortest_s: Annotated[
        float,
        Parameter(
            name="shortest",
            help="Shortest event. What is shorter belongs to sleep, such as the "
            "pulses by which a converter recharges.",
            unit=SECONDS,
            values=Between(0, 10),
        ),
    ] = 300e-6
    join_s: Annotated[
        float,
        Parameter(
            name="join",
            help="Shorter dips below the threshold belong to an event.",
            unit=SECONDS,
            values=Between(0, 10),
        ),
    ] = 2e-3
    around_s: Annotated[
        float,
        Parameter(
            name="around",
            help="Time before and after an event whose charge belongs to it.",
            unit=SECONDS,
            values=Between(0, 1),
        ),
    ] = 200e-6
    lengths: Annotated[
        Path | None,
        Parameter(
            metavar="FILE",
            help="CSV file with the lengths of transmissions: columns time (in the "
            "trace, seconds) and bytes. Without time: all events that are no polls, "
            "in their order.",
        ),
    ] = None
    bit_rate: Annotated[
        float | None,
        Parameter(
            help="With --lengths: bit rate of the radio, which tells waiting from "
            "length. Give it if there are fewer than some hundred transmissions.",
            unit=BIT_RATE,
            values=Between(1, 1e9),
            default_text="found from the quickest transmissions",
        ),
    ] = None
    write_parts: Annotated[
        Path | None,
        Parameter(
            metavar="FILE.toml",
            help="Write a parts file with what was measured, and the other fields of "
            "--radio and --device.",
        ),
    ] = None
    radio: Annotated[
        str,
        Parameter(help="With --write-parts: radio of the catalogue that it is."),
    ] = "nrf52840"
    device: Annotated[
        str,
        Parameter(help="With --write-parts: device of the bench that it is."),
    ] = "cortex-m4"
    poll_bytes: Annotated[
        int,
        Parameter(
            help="With --write-parts: length of the request that a poll sends, with "
            "its security.",
            values=Between(5, 127),
        ),
    ] = 22

    CHANGES = "files"

    def asked(self) -> TraceOptions:
        """Return what was asked for, checked.

        Raises
        ------
        MisuseError
            When a value is not possible, or a file is not.
        """
        high_a = None
        if self.threshold is not None:
            try:
                high_a = _AMPERES.parse(self.threshold)
            except ArgumentError as error:
                message = f"--threshold: {error}"
                raise TraceError(message) from None
            if high_a <= 0:
                message = f"--threshold {self.threshold}: expected more than 0"
                raise TraceError(message)
        columns = _columns(self.columns)
        return TraceOptions(
            self.file,
            "csv" if columns and self.format is None else self.format,
            columns,
            high_a,
            self.shortest_s,
            self.join_s,
            self.around_s,
            read_lengths(self.lengths) if self.lengths else None,
            8 / self.bit_rate if self.bit_rate else None,
        )

    def parts(self) -> PartsFile | None:
        """Return the parts file that is to be written.

        Raises
        ------
        MisuseError
            When it cannot be, or there is no such radio or device.
        """
        if self.write_parts is None:
            return None
        return PartsFile.checked(
            self.write_parts, self.radio, self.device, self.poll_bytes
        )


def _columns(text: str | None) -> Mapping[str, str]:
    if text is None:
        return {}
    pairs = [each.partition("=") for each in text.split(",")]
    return {name.strip(): unit.strip() for name, _, unit in pairs}


@record_class
class TraceKind(Record):
    """What a device draws asleep, and in each kind of event of its trace."""

    name: Annotated[
        str,
        Field(
            "sleep; poll: the most frequent kind at regular times; transmit and its "
            "length; event and a number; other: events that are like no others.",
            heading="kind",
            rank=0,
        ),
    ]
    count: Annotated[int | None, Field("Number of events.", heading="events")]
    interval: Annotated[
        Figure | None,
        Field("Between two, if they come at regular times.", heading="every", unit="s"),
    ]
    duration: Annotated[
        Figure | None, Field("Mean duration.", heading="lasts", unit="ms")
    ]
    current: Annotated[
        Figure, Field("Mean current.", heading="current", unit="\N{MICRO SIGN}A")
    ]
    low: Annotated[
        Figure | None,
        Field(
            "10 % of events have a smaller charge above sleep.",
            heading="charge 10\xa0%",
            unit="\N{MICRO SIGN}C",
        ),
    ]
    charge: Annotated[
        Figure | None,
        Field(
            "Mean charge of an event above sleep.",
            heading="charge mean",
            unit="\N{MICRO SIGN}C",
            rank=0,
        ),
    ]
    high: Annotated[
        Figure | None,
        Field(
            "90 % of events have a smaller charge above sleep.",
            heading="charge 90\xa0%",
            unit="\N{MICRO SIGN}C",
        ),
    ]
    share: Annotated[
        Figure, Field("Of the charge of the trace.", heading="share", unit="%")
    ]


@record_class
class TraceLengths(Record):
    """Charge of a transmission by its length, if `--lengths` tells the lengths."""

    base: Annotated[
        Figure,
        Field(
            "Of one without bytes that does not wait.",
            heading="without bytes",
            unit="\N{MICRO SIGN}C",
        ),
    ]
    per_byte: Annotated[
        Figure, Field("Of each byte.", heading="a byte", unit="\N{MICRO SIGN}C")
    ]
    waiting: Annotated[
        Figure,
        Field("Current above sleep while it waits.", heading="waiting", unit="mA"),
    ]
    waits: Annotated[
        Figure,
        Field(
            "Mean time that it waits longer than the quickest.",
            heading="waits",
            unit="ms",
        ),
    ]
    used: Annotated[int, Field("Transmissions used.", heading="used")]
    merged: Annotated[
        int,
        Field("Left out: most likely more than one in a time.", heading="left out"),
    ]
    deviation: Annotated[
        Figure,
        Field("Usual deviation from the fit.", heading="deviation", unit="%"),
    ]


@record_class
class Trace(Record):
    """A trace that was read, and what could not be told from it."""

    file: Annotated[str, Field("Name of the file.")]
    format: Annotated[str, Field("Its format.")]
    samples: Annotated[int, Field("Number of samples.", heading="samples")]
    rate: Annotated[Figure, Field("Samples a second.", heading="rate", unit="Hz")]
    duration: Annotated[Figure, Field("Of the trace.", heading="lasts", unit="s")]
    missing: Annotated[
        Figure, Field("Time without samples.", heading="missing", unit="s")
    ]
    gaps: Annotated[int, Field("Number of gaps.", heading="gaps")]
    current: Annotated[
        Figure, Field("Mean current.", heading="mean", unit="\N{MICRO SIGN}A")
    ]
    drift: Annotated[
        Figure,
        Field("Of sleep over the trace, of its mean.", heading="drift", unit="%"),
    ]
    threshold: Annotated[
        Figure | None,
        Field(
            "Current above which an event begins.",
            heading="threshold",
            unit="\N{MICRO SIGN}A",
        ),
    ]
    pulses: Annotated[
        int, Field("Above the threshold, and too short for events.", heading="pulses")
    ]
    broken: Annotated[int, Field("Events with missing samples, which are left out.")]
    unreadable: Annotated[int, Field("Lines of the file that are no samples.")]
    disordered: Annotated[
        int, Field("Samples at no possible time, or not later than the one before.")
    ]
    unknowns: Annotated[tuple[str, ...], Field("What the trace does not show.")]


def trace(request: TraceRequest) -> Answer[Trace | TraceKind | TraceLengths]:
    """Yield what a device draws asleep and in each kind of event, from its trace.

    Raises
    ------
    MisuseError
        When the file is no trace, or a value is not possible.
    OSError
        When a file cannot be read or written.
    """
    wanted = request.parts()
    found = yield from analysed(request.asked())
    summary = trace_of(found)
    yield Title(f"Trace {request.file.name}, {found.format.title}")
    yield summary
    kinds = list(kinds_in(found))
    yield Title("Sleep and events", "Charges of events are those above sleep.")
    yield from kinds
    if found.fit is not None:
        yield Title("Charge of a transmission by its length")
        yield _lengths_of(found)
    for sentence in (*noticed(found), *summary.unknowns):
        yield Remark(sentence)
    if wanted is not None:
        yield from write_parts(wanted, found)
    yield Written(kinds, found)


def trace_of(found: TraceFindings) -> Trace:
    """Return what is known about a trace as a whole."""
    timing, make = found.timing, _maker(found)
    threshold = found.levels.high_a if found.levels else None
    return Trace(
        file=found.reading.path.name,
        format=found.format.name,
        samples=timing.samples,
        rate=make(1 / timing.step_s, "Hz"),
        duration=make(timing.ends_s - timing.begins_s, "s"),
        missing=make(timing.missing_s, "s"),
        gaps=timing.gaps,
        current=make(mean_a(found), "A"),
        drift=make(drift(found), "1"),
        threshold=None if threshold is None else make(threshold, "A"),
        pulses=found.finder.pulses,
        broken=int(np.count_nonzero(found.events.broken)),
        unreadable=found.reading.unreadable,
        disordered=timing.disordered,
        unknowns=tuple(unknowns(found, drift(found))),
    )


class _maker:  # noqa: N801 - used as a function
    """Makes figures of a trace."""

    def __init__(self, found: TraceFindings) -> None:
        self._source = f"trace {found.reading.path.name}"

    def __call__(self, value: float, unit: str) -> Figure:
        return Figure(float(value), unit, Origin.MEASURED, self._source)


def mean_a(found: TraceFindings) -> float:
    """Return the mean current of a trace."""
    return float(found.overview.charges_c.sum() / found.overview.lasts_s.sum())


def drift(found: TraceFindings) -> float:
    """Return by how much sleep rises over the trace, as a share of its mean."""
    middles, means = found.finder.windows.means()
    if middles.size < 8 or not found.sleep_a:  # noqa: PLR2004 - fewer are chance
        return 0.0
    weights = np.sqrt(found.finder.windows.weights_s())
    slope = np.polyfit(middles, means, 1, w=weights)[0]
    share = float(slope * (middles[-1] - middles[0]) / found.sleep_a)
    return share if abs(share) > _ROUND_OFF else 0.0


def kinds_in(found: TraceFindings) -> Iterator[TraceKind]:
    """Yield sleep, then each kind of event."""
    make = _maker(found)
    total_c = float(found.overview.charges_c.sum()) or 1.0
    yield TraceKind(
        "sleep", None, None, None, make(found.sleep_a, "A"), None, None, None,
        make(found.finder.sleep_c / total_c, "1"),
    )  # fmt: skip
    for kind in found.kinds:
        yield _kind(found, kind.name, kind.members, kind.interval_s)
    if found.rest.size:
        yield _kind(found, "other", found.rest, None)


def _kind(
    found: TraceFindings,
    name: str,
    members: NDArray[np.int64],
    interval_s: float | None,
) -> TraceKind:
    make, events = _maker(found), found.events
    charges: Array = found.above_sleep_c[members]
    low, high = np.quantile(charges, _QUANTILES)
    total_c = float(found.overview.charges_c.sum()) or 1.0
    whole_c = float(events.charges_c[members].sum())
    return TraceKind(
        name=name,
        count=int(members.size),
        interval=None if interval_s is None else make(interval_s, "s"),
        duration=make(events.lasts_s[members].mean(), "s"),
        current=make(whole_c / float(events.spans_s[members].sum()), "A"),
        low=make(low, "C"),
        charge=make(charges.mean(), "C"),
        high=make(high, "C"),
        share=make(whole_c / total_c, "1"),
    )


def _lengths_of(found: TraceFindings) -> TraceLengths:
    fitted, make = found.fit, _maker(found)
    assert fitted is not None  # noqa: S101 - the caller has looked
    return TraceLengths(
        base=make(fitted.base_c, "C"),
        per_byte=make(fitted.byte_c, "C"),
        waiting=make(fitted.wait_a, "A"),
        waits=make(fitted.wait_s, "s"),
        used=fitted.used,
        merged=fitted.merged,
        deviation=make(fitted.spread, "1"),
    )
