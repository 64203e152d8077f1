# SPDX-License-Identifier: Apache-2.0
"""Networks: by hand, what saturates, what is not allowed, and what is never better."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from samara.energy import (
    airtime,
    assumptions,
    catalogue,
    mac,
    network,
    quantity,
    topology,
)
from samara.energy.contours import contours, taken_by_security
from samara.energy.network import Region, consumption
from samara.energy.node import Node
from samara.energy.parts import Part
from samara.energy.routing import Rpl
from samara.energy.security import Sealing, Security
from samara.errors import MisuseError

from .hops import radio

if TYPE_CHECKING:
    from collections.abc import Callable

    from samara.energy.transceiver import RadioTimes

SECURED = Security("some", added_bytes=14, seal_j=11e-6, open_j=12e-6, counter_j=1e-7)
RELAYING = sorted(name for name in mac.names() if mac.mac(name).relays)


def node(name: str = "box-mac-2", **changes: Any) -> Node:  # noqa: ANN401 - fields
    made = Node(radio(), mac.mac(name), 31, SECURED, 5e-6)
    return replace(made, **changes)


def test_a_chain_of_three_by_hand() -> None:
    """The second node: it sends 2, receives 1, and hears the first one's 3."""
    one, rpl = node(), Rpl(dao_interval_s=600)
    hop, dio, dao = one.hop(), one.hop(rpl.dio_bytes), one.hop(rpl.dao_bytes)
    access = one.mac

    def joules(times: RadioTimes) -> float:
        return float(times.energy_j(one.radio).total)

    imax_s = 4.096 * 256
    events = [
        (2 / 300, access.send(hop), 11e-6 + 1e-7),
        (1 / 300, access.receive(hop), 12e-6 + 1e-7),
        (3 / 300, access.overhear(hop), 0.0),
        (1 / imax_s, access.broadcast(dio), 11e-6 + 1e-7),
        (2 / imax_s, access.receive_broadcast(dio), 12e-6 + 1e-7),
        (2 / 600, access.send(dao), 11e-6 + 1e-7),
        (1 / 600, access.receive(dao), 12e-6 + 1e-7),
        (3 / 600, access.overhear(dao), 0.0),
    ]
    busy = sum(rate * float(times.on_s) for rate, times, _ in events)
    expected_w = (
        joules(access.idle(hop)) * (1 - busy)
        + 5e-6
        + 3.0 * 20e-9
        + sum(rate * (joules(times) + more_j) for rate, times, more_j in events)
    )
    found = consumption(one, topology.chain(3), 300.0, rpl)
    assert found.total_w[1] == pytest.approx(expected_w, rel=1e-12)
    sent_s = sum(rate * float(times.transmit_s) for rate, times, _ in events)
    assert found.duty[1] == pytest.approx(sent_s, rel=1e-12)


@pytest.mark.parametrize("name", mac.names())
def test_parts_add_up(name: str) -> None:
    one = node(name)
    for energy_j in (one.send(), one.receive(), one.overhear(), one.message(300.0)):
        assert sum(energy_j.amounts.values()) == pytest.approx(energy_j.total)
        plain = replace(one, security=Security())
        hears = one.mac.overhear(one.hop()).on_s > 0
        assert energy_j.total > 0 or (energy_j == one.overhear() and not hears)
        assert plain.message(300.0)[Part.SECURITY] == 0
    # With security, a hop takes what longer frames take, and the computing.
    longer = replace(one, frame_bytes=one.frame_bytes + 14, security=Security())
    sent_j, received_j = 11.1e-6, 12.1e-6
    if one.mac.secures_acks:
        # An acknowledgement of 14 bytes more, sealed by who receives: 448 µs.
        sent_j += 448e-6 * 0.0369 + received_j
        received_j += 448e-6 * 0.0420 + 11.1e-6
    assert one.send().total == pytest.approx(longer.send().total + sent_j)
    assert one.receive().total == pytest.approx(longer.receive().total + received_j)
    assert one.overhear().total == pytest.approx(longer.overhear().total)


def test_every_copy_may_be_sealed_and_every_frame_opened() -> None:
    costly = replace(SECURED, sealing=Sealing.EVERY_COPY, opens_before_filter=True)
    once, each = node(), node(security=costly)
    copies = float(once.mac.send(once.hop()).copies)
    assert copies > 10
    sealed_j = (copies - 1) * (11e-6 + 1e-7)
    assert each.send().total == pytest.approx(once.send().total + sealed_j)
    heard = once.mac.overhear(once.hop())
    frames = float(heard.receive_s) / ((6 + 45) * 32e-6)
    more_j = each.overhear().total - once.overhear().total
    assert more_j == pytest.approx(frames * 12e-6)


