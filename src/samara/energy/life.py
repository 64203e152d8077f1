# SPDX-License-Identifier: Apache-2.0
"""How long the battery of a node lasts, and what of it security takes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

import numpy as np

from samara.energy.origins import model_figure
from samara.energy.quantity import Sampled
from samara.energy.ranges import QUANTILES_IN_WORDS, quantiles
from samara.energy.remarks import at_limit, sentence, unchecked_remark
from samara.energy.requests import Draws, Interval, NodeRequest
from samara.energy.supply import YEAR_S
from samara.energy.topology import chain
from samara.errors import MisuseError
from samara.figure import Figure
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
    from collections.abc import Mapping

    from samara.energy.scenario import Scenario

_HOUR_S = 3600.0
_GIVEN = "as given"
COMPARED = "none, a level such as 6, or suite=NAME"


@request_class
class LifeRequest(NodeRequest):
    """How long the battery of a node lasts that sends to a sink in range."""

    interval_s: Interval = 300.0
    compare: Annotated[
        tuple[str, ...],
        Parameter(
            metavar="ITEM,...",
            help=f"Compare with other security: {COMPARED}. Repeatable.",
        ),
    ] = ("none",)
    draws: Draws = 2000
    seed: Seed = 0


@record_class
class Years:
    """A life as a range of draws from the tolerances of data sheets, and as stated."""

    low: Annotated[
        Figure, Field("10 % of draws are below.", heading="10\xa0%", unit="year")
    ]
    median: Annotated[
        Figure, Field("50 % of draws are below.", heading="50\xa0%", unit="year")
    ]
    high: Annotated[
        Figure, Field("90 % of draws are below.", heading="90\xa0%", unit="year")
    ]
    stated: Annotated[
        Figure, Field("As data sheets state it, without tolerances.", unit="year")
    ]


@record_class
class Taken:
    """Part of a life that security takes, in the same draws."""

    low: Annotated[Figure, Field("10 % of draws are below.", unit="hour")]
    median: Annotated[
        Figure, Field("50 % of draws are below.", heading="", unit="hour")
    ]
    high: Annotated[Figure, Field("90 % of draws are below.", unit="hour")]
    share: Annotated[
        Figure,
        Field(
            "Of the life without security, in the median.", heading="share", unit="%"
        ),
    ]


@record_class
class BatteryLife(Record):
    """How long a battery lasts with a kind of security: as given, then as compared."""

    name: Annotated[
        str,
        Field("The security: as given, or an item of `--compare`.", heading="security"),
    ]
    frame_bytes: Annotated[int, Field("Size of a frame.", heading="frame", unit="byte")]
    life: Annotated[Years, Field("Life of the battery.", heading="life")]
    taken_by_security: Annotated[
        Taken, Field("What security takes of the life.", heading="taken")
    ]
    unchecked: Annotated[
        tuple[str, ...],
        Field("Quantities that it depends on and that were not read in their sources."),
    ]
    doubts: Annotated[tuple[str, ...], Field("What the life holds only with.")]


def life(request: LifeRequest) -> Answer[BatteryLife]:
    """Yield the life of a battery, as asked for and with each security compared.

    All are of the same draws.

    Raises
    ------
    MisuseError, samara.crypto.UnknownNameError
        As `NodeRequest.scenario`; or an item to compare with is none.
    NotMeasuredError
        When the bench has not measured what secures the frames of one.
    """
    yield from request.notices()
    given = request.scenario()
    yield Title(
        f"Life of {given.battery}, a message every {request.interval_s:g} s",
        QUANTILES_IN_WORDS,
    )
    compared = _compared(request)
    found: list[BatteryLife] = []
    for name, options in compared.items():
        yield Progress(len(found) / len(compared), "drawing")
        compared_to = (
            given.unsecured() if options is None else request.scenario(options)
        )
        found.append(
            life_of(name, compared_to, request.interval_s, request.draws, request.seed)
        )
        yield found[-1]
    yield Remark(given.in_words())
    for doubt in sorted({text for each in found for text in each.doubts}):
        yield Remark(sentence(doubt))
    yield from unchecked_remark({name for each in found for name in each.unchecked})


def life_of(
    name: str, scenario: Scenario, interval_s: float, draws: int, seed: int = 0
) -> BatteryLife:
    """Return the life of a node next to its sink.

    Raises
    ------
    NotMeasuredError
        When the bench has not measured what secures the frames.
    """
    alone, draw = chain(1), Sampled(draws, seed)
    lifetimes_s = np.asarray(scenario.life_s(alone, interval_s, draw))
    plain_s = np.asarray(scenario.unsecured().life_s(alone, interval_s, draw))
    taken_s = plain_s - lifetimes_s
    years, hours = quantiles(lifetimes_s / YEAR_S), quantiles(taken_s / _HOUR_S)
    unchecked = tuple(scenario.unchecked())

    def figure(value: float, unit: str) -> Figure:
        return model_figure(value, unit, unchecked)

    stated = float(scenario.life_s(alone, interval_s)) / YEAR_S
    return BatteryLife(
        name=name,
        frame_bytes=scenario.frame_bytes + scenario.added_bytes,
        life=Years(
            figure(years.low, "year"),
            figure(years.middle, "year"),
            figure(years.high, "year"),
            figure(stated, "year"),
        ),
        taken_by_security=Taken(
            figure(hours.low, "hour"),
            figure(hours.middle, "hour"),
            figure(hours.high, "hour"),
            figure(float(np.median(taken_s / plain_s)), "1"),
        ),
        unchecked=unchecked,
        doubts=(
            *scenario.doubts(years.high),
            *at_limit(scenario, alone, interval_s),
            *scenario.doubts_of_network(alone, interval_s),
        ),
    )


def _compared(request: LifeRequest) -> Mapping[str, Mapping[str, Any] | None]:
    """Return the options of the link as given, and for each security compared.

    None stands for no security.
    """
    given = request.used_options
    found: dict[str, Mapping[str, Any] | None] = {_GIVEN: given}
    for item in (item for text in request.compare for item in text.split(",")):
        if item == "none":
            found[item] = None
        elif item.isdecimal():
            found[f"level {item}"] = {**given, "level": int(item)}
        elif item.startswith("suite=") and item != "suite=":
            suite = item.removeprefix("suite=")
            found[suite] = {**given, "suite": suite}
        else:
            message = f"--compare {item!r} is not valid: expected {COMPARED}"
            raise MisuseError(message)
    return found
