# SPDX-License-Identifier: Apache-2.0
"""How the life of a battery depends on the time from one message to the next."""

from __future__ import annotations

from typing import Annotated

from samara.energy.life import Years, life_of
from samara.energy.ranges import QUANTILES_IN_WORDS
from samara.energy.remarks import network_remarks
from samara.energy.requests import Draws, NodeRequest
from samara.energy.topology import chain
from samara.figure import Figure
from samara.records import (
    Answer,
    Between,
    Field,
    Parameter,
    Progress,
    Record,
    Title,
    record_class,
    request_class,
)
from samara.records.usual import Seed
from samara.units import SECONDS

_USUAL_S = (1.0, 3.0, 10.0, 30.0, 60.0, 300.0, 900.0, 3600.0, 4 * 3600.0, 86_400.0)


@request_class
class IntervalsRequest(NodeRequest):
    """A node, and how often it may send."""

    intervals_s: Annotated[
        tuple[float, ...],
        Parameter(
            name="interval",
            help="Time from one message to the next (repeatable).",
            unit=SECONDS,
            values=Between(0.001),
        ),
    ] = _USUAL_S
    draws: Draws = 500
    seed: Seed = 0


@record_class
class LifeAtInterval(Record):
    """How long a battery lasts if a message is sent at an interval."""

    interval_s: Annotated[
        float,
        Field(
            "From one message to the next.",
            heading="interval",
            unit="s",
            rank=0,
            exact=True,
        ),
    ]
    life: Annotated[Years, Field("Life of the battery.", heading="life")]
    security_share: Annotated[
        Figure,
        Field(
            "What security takes of the life without it, in the median.",
            heading="security takes",
            unit="%",
        ),
    ]


def lifetimes_by_interval(request: IntervalsRequest) -> Answer[LifeAtInterval]:
    """Yield the life of a node next to its sink at each interval.

    Raises
    ------
    MisuseError, samara.crypto.UnknownNameError
        As `NodeRequest.scenario`.
    NotMeasuredError
        When the bench has not measured what secures the frames.
    """
    yield from request.notices()
    scenario = request.scenario()
    yield Title(
        f"Life of {scenario.battery}, by the interval of messages", QUANTILES_IN_WORDS
    )
    intervals = sorted(set(request.intervals_s))
    for done, interval_s in enumerate(intervals):
        yield Progress(done / len(intervals), "drawing")
        found = life_of("", scenario, interval_s, request.draws, request.seed)
        yield LifeAtInterval(interval_s, found.life, found.taken_by_security.share)
    yield from network_remarks(scenario, chain(1), intervals[0])
