# SPDX-License-Identifier: Apache-2.0
"""Messages that one frame does not hold: by hand, by real nodes, by events."""

from __future__ import annotations

import threading
from collections import Counter
from dataclasses import replace
from functools import cache
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from samara.bench.results import Operation
from samara.energy import catalogue, events, mac
from samara.energy.airtime import airtime
from samara.energy.candidates import candidates
from samara.energy.choices import Use as Product
from samara.energy.choices import weighed
from samara.energy.cryptography import Work, cost_of
from samara.energy.message_frames import frames_of_message, frames_of_receipt
from samara.energy.network import consumption
from samara.energy.parts import Part
from samara.energy.receipt_battery import Use, with_battery
from samara.energy.receipt_costs import with_costs
from samara.energy.requests import NodeRequest
from samara.energy.topology import chain
from samara.errors import MisuseError
from samara.link.ieee802154.air.channel import Conditions
from samara.link.ieee802154.air.medium import Medium
from samara.link.node import folder as folders
from samara.link.node.kinds import planned_receipt
from samara.link.node.node import Node as RealNode
from samara.link.node.receipt import Direction, Receipt

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from samara.energy.scenario import Scenario

# Frames of level 6 have 127 bytes: a header of 9, 6 of security, a MIC of 8, a check
# sequence of 2, and 102 of payload. Each part of a message has 8 bytes in front: 300
# bytes are 3 parts of 94 and one of 18, in a frame of 9 + 6 + 8 + 18 + 8 + 2.
FULL, LAST, ADDED = 127, 51, 14
PLAIN_FULL, PLAIN_LAST = 127, 9 + 8 + (300 - 2 * 108) + 2


def described(size: int, access: str = "box-mac-2", **given: Any) -> Scenario:  # noqa: ANN401 - options of the link
    return NodeRequest(
        message_bytes=size, mac=access, link_options={"level": 6, **given}
    ).scenario()


def test_three_hundred_bytes_by_hand() -> None:
    frames = described(300).frames
    sizes = [(each.frame_bytes, each.added_bytes, each.count) for each in frames]
    assert sizes == [
        (FULL - ADDED, ADDED, 1),
        (FULL - ADDED, ADDED, 2),
        (LAST - ADDED, ADDED, 1),
    ]
    calls = [[(c.message_bytes, c.ad_bytes) for c in each.calls] for each in frames]
    assert calls == [[(102, 15)], [(102, 15)], [(26, 15)]]
    # Without security, a payload has 116 bytes: two parts of 108, and one of 84.
    plain = described(300).unsecured().frames
    assert [(each.frame_bytes, each.added_bytes, each.count) for each in plain] == [
        (PLAIN_FULL, 0, 1),
        (PLAIN_FULL, 0, 1),
        (PLAIN_LAST, 0, 1),
    ]


@pytest.mark.parametrize("access", ["box-mac-2", "always-listening"])
def test_its_energy_by_hand(access: str) -> None:
    """Three full frames and the last one, each with its own train and its own MIC."""
    scenario = described(300, access)
    node = scenario.node()
    radio = node.radio
    air_s = {size: (6 + size) * 32e-6 for size in (FULL, LAST, PLAIN_LAST)}
    gap_s = 192e-6 + 11 * 32e-6

    def sending_j(size: int) -> float:
        whole_s = air_s[size] + gap_s
        copies = 0.25 / (2 * whole_s) + 1.5 if access == "box-mac-2" else 1.0
        start_j = radio.start_s * radio.idle_w if access == "box-mac-2" else 0.0
        once_j = air_s[size] * radio.transmit_w + gap_s * radio.receive_w
        return float(copies * once_j + start_j)

    def sealing_j(size: int) -> float:
        work = Work(
            "atmega128rfa1", "ieee802154-aes128-ccm-8", Operation.SEAL, size, 15
        )
        return cost_of(work).energy.value

    radio_j = 3 * sending_j(FULL) + sending_j(LAST)
    plain_j = 2 * sending_j(FULL) + sending_j(PLAIN_LAST)
    cipher_j = 3 * sealing_j(102) + sealing_j(26)
    sent = node.send()
    assert sent[Part.CIPHER] == pytest.approx(cipher_j)
    assert sent[Part.SECURITY] == pytest.approx(radio_j - plain_j)
    assert sent.total == pytest.approx(radio_j + cipher_j + 4 * node.security.counter_j)
    assert node.frame_count == 4


