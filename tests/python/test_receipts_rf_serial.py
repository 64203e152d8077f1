# SPDX-License-Identifier: Apache-2.0
"""What a message over a serial radio costs, by hand and by the receipt."""

from __future__ import annotations

from dataclasses import replace

import pytest

from samara import crypto
from samara.figure import Origin
from samara.link import rfserial
from samara.link.node.receipt import Call, Direction, Verb
from samara.link.rfserial import WireSize, modem
from samara.link.rfserial.receipts import Line, Sent, receipt_of

LINE = Line(
    baud=115_200, packet_size=12, timeout_s=0.1, air_rate=250_000, packet_overhead=10
)
BYTE_S = 10 / 115_200


def air_s(size: int) -> float:
    return (size + 10) * 8 / 250_000


def test_a_full_packet_does_not_wait() -> None:
    assert LINE.packets(12) == [12]
    assert LINE.wait_s(12) == 0
    assert LINE.delivery_s(12) == pytest.approx(2 * 12 * BYTE_S + air_s(12))


def test_the_rest_waits() -> None:
    assert LINE.packets(14) == [12, 2]
    expected = 14 * BYTE_S + 0.1 + air_s(2) + 2 * BYTE_S
    assert LINE.delivery_s(14) == pytest.approx(expected)


def test_packets_follow_each_other() -> None:
    # The line brings 12 bytes in 1.04 ms; the air takes 0.70 ms for them.
    assert LINE.delivery_s(36) == pytest.approx(4 * 12 * BYTE_S + air_s(12))
    slow = Line(115_200, 12, 0.1, 50_000, 10)
    air = 3 * 22 * 8 / 50_000
    assert slow.delivery_s(36) == pytest.approx(2 * 12 * BYTE_S + air)


def test_a_long_message_is_not_counted_again_for_each_packet() -> None:
    # 1,000 packets; counting all before each would look at 500,000.
    looked: list[int] = []

    def line_size(size: int) -> int:
        looked.append(size)
        return size + 1

    line = replace(LINE, line_size=line_size)
    line_s = 1001 * 13 * BYTE_S
    assert line.delivery_s(12_000) == pytest.approx(line_s + air_s(12))
    assert len(looked) < 10


def test_nothing_takes_no_time() -> None:
    assert (LINE.packets(0), LINE.delivery_s(0), LINE.wait_s(0)) == ([], 0, 0)


def test_a_sealed_message() -> None:
    sizes = WireSize(message=14, framing=1, counter=2, tag=8, fill=11)
    sent = Sent(Direction.SENT, 14, [sizes], sending_s=0.003)
    receipt = receipt_of(sent, rfserial.Settings.of("sealed"), LINE)
    assert (receipt.link_bytes, receipt.air_bytes, receipt.packets) == (36, 66, 3)
    # The tag is over the text, one byte of header and two of settings.
    assert (receipt.encrypted_bytes, receipt.authenticated_bytes) == (14, 17)
    assert receipt.calls == (Call("aes128-ccm-8", Verb.SEAL, 14, 3),)
    figures = receipt.figures
    assert figures["wait_time"].value == 0
    assert "full" in figures["wait_time"].source
    assert figures["uart_time"].value == pytest.approx(36 * BYTE_S)
    assert figures["air_time"].value == pytest.approx(66 * 8 / 250_000)
    assert figures["air_time"].origin is Origin.ASSUMED
    assert figures["uart_time_by_clock"].origin is Origin.HOST_CLOCK
    assert "delivery_time_by_clock" not in figures
    assert any("assumed" in note for note in receipt.remarks)


