# SPDX-License-Identifier: Apache-2.0
"""The energy of a packet is that of its sender and that of its receiver, once each."""

from __future__ import annotations

import pytest

from samara.energy.receipt_costs import with_costs
from samara.link.node.kinds import planned_receipt
from samara.link.node.receipt import Direction, Receipt
from samara.net.energy import of_both_ends

DEVICE = "atmega128rfa1"


def receipt(direction: Direction) -> Receipt:
    given = {"suite": "aes128", "level": 6}
    return planned_receipt("ieee802154", direction, 300, given)


def test_both_ends_count_once() -> None:
    joules = {
        (direction, name): with_costs(receipt(direction), DEVICE).figures[name].value
        for direction in (Direction.SENT, Direction.RECEIVED)
        for name in ("radio_energy", "crypto_energy")
    }
    assert len(set(joules.values())) == 4, "sender and receiver differ"
    receipts = of_both_ends(receipt, DEVICE)
    assert receipts is not None
    assert receipts.unit == "J"
    assert receipts.value == pytest.approx(sum(joules.values()))
