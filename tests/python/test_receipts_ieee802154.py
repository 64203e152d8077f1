# SPDX-License-Identifier: Apache-2.0
"""The parts of a receipt are those of the frame, at every level and key id mode."""

from __future__ import annotations

from dataclasses import replace

import pytest

from samara.energy.message_frames import frames_of_receipt
from samara.energy.receipt_costs import with_costs
from samara.figure import Origin
from samara.link.ieee802154 import (
    Address,
    Frame,
    KeyId,
    Security,
    SecurityHeader,
    Version,
    build,
)
from samara.link.ieee802154.frames.fcs import fcs_of
from samara.link.ieee802154.frames.frame import parse
from samara.link.ieee802154.receipts import Sent, receipt_of
from samara.link.node.kinds import planned_receipt
from samara.link.node.receipt import Call, Direction, Verb

OWN, PEER = bytes.fromhex("0200000000000001"), bytes.fromhex("0200000000000002")
PAN = 0x4321
TAGS = (0, 4, 8, 16)
KEY_IDS = (
    KeyId(),
    KeyId(1, 1),
    KeyId(2, 1, bytes(4)),
    KeyId(3, 1, bytes(8)),
)
KEY_ID_SIZES = (0, 1, 5, 9)


def protected(level: int, key_id: KeyId, payload: bytes) -> bytes:
    """Return a frame with short addresses, secured for real, with its FCS."""
    frame = Frame(
        version=Version.V2006,
        destination=Address(PAN, short=2),
        source=Address(PAN, short=1),
        pan_compression=True,
        security=SecurityHeader(level, key_id) if level else None,
        payload=payload,
    )
    if level == 0:
        data = build(frame)
        return data + fcs_of(data)
    security = Security(OWN, PAN)
    security.add_key(bytes(range(16)), key_id, encryption_only=True)
    security.add_device(PEER)
    data = security.protect(frame)
    return data + fcs_of(data)


@pytest.mark.parametrize("level", range(8))
@pytest.mark.parametrize("mode", range(4))
@pytest.mark.parametrize("size", [0, 1, 87])
def test_every_byte_has_its_part(level: int, mode: int, size: int) -> None:
    psdu = protected(level, KEY_IDS[mode], bytes(size))
    receipt = receipt_of(Sent(Direction.SENT, size, [psdu]), "aes128-ccm-4")
    secured = level > 0
    expected = {
        "message": size,
        "framing": 0,
        "header": 9,
        "security": (1 + KEY_ID_SIZES[mode]) * secured,
        "counter": 4 * secured,
        "tag": TAGS[level & 3],
        "check": 2,
        "acknowledgement": 0,
        "radio": 6,
    }
    assert {**dict.fromkeys(expected, 0), **receipt.parts} == expected
    assert receipt.link_bytes == len(psdu)
    assert receipt.protection == f"level {level}"
    covered = len(psdu) - 2 - TAGS[level & 3]
    assert receipt.encrypted_bytes == (size if level >= 4 else 0)
    # Level 4 encrypts, and authenticates nothing.
    assert receipt.authenticated_bytes == (0 if level in (0, 4) else covered)
    names = ("mic-4", "mic-8", "mic-16", "ccm-0", "ccm-4", "ccm-8", "ccm-16")
    call = Call(
        f"ieee802154-aes128-{names[level - 1]}", Verb.SEAL, size, covered - size
    )
    assert receipt.calls == ((call,) if level else ())
    air_time = receipt.figures["air_time"]
    assert air_time.value == pytest.approx((len(psdu) + 6) * 32e-6)
    assert air_time.origin is Origin.ESTIMATED


def test_a_message_in_parts() -> None:
    # Two payloads that carry 20 bytes, each with 8 that mark the part.
    frames = [protected(5, KEY_IDS[1], bytes(18)) for _ in range(2)]
    sent = Sent(Direction.RECEIVED, 20, frames, air_s=0.01, delivery_s=0.02)
    receipt = receipt_of(sent, "aes128-ccm-4")
    assert (receipt.parts["framing"], receipt.packets) == (16, 2)
    assert receipt.link_bytes == sum(map(len, frames))
    assert (receipt.encrypted_bytes, receipt.authenticated_bytes) == (36, 66)
    call = Call("ieee802154-aes128-ccm-4", Verb.OPEN, 18, 15, count=2)
    assert receipt.calls == (call,)
    by_clock = ("air_time_by_clock", "delivery_time_by_clock")
    assert [receipt.figures[name].value for name in by_clock] == [0.01, 0.02]
    # The medium is a program that waits as long as a radio would take.
    assert {receipt.figures[name].origin for name in by_clock} == {Origin.EMULATED}


