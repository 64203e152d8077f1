# SPDX-License-Identifier: Apache-2.0
"""A network in the course of time: windows, nodes, and what batteries have left."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np
import pytest
from shell import assert_done, assert_misuse, objects, samara

from samara.energy import events
from samara.energy.catalogue import battery
from samara.energy.network_timeline import (
    NetworkTimeline,
    NetworkTimelineNode,
    NetworkTimelineStep,
    TimelineRequest,
    _Charges,
    network_timeline,
)
from samara.energy.quantity import nominal
from samara.energy.supply import supply
from samara.energy.topology import Link, chain
from samara.errors import MisuseError
from samara.records import records_of

if TYPE_CHECKING:
    from pathlib import Path

CHAIN = {"shape": "chain", "nodes": 4, "delivery": 0.8, "interval_s": 60.0}


def answered(
    request: TimelineRequest,
) -> tuple[list[NetworkTimelineNode], list[NetworkTimelineStep], NetworkTimeline]:
    """Return the nodes, the windows, and the whole."""
    found = records_of(network_timeline(request))
    nodes = [each for each in found if isinstance(each, NetworkTimelineNode)]
    steps = [each for each in found if isinstance(each, NetworkTimelineStep)]
    (whole,) = (each for each in found if isinstance(each, NetworkTimeline))
    return nodes, steps, whole


def test_windows_together_are_one_simulation() -> None:
    request = TimelineRequest(**CHAIN, hours=7.0, step=2.0, seed=5)  # type: ignore[arg-type]
    nodes, steps, whole = answered(request)
    scenario = request.scenario()
    expected = events.simulate(
        scenario.node(),
        chain(4, Link(0.8, 0.8)),
        60.0,
        scenario.rpl,
        duration_s=7 * 3600.0,
        seed=5,
    )
    assert [(each.start_h, each.end_h) for each in steps] == [
        (0, 2),
        (2, 4),
        (4, 6),
        (6, 7),
    ]
    # Each of four nodes makes one message more or less, by when its intervals begin.
    assert [each.made for each in steps] == pytest.approx([480, 480, 480, 240], abs=4)
    assert whole.made == expected.made == sum(each.made for each in steps)
    assert whole.made == pytest.approx(1680, abs=4)
    assert whole.delivered == expected.delivered
    assert whole.waiting == expected.waiting
    assert whole.latency_s == pytest.approx(expected.latency_s)
    for count, name in (
        (events.Count.SENT, "sent"),
        (events.Count.RECEIVED, "received"),
        (events.Count.OVERHEARD, "overheard"),
    ):
        total = np.sum([getattr(each, name) for each in steps], axis=0)
        assert total.tolist() == expected.frames[count].tolist()
    taken_j = np.sum([each.energies_j for each in steps], axis=0)
    assert taken_j == pytest.approx(expected.total_w * 7 * 3600)
    assert whole.busiest == 1
    assert [(each.parent, each.hops) for each in nodes] == [
        (0, 1),
        (1, 2),
        (2, 3),
        (3, 4),
    ]
    assert [each.neighbours for each in nodes] == [(0, 2), (1, 3), (2, 4), (3,)]


def test_one_node_sends_what_it_makes_and_hears_nobody() -> None:
    request = TimelineRequest(
        shape="chain", nodes=1, delivery=1.0, interval_s=600.0, hours=1.0, step=1.0
    )
    (node,), (step,), whole = answered(request)
    assert (node.parent, node.hops, node.neighbours) == (0, 1, (0,))
    assert step.made == 6
    assert step.delivered + step.waiting == 6
    assert step.repeated == (0,)
    assert step.overheard == (0,)
    assert whole.first_empty_h is None
    assert step.busiest_power_uw == pytest.approx(step.energies_j[0] / 3600 * 1e6)


def test_repetitions_follow_from_losses() -> None:
    request = TimelineRequest(
        shape="chain", nodes=1, delivery=0.5, interval_s=10.0, hours=24.0, step=24.0
    )
    _, (step,), _ = answered(request)
    # A frame and its acknowledgement arrive: one try of four.
    assert step.sent[0] / (step.sent[0] - step.repeated[0]) == pytest.approx(4, rel=0.1)


def test_the_seed_decides() -> None:
    one = answered(TimelineRequest(**CHAIN, hours=3.0))  # type: ignore[arg-type]
    again = answered(TimelineRequest(**CHAIN, hours=3.0))  # type: ignore[arg-type]
    other = answered(TimelineRequest(**CHAIN, hours=3.0, seed=1))  # type: ignore[arg-type]
    assert one == again
    assert one[1] != other[1]


@pytest.mark.parametrize("name", ["cr2032", "2xaa-alkaline"])
def test_a_battery_is_empty_at_the_end_of_its_life(name: str) -> None:
    cells = supply(battery(name), nominal)
    power_w = np.array([1e-4, 2e-4])
    charges = _Charges(cells, power_w)
    life_s = float(cells.life_s(2e-4))
    shares = [charges.take(power_w, life_s / 1000) for _ in range(1000)]
    assert shares[0][0] > shares[0][1] > 0.99
    assert shares[499][1] == pytest.approx(0.5, abs=0.05)
    assert shares[-2][1] > 0
    assert shares[-1][1] == pytest.approx(0, abs=1e-9)
    assert shares[-1][0] == pytest.approx(0.5, abs=0.05)
    assert charges.take(power_w, life_s)[1] == 0


def test_an_empty_battery_is_reported() -> None:
    request = TimelineRequest(
        mac="always-listening", battery="cr2032", nodes=2, hours=24.0, step=1.0
    )
    _, steps, whole = answered(request)
    first = next(each for each in steps if each.lowest_left == 0)
    assert whole.first_empty_h == first.end_h
    assert 0 < first.end_h < 24
    life_h = request.scenario().supply().life_s(first.busiest_power_uw * 1e-6) / 3600
    assert first.end_h == math.ceil(float(life_h))


@pytest.mark.parametrize(
    ("nodes", "hours", "is_taken"), [(200, 1000.0, True), (200, 1000.5, False)]
)
def test_an_answer_is_bounded(nodes: int, hours: float, *, is_taken: bool) -> None:
    request = TimelineRequest(nodes=nodes, hours=hours, step=1.0)
    answer = network_timeline(request)
    if is_taken:
        assert isinstance(next(answer), NetworkTimelineNode)
    else:
        with pytest.raises(MisuseError, match="1,001 windows of 200 nodes"):
            next(answer)
    answer.close()


def test_the_command_prints_windows(tmp_path: Path) -> None:
    asked = ("energy", "timeline", "--nodes", "2", "--hours", "3", "--step", "1.5")
    printed = objects(assert_done(samara(*asked, "--json", folder=tmp_path)))
    assert [each["type"] for each in printed] == [
        *["network_timeline_node"] * 2,
        *["network_timeline_step"] * 2,
        "network_timeline",
    ]
    text = assert_done(samara(*asked, folder=tmp_path)).decode()
    assert "3 h of a tree of 2 nodes, each with a message every 600 s" in text
    assert "36 of 36 messages delivered" in text
    refused = samara(*asked, "--step", "0", folder=tmp_path)
    assert_misuse(refused, "--step")


def test_single_hops_are_those_of_the_counts() -> None:
    """All of a short time: who sent what, in order, within their windows."""
    request = TimelineRequest(nodes=6, hours=2.0, step=1.0, hops=1000)
    steps = [
        each
        for each in network_timeline(request)
        if isinstance(each, NetworkTimelineStep)
    ]
    parents = request.topology.parents
    for step in steps:
        ended = [each.ended_h for each in step.hops]
        assert ended == sorted(ended)
        assert step.start_h <= ended[0] <= ended[-1] < step.end_h
        for node in range(1, 7):
            own = [each for each in step.hops if each.sender == node]
            assert len(own) == step.sent[node - 1] > 0
            for each in own:
                to = None if each.fate == "broadcast" else parents[node - 1]
                assert each.receiver == to
                assert (each.frame == "dio") == (to is None)
            again = sum(each.fate in {"lost", "arrived"} for each in own)
            # What is sent again was not acknowledged; the last ones are next.
            assert abs(again - step.repeated[node - 1]) <= 1
    few = TimelineRequest(nodes=6, hours=2.0, step=1.0, hops=3)
    (first, *_) = (
        each for each in network_timeline(few) if isinstance(each, NetworkTimelineStep)
    )
    assert first.hops == steps[0].hops[:3]
    (none, *_) = (
        each
        for each in network_timeline(TimelineRequest(nodes=6, hours=2.0))
        if isinstance(each, NetworkTimelineStep)
    )
    assert none.hops == ()
