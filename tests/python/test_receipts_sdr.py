# SPDX-License-Identifier: Apache-2.0
"""What a message in bursts costs, worked out by hand."""

from __future__ import annotations

from dataclasses import replace

import pytest

from samara.figure import Origin
from samara.link.node.receipt import Call, Direction, Receipt, Verb
from samara.link.sdr.receipts import Carried, Frames, receipt_of

# 100 bytes of payload and 4 of tag, each bit twice: 1,664 bits, 208 bytes.
FRAMES = Frames(
    payload_bytes=100,
    coded_bits=1664,
    bits_added_by_encryption=0,
    preamble_bits=240,
    burst_s=0.01,
    state_bytes=40,
)
# 150 bytes in two parts, each with 8 bytes of its own.
CARRIED = Carried(Direction.SENT, bytes(150), [98, 68], cipher_s=3e-6, delivery_s=0.5)


def test_two_bursts() -> None:
    receipt = receipt_of(CARRIED, FRAMES)
    assert receipt.parts == {
        "message": 150,
        "cipher": 0,
        "framing": 16 + 2 * 2,
        "tag": 8,
        "coding": 416 - 208,
        "fill": 200 - 166 - 4,
        "acknowledgement": 0,
        "radio": 60,
    }
    assert (receipt.link_bytes, receipt.air_bytes) == (416, 476)
    assert (receipt.packets, receipt.encrypted_bytes) == (2, 416)
    assert receipt.authenticated_bytes == 0
    assert receipt.calls == (Call("grain128ple", Verb.SEAL, 208, 0, count=2),)
    figures = receipt.figures
    assert figures["air_time"].value == pytest.approx(0.02)
    assert figures["air_time"].origin is Origin.ESTIMATED
    assert "acknowledgement_time" not in figures
    assert (figures["cipher_state"].value, figures["cipher_state"].unit) == (40, "byte")
    for name, seconds in (
        ("cipher_time_by_clock", 3e-6),
        ("delivery_time_by_clock", 0.5),
    ):
        assert figures[name].value == seconds
        assert figures[name].origin is Origin.HOST_CLOCK
    assert "no bit" in receipt.remarks[0]


def test_bursts_with_an_acknowledgement() -> None:
    carried = replace(CARRIED, direction=Direction.RECEIVED, answers=1)
    receipt = receipt_of(carried, FRAMES)
    assert receipt.parts["acknowledgement"] == 208
    assert receipt.parts["radio"] == 90
    assert (receipt.link_bytes, receipt.air_bytes) == (416, 416 + 208 + 90)
    assert receipt.figures["air_time"].value == pytest.approx(0.03)
    assert receipt.figures["acknowledgement_time"].value == pytest.approx(0.01)
    assert receipt.calls == (
        Call("grain128ple", Verb.OPEN, 208, 0, count=2),
        Call("grain128ple", Verb.SEAL, 208, 0),
    )


def test_bits_that_encryption_would_add_are_counted() -> None:
    receipt = receipt_of(CARRIED, replace(FRAMES, bits_added_by_encryption=16))
    assert (receipt.parts["cipher"], receipt.parts["coding"]) == (4, 204)
    assert receipt.link_bytes == 416
    assert all("no bit" not in note for note in receipt.remarks)


def test_newer_figures_and_notes_replace_older_ones() -> None:
    receipt = receipt_of(CARRIED, FRAMES)
    newer = replace(receipt.figures["air_time"], value=7.0)
    found = receipt.with_figures({"air_time": newer}, "one", "one", receipt.remarks[0])
    assert found.figures["air_time"].value == 7.0
    assert found.figures["cipher_state"] == receipt.figures["cipher_state"]
    assert found.remarks == (*receipt.remarks, "one")
    assert isinstance(found, Receipt)
