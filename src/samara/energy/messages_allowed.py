# SPDX-License-Identifier: Apache-2.0
"""How long a message of a described node is on the air, and how many a band allows."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Annotated, ClassVar

from samara.energy import catalogue
from samara.energy.airtime import airtime, is_one_value
from samara.energy.quantity import Sampled
from samara.energy.ranges import DRAWS
from samara.energy.requests import (
    GROUP,
    Device,
    Draws,
    MediumAccess,
    SenderRequest,
    named,
    part_names,
)
from samara.figure import Figure, Origin
from samara.records import (
    Answer,
    Field,
    Parameter,
    Progress,
    Record,
    Remark,
    Title,
    record_class,
    request_class,
)
from samara.records.usual import Seed

if TYPE_CHECKING:
    from collections.abc import Sequence

    from samara.energy.ranges import Range

_ON_AIR = "bytes of the frame at the radio's bit rate"
_USUAL = "cc1350"
"""The radio where none is named, and the medium access needs no other."""


@request_class
class AirtimeRequest(SenderRequest):
    """How long messages of a node are on the air, and how many a band allows."""

    device: Device = "cortex-m3"
    radio: Annotated[
        str | None,
        Parameter(
            group=GROUP,
            help="Transceiver.",
            metavar="RADIO",
            names=part_names("radio"),
            default_text=f"{_USUAL}, or the one of the medium access",
        ),
    ] = None
    mac: MediumAccess = "always-listening"
    band: Annotated[
        str, Parameter(help="Band.", metavar="NAME", names=named(catalogue.bands))
    ] = "eu868"
    draws: Draws = DRAWS
    seed: Seed = 0

    def _usual_radio(self, device: str) -> str:  # noqa: ARG002 - the same on each
        return _USUAL


@record_class
class OfDraws:
    """A figure as a range of draws from the tolerances of data sheets."""

    low: Annotated[Figure, Field("10 % of draws are below.")]
    median: Annotated[Figure, Field("50 % of draws are below.")]
    high: Annotated[Figure, Field("90 % of draws are below.")]


@record_class
class AirtimeRanges:
    """All figures of an air time as ranges."""

    frame: Annotated[OfDraws, Field("One frame on the air.")]
    transmit: Annotated[OfDraws, Field("One message.")]
    messages_per_hour: Annotated[OfDraws, Field("As many as the band allows.")]


@record_class
class AirtimeRow:
    """One figure of an air time, in the unit in which people read it."""

    what: Annotated[str, Field("What it is of.", heading="figure", rank=0)]
    unit: Annotated[str, Field("Of all numbers in the row.", heading="unit", rank=0)]
    stated: Annotated[
        float, Field("As data sheets state it.", heading="stated", rank=0)
    ]
    low: Annotated[float, Field("10 % of draws are below.", heading="10\xa0%")]
    median: Annotated[float, Field("50 % of draws are below.", heading="50\xa0%")]
    high: Annotated[float, Field("90 % of draws are below.", heading="90\xa0%")]
    origin: Annotated[Origin, Field("Of all of them.", heading="origin")]


@record_class
class MessageAirtime(Record):
    """How long a message is on the air, and how many of them an hour allows."""

    TYPE: ClassVar[str] = "airtime"

    band: Annotated[str, Field("Name of the band.")]
    frame: Annotated[
        Figure, Field("One frame on the air, of several the first.", unit="s")
    ]
    transmit: Annotated[
        Figure, Field("One message, with all that the medium access sends.", unit="s")
    ]
    messages_per_hour: Annotated[
        Figure, Field("As many as the band allows.", unit="1/hour")
    ]
    range: Annotated[AirtimeRanges, Field("The same as ranges of draws.")]
    varies: Annotated[
        tuple[str, ...], Field("Which of them have more than one value in their range.")
    ]

    def table_rows(self) -> Sequence[AirtimeRow]:
        """Return a row for each figure."""
        of_range = self.range
        return [
            _row("one frame on the air", self.frame, of_range.frame, "ms", 1e3),
            _row("sending one message", self.transmit, of_range.transmit, "ms", 1e3),
            _row(
                "messages allowed",
                self.messages_per_hour,
                of_range.messages_per_hour,
                "1/hour",
            ),
        ]


def _row(
    what: str, stated: Figure, drawn: OfDraws, unit: str, factor: float = 1.0
) -> AirtimeRow:
    return AirtimeRow(
        what,
        unit,
        stated.value * factor,
        drawn.low.value * factor,
        drawn.median.value * factor,
        drawn.high.value * factor,
        stated.origin,
    )


def messages_allowed(request: AirtimeRequest) -> Answer[MessageAirtime]:
    """Yield the air time of a message, and how many of them an hour allows.

    Raises
    ------
    MisuseError, samara.crypto.UnknownNameError
        As `SenderRequest.scenario`; there is no such band, or the radio cannot be tuned
        to it.
    NotMeasuredError
        When the bench has not measured what secures the frames.
    """
    yield from request.notices()
    scenario = request.scenario()
    band = scenario.band(request.band)
    yield Progress(None, "drawing")
    stated = airtime(scenario.node(), band)
    drawn = airtime(scenario.node(Sampled(request.draws, request.seed)), band)
    duty = band.duty_cycle
    limit = Figure(
        float(stated.messages_per_hour),
        "1/hour",
        Origin.ESTIMATED if duty.checked else Origin.ASSUMED,
        f"duty cycle of {duty.value:.1%}: {duty.source}",
    )
    frame = Figure(float(stated.frame_s), "s", Origin.ESTIMATED, _ON_AIR)
    whole = Figure(float(stated.transmit_s), "s", Origin.ESTIMATED, _ON_AIR)
    ranges = drawn.ranges()
    varies = tuple(name for name, each in ranges.items() if not is_one_value(each))
    yield Title(
        f"Air time with {scenario.mac}; {band.title}: {limit.source}",
        "10, 50 and 90 % of draws are below the last three.",
    )
    yield MessageAirtime(
        request.band,
        frame,
        whole,
        limit,
        AirtimeRanges(
            _of_draws(frame, ranges["frame"]),
            _of_draws(whole, ranges["transmit"]),
            _of_draws(limit, ranges["messages_per_hour"]),
        ),
        varies,
    )
    if not varies:
        yield Remark(
            "The range of each is one value: the bit rate, the bytes of the frame and "
            "the duty cycle are settings, and nothing else is in it."
        )


def _of_draws(stated: Figure, drawn: Range) -> OfDraws:
    return OfDraws(
        replace(stated, value=drawn.low),
        replace(stated, value=drawn.middle),
        replace(stated, value=drawn.high),
    )
