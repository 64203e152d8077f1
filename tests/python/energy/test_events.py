# SPDX-License-Identifier: Apache-2.0
"""Networks by events: they agree with the closed form where it may be believed."""

from __future__ import annotations

from itertools import combinations
from typing import Any

import numpy as np
import pytest

from samara._core import NetworkEvents
from samara.energy import assumptions, events, mac, topology
from samara.energy.capacity import capacity
from samara.energy.network import LOAD_TRUSTED, Region, consumption
from samara.energy.node import Node
from samara.energy.parts import Part
from samara.energy.routing import Rpl
from samara.energy.topology import Link, Topology
from samara.errors import MisuseError

from .hops import radio

HOUR_S = 3600.0
HONEST = assumptions.HONEST.node()
PAPER = assumptions.paper_node("software")
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
    assert closed.region(capacity=capacity(node, network, rpl)) == Region.WORKS
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


@pytest.mark.slow
@pytest.mark.parametrize(
    "network",
    [
        topology.chain(10),
        topology.chain(150),
        topology.tree(14),
        topology.tree(39, children=3),
        topology.square(99, "centre"),
        topology.square(99),
    ],
    ids=["chain", "long chain", "tree", "of threes", "centre", "corner"],
)
def test_up_to_the_load_that_is_trusted_nothing_saturates(network: Topology) -> None:
    """Long chains saturate at 0.84 of the bound, trees and lattices at 0.85."""
    node = assumptions.paper_node()
    carries = capacity(node, network)
    trusted = carries * (LOAD_TRUSTED - 0.001)
    interval_s = consumption(node, network, 1.0).load.max() / trusted
    closed = consumption(node, network, interval_s)
    assert closed.region(capacity=carries) == Region.WORKS
    found = events.simulate(node, network, interval_s, duration_s=400 * interval_s)
    assert not found.saturated
    assert found.delivered > 0.99 * found.made
    assert found.total_w.max() == pytest.approx(closed.total_w.max(), rel=0.01)


def test_one_message_by_hand() -> None:
    """One node next to the sink sends ten messages: nothing else happens."""
    node = Node(radio(), mac.mac("always-listening"), 127)
    found = events.simulate(node, topology.chain(1), 60.0, duration_s=600.0)
    assert (found.made, found.delivered, found.waiting) == (10, 10, 0)
    # 4256 µs at 42 mW instead of 36.9 mW, and at most one is cut at the end.
    more_w = 10 * 4256e-6 * (0.0420 - 0.0369) / 600
    expected_w = 0.0369 + 3.0 * 20e-9 + more_w
    assert found.total_w[0] == pytest.approx(expected_w, rel=1e-9)
    # It is received when its last byte is: 4256 µs, before the acknowledgement.
    assert found.latency_s == pytest.approx(4.256e-3)


@pytest.mark.parametrize("name", mac.names())
def test_latency_is_from_making_to_delivery_in_both(name: str) -> None:
    """Messages are rare, so that none waits for another."""
    node = Node(radio(), mac.mac(name), 31)
    found = events.simulate(node, topology.chain(1), 600.0, duration_s=48 * HOUR_S)
    assert found.made == found.delivered == 288
    assert found.latency_s == pytest.approx(float(node.latency_s()), rel=1e-3)


def test_a_hop_over_tsch_waits_for_its_cell() -> None:
    """Half of a slotframe of 101 slots of 10 ms, 2.12 ms in the slot, the frame."""
    node = Node(radio(), mac.mac("tsch"), 127)
    one, three = (
        events.simulate(node, topology.chain(hops), 100.0, duration_s=40 * HOUR_S)
        for hops in (1, 3)
    )
    hop_s = 0.505 + 2.12e-3 + 4.256e-3
    assert one.latency_s == pytest.approx(hop_s, rel=1e-6)
    # The mean way has two hops.
    assert three.latency_s == pytest.approx(2 * hop_s, rel=0.02)
    assert three.waiting + three.delivered == three.made


