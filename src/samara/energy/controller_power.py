# SPDX-License-Identifier: Apache-2.0
"""What a microcontroller draws while it computes."""

from __future__ import annotations

from typing import TYPE_CHECKING

from samara.bench.devices import device
from samara.energy.quantity import Quantity, nominal

if TYPE_CHECKING:
    from samara.energy.quantity import Draw, Value


def active_w(device_name: str, draw: Draw = nominal) -> Value:
    """Return what a device draws while it computes, in watts.

    Its device.toml has no tolerances yet: 10 % is taken where a current was read
    in its source, else 30 %.

    Raises
    ------
    samara.crypto.UnknownNameError
        When there is no such device.
    """
    board = device(device_name)
    stated = board.active_current_a
    tolerance = 0.1 if stated.checked else 0.3
    current = Quantity(stated.value, tolerance, stated.source, checked=stated.checked)
    return draw(f"{device_name}.active_a", current) * board.supply_voltage_v.value
