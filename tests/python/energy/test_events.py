# SPDX-License-Identifier: Apache-2.0
"""Networks by events: they agree with the closed form where it may be believed."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest

from samara.energy import events, mac, presets, topology
from samara.energy.network import LOAD_TRUSTED, Region, consumption
from samara.energy.node import Node
from samara.energy.parts import Part
from samara.energy.routing import Rpl
from samara.energy.topology import Link, Topology
from samara.errors import MisuseError

from .hops import radio

HOUR_S = 3600.0
HONEST = presets.HONEST.node()
PAPER = presets.paper_node("software")
POOR = Link(0.8, 0.9)


def everybody(nodes: int) -> Topology:
    """Return nodes that all hear each other and the sink."""
    edges = [(*pair, Link()) for pair in combinations(range(nodes + 1), 2)]
    return topology.connected(nodes, edges)


@pytest.mark.parametrize(
    ("node", "network", "interval_s", "rpl", "hours"),
    [
        (PAPER, topology.chain(12), 12.0, None, 4),
        (HONEST, topology.tree(14), 60.0, Rpl(), 48),
        (HONEST, topology.grid(4, 4, (1, 2)), 30.0, Rpl(dao_interval_s=300), 24),
        (Node(radio(), mac.mac("tsch"), 60), topology.tree(10), 30.0, None, 10),
        (Node(radio(), mac.mac("x-mac"), 60), topology.chain(8), 10.0, None, 8),
        (Node(radio(), mac.mac("contikimac"), 60), topology.chain(8), 5.0, None, 4),
        (
            Node(radio(), mac.mac("always-listening"), 90),
            topology.tree(9),
            1.0,
            None,
            1,
        ),
    ],
    ids=["paper", "honest", "grid", "tsch", "x-mac", "contikimac", "always"],
)
def test_power_is_that_of_the_closed_form(
    node: Node, network: Topology, interval_s: float, rpl: Rpl | None, hours: float
) -> None:
    closed = consumption(node, network, interval_s, rpl)
    assert closed.region() == Region.WORKS
    found = events.simulate(
        node, network, interval_s, rpl, duration_s=hours * HOUR_S, seed=1
    )
    assert not found.saturated
    assert found.delivered >= 0.99 * found.made
    worst = int(closed.bottleneck) - 1
    assert found.total_w[worst] == pytest.approx(closed.total_w[worst], rel=0.01)
    assert found.total_w.max() == pytest.approx(closed.total_w.max(), rel=0.01)
    for part in Part:
        ours, theirs = np.asarray(found.power_w[part]), np.asarray(closed.power_w[part])
        share = abs(ours.max() - theirs.max()) / closed.total_w.max()
        assert share < 0.01, part


def test_poor_links_are_expected_transmissions() -> None:
    network = topology.chain(5, POOR)
    closed = consumption(HONEST, network, 20.0)
    found = events.simulate(HONEST, network, 20.0, duration_s=48 * HOUR_S, seed=2)
    assert found.total_w == pytest.approx(closed.total_w, rel=0.01)


def test_where_the_closed_form_says_nothing_queues_grow() -> None:
    network = topology.chain(12)
    for interval_s, grows in ((8.0, True), (11.0, False)):
        load = consumption(PAPER, network, interval_s).load.max()
        assert (load > 1) == grows
        assert grows or load < LOAD_TRUSTED
        found = events.simulate(PAPER, network, interval_s, duration_s=4 * HOUR_S)
        assert found.saturated == grows


def test_one_message_by_hand() -> None:
    """One node next to the sink sends ten messages: nothing else happens."""
    node = Node(radio(), mac.mac("always-listening"), 127)
    found = events.simulate(node, topology.chain(1), 60.0, duration_s=600.0)
    assert (found.made, found.delivered, found.waiting) == (10, 10, 0)
    # 4256 µs at 42 mW instead of 36.9 mW, and at most one is cut at the end.
    more_w = 10 * 4256e-6 * (0.0420 - 0.0369) / 600
    expected_w = 0.0369 + 3.0 * 20e-9 + more_w
    assert found.total_w[0] == pytest.approx(expected_w, rel=1e-9)
    # 4256 + 192 + 352 µs.
    assert found.latency_s == pytest.approx(4.8e-3)


def test_trickle_is_silent_where_many_send() -> None:
    """Of 21 nodes, ten send in each interval; their intervals are not aligned."""
    found = events.simulate(
        HONEST, everybody(21), 1e6, Rpl(dao_interval_s=1e6), duration_s=40 * 1048.576
    )
    closed = consumption(HONEST, everybody(21), 1e6, Rpl(dao_interval_s=1e6))
    ours_w = np.asarray(found.power_w[Part.CONTROL]).mean()
    theirs_w = np.asarray(closed.power_w[Part.CONTROL]).mean()
    assert ours_w == pytest.approx(theirs_w, rel=0.15)
    alone = events.simulate(
        HONEST, everybody(3), 1e6, Rpl(dao_interval_s=1e6), duration_s=40 * 1048.576
    )
    closed = consumption(HONEST, everybody(3), 1e6, Rpl(dao_interval_s=1e6))
    ours_w = np.asarray(alone.power_w[Part.CONTROL]).mean()
    theirs_w = np.asarray(closed.power_w[Part.CONTROL]).mean()
    assert ours_w == pytest.approx(theirs_w, rel=0.03)


def test_neighbours_share_the_medium_and_others_do_not() -> None:
    """A train takes 254.4 ms: two in 0.4 s do not fit where both are sensed."""
    for network, grows in ((topology.tree(2), True), (topology.chain(1), False)):
        found = events.simulate(PAPER, network, 0.4, duration_s=400.0)
        assert found.saturated == grows


def test_the_same_seed_is_the_same_outcome() -> None:
    one, same, other = (
        events.simulate(HONEST, topology.chain(4, POOR), 60.0, duration_s=9e3, seed=s)
        for s in (1, 1, 2)
    )
    assert one.events == same.events
    assert (one.total_w == same.total_w).all()
    assert one.latency_s == same.latency_s
    assert one.latency_s != other.latency_s


def test_what_cannot_be_simulated() -> None:
    leaf = Node(radio(), mac.mac("polling"), 31)
    with pytest.raises(MisuseError, match="cannot use 'polling"):
        events.simulate(leaf, topology.chain(2), 60.0)
    for interval_s, duration_s in ((0.0, 1.0), (1.0, 0.0), (float("nan"), 1.0)):
        with pytest.raises(MisuseError, match="above 0 seconds"):
            events.simulate(leaf, topology.chain(1), interval_s, duration_s=duration_s)
