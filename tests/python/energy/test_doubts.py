# SPDX-License-Identifier: Apache-2.0
"""What a battery cannot give is told by every command that names one."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from samara.energy.advise import AdviseRequest, advise
from samara.energy.depends import DependsRequest, depends
from samara.energy.intervals import IntervalsRequest, lifetimes_by_interval
from samara.energy.life import LifeRequest, life
from samara.energy.network_lifetimes import NetworkRequest, network_lifetimes
from samara.energy.network_simulation import SimulateRequest, simulate_network
from samara.energy.network_timeline import TimelineRequest, network_timeline
from samara.records import Remark

if TYPE_CHECKING:
    from collections.abc import Callable

ASKED: dict[str, tuple[Callable[[Any], Any], type, dict[str, Any]]] = {
    "life": (life, LifeRequest, {"draws": 10}),
    "depends": (depends, DependsRequest, {}),
    "intervals": (lifetimes_by_interval, IntervalsRequest, {"draws": 10}),
    "network": (
        network_lifetimes,
        NetworkRequest,
        {"nodes": "3", "interval": "3600", "draws": 10},
    ),
    "simulate": (simulate_network, SimulateRequest, {"nodes": 2, "runs": 1}),
    "timeline": (network_timeline, TimelineRequest, {"nodes": 2, "hours": 6.0}),
    "advise": (advise, AdviseRequest, {}),
}
PULSE = "in pulses: the life holds only with a capacitor"
STEP_UP = "the life holds only with a step-up converter"


def remarks(name: str, **given: str) -> str:
    function, request, more = ASKED[name]
    answer = function(request(**more, **given))
    return "\n".join(each.text for each in answer if isinstance(each, Remark))


@pytest.mark.parametrize("name", ASKED)
def test_a_coin_cell_is_not_offered_sixty_milliampere_and_five_volts(name: str) -> None:
    sentences = remarks(name, battery="cr2032", radio="sx1276", device="atmega328p")
    assert PULSE in sentences
    assert STEP_UP in sentences


@pytest.mark.parametrize("name", ["life", "depends", "timeline"])
def test_what_a_battery_gives_is_not_doubted(name: str) -> None:
    sentences = remarks(
        name, battery="2xaa-alkaline", radio="cc2538", device="cortex-m4"
    )
    assert PULSE not in sentences
    assert STEP_UP not in sentences


def test_a_cell_that_has_become_passive_gives_less_at_once() -> None:
    radio = {"radio": "sx1276", "device": "cortex-m4"}
    assert PULSE in remarks("life", battery="er14505", **radio)
    assert PULSE not in remarks("life", battery="lisocl2-aa", **radio)
