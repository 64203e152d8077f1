# SPDX-License-Identifier: Apache-2.0
"""Receipts of messages of a conversation, on the device that was chosen for it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from samara.energy.receipt_costs import with_costs
from samara.link.node.receipt import Receipt

if TYPE_CHECKING:
    from collections.abc import Mapping


def costed(receipt: Mapping[str, Any] | None, device: str) -> dict[str, Any] | None:
    """Return a receipt as JSON has it, with what the message costs on a device.

    Parameters
    ----------
    device
        Empty: none.
    """
    if receipt is None or not device:
        return None if receipt is None else dict(receipt)
    return with_costs(Receipt.from_json(receipt), device).as_json()
