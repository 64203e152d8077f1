# SPDX-License-Identifier: Apache-2.0
"""What a message of a described node takes, with ranges, from one set of draws."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Annotated

from samara.energy.load import State, verdict
from samara.energy.origins import model_figure
from samara.energy.parts import Part
from samara.energy.quantity import Sampled, nominal
from samara.energy.ranges import DRAWS, QUANTILES_IN_WORDS, quantiles
from samara.energy.remarks import at_limit, sentence, unchecked_remark
from samara.energy.requests import Draws, Interval, SenderRequest
from samara.energy.scenario import Scenario
from samara.energy.topology import chain
from samara.errors import MisuseError
from samara.figure import Figure
from samara.records import (
    Answer,
    Field,
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

    from samara.energy.quantity import Value


@request_class
class MessageRequest(SenderRequest):
    """What one message takes at the node that sends it."""

    interval_s: Interval = 300.0
    draws: Draws = DRAWS
    seed: Seed = 0


@record_class
class PartOfMessage:
    """Energy of one part of a message, or of all parts."""

    part: Annotated[str, Field("Name of the part, or `total`.", heading="part", rank=0)]
    energy: Annotated[
        Figure,
        Field("As data sheets state it.", heading="energy", unit="\N{MICRO SIGN}J"),
    ]
    share: Annotated[Figure | None, Field("Of the total.", heading="share", unit="%")]


@record_class
class EnergyMessage(Record):
    """What one message takes at its sender."""

    scenario: Annotated[Scenario, Field("What was asked for.")]
    parts: Annotated[
        Mapping[Part, Figure], Field("By part, which add up to the total.", unit="J")
    ]
    total: Annotated[Figure, Field("As data sheets state it.", unit="J")]
    low: Annotated[Figure, Field("10 % of draws of the total are below.", unit="J")]
    median: Annotated[Figure, Field("50 % of draws of the total are below.", unit="J")]
    high: Annotated[Figure, Field("90 % of draws of the total are below.", unit="J")]
    latency: Annotated[
        Figure, Field("Mean time of a hop: sealing, sending, opening.", unit="s")
    ]
    unchecked: Annotated[
        tuple[str, ...],
        Field("Quantities that it depends on and that were not read in their sources."),
    ]

    def table_rows(self) -> Sequence[PartOfMessage]:
        """Return a row for each part that is not zero, and one for the total."""
        shares = {
            part: model_figure(each.value / self.total.value, "1", self.unchecked)
            for part, each in self.parts.items()
            if each.value
        }
        return [
            *(
                PartOfMessage(str(part), self.parts[part], share)
                for part, share in shares.items()
            ),
            PartOfMessage("total", self.total, None),
        ]


def message(request: MessageRequest) -> Answer[EnergyMessage]:
    """Yield what one message takes, with listening and sleep until the next.

    Raises
    ------
    MisuseError, samara.crypto.UnknownNameError
        As `SenderRequest.scenario`.
    NotMeasuredError
        When the bench has not measured what secures the frames.
    """
    yield from request.notices()
    scenario = request.scenario()
    yield Title("One message, with all until the next", scenario.in_words())
    yield Progress(None, "drawing")
    found = energy_of(scenario, request.interval_s, request.draws, request.seed)
    yield found
    low, median, high = (
        f"{each.value * 1e6:,.0f}" for each in (found.low, found.median, found.high)
    )
    yield Remark(
        f"Range: {low}, {median}, {high} \N{MICRO SIGN}J. {QUANTILES_IN_WORDS}"
    )
    yield Remark(f"Mean latency of a hop: {found.latency.value * 1e3:,.1f} ms.")
    alone = chain(1)
    for doubt in (
        *at_limit(scenario, alone, request.interval_s),
        *scenario.doubts_of_network(alone, request.interval_s),
    ):
        yield Remark(sentence(doubt))
    yield from unchecked_remark(set(found.unchecked))


def energy_of(
    scenario: Scenario, interval_s: float, draws: int, seed: int = 0
) -> EnergyMessage:
    """Return what one message takes, with listening and sleep until the next.

    Raises
    ------
    MisuseError
        When messages come faster than the node can send them.
    NotMeasuredError
        When the bench has not measured what secures the frames.
    """
    node = scenario.node(nominal)
    load = verdict(node, chain(1), interval_s, scenario.rpl)
    if load.state is State.CANNOT:
        raise MisuseError(load.refusal())
    energy_j = node.message(interval_s)
    drawn_j = scenario.node(Sampled(draws, seed)).message(interval_s).total
    spread_j = quantiles(drawn_j)
    unchecked = tuple(scenario.unchecked(battery=False))

    def figure(value: Value, unit: str = "J") -> Figure:
        return model_figure(float(value), unit, unchecked)

    return EnergyMessage(
        scenario=scenario,
        parts={part: figure(energy_j[part]) for part in Part},
        total=figure(energy_j.total),
        low=figure(spread_j.low),
        median=figure(spread_j.middle),
        high=figure(spread_j.high),
        latency=figure(node.latency_s(), "s"),
        unchecked=unchecked,
    )
