# SPDX-License-Identifier: Apache-2.0
"""Nobody listens before sending: what collides, in closed form and by events."""

from __future__ import annotations

import math
import random
from typing import TYPE_CHECKING, Any

import pytest

from samara.energy.copies import Copies
from samara.energy.events import simulate
from samara.energy.lora import RAMP_S, Lora
from samara.energy.network import collided
from samara.energy.network_simulation import (
    NetworkSimulation,
    SimulateRequest,
    simulate_network,
)
from samara.energy.scenario import Scenario
from samara.energy.topology import star
from samara.records import records_of

if TYPE_CHECKING:
    from samara.energy.node import Node


def node(mac: str, radio: str = "rfm95", **settings: float) -> Node:
    return Scenario(
        device="cortex-m4", radio=radio, mac=mac, mac_settings=settings, calls=(),
        frame_bytes=31, added_bytes=0, rpl=None,
    ).node()  # fmt: skip


CASES: dict[str, tuple[str, str, dict[str, Any], int, float]] = {
    "frames": ("send-only", "at86rf231", {}, 100, 0.5),
    "copies": ("send-only", "at86rf231", {"copies": 3}, 100, 0.5),
    "lora": ("send-only", "rfm95", {"spreading_factor": 7}, 50, 20.0),
    "lora, slow": ("send-only", "rfm95", {"spreading_factor": 10}, 50, 100.0),
    "lorawan": ("lorawan-a", "rfm95", {"uplink_channels": 3}, 200, 60.0),
    "lorawan, 8": ("lorawan-a", "rfm95", {"uplink_channels": 8}, 200, 60.0),
    "ble": ("ble-advertising", "nrf52832", {"events": 2}, 300, 1.0),
}


@pytest.mark.parametrize("case", CASES)
def test_events_collide_as_often_as_the_closed_form_says(case: str) -> None:
    mac, radio, settings, nodes, interval_s = CASES[case]
    sender = node(mac, radio, **settings)
    expected = float(collided(sender, star(nodes), interval_s))
    assert 0.01 < expected < 0.6
    hours = 40_000 * interval_s / nodes
    found = simulate(sender, star(nodes), interval_s, duration_s=hours, seed=3)
    assert found.made > 30_000
    assert found.collided / found.made == pytest.approx(expected, rel=0.06)
    assert found.delivered + found.collided + found.waiting == found.made


def test_pure_aloha_has_the_exponent_of_twice_its_load() -> None:
    """Of messages that take 0.1 of the time, exp(-0.2) arrive (Abramson, 1970)."""
    assert 1 - float(Copies(0.1).lost(1.0)) == pytest.approx(math.exp(-0.2))
    throughput = 0.5 * (1 - float(Copies(0.5).lost(1.0)))
    assert throughput == pytest.approx(1 / (2 * math.e))  # the most that ALOHA has


def test_a_lora_network_of_known_load() -> None:
    """SF12, 51 bytes, 1000 nodes at 3 channels, a message an hour."""
    lora = node("lorawan-a", spreading_factor=12, uplink_channels=3)
    air_s = Lora(12, 125e3, 1, 8).air_s(31) + RAMP_S
    expected = 1 - math.exp(-2 * 999 / 3600 * air_s / 3)
    assert float(collided(lora, star(1000), 3600.0)) == pytest.approx(expected)


def test_copies_are_lost_as_often_as_when_they_are_drawn() -> None:
    """Messages as points of time, each with three copies: no kernel, no formula."""
    generator = random.Random(5)  # noqa: S311 - no secret
    air_s, period_s, rate, count = 0.05, 0.4, 1.5, 3
    copies = Copies(air_s, count, period_s)
    lost = 0
    trials = 20_000
    for _ in range(trials):
        others, at_s = [], -2.0
        while (at_s := at_s + generator.expovariate(rate)) < 2.0:
            others.append(at_s)
        starts = [o + c * period_s for o in others for c in range(count)]
        lost += all(
            any(abs(start - c * period_s) < air_s for start in starts)
            for c in range(count)
        )
    assert lost / trials == pytest.approx(float(copies.lost(rate)), rel=0.06)


def test_who_listens_or_is_alone_loses_nothing() -> None:
    assert float(collided(node("send-only"), star(1), 1.0)) == 0
    for mac, radio in (("polling", "at86rf231"), ("ble-connection", "nrf52832")):
        sender = node(mac, radio)
        assert float(collided(sender, star(100), 60.0)) == 0
        found = simulate(sender, star(100), 60.0, duration_s=3600.0)
        assert (found.collided, found.lost) == (0, 0)


def test_a_command_tells_both() -> None:
    request = SimulateRequest(
        shape="star", nodes=100, interval_s=0.5, mac="send-only", hours=0.1,
        runs=1, stated=True,
    )  # fmt: skip
    (run, *_) = records_of(simulate_network(request))
    assert isinstance(run, NetworkSimulation)
    assert run.collided / run.made == pytest.approx(run.closed_form_collided, rel=0.1)
    assert run.closed_form_collided > 0.1