OWN_FRAMES = [name for name in mac.names() if mac.mac(name).own_frame]


@pytest.mark.parametrize("access", OWN_FRAMES)
def test_frames_of_a_medium_access_hold_what_fits(access: str) -> None:
    """Each full frame holds as much as it can, with its own header and security."""
    own = mac.mac(access).own_frame
    assert own is not None
    room = own.most_bytes - ADDED
    for size in (0, 1, room - 1, room, room + 1, 300):
        frames = described(size, access).frames
        counted = [each.frame_bytes for each in frames for _ in range(each.count)]
        held = [each - own.header_bytes for each in counted]
        assert sum(held) == size
        assert held[:-1] == [room] * (len(held) - 1)
        assert 0 <= held[-1] <= room
        assert {each.added_bytes for each in frames} == {ADDED}
        assert [call.message_bytes for each in frames for call in each.calls] == [
            each.frame_bytes - own.header_bytes for each in frames
        ]
        plain = described(size, access).unsecured().frames
        assert (
            sum(each.count * (each.frame_bytes - own.header_bytes) for each in plain)
            == size
        )
        assert {each.added_bytes for each in plain} == {0}


def test_security_that_leaves_no_room() -> None:
    with pytest.raises(MisuseError, match="security takes 22 of them"):
        NodeRequest(mac="ble-connection", link_options={"level": 7}).scenario()


@pytest.mark.parametrize(
    "access", sorted(set(mac.names()) - {"serial-radio", *OWN_FRAMES})
)
def test_frames_add_up_for_every_medium_access(access: str) -> None:
    """Four messages of one frame each take as much, but for what belongs to waiting."""
    whole = described(300, access).node()
    alone = [
        replace(
            whole,
            frame_bytes=size - ADDED,
            # Acknowledgements are secured alike, whatever the size of the frame.
            security=replace(security, of_sizes=whole.security.of_sizes),
            more=(),
            plain=(),
        )
        for size, security in (
            *[(FULL, whole.security)] * 3,
            (LAST, whole.more[-1].security),
        )
    ]
    for do in ("send", "receive", "overhear"):
        total_j = sum(getattr(each, do)().total for each in alone)
        assert getattr(whole, do)().total == pytest.approx(total_j), do
    assert whole.service_s() == pytest.approx(sum(each.service_s() for each in alone))
    before_s = sum(each.service_s() for each in alone[:-1])
    sealed_s = sum(each.security.seal_s for each in alone[:-1])
    expected_s = before_s + sealed_s + alone[-1].latency_s()
    assert whole.latency_s() == pytest.approx(expected_s)
    if access != "tsch":
        band_s = airtime(whole, catalogue.band("eu868")).transmit_s
        assert band_s == pytest.approx(sum(
            airtime(each, catalogue.band("eu868")).transmit_s for each in alone
        ))  # fmt: skip


@pytest.fixture(scope="module")
def medium() -> Iterator[str]:
    over = threading.Event()
    with Medium("127.0.0.1", 0, Conditions(paced=False)) as running:
        thread = threading.Thread(target=running.run, args=(over.is_set,))
        thread.start()
        yield f"127.0.0.1:{running.port}"
        over.set()
        thread.join()


@pytest.mark.parametrize(
    ("level", "addresses", "version"), [(6, "short", 2006), (7, "extended", 2015)]
)
def test_frames_are_those_that_a_node_sends(
    level: int, addresses: str, version: int, medium: str, tmp_path: Path
) -> None:
    given = {"level": level, "addresses": addresses, "frame_version": version}
    folders.make_pair(tmp_path / "a", "ieee802154", {"medium": medium, **given})
    with RealNode(tmp_path / "a", {"paced": False}) as node:
        longest = node.link.payload_size
        for size in (longest, longest + 1, 3 * (longest - 8), 300, 1000):
            sent = node.send(bytes(size))
            real = Counter(len(one.carrier.encoded) for one in sent.transmissions)
            found = frames_of_message("ieee802154", size, given)
            payload_sizes: Counter[int] = Counter()
            for each in found.all:
                payload_sizes[each.frame_bytes + each.added_bytes] += each.count
            assert payload_sizes == real
            again = frames_of_receipt(Receipt.from_json(sent.receipt.as_json()))
            assert again.all == found.all