def test_a_train_is_received_before_it_ends() -> None:
    """And passed on after it, when the medium is free."""
    node = Node(radio(), mac.mac("lpl"), 127)
    one, two = (
        events.simulate(node, topology.chain(hops), 600.0, duration_s=48 * HOUR_S)
        for hops in (1, 2)
    )
    # 125 + 2.4 + 4.256 ms, of 53 x 4.8 ms.
    assert one.latency_s == pytest.approx(131.656e-3, rel=1e-6)
    assert two.latency_s == pytest.approx(131.656e-3 + 254.4e-3 / 2, rel=0.01)


@pytest.mark.parametrize(
    ("nodes", "within"), [(2, 0.01), (8, 0.015), (11, 0.03), (20, 0.06), (39, 0.09)]
)
def test_trickle_is_silent_where_many_send(nodes: int, within: float) -> None:
    network, rpl = everybody(nodes), Rpl(dao_interval_s=1e6)
    runs = [
        events.simulate(HONEST, network, 1e6, rpl, duration_s=200 * 1048.576, seed=seed)
        for seed in range(3)
    ]
    closed = consumption(HONEST, network, 1e6, rpl)
    ours_w = np.mean([np.asarray(run.power_w[Part.CONTROL]) for run in runs])
    theirs_w = np.asarray(closed.power_w[Part.CONTROL]).mean()
    assert ours_w == pytest.approx(theirs_w, rel=within)


def test_the_sink_sends_dio_by_events_too() -> None:
    rpl = Rpl(dao_interval_s=1e6)
    found = events.simulate(
        HONEST, topology.chain(1), 1e6, rpl, duration_s=500 * 1048.576
    )
    dio_j = HONEST.broadcast(rpl.dio_bytes) + HONEST.receive_broadcast(rpl.dio_bytes)
    expected_w = dio_j[Part.CONTROL] / 1048.576
    ours_w = float(np.asarray(found.power_w[Part.CONTROL])[0])
    assert ours_w == pytest.approx(expected_w, rel=0.01)
    closed = consumption(HONEST, topology.chain(1), 1e6, rpl)
    assert found.total_w[0] == pytest.approx(closed.total_w[0], rel=1e-4)


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


def kernel(**changes: object) -> NetworkEvents:
    """Return a network of two nodes in a chain; some of its values may be wrong."""
    fine: dict[str, Any] = {
        "parents": [0, 0, 1],
        "neighbours": [[1], [0, 2], [1]],
        "delivery": [1.0, 1.0, 1.0],
        "ack_delivery": [1.0, 1.0, 1.0],
        "medium_s": [0.1, 0.1, 0.1],
        "service_s": [0.1, 0.1, 0.1],
        "arrival_s": [0.1, 0.1, 0.1],
        "cell_s": [0.0, 0.0, 0.0],
        "shares_medium": True,
        "interval_s": 1.0,
        "dao_interval_s": 0.0,
        "trickle_interval_s": 0.0,
        "redundancy": 0,
        "queue_max": 10,
        "seed": 0,
    }
    return NetworkEvents(**{**fine, **changes})


