# SPDX-License-Identifier: Apache-2.0
"""`samara bench devices`: the devices, and the chips that they stand for."""

from typing import Any

from rich.markup import escape

from samara.bench import devices
from samara.bench.devices import Device, Quantity
from samara.cli.json_lines import Json, print_json
from samara.cli.tables import Column, Wide, console, print_table, print_text
from samara.figure import Figure, Origin

_COLUMNS = (
    Column("device"),
    Column("title", rank=2, wraps=True),
    Column("MHz", numeric=True),
    Column("flash", numeric=True, rank=3),
    Column("RAM", numeric=True, rank=1),
    Column("V", numeric=True, rank=4),
    Column("mA", numeric=True, rank=4),
    Column("cycles", rank=3),
)


def devices_(*, as_json: Json = False, wide: Wide = False) -> None:
    """List the devices that ciphers are measured on, and the chips like them.

    A chip has the processor of its device: --device takes its name, and its
    programs take the same cycles. Clock, memory, voltage and current are those
    of the device.

    \b
    Examples:
      samara bench devices
      samara bench devices --json
    """
    found = devices.devices()
    if as_json:
        for device in found:
            print_json("device", _fields(device))
        return
    screen = console()
    print_table(
        screen,
        _COLUMNS,
        [_row(device) for device in found],
        empty="there are no directories in devices/ with a device.toml",
        caption="Flash and RAM in bytes. ?: the source of the current, which --json"
        " shows, was not checked.",
        wide=wide,
    )
    print_table(
        screen,
        (Column("device"), Column("chips that --device takes", rank=0, wraps=True)),
        [[one.name, ", ".join(one.chips)] for one in found if one.chips],
        empty="no device.toml names chips",
    )
    notes = {d.family.title: d.family.cycles_note for d in found}
    for title, note in notes.items():
        if note:
            print_text(screen, f"{escape(title)}: cycles {escape(note)}")


def _row(device: Device) -> list[str]:
    current = device.active_current_a
    return [
        device.name,
        escape(device.title),
        f"{device.clock_hz / 1e6:g}",
        f"{device.flash_bytes:,}",
        f"{device.ram_bytes:,}",
        f"{device.supply_voltage_v.value:g}",
        f"{current.value * 1e3:g}{'' if current.checked else '?'}",
        device.family.cycles,
    ]


def _fields(device: Device) -> dict[str, Any]:
    family = device.family
    return {
        "name": device.name,
        "title": device.title,
        "chips": device.chips,
        "mcu": device.mcu,
        "family": family.name,
        "features": device.features,
        "clock_hz": device.clock_hz,
        "flash_bytes": device.flash_bytes,
        "ram_start": device.ram_start,
        "ram_bytes": device.ram_bytes,
        "supply_voltage": _figure(device.supply_voltage_v, "V"),
        "active_current": _figure(device.active_current_a, "A"),
        "simulator": family.simulator,
        "cycles": family.cycles,
        "cycles_note": family.cycles_note,
        "compiler": family.compiler,
        "flags": device.words(family.flags),
    }


def _figure(quantity: Quantity, unit: str) -> Figure:
    kind = Origin.PUBLISHED if quantity.checked else Origin.ASSUMED
    return Figure(quantity.value, unit, kind, quantity.source)
