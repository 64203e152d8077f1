# SPDX-License-Identifier: Apache-2.0
"""Whether networks work: by hand, and the closed form and events alike."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

from samara.energy import assumptions, events, mac, topology
from samara.energy.capacity import capacity
from samara.energy.life import LifeRequest, life
from samara.energy.load import State, doubts, largest, verdict
from samara.energy.message import MessageRequest, message
from samara.energy.network import Limit, Region, consumption, load_bounds
from samara.energy.node import Node
from samara.energy.routing import Rpl
from samara.errors import MisuseError

from .hops import radio

if TYPE_CHECKING:
    from collections.abc import Callable


def tsch(**settings: float) -> Node:
    return Node(radio(), mac.mac("tsch", **settings), 31)


def test_a_thousand_nodes_to_one_sink() -> None:
    """200 messages a second, and 99 slots of 100 in 1.01 s."""
    found = verdict(tsch(), topology.star(1000), 5.0, shape=topology.star)
    assert (found.state, found.limit) == (State.CANNOT, Limit.RECEIVER)
    assert found.load == pytest.approx(200 * 0.0101)
    assert found.largest == int(0.9 * 5 / 0.0101)
    assert found.works_from_s == pytest.approx(1000 * 0.0101 / 0.9)
    assert found.in_words("star") == (
        "Cannot: what one node receives and sends takes 202 % of its cells or "
        "connection events, and its radio is in one at a time. The largest star that "
        "works at 5 s has 445 nodes. With 1,000 nodes it works from 11.3 s on."
    )


def test_events_say_the_same_of_them() -> None:
    for nodes, interval_s, fits in ((1000, 5.0, False), (445, 5.0, True)):
        found = events.simulate(
            tsch(), topology.star(nodes), interval_s, duration_s=2000
        )
        assert found.saturated != fits
    # What the sink has cells for is what it receives.
    many = events.simulate(tsch(), topology.star(1000), 5.0, duration_s=2000)
    assert many.delivered == pytest.approx(2000 / 0.0101, rel=0.01)


ALONE = [topology.star(25), topology.chain(1)]
NETWORKS = [
    (name, network)
    for name in mac.names()
    for network in (*ALONE, topology.tree(14))
    if network in ALONE or mac.kind(name).relays
]


@pytest.mark.parametrize(("name", "network"), NETWORKS)
def test_where_one_works_so_do_events(name: str, network: topology.Topology) -> None:
    """And queues grow beyond where it cannot."""
    node = Node(radio(), mac.mac(name), 31)
    share = capacity(node, network)
    found = verdict(node, network, 1.0, capacity=share)
    assert found.works_from_s is not None
    interval_s = found.works_from_s * 1.01
    assert verdict(node, network, interval_s, capacity=share).state is State.WORKS
    run = events.simulate(node, network, interval_s, duration_s=400 * interval_s)
    # Of those that do not listen, 90 % just so.
    assert not run.saturated
    assert run.delivered >= 0.88 * run.made
    # Where it cannot by 15 %: it is at its limit until then.
    too_often_s = interval_s / 1.03
    while (judged := verdict(node, network, too_often_s, capacity=share)).load < 1.15:
        assert judged.state is (State.CANNOT if judged.load > 1 else State.AT_LIMIT)
        too_often_s /= 1.02
    assert judged.state is State.CANNOT
    run = events.simulate(node, network, too_often_s, duration_s=400 * too_often_s)
    if judged.limit is Limit.AIR:
        assert run.delivered < 0.5 * run.made
    else:
        assert run.saturated


@pytest.mark.slow
def test_polls_take_the_medium_too() -> None:
    """Requests of 12 bytes, with turnarounds and acknowledgements, every second."""
    node = Node(radio(), mac.mac("polling", poll_interval_s=1.0), 31)
    request_s, message_s = ((6 + size) * 32e-6 + 0.544e-3 for size in (12, 31))
    for nodes in (10, 500, 800):
        bounds = load_bounds(node, topology.star(nodes))
        (around,) = (bounds.lower[Limit.MEDIUM],)
        expected = nodes * (request_s + message_s / 10)
        assert np.max(around.at(0.1)) == pytest.approx(expected, rel=0.02)
    fits = largest(node, topology.star, 10_000, 10.0)
    assert fits == pytest.approx(0.9 / (request_s + message_s / 10), rel=0.02)
    for nodes, works in ((fits, True), (int(fits / 0.9 * 1.05), False)):
        run = events.simulate(node, topology.star(nodes), 10.0, duration_s=4000)
        assert run.saturated != works


def test_a_frame_has_to_fit_into_its_slot() -> None:
    """2.12 ms, 133 bytes of 32 µs, 1 ms, and 19 for the acknowledgement: 7.984 ms."""
    long = replace(tsch(), frame_bytes=127)
    for slot_s, works in ((8.0e-3, True), (7.9e-3, False)):
        node = replace(long, mac=mac.mac("tsch", slot_s=slot_s))
        found = verdict(node, topology.chain(2), 60.0)
        assert (found.state is State.WORKS) == works
        run = events.simulate(node, topology.chain(2), 60.0, duration_s=20_000)
        assert (run.delivered > 600) == works
        assert run.saturated != works
    assert found.limit is Limit.SLOT
    assert found.load == pytest.approx(7.984 / 7.9, rel=0.01)
    assert "Give a longer slot" in found.in_words()
    assert "give a longer slot" in found.refusal()


def test_at_its_limit_between_both_bounds() -> None:
    """The chain of 5: at least 12, and at most 15 trains of 254.4 ms."""
    node, train_s = assumptions.paper_node(), 53 * 4.8e-3
    found = verdict(node, topology.chain(5), 14 * train_s, shape=topology.chain)
    assert found.state is State.AT_LIMIT
    assert found.load == pytest.approx(15 / 14)
    assert found.works_from_s == pytest.approx(15 * train_s / 0.9)
    assert found.largest == 4
    known = verdict(node, topology.chain(5), 14 * train_s, capacity=0.96)
    assert known.state is State.WORKS
    assert known.load == pytest.approx(12 / 14 / 0.96)
    assert known.works_from_s == pytest.approx(12 * train_s / 0.9 / 0.96)


def test_a_band_that_is_left_too_early() -> None:
    node = Node(radio(), mac.mac("always-listening"), 127)
    air_s = 133 * 32e-6
    found = verdict(node, topology.chain(3), 1.0, duty_max=0.01, shape=topology.chain)
    assert (found.region, found.limit) == (Region.ILLEGAL, Limit.DUTY)
    assert found.load == pytest.approx(3 * air_s / 0.01, rel=0.15)
    assert found.works_from_s == pytest.approx(found.load, rel=1e-9)
    assert found.largest == 2
    assert "its band allows" in found.in_words("chain")


def test_routing_that_leaves_no_time() -> None:
    rpl = Rpl(interval_min_s=0.3, doublings=0)
    node = Node(radio(), mac.mac("b-mac"), 31)
    found = verdict(node, topology.chain(3), 1e6, rpl, shape=topology.chain)
    assert found.state is State.CANNOT
    assert found.works_from_s is None
    assert found.in_words().endswith("it works at no interval.")


def test_life_and_message_refuse_alike() -> None:
    asked: list[tuple[Callable[[Any], Any], Any]] = [
        (life, LifeRequest),
        (message, MessageRequest),
    ]
    for function, request in asked:
        with pytest.raises(MisuseError, match=r"0\.1 s cannot be sent: nodes need"):
            list(function(request(interval_s=0.1)))
        slot: dict[str, Any] = {"mac": "tsch", "mac_options": {"slot": 0.003}}
        with pytest.raises(MisuseError, match=r"185 % of a slot; give a longer slot"):
            list(function(request(**slot)))


def test_cells_and_beacons_that_a_slotframe_has_no_room_for() -> None:
    assert doubts(tsch(), topology.chain(3), 60.0) == []
    assert "listen in (receive cells: 1)" in doubts(tsch(), topology.star(9), 60.0)[0]
    assert doubts(tsch(receive_cells=9), topology.star(9), 60.0) == []
    cells, beacons = doubts(tsch(), topology.star(101), 60.0)
    assert "need more cells of their own (101) than a slotframe has (100)" in cells
    # 102 of them send one in 16 s; there is one cell in 1.01 s.
    assert "beacons of 102 nodes need 6.44 shared cells" in beacons
    assert len(doubts(tsch(receive_cells=100), topology.star(100), 60.0)) == 1


def test_nodes_that_do_not_listen_collide() -> None:
    """Of pure ALOHA, 1 - exp(-2 G); on three channels, a third of the load on each."""
    node = Node(radio(), mac.mac("send-only"), 31)
    air_s = 37 * 32e-6
    (sentences,) = doubts(node, topology.star(1001), 10.0)
    lost = 1 - np.exp(-2 * 100 * air_s)
    assert f"{lost:.0%} of the messages collide" in sentences
    assert doubts(node, topology.chain(1), 10.0) == []
    lora = Node(radio(), mac.mac("lorawan-a"), 31)
    assert "of the messages collide" in doubts(lora, topology.star(1000), 600.0)[0]
    shares = [
        doubts(
            Node(radio(), mac.mac("lorawan-a", uplink_channels=count), 31),
            topology.star(1000),
            600.0,
        )[0]
        for count in (1, 3)
    ]
    assert shares[0] != shares[1]


def test_what_works_promises() -> None:
    """By hand: 9 in 10 messages meet no other if exp(-2 G) is 0.9, and half if 0.5."""
    node = Node(radio(), mac.mac("send-only"), 31)
    air_s = 37 * 32e-6
    star = topology.star(101)
    for delivered, state in ((0.9, State.WORKS), (0.5, State.AT_LIMIT)):
        least_s = 2 * 100 * air_s / -np.log(delivered)
        found = verdict(node, star, least_s * 1.0001)
        assert (found.state, found.limit) == (state, Limit.AIR)
        assert found.delivered == pytest.approx(delivered, rel=1e-3)
        worse = verdict(node, star, least_s * 0.9999)
        assert worse.state is not state
        assert worse.works_from_s == pytest.approx(2 * 100 * air_s / -np.log(0.9))
    assert worse.state is State.CANNOT
    assert worse.load == pytest.approx(1.0, rel=1e-3)
    # Twenty times as many messages: all but some collide.
    most = verdict(node, star, least_s / 20, shape=topology.star)
    assert most.in_words("star") == (
        "Cannot: nobody listens before sending: frames collide, and 100 % of the "
        "messages do not arrive. The largest star that works at 0.0170815 s has 1 "
        "node. With 101 nodes it works from 2.25 s on."
    )


def test_copies_of_a_message_are_counted_in_what_works() -> None:
    """What is told is what events have, of two copies and of eight frequencies."""
    star = topology.star(300)
    for access in (
        mac.mac("send-only", copies=2),
        mac.mac("lorawan-a", uplink_channels=8),
    ):
        node = Node(radio(), access, 31)
        least_s = verdict(node, star, 1.0).works_from_s
        assert least_s is not None
        run = events.simulate(node, star, least_s, duration_s=200 * least_s)
        assert run.delivered / run.made == pytest.approx(0.9, abs=0.01)


def test_connections_that_one_central_has_no_time_for() -> None:
    """Twice 80 µs of an empty packet and 150 µs; the packet of 38 bytes 312 µs."""
    node = Node(radio(), mac.mac("ble-connection", connection_interval_s=0.1), 31)
    met, packet_s = 2 * 230e-6 / 0.1, (1 + 4 + 31) * 8e-6
    for nodes, state in (
        (100, State.WORKS),
        (200, State.AT_LIMIT),
        (250, State.CANNOT),
    ):
        found = verdict(node, topology.star(nodes), 60.0, shape=topology.star)
        assert (found.state, found.limit) == (state, Limit.RECEIVER)
        assert found.load == pytest.approx(nodes * (met + packet_s / 60))
    assert found.largest == int(0.9 / (met + packet_s / 60))
    busy = verdict(node, topology.star(150), 0.5)
    assert busy.load == pytest.approx(150 * (met + packet_s / 0.5))
    for nodes, works in ((150, True), (200, False)):
        run = events.simulate(node, topology.star(nodes), 0.5, duration_s=500)
        assert run.saturated != works


def orchestra(**settings: float) -> Node:
    return Node(radio(), mac.mac("orchestra", **settings), 31)


def test_a_receiver_of_orchestra_has_one_cell_for_all_its_children() -> None:
    """One in 17 slots of 10 ms; sender-based, each of 17 slots."""
    network = topology.star(40)
    for settings, cell_s in (({}, 0.17), ({"unicast_slots": 7}, 0.07)):
        found = verdict(orchestra(**settings), network, 5.0, shape=topology.star)
        assert found.limit is Limit.RECEIVER
        assert found.load == pytest.approx(40 * cell_s / 5)
        assert largest(orchestra(**settings), topology.star, 10_000, 5.0) == int(
            0.9 * 5 / cell_s
        )
    based = verdict(orchestra(sender_based=1), network, 5.0)
    assert based.state is State.WORKS
    assert based.load == pytest.approx(40 * 0.01 / 5)


def test_a_node_of_orchestra_receives_and_sends_in_cells_of_their_own() -> None:
    """In a chain of 5 the sink is sent 5, and the first node 4: not 9 together."""
    found = verdict(orchestra(), topology.chain(5), 1.0)
    assert found.load == pytest.approx(5 * 0.17)
    for interval_s, works in ((0.9, True), (0.8, False)):
        run = events.simulate(
            orchestra(), topology.chain(5), interval_s, duration_s=3000
        )
        assert run.saturated != works
    sent = events.simulate(orchestra(), topology.star(40), 5.0, duration_s=3000)
    assert sent.delivered == pytest.approx(3000 / 0.17, rel=0.01)


def test_frames_to_one_cell_of_orchestra_collide() -> None:
    assert doubts(orchestra(), topology.chain(3), 5.0) == []
    (sentences,) = doubts(orchestra(), topology.star(20), 5.0)
    assert f"{1 - np.exp(-19 / 5 * 0.17):.0%} of the frames meet another" in sentences
    (listened,) = doubts(orchestra(sender_based=1), topology.star(20), 5.0)
    assert "taken to listen in fewer (children: 2)" in listened
    assert doubts(orchestra(sender_based=1, children=20), topology.star(20), 5.0) == []


OTHER_PARTS: dict[str, dict[str, Any]] = {
    "serial-radio": {"radio": "hc-12", "device": "atmega328p"},
    "ble-advertising": {"radio": "nrf52832", "device": "cortex-m4"},
    "ble-connection": {"radio": "nrf52832", "device": "cortex-m4"},
    "lorawan-a": {"radio": "sx1262", "device": "atmega328p"},
}


@pytest.mark.slow
@pytest.mark.parametrize("share", [0.1, 0.5, 0.9])
@pytest.mark.parametrize("access", mac.names())
def test_power_is_the_same_by_events_up_to_saturation(
    access: str, share: float
) -> None:
    """In a star of seven, and in a tree where nodes relay: the mean of all nodes."""
    parts = OTHER_PARTS.get(access, {"radio": "at86rf231", "device": "atmega128rfa1"})
    scenario = LifeRequest(mac=access, message_bytes=8, **parts).scenario()
    node = scenario.node()
    rpl = scenario.rpl if node.mac.relays else None
    networks = [topology.star(7), *([topology.tree(6)] if node.mac.relays else [])]
    for network in networks:
        interval_s = 1 / (share * load_bounds(node, network, rpl).rates[0])
        closed = consumption(node, network, interval_s, rpl)
        # Trickle has twelve of its intervals.
        duration_s = max(2000 * interval_s, 12_000.0 if rpl else 0.0)
        found = events.simulate(node, network, interval_s, rpl, duration_s=duration_s)
        assert found.lost == 0
        assert found.delivered + found.collided > 0.97 * found.made
        assert found.total_w.mean() == pytest.approx(closed.total_w.mean(), rel=0.01)


@pytest.mark.parametrize("access", ["send-only", "lorawan-a", "ble-advertising"])
def test_what_nobody_acknowledges_is_sent_once(access: str) -> None:
    """Over links that lose a fifth: four fifths arrive, and no copy is paid for."""
    node = Node(radio(), mac.mac(access), 31)
    network = topology.star(20, topology.Link(0.8, 0.5))
    good, poor = (
        consumption(node, each, 3600.0) for each in (topology.star(20), network)
    )
    assert poor.total_w == pytest.approx(good.total_w)
    assert poor.delivered == pytest.approx(0.8 * good.delivered)
    run = events.simulate(node, network, 3600.0, duration_s=1000 * 3600.0)
    assert run.delivered / run.made == pytest.approx(float(poor.delivered[0]), abs=0.01)
    assert run.made == run.delivered + run.lost_on_links + run.collided + run.waiting
    assert run.total_w.mean() == pytest.approx(poor.total_w.mean(), rel=1e-3)
    found = verdict(
        node, network, 3600.0, shape=lambda n: topology.star(n, *network.uplinks[:1])
    )
    assert (found.state, found.limit) == (State.AT_LIMIT, Limit.LINK)
    assert (found.works_from_s, found.largest) == (None, 0)
    assert "nobody acknowledges messages, and 20 %" in found.in_words("star")
    # With a tenth that is lost, none may collide; with 5 %, some may.
    for delivery, works in ((0.95, True), (0.9, False), (0.49, False)):
        some = topology.star(20, topology.Link(delivery, 1.0))
        judged = verdict(node, some, 3600.0)
        assert (judged.state is State.WORKS) == works
        assert (judged.state is State.CANNOT) == (delivery < 0.5)
        assert (judged.works_from_s is not None) == works


def test_what_is_acknowledged_is_sent_until_it_arrives() -> None:
    node = Node(radio(), mac.mac("polling"), 31)
    network = topology.star(5, topology.Link(0.5, 1.0))
    assert consumption(node, network, 60.0).delivered == pytest.approx(1.0)
    run = events.simulate(node, network, 60.0, duration_s=60_000.0)
    assert run.lost_on_links == 0
    assert run.delivered > 0.99 * run.made