def test_units_of_a_serial_line() -> None:
    """70,000 bytes in units of at most 65,536, which have 8 bytes of their own."""
    found = frames_of_message("rf-serial", 70_000, {"framing": "plain"})
    first, last = (each.frame_bytes for each in found.all)
    framing = first - 65_536
    assert (first, last) == (65_536 + framing, 70_000 - 65_528 + 8 + framing)
    node = (
        NodeRequest(message_bytes=70_000, link="rf-serial", link_options={})
        .scenario()
        .node()
    )
    assert node.frame_count == 2
    assert node.send().total > 0


def test_receipts_and_messages_agree() -> None:
    planned = planned_receipt("ieee802154", Direction.SENT, 300, {"level": 6})
    receipt = with_costs(planned, "atmega128rfa1")
    use = Use(mac="box-mac-2", battery="2xaa-alkaline", interval_s=300.0)
    found = with_battery(receipt, use).figures["whole_energy"].value
    assert found == pytest.approx(described(300).node().message(300.0).total)
    cipher_j = receipt.figures["crypto_energy"].value
    assert described(300).node().send()[Part.CIPHER] == pytest.approx(cipher_j)


def test_a_receipt_that_does_not_tell_them() -> None:
    planned = planned_receipt("ieee802154", Direction.SENT, 300, {"level": 6})
    older = planned.as_json()
    del older["units"]
    with pytest.raises(MisuseError, match="does not tell their sizes"):
        frames_of_receipt(Receipt.from_json(older))


def test_advice_counts_all_frames() -> None:
    scenario = described(300)
    found = {
        (each.layer, each.suite): each for each in candidates("ieee802154", 300, {})
    }
    link = found["link", "aes128-ccm-8"]
    # The scenario has the quickest build.
    choice = min(
        weighed(scenario, link, Product(300.0, draws=20)),
        key=lambda each: each.energy_j,
    )
    alone_j = scenario.node().message(300.0).total
    assert choice.energy_j == pytest.approx(alone_j, rel=1e-3)
    assert choice.air_bytes == 3 * FULL + LAST
    assert choice.counters_years == pytest.approx(2**32 * 300 / 31_557_600 / 4)
    # Sealed in one piece, 312 bytes in frames without security: 108, 108 and 96.
    payload = found["payload", "aes128-ccm-8"]
    (choice, *_) = weighed(scenario, payload, Product(300.0, draws=20))
    assert choice.air_bytes == 2 * 127 + 9 + 8 + 96 + 2
    assert [call.message_bytes for call in payload.calls] == [300]
    assert not any(each.calls for each in payload.more)
    assert payload.frame_bytes + payload.added_bytes == FULL


def test_events_send_them_too() -> None:
    scenario = described(300)
    node = scenario.node()
    closed = consumption(node, chain(3), 60.0)
    found = events.simulate(node, chain(3), 60.0, duration_s=86_400.0)
    assert found.total_w == pytest.approx(closed.total_w, rel=0.01)


@cache
def power_w(size: int, access: str, level: int, interval_s: float) -> float:
    """Return a power without the cipher's, which a full last block takes less of."""
    scenario = NodeRequest(
        message_bytes=size, mac=access, link_options={"level": level}
    ).scenario()
    found = consumption(scenario.node(), chain(1), interval_s)
    return float(np.max(found.total_w - found.power_w[Part.CIPHER]))


@settings(max_examples=40, deadline=None)
@given(
    # The longest messages of one, two and three frames, and those around them.
    st.integers(80, 125) | st.integers(180, 220) | st.integers(270, 330),
    st.integers(1, 30),
    st.sampled_from(["box-mac-2", "contikimac", "always-listening", "tsch", "polling"]),
    st.sampled_from([(0, 5), (5, 6), (6, 7)]),
)
def test_never_a_longer_life_by_more_bytes(
    size: int, more: int, access: str, levels: tuple[int, int]
) -> None:
    less, longer = levels
    here_w = power_w(size, access, less, 60.0)
    assert power_w(size + more, access, less, 60.0) >= here_w * (1 - 1e-9)
    assert power_w(size, access, longer, 60.0) >= here_w * (1 - 1e-9)
