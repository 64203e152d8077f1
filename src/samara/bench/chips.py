# SPDX-License-Identifier: Apache-2.0
"""Chips with figures of their own, on boards that firmware runs on: devices/chips.toml.

The bench measures a device with the same processor in their place.
"""

from __future__ import annotations

import re
from collections.abc import Mapping  # noqa: TC003 - `row_of` reads the types
from dataclasses import dataclass, replace
from functools import cache
from typing import Any

from samara.bench import places
from samara.bench.devices import Device, Quantity, device
from samara.toml_rows import row_of, tables_of


@dataclass(frozen=True, slots=True)
class Chip:
    """What a chip has of its own. Sizes are in bytes."""

    device: str
    """Name of the device with its processor."""
    codes: str
    """Its names, as a regular expression."""
    title: str
    clock_hz: int
    flash_start: int
    flash_bytes: int
    ram_bytes: int
    supply_voltage_v: Quantity
    active_current_a: Quantity
    controller: Mapping[str, Any]

    def as_device(self, name: str) -> Device:
        """Return the device with its processor, and with its own figures."""
        own = {each: getattr(self, each) for each in _OWN}
        return replace(
            device(self.device), name=name, chips=(), suites=(), radios={}, **own
        )


_OWN = (
    *("title", "clock_hz", "flash_start", "flash_bytes", "ram_bytes"),
    *("supply_voltage_v", "active_current_a", "controller"),
)


@cache
def chips() -> Mapping[str, Chip]:
    """Return the chips of devices/chips.toml by name.

    Raises
    ------
    samara.errors.MisuseError
        When a row lacks a field, or has one that is not what it has to be.
    """
    place = "devices/chips.toml"
    tables = tables_of(places.root() / "devices" / "chips.toml", place)
    return {
        name: row_of(Chip, f"the chip {name} of {place}", row)
        for name, row in tables.items()
    }


def chip_of(name: str) -> Device | None:
    """Return the chip of a name or order code, as a device; None if there is none.

    >>> chip_of("STM32F103C8T6").name
    'stm32f103'
    """
    for known, chip in chips().items():
        if re.fullmatch(chip.codes, name.lower()):
            return chip.as_device(known)
    return None


def chip_or_device(name: str) -> Device:
    """Return the chip of a name, or the device if it is no chip's.

    Raises
    ------
    samara.crypto.UnknownNameError
        If there is none.
    """
    return chip_of(name) or device(name)