def test_lost_acknowledgements_are_not_opened_twice() -> None:
    poor = topology.chain(2, topology.Link(1.0, 0.5))
    good = topology.chain(2)
    cipher_w = [
        consumption(node(), each, 300.0).power_w[Part.CIPHER] for each in (good, poor)
    ]
    assert cipher_w[0] == pytest.approx(cipher_w[1])
    sent_w = [
        consumption(node(), each, 300.0).power_w[Part.DATA] for each in (good, poor)
    ]
    assert sent_w[1] == pytest.approx(2 * np.asarray(sent_w[0]))


@pytest.mark.parametrize("name", ["polling", "serial-radio"])
def test_leaves_do_not_route(name: str) -> None:
    """Their parent does: they neither send DIO and DAO, nor open what they sleep by."""
    leaf, alone = node(name), topology.chain(1)
    routed = consumption(leaf, alone, 3600.0, Rpl())
    assert routed.total_w[0] == consumption(leaf, alone, 3600.0).total_w[0]


def test_the_sink_sends_dio_too() -> None:
    """RFC 6550, 8.3: the root is where DIO come from. B-MAC listens for 2 s to each."""
    rpl = Rpl(dao_interval_s=1e9)
    slow = node("b-mac", mac=mac.mac("b-mac", wake_interval_s=4.0))
    dio, imax_s = slow.hop(rpl.dio_bytes), 4.096 * 256
    sent, heard = slow.mac.broadcast(dio), slow.mac.receive_broadcast(dio)
    radio_j = float((sent.energy_j(slow.radio) + heard.energy_j(slow.radio)).total)
    busy = (float(sent.on_s) + float(heard.on_s)) / imax_s
    expected_w = (
        slow.idle_w().total * (1 - busy)
        + slow.sleep_w().total
        + (radio_j + 11e-6 + 12e-6 + 2e-7) / imax_s
    )
    found = consumption(slow, topology.chain(1), 1e12, rpl)
    assert found.total_w[0] == pytest.approx(expected_w, rel=1e-6)


@pytest.mark.parametrize("name", mac.names())
def test_messages_that_come_too_often_have_no_energy(name: str) -> None:
    """Waiting for a time below zero would give energy back."""
    one = node(name)
    needed_s = float(one.mac.service_s(one.hop()))
    with pytest.raises(MisuseError, match="cannot be sent: nodes need"):
        one.message(needed_s * 0.99)
    assert one.message(needed_s * 1.01)[Part.LISTEN] >= 0


def test_a_life_of_messages_that_come_too_often() -> None:
    honest = assumptions.HONEST
    with pytest.raises(MisuseError, match=r"every 0\.1 s cannot be sent: nodes need"):
        honest.life_s(topology.chain(1), 0.1)
    assert honest.life_s(topology.chain(1), 0.5) > 0
    with pytest.raises(MisuseError, match=r"every 5 s cannot be .* quicker settings"):
        honest.life_s(topology.chain(30), 5.0, quantity.Sampled(5))


def test_what_saturates() -> None:
    """The paper's chain of 50: the first three share a medium, with 147 trains."""
    saturated_s = (50 + 49 + 48) * 53 * 4.8e-3
    paper = assumptions.paper_node()
    for factor, region in (
        (0.99, Region.SATURATED),
        (1.01, Region.DOUBTFUL),
        # Five trains, of the third node and those within two hops, for three: 240 for
        # 147, of which nine tenths are 1.814 times the time.
        (1.81, Region.DOUBTFUL),
        (1.82, Region.WORKS),
    ):
        found = consumption(paper, topology.chain(50), saturated_s * factor)
        assert found.region() == region
    intervals_s = np.array([5.0, saturated_s * 0.99, 300.0])
    drawn = contours(paper, topology.chain, [10, 50], intervals_s)
    assert drawn.region.tolist() == [[3, 0, 0], [3, 3, 0]]


def test_a_schedule_saturates_by_its_cells() -> None:
    """One cell in 1.01 s: 50 messages take 50.5 s, whatever neighbours do."""
    scheduled = node("tsch")
    for interval_s, region in ((50.0, Region.SATURATED), (51.0, Region.DOUBTFUL)):
        found = consumption(scheduled, topology.chain(50), interval_s)
        assert found.region() == region


