# SPDX-License-Identifier: Apache-2.0
"""How a board's serial port is reached: the rows of devices/serial_ports.toml."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cache
from typing import TYPE_CHECKING

from samara.bench import devices, places
from samara.bench.boards import board_of
from samara.bench.cores import plain_name
from samara.errors import ArgumentError
from samara.toml_rows import row_of, tables_of

if TYPE_CHECKING:
    from samara.bench.devices import Device


@dataclass(frozen=True, slots=True)
class Port:
    """A way to a serial port, and the measuring program's sources for it."""

    names: tuple[str, ...]
    """Chips and boards that have it, as `samara.bench.cores.plain_name` writes them."""
    title: str
    sources: tuple[str, ...]
    """Files of the family's directory `serial`."""
    tried: str
    """In what the program ran."""
    macros: tuple[str, ...] = ()
    clock_hz: int | None = None
    """The processor's clock, if it is not the device's."""
    ram_bytes: int | None = None
    """The chip's RAM, if it is not the device's."""


@cache
def ports() -> tuple[Port, ...]:
    """Return all rows."""
    place = "devices/serial_ports.toml"
    rows = tables_of(places.root() / place, place)["port"]
    return tuple(
        row_of(Port, f"port {number} of {place}", row)
        for number, row in enumerate(rows, 1)
    )


def names() -> list[str]:
    """Return the names of all boards and chips that have a row."""
    return [name for row in ports() for name in row.names]


def port_of(name: str) -> Port:
    """Return the row of a board or chip.

    Raises
    ------
    ArgumentError
        If there is none; the text has the names that have one.
    """
    board = board_of(name)
    written = {plain_name(name)} | ({board.chip} if board else set())
    for row in ports():
        if written & set(row.names):
            return row
    message = (
        f"samara has no program for the serial port of {name}: --device must be one of"
        f" {', '.join(names())}, or a board with one of these chips"
    )
    raise ArgumentError(message)


def device_with(name: str, port: Port) -> Device:
    """Return the device of a board or chip, with clock and memory of its own.

    Raises
    ------
    samara.crypto.UnknownNameError
        If there is no such device.
    """
    found = devices.device(_chip_of(name))
    return replace(
        found,
        clock_hz=port.clock_hz or found.clock_hz,
        ram_bytes=port.ram_bytes or found.ram_bytes,
    )


def _chip_of(name: str) -> str:
    board = board_of(name)
    return board.chip if board else name
