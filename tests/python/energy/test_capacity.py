# SPDX-License-Identifier: Apache-2.0
"""Where networks saturate: two bounds by hand, and what events find between them."""

from __future__ import annotations

from dataclasses import replace
from itertools import combinations

import numpy as np
import pytest

from samara.energy import assumptions, events, mac, quantity, topology
from samara.energy import capacity as capacities
from samara.energy.capacity import capacity, searched
from samara.energy.contours import contours
from samara.energy.frames import Secured
from samara.energy.near_sink import near_sink
from samara.energy.network import LOAD_TRUSTED, Region, consumption, load_bounds
from samara.energy.node import Node
from samara.energy.routing import Rpl
from samara.energy.topology import Link, Topology

from .hops import radio

PAPER = assumptions.paper_node()
TRAIN_S = 53 * 4.8e-3


def test_both_bounds_of_a_chain_by_hand() -> None:
    """Of 5, 4, 3, 2 and 1 messages, the first three nodes sense each other.

    The third has two nodes on each side within two hops: 5 + 4 + 2 + 1, and its own 3.
    """
    closed = consumption(PAPER, topology.chain(5), 60.0)
    assert closed.load.max() == pytest.approx((5 + 4 + 3) * TRAIN_S / 60)
    expected = np.array([5 + 4 + 3, 5 + 4 + 3 + 2, 15, 4 + 3 + 2 + 1, 3 + 2 + 1])
    assert closed.load_most == pytest.approx(expected * TRAIN_S / 60)
    fine, grows = load_bounds(PAPER, topology.chain(5)).rates
    assert fine == pytest.approx(1 / (15 * TRAIN_S))
    assert grows == pytest.approx(1 / (12 * TRAIN_S))


def test_both_bounds_with_routing_by_hand() -> None:
    """Two nodes in a chain: three DIO a Trickle interval, three trains of DAO."""
    node, rpl = Node(radio(), mac.mac("b-mac"), 31), Rpl(dao_interval_s=600)
    send_s, dao_s = (250e-3 + (6 + size) * 32e-6 + 544e-6 for size in (31, 64))
    dio_s = 250e-3 + (6 + 96) * 32e-6
    taken = 3 * send_s / 20 + 3 * dao_s / 600 + 3 * dio_s / 1048.576
    closed = consumption(node, topology.chain(2), 20.0, rpl)
    assert closed.load.max() == pytest.approx(taken)
    # A node that cannot begin with its own DIO is busy until the gap after it, too.
    gap_s = send_s - dio_s + 65 * 32e-6
    assert closed.load_most.max() == pytest.approx(taken, abs=gap_s / 1048)


def test_a_receiver_has_one_radio_for_all_its_children() -> None:
    """100 slots of 10 ms in 1.01 s, for what each of them sends every 5 s."""
    node = Node(radio(), mac.mac("tsch"), 31)
    for count, region in (
        (440, Region.WORKS),
        (450, Region.DOUBTFUL),
        (500, Region.SATURATED),
        (1000, Region.SATURATED),
    ):
        closed = consumption(node, topology.star(count), 5.0)
        assert closed.load.max() == pytest.approx(count * 0.0101 / 5)
        assert closed.region() == region
    # Fewer slots for messages, a shorter slotframe, two frames for each message.
    fewer = Node(radio(), mac.mac("tsch", shared_cells=51), 31)
    closed = consumption(fewer, topology.star(200), 5.0)
    assert closed.load.max() == pytest.approx(200 * 1.01 / 50 / 5)
    two = Node(radio(), mac.mac("tsch"), 31, more=(Secured(31),))
    closed = consumption(two, topology.star(200), 5.0)
    assert closed.load.max() == pytest.approx(200 * 2 * 0.0101 / 5)


def test_a_parent_sends_and_receives_with_one_radio() -> None:
    """In a chain of 5, the first node receives 4 messages and sends 5: 9 cells."""
    node = Node(radio(), mac.mac("tsch", send_cells=50), 31)
    closed = consumption(node, topology.chain(5), 1.0)
    # The node behind the first one has it as its parent; the sink only receives.
    assert closed.load == pytest.approx(
        np.maximum([5, 9, 7, 5, 3], np.array([5, 4, 3, 2, 1]) * 2) * 0.0101
    )


def test_a_schedule_carries_all_of_its_cells() -> None:
    node = Node(radio(), mac.mac("tsch"), 31)
    closed = consumption(node, topology.chain(7), 60.0, Rpl())
    assert closed.load_most == pytest.approx(closed.load)
    assert capacity(node, topology.chain(7), Rpl()) == pytest.approx(1, abs=1e-9)