def test_a_schedule_cell_by_cell() -> None:
    """1010 slotframes of 1.01 s: 255 messages of each of two nodes, in 1020.1 s.

    The first node: of 1010 receive cells 255 have a frame, 755 are waited in; of 1010
    shared cells, one each 16 s has a beacon of the sink, and one of the second node;
    510 cells are sent in, with a start and half of 400 µs. An enhanced acknowledgement
    has 13 bytes.
    """
    one = node("tsch", security=Security(), controller_sleep_w=0.0)
    frame_s, ack_s, wait_s, start_j = 37 * 32e-6, 19 * 32e-6, 2.2e-3, 380e-6 * 1.2e-3
    heard, beacon_s = 2 * 1020.1 / 16, 56 * 32e-6
    listened_s = 755 * wait_s + (1010 - heard) * wait_s + 510 * 0.2e-3
    listened_s += (255 + heard) * wait_s / 2
    received_s = 255 * frame_s + 510 * ack_s + heard * beacon_s
    sent_s = 510 * frame_s + 255 * ack_s
    beacons_s = 1020.1 / 16 * beacon_s
    expected_j = (
        (listened_s + received_s) * 0.0369
        + (sent_s + beacons_s) * 0.0420
        + (1010 + 1010 + 510) * start_j
        + 1020.1 * 3.0 * 20e-9
    )
    found = consumption(one, topology.chain(2), 1020.1 / 255)
    assert found.total_w[0] * 1020.1 == pytest.approx(expected_j, rel=2e-3)


def test_what_the_law_allows() -> None:
    """A CC1350 with BoX-MAC-2 at 868.0 to 868.6 MHz: one hundredth of the time."""
    one = Node(radio("cc1350"), mac.mac("box-mac-2"), 31)
    # 39 bytes of 160 µs are 6.24 ms, an acknowledgement of 13 bytes 2.08 ms, and
    # 0.5 ms to turn around: 250 / 17.64 + 1.5 times 6.24 ms are 97.8 ms.
    sent_s = (250 / 17.64 + 1.5) * 6.24e-3
    allowed = airtime.airtime(one, catalogue.band("eu868"))
    assert allowed.frame_s == pytest.approx(6.24e-3)
    assert allowed.transmit_s == pytest.approx(sent_s)
    assert allowed.messages_per_hour == pytest.approx(36 / sent_s)
    alone = topology.chain(1)
    least_s = 3600 / allowed.messages_per_hour
    for factor, region in ((0.99, Region.ILLEGAL), (1.01, Region.WORKS)):
        found = consumption(one, alone, least_s * factor)
        assert found.region(duty_max=0.01) == region


def test_leaves_cannot_relay() -> None:
    for name in ("polling", "serial-radio"):
        assert consumption(node(name), topology.chain(1), 60.0).total_w[0] > 0
        with pytest.raises(MisuseError, match="cannot use"):
            consumption(node(name), topology.chain(2), 60.0)


def test_trickle_sends_once_where_few_are_heard() -> None:
    rpl = Rpl()
    assert rpl.interval_max_s == pytest.approx(1048.576)
    few = rpl.dio_per_s(np.array([0.0, 2.0, 9.0]))
    assert few == pytest.approx(np.full(3, 1 / 1048.576))
    shares = rpl.dio_per_s(np.arange(10.0, 60.0)) * 1048.576
    assert (np.diff(shares) < 0).all()
    with pytest.raises(MisuseError, match="dao_interval_s is above 0"):
        Rpl(dao_interval_s=0)


def test_draws_and_axes_do_not_mix() -> None:
    """Every draw of a grid is what it is alone."""
    honest = assumptions.HONEST
    intervals_s = np.array([120.0, 600.0, 3600.0])
    sampled = quantity.Sampled(7, seed=3, axes=1)
    whole = contours(
        honest.node(sampled), topology.tree, [3, 9], intervals_s, rpl=honest.rpl
    )
    assert whole.power_w.shape == whole.region.shape == (7, 2, 3)
    lifetimes_s = honest.supply(quantity.Sampled(7, seed=3, axes=2)).life_s(
        whole.power_w
    )
    flat = quantity.Sampled(7, seed=3)

    def one_of(name: str, each: quantity.Quantity) -> float:
        return float(np.broadcast_to(flat(name, each), 7)[5])

    alone = consumption(honest.node(one_of), topology.tree(9), 600.0, honest.rpl)
    assert whole.power_w[5, 1, 1] == pytest.approx(alone.total_w.max())
    expected_s = honest.supply(one_of).life_s(float(alone.total_w.max()))
    assert np.asarray(lifetimes_s)[5, 1, 1] == pytest.approx(expected_s)


# Where a radio draws more sending than receiving. A CC2420 draws less: a node that
# always listens lives a little longer when it has more to send.
HUNGRY = ["at86rf231", "cc2538", "cc1101", "cc1350", "sx1262", "srf"]