def test_frames_that_are_the_same_cost_as_others_do(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    # What is planned has frames of zeros; the last is shorter, or as long.
    for last in (0, 5, 50):
        sizes = [50] * 40 + [last]
        same = [protected(5, KEY_IDS[1], bytes(size)) for size in sizes]
        other = [
            protected(5, KEY_IDS[1], bytes([i]) * size) for i, size in enumerate(sizes)
        ]
        assert len(set(same)) < len(set(other))
        receipts = [
            receipt_of(Sent(Direction.SENT, 2000, each), "aes128-ccm-4")
            for each in (same, other)
        ]
        assert receipts[0] == receipts[1]
        assert receipts[0].units[-1].size == len(same[-1])
        assert sum(unit.count for unit in receipts[0].units) == len(sizes)
    read: list[bytes] = []

    def parsed(psdu: bytes) -> Frame:
        read.append(psdu)
        return parse(psdu)

    monkeypatch.setattr("samara.link.ieee802154.receipts.parse", parsed)
    planned = planned_receipt("ieee802154", Direction.SENT, 100_000, {})
    assert planned.payloads > 900
    assert len(read) < 10


def test_a_message_with_its_acknowledgement() -> None:
    """20 bytes in a part at level 6, key id mode 1, worked out by hand."""
    frame, answer = (protected(6, KEY_IDS[1], bytes(size)) for size in (28, 7))
    sent = Sent(Direction.SENT, 20, [frame], answers=[answer])
    receipt = receipt_of(sent, "aes128-ccm-8")
    # 9 of header, 2 and 4 of security, the payload, 8 of MIC, 2 of FCS.
    assert (len(frame), len(answer)) == (9 + 2 + 4 + 28 + 8 + 2, 9 + 2 + 4 + 7 + 8 + 2)
    assert receipt.parts["acknowledgement"] == 32
    assert (receipt.parts["radio"], receipt.packets) == (2 * 6, 1)
    assert (receipt.link_bytes, receipt.air_bytes) == (53, 53 + 32 + 12)
    assert receipt.expansion == 53 / 20
    assert (receipt.encrypted_bytes, receipt.authenticated_bytes) == (28, 43)
    # 32 microseconds a byte: 250 kbit/s.
    assert receipt.figures["air_time"].value == pytest.approx(97 * 32e-6)
    assert receipt.figures["acknowledgement_time"].value == pytest.approx(38 * 32e-6)
    frames = "ieee802154-aes128-ccm-8"
    assert receipt.calls == (
        Call(frames, Verb.SEAL, 28, 15),
        Call(frames, Verb.OPEN, 7, 15),
    )
    other = receipt_of(replace(sent, direction=Direction.RECEIVED), "aes128-ccm-8")
    assert [call.verb for call in other.calls] == [Verb.OPEN, Verb.SEAL]
    assert other.air_bytes == receipt.air_bytes


def test_a_message_whose_frames_were_repeated_and_listened_for() -> None:
    """Two frames of 53 bytes, one of them sent three times; two acknowledgements."""
    frame = protected(6, KEY_IDS[1], bytes(28))
    sent = Sent(
        Direction.SENT,
        40,
        [frame, frame],
        repetitions=[frame, frame],
        acknowledgements=[bytes(5), bytes(5)],
        listened_s=0.1,
    )
    receipt = receipt_of(sent, "aes128-ccm-8")
    assert (receipt.packets, receipt.payloads) == (4, 2)
    assert receipt.parts["repetition"] == 2 * 53
    assert receipt.parts["acknowledgement"] == 2 * 5
    assert receipt.parts["framing"] == 2 * 28 - 40
    assert receipt.parts["radio"] == 6 * 6
    assert receipt.link_bytes == 4 * 53
    # Sealed once: what is repeated is the same frame.
    assert receipt.calls == (Call("ieee802154-aes128-ccm-8", Verb.SEAL, 28, 15, 2),)
    air_s, ack_s = 4 * (53 + 6) * 32e-6, 2 * (5 + 6) * 32e-6
    figures = receipt.figures
    assert figures["air_time"].value == pytest.approx(air_s + ack_s)
    assert figures["acknowledgement_time"].value == pytest.approx(ack_s)
    assert figures["listening_time"].value == 0.1
    # AT86RF231 at 3.0 V: 14.0 mA to send, 12.3 mA to receive or listen.
    energy_j = 3.0 * (14.0e-3 * air_s + 12.3e-3 * (ack_s + 0.1))
    costed = with_costs(receipt, "atmega328p", "at86rf231")
    assert costed.figures["radio_energy"].value == pytest.approx(energy_j)
    # The energy model has its own repetitions.
    frames = frames_of_receipt(receipt).all[0]
    assert frames.frame_bytes + frames.added_bytes == 53