def everybody(nodes: int) -> Topology:
    edges = [(*pair, Link()) for pair in combinations(range(nodes + 1), 2)]
    return topology.connected(nodes, edges)


@pytest.mark.parametrize("network", [topology.chain(3), topology.tree(2), everybody(6)])
def test_nodes_that_all_sense_each_other_leave_no_gap(network: Topology) -> None:
    assert capacity(PAPER, network) == pytest.approx(1, abs=1e-9)


def test_routing_that_takes_all_of_the_time() -> None:
    """Trains of 250 ms every 300 ms from each of four nodes."""
    rpl = Rpl(interval_min_s=0.3, doublings=0)
    node, network = Node(radio(), mac.mac("b-mac"), 31), topology.chain(3)
    assert capacity(node, network, rpl) == 1
    assert consumption(node, network, 1e9, rpl).load.max() > 1


@pytest.mark.slow
@pytest.mark.parametrize(
    ("network", "expected"),
    [
        (topology.chain(50), 0.86),
        (topology.tree(30), 0.864),
        (topology.square(15, "centre"), 0.827),
    ],
    ids=["chain", "tree", "lattice"],
)
def test_queues_grow_above_it_and_not_below(network: Topology, expected: float) -> None:
    """By long simulations with another seed; the figures are of 1.6 M transmissions."""
    found = capacity(PAPER, network)
    assert found == pytest.approx(expected, abs=0.01)
    at_bound_s = 1 / load_bounds(PAPER, network).rates[1]
    for share, grows in ((0.98, False), (1.03, True)):
        interval_s = at_bound_s / (found * share)
        run = events.simulate(
            PAPER, network, interval_s, duration_s=600 * interval_s, seed=77
        )
        waiting = run.waiting + run.lost
        assert (waiting > 0.01 * run.made) == grows, share


def test_what_is_near_the_sink_makes_the_messages_of_all() -> None:
    r"""Of a tree with a chain at its end, two hops are kept.

    ::

        0 - 1 - 3 - 5 - 6
          \ 2 - 4
    """
    poor = Link(0.5, 0.8)
    edges = [(0, 1, poor), (0, 2, Link()), (1, 3, Link()), (2, 4, Link()), (3, 5, poor)]
    whole = topology.connected(6, [*edges, (5, 6, Link())])
    near = near_sink(whole, 2)
    assert list(near.topology.parents) == [0, 0, 1, 2]
    assert list(near.messages) == [1, 1, 3, 1]
    around = [{*each} for each in near.topology.neighbours]
    assert around == [{1, 2}, {0, 3}, {0, 4}, {1}, {2}]
    assert near.topology.uplinks[0] == poor
    # Over the poor link go 4 messages, 2.5 times each; 2 over the other; 3 and 1.
    assert near.sent == pytest.approx(4 * 2.5 + 2 + 3 + 1)
    all_of_it = near_sink(whole, 4)
    assert list(all_of_it.topology.parents) == list(whole.parents)
    assert list(all_of_it.messages) == [1] * 6
    assert all_of_it.sent == pytest.approx(topology.flows(whole).sent.sum())


def test_a_node_makes_as_many_messages_as_it_is_told() -> None:
    """In each third of an interval one, of node 2; in each whole, of node 1."""
    made = []
    for end_s in (10.0, 20.0, 30.0, 60.0):
        run = events.kernel(PAPER, topology.chain(2), 30.0, None, 0, messages=[1, 3])
        run.advance(end_s)
        made.append(run.made)
    assert made[2:] == [4, 8]
    assert 1 <= made[0] <= 2 <= made[1] <= 3
    with pytest.raises(ValueError, match="messages are told for the same nodes"):
        events.kernel(PAPER, topology.chain(2), 30.0, None, 0, messages=[1])
    with pytest.raises(ValueError, match="makes a message in each interval"):
        events.kernel(PAPER, topology.chain(2), 30.0, None, 0, messages=[1, 0])


@pytest.mark.slow
def test_what_is_far_from_the_sink_does_not_change_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """A lattice of 900 nodes: 24 hops of 58 are simulated, and then all."""
    network = topology.square(900)
    near = capacity(assumptions.HONEST.node(), network)
    monkeypatch.setattr("samara.energy.capacity._DEEPER_LEAST", 100)
    monkeypatch.setattr("samara.energy.capacity._DEEPER_MOST", 100)
    assert capacity(assumptions.HONEST.node(), network) == pytest.approx(near, abs=0.01)


