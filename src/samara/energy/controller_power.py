# SPDX-License-Identifier: Apache-2.0
"""What a microcontroller draws while it computes."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from samara.bench.devices import device
from samara.energy.quantity import Quantity, nominal

if TYPE_CHECKING:
    from samara.energy.quantity import Draw, Value


@dataclass(frozen=True, slots=True)
class Board:
    """A microcontroller with the clock and the voltage that it has."""

    name: str
    clock_hz: float
    supply_v: float
    active_a: Quantity
    """While it computes."""

    def active_w(self, draw: Draw = nominal) -> Value:
        """Return what it draws while it computes, in watts."""
        return draw(f"{self.name}.active_a", self.active_a) * self.supply_v


def board_of(device_name: str) -> Board:
    """Return a device of the bench with its clock and voltage.

    Its device.toml has no tolerances yet: 10 % is taken where a current was read
    in its source, else 30 %.

    Raises
    ------
    samara.crypto.UnknownNameError
        When there is no such device.
    """
    found = device(device_name)
    stated = found.active_current_a
    tolerance = 0.1 if stated.checked else 0.3
    return Board(
        device_name,
        found.clock_hz,
        found.supply_voltage_v.value,
        Quantity(stated.value, tolerance, stated.source, checked=stated.checked),
    )


def active_w(device_name: str, draw: Draw = nominal) -> Value:
    """Return what a device of the bench draws while it computes, in watts."""
    return board_of(device_name).active_w(draw)