@pytest.mark.parametrize(
    ("changes", "problem"),
    [
        ({"parents": [0]}, "a sink and a node"),
        ({"parents": [0, 0, 3]}, "a parent is another node"),
        ({"parents": [0, 0, 2]}, "a parent is another node"),
        ({"neighbours": [[1], [0, 3], [1]]}, "a neighbour is a node"),
        ({"neighbours": [[1], [0]]}, "for the same nodes"),
        ({"delivery": [1.0, 1.0]}, "for the same nodes"),
        ({"delivery": [1.0, 0.0, 1.0]}, "a share is above 0"),
        ({"ack_delivery": [1.0, 1.0, float("nan")]}, "a share is above 0"),
        ({"medium_s": [0.1, 0.1]}, "data, DIO and DAO"),
        ({"service_s": [0.1, 0.1, 0.0]}, "a time is above 0"),
        ({"arrival_s": [0.1, 0.1]}, "data, DIO and DAO"),
        ({"arrival_s": [0.1, 0.1, float("inf")]}, "a time is above 0"),
        ({"cell_s": [0.1, 0.1]}, "data, DIO and DAO"),
        ({"cell_s": [0.1, 0.1, -0.1]}, "a cell takes no time"),
        ({"cell_s": [0.1, 0.1, 0.0]}, "a cell takes no time"),
        ({"interval_s": float("inf")}, "a time is above 0"),
        ({"dao_interval_s": -1.0}, "of routing is above 0"),
        ({"dao_interval_s": 1.0}, "of routing is above 0"),
        ({"queue_max": 0}, "has room for a frame"),
    ],
)
def test_what_the_kernel_refuses(changes: dict[str, object], problem: str) -> None:
    with pytest.raises(ValueError, match=problem):
        kernel(**changes)


def test_the_kernel_counts_by_hand() -> None:
    """Each node has one message a second: the first sends two, the second hears."""
    run = kernel()
    run.advance(100.0)
    counts = run.counts()
    sent, first_sent, received, first_received, overheard = (c[0] for c in counts)
    assert run.made == 200
    assert run.delivered + run.waiting == 200
    assert sent[1] == run.delivered == first_sent[1] == received[0]
    assert received[1] == first_received[1] == sent[2]
    assert overheard == [0, 0, sent[1]]
    # Sending takes 0.1 s, a hop more for half of them, and waiting for each other.
    assert 0.15 <= run.latency_sum_s / run.delivered < 0.25


def test_intervals_of_nodes_begin_at_any_time() -> None:
    """A third of the nodes makes none or two messages in the first interval.

    Of an interval that began u of its length before, what is left has a message with
    probability 1 - u, and the begun next one with u; u (1 - u) is 1/6 on average.
    """
    nodes = 3000
    run = kernel(
        parents=[0] * (nodes + 1),
        neighbours=[[], *([0] for _ in range(nodes))],
        delivery=[1.0] * (nodes + 1),
        ack_delivery=[1.0] * (nodes + 1),
        medium_s=[1e-9] * 3,
        service_s=[1e-9] * 3,
        arrival_s=[1e-9] * 3,
        shares_medium=False,
    )
    run.advance(1.0)
    sent = run.counts()[0][0][1:]
    for count, share in ((0, 1 / 6), (1, 2 / 3), (2, 1 / 6)):
        assert sent.count(count) / nodes == pytest.approx(share, abs=0.03)
    run.advance(100.0)
    assert {99, 100, 101} == set(run.counts()[0][0][1:])
    assert run.made == pytest.approx(100 * nodes, rel=1e-3)


def test_a_full_queue_loses_what_comes() -> None:
    run = kernel(interval_s=0.01, queue_max=5)
    run.advance(10.0)
    assert run.waiting <= 10
    assert run.lost + run.delivered + run.waiting == run.made == 2000
    assert run.lost > 1500


def test_a_radio_is_in_one_cell_at_a_time() -> None:
    """Three children send to the sink: two of their cells take all of the time."""
    star: dict[str, Any] = {
        "parents": [0, 0, 0, 0],
        "neighbours": [[1, 2, 3], [0], [0], [0]],
        "delivery": [1.0] * 4,
        "ack_delivery": [1.0] * 4,
        "shares_medium": False,
        "queue_max": 1000,
    }
    for cell_s, expected in ((0.1, 3000), (0.5, 2000), (1.0, 1000)):
        run = kernel(**star, cell_s=[cell_s] * 3)
        run.advance(1000.0)
        assert run.delivered == pytest.approx(expected, abs=2), cell_s
        sent = run.counts()[0][0][1:]
        # Whoever waits has the same chance.
        assert max(sent) - min(sent) < 0.3 * expected / 3


