# SPDX-License-Identifier: Apache-2.0
"""Receipts with shares of listening and sleep, and the messages of a battery."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pytest
from shell import assert_done, assert_misuse, samara

from samara.energy.assumptions import HONEST
from samara.energy.message_frames import frames_of_message, frames_of_receipt
from samara.energy.receipt_battery import Use, with_battery
from samara.energy.receipt_costs import with_costs
from samara.errors import MisuseError
from samara.figure import Origin
from samara.link.node.kinds import planned_receipt
from samara.link.node.receipt import Direction

if TYPE_CHECKING:
    from pathlib import Path

    from samara.link.node.receipt import Receipt

USE = Use(mac="box-mac-2", battery="2xaa-alkaline", interval_s=300.0)


def receipt(direction: Direction = Direction.SENT, **given: Any) -> Receipt:  # noqa: ANN401 - options
    planned = planned_receipt("ieee802154", direction, 20, {"level": 6, **given})
    return with_costs(planned, "atmega128rfa1")


def test_the_whole_is_the_model_s_message() -> None:
    figures = with_battery(receipt(), USE).figures
    assert figures["whole_energy"].value == pytest.approx(
        HONEST.node().message(300.0).total
    )
    # 1.52 µA of 3 V for 300 s.
    assert figures["sleep_energy"].value == pytest.approx(1.52e-6 * 3 * 300, rel=1e-9)
    assert figures["whole_energy"].origin is Origin.ASSUMED


def test_listening_by_hand() -> None:
    """Always listening, it receives at all times when it does not send or wait."""
    found = with_battery(receipt(), Use("always-listening", None, 10.0))
    share_j = found.figures["listening_energy"].value
    assert share_j == pytest.approx(10 * 3 * (12.3e-3 + 1.2e-3), rel=1e-3)
    assert "battery_messages" not in found.figures


def test_messages_of_a_battery() -> None:
    found = with_battery(receipt(), USE).figures
    # 2.5 Ah at 2.5 V, without self-discharge: 22500 J.
    most = 22_500 / found["whole_energy"].value
    assert 0.97 * most < found["battery_messages"].value < most
    assert found["battery_messages"].unit == "message"


def test_a_receiver_opens_and_hears() -> None:
    sent, got = (
        with_battery(receipt(each), USE).figures["whole_energy"].value
        for each in Direction
    )
    node = HONEST.node()
    assert got < sent
    shared = node.idle_w() * (300 - node.mac.receive(node.hop()).on_s)
    by_hand = node.receive().total + shared.total + node.sleep_w().total * 300
    assert got == pytest.approx(by_hand)


def test_an_acknowledgement_is_not_in_the_frame() -> None:
    for level in (0, 6):
        plain, acknowledged = (
            planned_receipt(
                "ieee802154", Direction.SENT, 20, {"level": level}, acknowledged=asked
            )
            for asked in (False, True)
        )
        expected = frames_of_message("ieee802154", 20, {"level": level})
        assert frames_of_receipt(plain) == expected
        # An acknowledged message has a number in front.
        more = acknowledged.parts["framing"] - plain.parts["framing"]
        found = frames_of_receipt(acknowledged)
        assert acknowledged.parts["acknowledgement"] > 0
        assert found.plain_bytes == expected.plain_bytes + more
        assert found.added_bytes == expected.added_bytes
        assert len(found.calls) == len(expected.calls)


@pytest.mark.parametrize(
    ("link", "given", "longest"),
    [
        ("ieee802154", {"level": 0}, 116),
        ("ieee802154", {"level": 7}, 94),
        ("rf-serial", {"framing": "plain"}, 65_536),
        ("rf-serial", {"framing": "sealed"}, 65_536),
        ("rf-serial", {"framing": "cbc-hex"}, 65_536),
    ],
    ids=str,
)
def test_one_byte_more_is_another_frame(
    link: str, given: dict[str, Any], longest: int
) -> None:
    counts = [
        sum(each.count for each in frames_of_message(link, size, given).all)
        for size in (longest, longest + 1)
    ]
    assert counts == [1, 2]


def test_links_without_a_model() -> None:
    for wrong in (replace(receipt(), link="sdr"), replace(receipt(), device=None)):
        with pytest.raises(MisuseError, match="no energy model"):
            with_battery(wrong, USE)


@pytest.mark.slow
def test_the_command(tmp_path: Path) -> None:
    line = ("receipt", "explain", "--link", "rf-serial", "--bytes", "14")
    device = ("--device", "atmega328p")
    asked = (*line, *device, "--battery", "18650", "--json")
    shown = json.loads(assert_done(samara(*asked, folder=tmp_path)))
    names = {"listening_energy", "sleep_energy", "whole_energy", "battery_messages"}
    assert names <= set(shown["figures"])
    (tmp_path / "receipt.json").write_text(json.dumps(shown))
    again = ("receipt", "show", "receipt.json", *device, "--mac", "serial-radio")
    text = assert_done(samara(*again, folder=tmp_path)).decode()
    assert "share of listening" in text
    for option in (("--mac", "x-mac"), ("--battery", "cr2032")):
        done = samara(*line, *option, folder=tmp_path)
        assert_misuse(done, "--mac or --battery needs --device")
    assert_misuse(samara(*line, *device, "--mac", "x", folder=tmp_path), "unknown")
