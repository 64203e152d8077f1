# SPDX-License-Identifier: Apache-2.0
"""What the life of a battery depends on."""

from __future__ import annotations

from typing import TYPE_CHECKING

from samara.energy import ranges
from samara.energy.requests import Interval, NodeRequest
from samara.energy.supply import YEAR_S
from samara.energy.topology import chain
from samara.records import Answer, Progress, Remark, Title, request_class
from samara.records.numbers import digits

if TYPE_CHECKING:
    from samara.energy.quantity import Draw, Value


@request_class
class DependsRequest(NodeRequest):
    """What the life of a node depends on that sends to a sink in range."""

    interval_s: Interval = 300.0


def depends(request: DependsRequest) -> Answer[ranges.Influence]:
    """Yield what a life in years depends on, the strongest influence first.

    Raises
    ------
    MisuseError, samara.crypto.UnknownNameError
        As `NodeRequest.scenario`.
    NotMeasuredError
        When the bench has not measured what secures the frames.
    """
    yield from request.notices()
    scenario = request.scenario()

    def years(draw: Draw) -> Value:
        return scenario.life_s(chain(1), request.interval_s, draw) / YEAR_S

    yield Title(
        f"Years that {scenario.battery} lasts, and what they depend on",
        scenario.in_words(),
        "nothing: all quantities are exact",
    )
    yield Progress(None, "quantities")
    yield from ranges.ranking(years, "year")
    together = ranges.spread(years)
    yield Remark(
        "All drawn together, 10, 50 and 90 % of lives are below "
        f"{digits(together.low)}, {digits(together.middle)} and "
        f"{digits(together.high)} years."
    )
