# SPDX-License-Identifier: Apache-2.0
"""The options of `samara node send` and `listen` that add costs to receipts."""

from __future__ import annotations

import functools
from typing import TYPE_CHECKING, Any

from samara.cli.shared.device_option import CostDevice, CostParts
from samara.cli.shared.diagnostics import note
from samara.errors import MisuseError

if TYPE_CHECKING:
    from collections.abc import Mapping

    from samara.cli.shared.streaming import Faces
    from samara.energy.own_parts import OwnParts
    from samara.link.node.receipt import Receipt

JSON_HELP = "Print JSON Lines (docs/json.md), with receipts."
HOW_TO_COST: Mapping[str, tuple[Any, Any]] = {
    "device": (CostDevice, None),
    "parts": (CostParts, None),
}
"""The options that name the device whose costs receipts have."""


def with_costs(_: object, faces: Faces) -> dict[str, object]:
    """Return what adds costs to receipts, if a device was named.

    Raises
    ------
    MisuseError
        When a file of parts is wrong, or there is one and no device.
    samara.crypto.UnknownNameError
        When there is no such device.
    """
    files, named = faces["parts"] or (), faces["device"]
    if named is None:
        if files:
            message = "--parts needs --device: give the microcontroller, too"
            raise MisuseError(message)
        return {}
    # The figures of energy, and numpy with them, take long to import.
    from samara.energy.own_parts import own_parts  # noqa: PLC0415

    own = own_parts(files)
    device, notice = own.resolved_device(named)
    if notice:
        note(notice)
    return {"costed": functools.partial(_costed, device, own)}


def _costed(device: str, own: OwnParts, receipt: Receipt) -> Receipt:
    from samara.energy.receipt_costs import with_costs  # noqa: PLC0415 - as above

    return with_costs(receipt, device, own=own)
