# SPDX-License-Identifier: Apache-2.0
"""What security costs comes from the bench's results and from encoded frames."""

from __future__ import annotations

from dataclasses import replace

import pytest

from samara import energy
from samara.bench import devices
from samara.energy import Operation, Work, assumptions, catalogue, quantity, scenario
from samara.energy.parts import Part
from samara.energy.security import Call, CounterStore, counter_j, measured
from samara.link.node.kinds import planned_receipt
from samara.link.node.receipt import Direction

CALLS = (Call("ieee802154-aes128-ccm-8", 20, 15),)


@pytest.mark.parametrize("device", ["atmega328p", "msp430f1611", "cortex-m4"])
def test_energy_is_the_bench_s(device: str) -> None:
    found = measured(device, CALLS, 14)
    for operation, joules, seconds in (
        (Operation.SEAL, found.seal_j, found.seal_s),
        (Operation.OPEN, found.open_j, found.open_s),
    ):
        cost = energy.cost_of(Work(device, CALLS[0].suite, operation, 20, 15))
        assert joules == pytest.approx(cost.energy.value)
        assert seconds == pytest.approx(cost.time.value)


def test_several_calls_add_up() -> None:
    one, two = measured("atmega328p", CALLS, 14), measured("atmega328p", CALLS * 2, 28)
    assert two.seal_j == pytest.approx(2 * one.seal_j)
    assert two.open_s == pytest.approx(2 * one.open_s)


def test_counters_by_hand() -> None:
    """Four bytes of EEPROM at 3.4 ms, 9.2 mA at 5 V: 625.6 µJ for all reserved."""
    store = CounterStore(catalogue.controller("atmega328p"), reserved=100)
    assert counter_j("atmega328p", store) == pytest.approx(6.256e-6)
    found = measured("atmega328p", CALLS, 14, counters=store)
    assert found.counter_j == pytest.approx(6.256e-6)
    with pytest.raises(ValueError, match="at least one number, not 0"):
        CounterStore(catalogue.controller("atmega328p"), reserved=0)


def test_an_unchecked_current_has_a_wide_tolerance() -> None:
    listed = quantity.Listed()
    measured("atmega328p", CALLS, 14, draw=listed)
    measured("cortex-m4", CALLS, 14, draw=listed)
    for name in ("atmega328p", "cortex-m4"):
        stated = devices.device(name).active_current_a
        drawn = listed.quantities[f"{name}.active_a"]
        assert (drawn.value, drawn.checked) == (stated.value, stated.checked)
        assert drawn.tolerance == (0.1 if stated.checked else 0.3)


def test_the_honest_frame_is_as_nodes_send_it() -> None:
    """Bytes are counted on the frame as it is encoded, message and all."""
    honest = assumptions.HONEST
    sizes = {}
    for level in (0, 6):
        receipt = planned_receipt(
            "ieee802154", Direction.SENT, 20, {"level": level, "key_id_mode": 1}
        )
        parts = dict(receipt.parts)
        # What marks a whole message is a matter of nodes, not of the frame.
        sizes[level] = sum(parts.values()) - parts["radio"] - parts["framing"]
    assert sizes[0] == honest.frame_bytes
    assert sizes[6] - sizes[0] == honest.added_bytes
    call = honest.calls[0]
    assert (call.message_bytes, call.ad_bytes) == (20, 9 + 6)


def test_the_honest_node_pays_for_all_of_it() -> None:
    message_j = assumptions.HONEST.node().message(300.0)
    for part in Part:
        if part not in {Part.OVERHEAR, Part.CONTROL, Part.RECEIVE}:
            assert message_j[part] > 0, part


def test_one_chip_sleeps_once() -> None:
    one_chip = scenario.Scenario(device="cortex-m4", radio="nrf52840").node()
    asleep_w = one_chip.sleep_w().total
    assert asleep_w == pytest.approx(3.19e-6 * 3.0)
    two_chips = scenario.Scenario(device="cortex-m4", radio="at86rf231").node()
    assert two_chips.sleep_w().total == pytest.approx((3.19e-6 + 20e-9) * 3.0)


def test_routing_s_frames_are_sealed_in_their_own_length() -> None:
    """A message of one byte, and a DAO with 53 bytes where that has its one."""
    short = scenario.Scenario(
        device="atmega328p",
        frame_bytes=12,
        calls=(Call("ieee802154-aes128-ccm-8", 1, 15),),
    )
    work = Work("atmega328p", CALLS[0].suite, Operation.SEAL, 53, 15)
    node = short.node()
    counter = counter_j("atmega328p", CounterStore(catalogue.controller("atmega328p")))
    sealed = node.send_control(64)
    assert sealed[Part.CIPHER] == pytest.approx(energy.cost_of(work).energy.value)
    assert sealed[Part.COUNTER] == pytest.approx(counter)
    opened = node.receive_broadcast(96)[Part.CIPHER]
    assert opened > 2 * node.receive()[Part.CIPHER]
    # What secures payloads leaves routing as it is, bytes and all.
    plain = replace(short, secures_control=False).node()
    unsecured = short.unsecured().node()
    assert plain.send_control(64).total == unsecured.send_control(64).total
    assert plain.send().total == node.send().total