def test_links_without_loss_need_no_chance() -> None:
    """And a link that loses one frame in a thousand loses 20 of 20,000."""
    surely, hardly = (
        kernel(delivery=[1.0, share, 1.0], ack_delivery=[1.0] * 3)
        for share in (1.0, 1 - 1e-3)
    )
    for run, repeats in ((surely, 0), (hardly, 20)):
        run.advance(10_000.0)
        sent, first_sent = (each[0][1] for each in run.counts()[:2])
        assert sent - first_sent == pytest.approx(repeats, abs=repeats * 0.75)


def test_a_node_receives_and_sends_with_one_radio() -> None:
    """The first of two nodes receives one message and sends two: three cells."""
    for cell_s, is_enough in ((0.3, True), (0.35, False)):
        run = kernel(shares_medium=False, cell_s=[cell_s] * 3, queue_max=1000)
        run.advance(1000.0)
        assert (run.delivered > 1980) == is_enough, cell_s


def test_each_transmission_is_logged_up_to_a_number() -> None:
    run = kernel(log_max=1000, delivery=[1.0, 0.5, 1.0], ack_delivery=[1.0, 0.8, 1.0])
    run.advance(20.0)
    logged = run.take_log()
    assert run.take_log() == []
    sent = run.counts()[0][0]
    assert [sum(hop[1] == node for hop in logged) for node in (1, 2)] == sent[1:]
    assert {(hop[1], hop[2], hop[3]) for hop in logged} == {(1, 0, 0), (2, 1, 0)}
    times = [hop[0] for hop in logged]
    assert times == sorted(times)
    assert 0.1 <= times[0] < times[-1] < 20
    fates = [hop[4] for hop in logged if hop[1] == 1]
    assert set(fates) == {0, 1, 2}
    assert {hop[4] for hop in logged if hop[1] == 2} == {2}
    # What arrived is what the sink received.
    assert sum(fate > 0 for fate in fates) == run.counts()[2][0][0]
    few = kernel(log_max=3)
    few.advance(20.0)
    assert len(few.take_log()) == 3
    few.advance(20.0)
    assert few.take_log() == []


def test_a_broadcast_is_logged_to_nobody() -> None:
    run = kernel(
        log_max=1000,
        interval_s=1e9,
        dao_interval_s=1e9,
        trickle_interval_s=1.0,
        redundancy=9,
    )
    run.advance(10.0)
    logged = run.take_log()
    assert 24 <= len(logged) <= 36
    assert all(hop[1] == hop[2] and hop[3:] == (1, 3) for hop in logged)


@pytest.mark.parametrize(
    ("network", "interval_s", "rpl"),
    [
        # 16 slices of time, in which nothing happens for long, and 37.
        (topology.chain(1), 600.0, None),
        (topology.tree(300), 600.0, Rpl(dao_interval_s=10.0)),
    ],
    ids=["few", "many"],
)
def test_what_happens_does_not_depend_on_the_steps_of_time(
    network: Topology, interval_s: float, rpl: Rpl | None
) -> None:
    """Events wait in slices of time; each comes in its order, wherever a step ends."""
    node = assumptions.HONEST.node()
    found = []
    for steps in (1, 7, 5000):
        run = events.kernel(node, network, interval_s, rpl, 5)
        for step in range(1, steps + 1):
            run.advance(7200.0 * step / steps)
        # What ends a step is of the next one: nothing has happened at it.
        run.advance(7200.0)
        found.append((run.events, run.made, run.latency_sum_s, run.counts()))
    assert found[1:] == found[:1] * 2
    # A node makes one message more or less, by when its intervals begin.
    expected = network.nodes * 7200 / interval_s
    assert found[0][1] == pytest.approx(expected, rel=0.01, abs=1)
