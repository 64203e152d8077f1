# SPDX-License-Identifier: Apache-2.0
"""What the life of a battery depends on."""

from __future__ import annotations

import math
from contextlib import suppress
from dataclasses import replace
from typing import TYPE_CHECKING

from samara.energy import ranges
from samara.energy.mac import settings
from samara.energy.remarks import network_remarks
from samara.energy.requests import Interval, NodeRequest
from samara.energy.supply import YEAR_S
from samara.energy.topology import chain
from samara.errors import MisuseError
from samara.records import Answer, Progress, Remark, Title, request_class
from samara.records.numbers import digits

if TYPE_CHECKING:
    from collections.abc import Iterator

    from samara.energy.quantity import Draw, Value
    from samara.energy.scenario import Scenario


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
    found = [*ranges.ranking(years, "year"), *_of_settings(request, scenario)]
    yield from sorted(found, key=lambda each: (-each.swing, each.quantity))
    yield Remark(SETTINGS_IN_WORDS)
    together = ranges.spread(years)
    yield Remark(
        "All drawn together, 10, 50 and 90 % of lives are below "
        f"{digits(together.low)}, {digits(together.middle)} and "
        f"{digits(together.high)} years."
    )
    yield from network_remarks(scenario, chain(1), request.interval_s)


MOVED = 1.25
"""Settings have no tolerance: they are moved by this factor, both ways."""
SETTINGS_IN_WORDS = (
    "Settings of the medium access are exact. They are shown at 0.8 and 1.25 times "
    "their values; whole numbers at least one less and one more."
)


def _of_settings(
    request: DependsRequest, scenario: Scenario
) -> Iterator[ranges.Influence]:
    """Yield what a life depends on among the settings of the medium access.

    One whose neighbours the medium access, or the network, cannot have is left out.
    """
    access, given = scenario.used_mac()

    def years_with(name: str, value: float) -> float:
        moved = replace(scenario, mac_settings={**scenario.mac_settings, name: value})
        return float(moved.life_s(chain(1), request.interval_s)) / YEAR_S

    stated = float(scenario.life_s(chain(1), request.interval_s)) / YEAR_S
    own = scenario.own.mac(scenario.mac)
    drawn = {n for n, each in own.settings.items() if each.tolerance} if own else set()
    used = {**settings(access), **given}
    for name, value in ((n, used[n]) for n in used if n not in drawn):
        with suppress(MisuseError):
            at_low, at_high = (years_with(name, each) for each in _moved(value))
            if (swing := abs(at_high - at_low)) > 0:
                yield ranges.Influence(
                    *(f"{scenario.mac}.{name}", at_low, at_high, swing),
                    *(True, "year", stated),
                )


def _moved(value: float) -> tuple[float, float]:
    """Return a setting that is smaller, and one that is larger."""
    if isinstance(value, int):
        low, high = math.floor(value / MOVED), math.ceil(value * MOVED)
        return max(1, min(low, value - 1)), max(high, value + 1)
    return value / MOVED, value * MOVED