def test_a_message_with_its_acknowledgement() -> None:
    """Two packets of 12 one way, one the other, at 250 kbit/s with 10 around each."""
    there = WireSize(message=13, framing=1, counter=2, tag=8)
    back = WireSize(message=1, framing=1, counter=2, tag=8)
    sent = Sent(Direction.SENT, 5, [there], answers=[back])
    receipt = receipt_of(sent, rfserial.Settings.of("sealed"), LINE)
    assert (receipt.link_bytes, receipt.packets) == (24, 2)
    assert receipt.parts["acknowledgement"] == 12
    assert (receipt.parts["radio"], receipt.air_bytes) == (30, 66)
    figures = receipt.figures
    assert figures["air_time"].value == pytest.approx(66 * 32e-6)
    assert figures["acknowledgement_time"].value == pytest.approx(22 * 32e-6)
    assert figures["acknowledgement_time"].origin is Origin.ASSUMED
    assert figures["uart_time"].value == pytest.approx(24 * BYTE_S)
    assert receipt.calls == (
        Call("aes128-ccm-8", Verb.SEAL, 13, 3),
        Call("aes128-ccm-8", Verb.OPEN, 1, 3),
    )


def test_cbc_is_called_with_what_is_said_and_nothing_else() -> None:
    sent = Sent(Direction.RECEIVED, 14, [WireSize(message=14, padding=2, coding=16)])
    receipt = receipt_of(sent, rfserial.Settings.of("cbc-hex"), LINE)
    assert receipt.calls == (Call("aes256-cbc", Verb.OPEN, 14, 0),)
    assert (receipt.encrypted_bytes, receipt.authenticated_bytes) == (14, 0)


def test_a_message_in_parts() -> None:
    # Two payloads that carry 20 bytes, each with 8 that mark the part.
    sent = Sent(Direction.RECEIVED, 20, [WireSize(message=18)] * 2, delivery_s=0.5)
    receipt = receipt_of(sent, rfserial.Settings.of("plain"), LINE)
    assert receipt.parts["framing"] == 16
    assert (receipt.message_bytes, receipt.link_bytes, receipt.packets) == (20, 36, 4)
    assert (receipt.encrypted_bytes, receipt.suite) == (0, None)
    assert receipt.figures["wait_time"].value == pytest.approx(0.2)
    assert receipt.figures["delivery_time_by_clock"].value == 0.5


@pytest.mark.parametrize("framing", list(rfserial.FRAMINGS))
@pytest.mark.parametrize("size", [0, 1, 14, 15, 16, 126, 4000])
@pytest.mark.parametrize("suite", ["aes128-ccm-8", "grain128aead"])
def test_the_parts_sum_up_to_what_is_sent(framing: str, size: int, suite: str) -> None:
    sealed = framing == "sealed"
    key_sizes = {"cbc-hex": 32, "cbc-hex-padded": 32, "plain": 0}
    key = bytes(key_sizes.get(framing, crypto.suite(suite).key_size))
    sender = rfserial.Sender(framing, key=key, suite=suite)
    encoded = sender.encode(bytes(size))
    sent = Sent(Direction.SENT, size, [sender.sizes(size)])
    receipt = receipt_of(sent, sender.settings, LINE)
    assert receipt.link_bytes == len(encoded)
    assert receipt.message_bytes == size
    packets = -(-len(encoded) // LINE.packet_size)
    assert (receipt.packets, receipt.parts.get("radio", 0)) == (packets, 10 * packets)
    assert bool(receipt.parts.get("tag")) == sealed
    # Ours costs one byte of framing, and never waits.
    assert not sealed or receipt.parts["framing"] == 1
    assert not sealed or len(encoded) % LINE.packet_size == 0


@pytest.mark.parametrize("size", [0, 1, 11, 12, 13, 24, 36, 126, 1000])
@pytest.mark.parametrize("baud", [9600, 115_200])
def test_the_time_is_that_of_the_modems(size: int, baud: int) -> None:
    settings = modem.Settings(baud=baud, timeout_ms=100)
    pair = modem.Pair(settings)
    pair.write(modem.Side.A, bytes(size))
    outputs = [out for out in pair.advance(60) if out.side is modem.Side.B]
    assert sum(len(out.data) for out in outputs) == size
    last_s = max((out.time_s for out in outputs), default=0)
    assert Line.of(settings).delivery_s(size) == pytest.approx(last_s)