def test_what_is_drawn_counts_by_its_median() -> None:
    drawn = assumptions.HONEST.node(quantity.Sampled(9))
    assert capacity(drawn, topology.tree(9)) == pytest.approx(
        capacity(assumptions.HONEST.node(), topology.tree(9)), abs=0.02
    )


def test_regions_with_and_without_it() -> None:
    """The bound of the chain of 5 is 12 trains; the capacity is said to be 0.8."""
    at_bound_s = 12 * TRAIN_S
    intervals_s = at_bound_s / np.array([1.01, 0.99, 0.81, 0.79, 0.73, 0.71])
    closed = consumption(PAPER, topology.chain(5), intervals_s)
    assert closed.needs_capacity
    without = [Region.SATURATED, *[Region.DOUBTFUL] * 4, Region.WORKS]
    # 0.71 x 15 / 12 is below 0.9; 0.73 x 15 / 12 is above.
    assert closed.region().tolist() == without
    known = closed.region(capacity=0.8).tolist()
    assert known[:3] == [Region.SATURATED] * 3
    assert known[3:] == [Region.DOUBTFUL, Region.DOUBTFUL, Region.WORKS]
    assert closed.region(capacity=0.82).tolist()[2:] == [
        Region.DOUBTFUL,
        Region.DOUBTFUL,
        Region.WORKS,
        Region.WORKS,
    ]


def test_contours_ask_only_where_it_matters() -> None:
    asked: list[int] = []

    def of(node: Node, network: Topology, rpl: Rpl | None) -> float:
        del node, rpl
        asked.append(network.nodes)
        return 0.9

    intervals_s = np.array([3.5, 80.0])
    drawn = contours(PAPER, topology.chain, [1, 5, 50], intervals_s, capacity_of=of)
    assert asked == [5]
    assert drawn.region.tolist() == [[0, 0], [1, 0], [3, 0]]


@pytest.mark.slow
@pytest.mark.parametrize("name", ["box-mac-2", "contikimac", "tsch"])
@pytest.mark.parametrize(
    "network",
    [
        topology.chain(50),
        topology.chain(12, Link(0.8, 0.9)),
        topology.tree(39, children=3),
        topology.square(48, "centre"),
        topology.square(24),
    ],
    ids=["chain", "poor", "tree", "centre", "corner"],
)
def test_closed_form_up_to_nine_tenths_of_it(name: str, network: Topology) -> None:
    """Power within 1 %, or within chance: three standard errors of four seeds."""
    rpl = Rpl()
    node = Node(radio(), mac.mac(name), 41)
    share = LOAD_TRUSTED * capacity(node, network, rpl)
    bounds = load_bounds(node, network, rpl)
    rates = np.geomspace(1e-3, 1, 2000) * bounds.rates[1]
    loads = [np.max(bounds.load(rate)) for rate in rates]
    interval_s = 1.001 / float(np.interp(share, loads, rates))
    closed = consumption(node, network, interval_s, rpl)
    power_w = closed.total_w[worst := int(closed.bottleneck) - 1]
    assert closed.region(capacity=share / LOAD_TRUSTED) == Region.WORKS
    runs = [
        events.simulate(
            node, network, interval_s, rpl, duration_s=300 * interval_s, seed=seed
        )
        for seed in range(4)
    ]
    found_w = np.array([run.total_w[worst] for run in runs])
    chance_w = 3 * found_w.std(ddof=1) / 2
    assert abs(found_w.mean() - power_w) <= 0.01 * power_w + chance_w
    assert chance_w < 0.02 * power_w


def test_the_search_tells_how_far_it_is() -> None:
    """From the beginning, never less than before."""
    shares = list(searched(PAPER, topology.chain(12)))
    assert len(shares) > 200
    assert shares == sorted(shares)
    assert 0 < shares[0] < 0.01
    assert 0.5 < shares[-1] <= 1


def test_routing_frames_tell_of_growth_as_messages_do(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """With three DAO for each message a run is shorter, and finds the same load."""
    honest = assumptions.HONEST
    assert honest.rpl is not None
    rpl = replace(honest.rpl, dao_interval_s=20.0)
    node, lattice = honest.node(), topology.grid(8, 8)
    _, most = load_bounds(node, lattice, rpl).rates
    assert 1 / most > 3 * rpl.dao_interval_s
    found = capacity(node, lattice, rpl)
    for name in ("_MESSAGES", "_TRANSMISSIONS", "_INTERVALS", "_INTERVALS_LEAST"):
        monkeypatch.setattr(capacities, name, 8 * getattr(capacities, name))
    assert found == pytest.approx(capacity(node, lattice, rpl), abs=0.01)
