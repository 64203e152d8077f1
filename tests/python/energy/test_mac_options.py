# SPDX-License-Identifier: Apache-2.0
"""Settings of medium access: options, what answers show of them, and their ranking."""

from __future__ import annotations

from collections import Counter
from dataclasses import fields

import pytest

from samara.energy import mac
from samara.energy.advise import AdviseRequest
from samara.energy.depends import DependsRequest, depends
from samara.energy.intervals import IntervalsRequest
from samara.energy.life import LifeRequest, life
from samara.energy.mac_options import MacOptions
from samara.energy.message import MessageRequest
from samara.energy.messages_allowed import AirtimeRequest
from samara.energy.network_lifetimes import NetworkRequest
from samara.energy.network_simulation import SimulateRequest
from samara.energy.network_timeline import TimelineRequest
from samara.energy.part_values import written
from samara.errors import ArgumentError, MisuseError
from samara.records import records_of
from samara.records.parameters import from_values, parameters_of

REQUESTS = (
    AdviseRequest,
    AirtimeRequest,
    DependsRequest,
    IntervalsRequest,
    LifeRequest,
    MessageRequest,
    NetworkRequest,
    SimulateRequest,
    TimelineRequest,
)


def test_every_field_of_every_medium_access_is_an_option() -> None:
    options = {each.name for each in MacOptions().parameters()}
    # Options of the link rf-serial set those of its modem.
    for access in set(mac.names()) - {"serial-radio"}:
        for each in fields(mac.kind(access)):
            assert written(each.name).name in options
    assert "modem_timeout_ms" in {each.name for each in parameters_of(LifeRequest)}


@pytest.mark.parametrize("kind", REQUESTS, ids=lambda kind: kind.__name__)
def test_no_option_of_a_request_has_the_name_of_another(kind: type) -> None:
    count = Counter(each.name for each in parameters_of(kind))
    assert [name for name, times in count.items() if times > 1] == []


def test_an_option_is_the_setting_of_the_node_and_is_shown() -> None:
    request = from_values(LifeRequest, {"mac": "polling", "poll_interval": 30.0})
    scenario = request.scenario()
    requests = scenario.node().mac.requests
    assert requests is not None
    assert requests.per_s == pytest.approx(1 / 30)
    assert "polling: poll interval 30 s" in scenario.in_words()
    usual = from_values(LifeRequest, {"mac": "polling"}).scenario()
    assert "polling: poll interval 5 s" in usual.in_words()
    # Six times as rarely: less is drawn.
    assert scenario.node().idle_w().total < usual.node().idle_w().total / 5


def test_an_option_of_another_medium_access_is_refused_with_those_that_apply() -> None:
    request = from_values(LifeRequest, {"mac": "polling", "slots": 10})
    with pytest.raises(MisuseError, match=r"--slots does not apply .* --poll-interval"):
        request.scenario()


@pytest.mark.parametrize(
    ("access", "name", "value"),
    [
        ("tsch", "slots", 0),
        ("tsch", "send_cells", 0),
        ("tsch", "slot", 0.0),
        ("polling", "poll_interval", 0.0),
    ],
)
def test_what_is_divided_by_is_not_zero(access: str, name: str, value: float) -> None:
    with pytest.raises(ArgumentError, match="must be at least"):
        from_values(LifeRequest, {"mac": access, name: value})
    # A program need not call from_values.
    with pytest.raises(ArgumentError, match="must be at least"):
        LifeRequest(mac=access, mac_options={name: value})


def test_a_power_may_be_below_one_milliwatt() -> None:
    """It is in dBm: 0 and negative values are usual."""
    given = {"mac": "lorawan-a", "radio": "sx1262", "distance": 1000.0, "draws": 10}
    weak, strong = (
        records_of(life(from_values(LifeRequest, {**given, "power": power})))[0]
        for power in (-3.0, 14.0)
    )
    # Less power needs a higher spreading factor for the same distance.
    assert weak.life.median.value < strong.life.median.value
    with pytest.raises(ArgumentError, match="must be at least -30"):
        from_values(LifeRequest, {**given, "power": -31.0})


def test_a_leaf_of_tsch_has_no_cells_to_receive_in() -> None:
    given = {"mac": "tsch", "receive_cells": 0}
    leaf = from_values(LifeRequest, given).scenario().node()
    usual = from_values(LifeRequest, {"mac": "tsch"}).scenario().node()
    assert leaf.idle_w().total < usual.idle_w().total


def test_settings_are_ranked_among_the_quantities() -> None:
    found = records_of(depends(DependsRequest(mac="polling", device="cortex-m4")))
    by_name = {each.quantity: each for each in found}
    polls = by_name["polling.poll_interval_s"]
    # Polling more often drains the battery; it is among the strongest influences.
    assert polls.at_low < polls.stated < polls.at_high
    assert found.index(polls) < 5
    assert found == sorted(found, key=lambda each: (-each.swing, each.quantity))
    more = by_name["polling.request_bytes"]
    assert more.at_low > more.at_high
