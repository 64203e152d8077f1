# SPDX-License-Identifier: Apache-2.0
"""The option of `samara node send` and `listen` that adds costs to receipts."""

from __future__ import annotations

import functools
from typing import TYPE_CHECKING, Any

from samara.cli.shared.device_option import CostDevice

if TYPE_CHECKING:
    from collections.abc import Mapping

    from samara.cli.shared.streaming import Faces
    from samara.link.node.receipt import Receipt

JSON_HELP = "Print JSON Lines (docs/json.md), with receipts."
HOW_TO_COST: Mapping[str, tuple[Any, Any]] = {"device": (CostDevice, None)}
"""The option that names the device whose costs receipts have."""


def with_costs(_: object, faces: Faces) -> dict[str, object]:
    """Return what adds costs to receipts, if a device was named."""
    if faces["device"] is None:
        return {}
    return {"costed": functools.partial(_costed, faces["device"])}


def _costed(device: str, receipt: Receipt) -> Receipt:
    # The figures of energy, and numpy with them, take long to import.
    from samara.energy.receipt_costs import with_costs  # noqa: PLC0415

    return with_costs(receipt, device)