def _power_w(**case: Any) -> float:  # noqa: ANN401 - what CASES draws
    secured = replace(SECURED, added_bytes=case["added"])
    access = mac.mac(case["access"])
    one = Node(radio(case["radio_name"]), access, case["plain"], secured)
    network_of = topology.SHAPES[case["shape"]](case["nodes"])
    return float(consumption(one, network_of, case["interval_s"]).total_w.max())


CASES = st.fixed_dictionaries(
    {
        "access": st.sampled_from([name for name in RELAYING if name != "lpl"]),
        "radio_name": st.sampled_from(HUNGRY),
        "shape": st.sampled_from(sorted(topology.SHAPES)),
        "nodes": st.integers(1, 40),
        "interval_s": st.floats(120.0, 1e5),
        "plain": st.integers(12, 100),
        "added": st.sampled_from([0, 5, 9, 13, 21]),
    }
)


@pytest.mark.slow
@settings(max_examples=150, deadline=None)
@given(CASES, st.integers(1, 20), st.floats(1.001, 10.0))
def test_never_a_longer_life_by_more(
    case: dict[str, Any], more: int, longer: float
) -> None:
    power_w = _power_w(**case)
    slightly_less_w = power_w * (1 - 1e-12)
    shorter_s = case["interval_s"] / longer
    assert _power_w(**case | {"nodes": case["nodes"] + more}) >= slightly_less_w
    assert _power_w(**case | {"plain": case["plain"] + more}) >= slightly_less_w
    assert _power_w(**case | {"added": case["added"] + more}) >= slightly_less_w
    assert _power_w(**case | {"interval_s": shorter_s}) >= slightly_less_w


@settings(max_examples=60, deadline=None)
@given(CASES, st.integers(1, 20), st.floats(1.001, 10.0))
def test_the_same_for_trains_of_whole_frames(
    case: dict[str, Any], more: int, longer: float
) -> None:
    """A longer frame may save one repetition, and no more than one of each train."""
    case = case | {"access": "lpl"}
    power_w = _power_w(**case)
    slightly_less_w = power_w * (1 - 1e-12)
    assert _power_w(**case | {"nodes": case["nodes"] + more}) >= slightly_less_w
    shorter_s = case["interval_s"] / longer
    assert _power_w(**case | {"interval_s": shorter_s}) >= slightly_less_w
    used = radio(case["radio_name"])
    frame_bytes = case["plain"] + case["added"] + more
    repetition_j = used.transmit_w * used.air_s(frame_bytes + 40)
    saved_w = case["nodes"] * repetition_j / case["interval_s"]
    assert _power_w(**case | {"plain": case["plain"] + more}) >= power_w - saved_w


def test_a_radio_that_draws_less_when_it_sends() -> None:
    """Sending instead of listening saves (18.8 - 17.4) mA x 3 V, and no more."""
    one = Node(radio("cc2420"), mac.mac("always-listening"), 100)
    often, seldom = (
        consumption(one, topology.chain(1), interval_s).total_w[0]
        for interval_s in (10.0, 1000.0)
    )
    saved_w = 0.0014 * 3.0 * 106 * 32e-6 * (1 / 10 - 1 / 1000)
    assert seldom - often == pytest.approx(saved_w, rel=1e-6)


def test_security_takes_nothing_where_there_is_none() -> None:
    lifetimes = np.array([[1.0, 2.0], [3.0, 4.0]])
    assert (taken_by_security(lifetimes, lifetimes) == 0).all()
    assert taken_by_security(lifetimes, lifetimes * 0.75) == pytest.approx(
        np.full((2, 2), 0.25)
    )


@pytest.mark.parametrize("shape", [topology.chain, topology.square])
def test_some_nodes_decide_for_all(
    monkeypatch: pytest.MonkeyPatch, shape: Callable[[int], topology.Topology]
) -> None:
    """However many are looked at a time."""
    monkeypatch.setattr(network, "_AT_A_TIME", 3)
    honest, used, rpl = assumptions.HONEST.node(), shape(40), Rpl()
    intervals_s = np.array([60.0, 3600.0])
    some = network.deciding(honest, used, intervals_s, rpl)
    assert len(some) < 40
    whole = consumption(honest, used, intervals_s, rpl)
    one = consumption(honest, used, intervals_s, rpl, only=some)
    for name in ("total_w", "load", "load_most", "duty"):
        every, few = getattr(whole, name), getattr(one, name)
        assert every.max(axis=-1).tolist() == few.max(axis=-1).tolist()
