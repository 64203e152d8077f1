# SPDX-License-Identifier: Apache-2.0
"""Figures of data sheets, typed a second time in the units that they are printed in.

A figure that is changed in one place only, or has the wrong power of ten, differs here.
"""

from __future__ import annotations

import csv
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from samara.bench import devices
from samara.energy import catalogue
from samara.energy.quantity import Quantity

if TYPE_CHECKING:
    from collections.abc import Iterator

# Factors to the units that the names of quantities end with.
UNITS = {
    "_s": {"µs": 1e-6, "ms": 1e-3, "s": 1.0},
    "_c": {"µC": 1e-6},
    "_a": {"nA": 1e-9, "µA": 1e-6, "mA": 1e-3, "A": 1.0},
    "_v": {"mV": 1e-3, "V": 1.0},
    "_ah": {"mAh": 1e-3, "Ah": 1.0},
    "_rate": {"bit/s": 1.0, "kbit/s": 1e3},
    "_bytes": {"bytes": 1.0},
    "_years": {"years": 1.0},
    "_per_year": {"%/year": 0.01},
    "_cycles": {"cycles": 1.0},
    "_cycle": {"%": 0.01},
    "_mhz": {"MHz": 1.0},
    "_mw": {"mW": 1.0},
}


def _typed() -> dict[tuple[str, str], float]:
    """Return what the table has, in the units of the names, by part and quantity."""
    with Path(__file__).with_name("data_sheets.csv").open(newline="") as file:
        rows = list(csv.DictReader(file))
    found = {}
    for row in rows:
        unit_suffix = max((e for e in UNITS if row["quantity"].endswith(e)), key=len)
        factor = UNITS[unit_suffix][row["unit"]]
        found[row["part"], row["quantity"]] = float(row["value"]) * factor
    assert len(found) == len(rows)
    return found


_CHARGES = ("event_c", "send_c", "sense_c", "connection_c")


def _is_usual(name: str, quantity: Quantity) -> bool:
    """Return whether a quantity is in no data sheet, and typed nowhere.

    The charge of events that were not measured is none, or that of others.
    """
    if name == "minimum_v":
        return quantity.source == "assumed: as most chips of 3 V"
    is_charge = not quantity.value or quantity.source.startswith("estimated")
    return name in _CHARGES and is_charge


def _used() -> Iterator[tuple[str, str, float]]:
    """Yield what the model takes: part, quantity and value."""
    parts = [*catalogue.radios(), *catalogue.batteries(), *catalogue.bands()]
    parts += catalogue.memories()
    boards = devices.devices()
    for part in (*parts, *(catalogue.controller(each.name) for each in boards)):
        for name in part.__slots__:
            quantity = getattr(part, name)
            if isinstance(quantity, Quantity) and not _is_usual(name, quantity):
                yield part.name, name, quantity.value
    for band in catalogue.bands():
        for name in ("from_mhz", "to_mhz", "power_mw"):
            yield band.name, name, getattr(band, name)
    for board in boards:
        yield board.name, "supply_voltage_v", board.supply_voltage_v.value
        yield board.name, "active_current_a", board.active_current_a.value


def test_every_figure_stands_twice_and_is_the_same() -> None:
    used = {(part, name): value for part, name, value in _used()}
    typed = _typed()
    assert used.keys() == typed.keys()
    differ = {
        key: (used[key], value)
        for key, value in typed.items()
        if used[key] != pytest.approx(value, rel=1e-9, abs=0)
    }
    assert not differ
