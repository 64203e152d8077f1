# SPDX-License-Identifier: Apache-2.0
"""The devices that ciphers are measured on, and the chips that they stand for."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, ClassVar

from samara.bench import devices
from samara.figure import Figure, Origin
from samara.records import (
    Answer,
    Field,
    Record,
    Remark,
    Request,
    Title,
    record_class,
    request_class,
)
from samara.records.tables import Column, Row, Table, label, words

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from samara.bench.devices import Device, Quantity


@request_class
class DevicesRequest(Request):
    """Which devices there are: all of them are listed."""


@record_class
class DeviceDescription(Record):
    """A simulated microcontroller."""

    TYPE: ClassVar[str] = "device"

    name: Annotated[str, Field("Name, as `--device` takes it.", heading="device")]
    title: Annotated[str, Field("What it is.", heading="title", rank=2, wraps=True)]
    chips: Annotated[
        tuple[str, ...],
        Field("Other chips with its processor; `--device` takes their names, too."),
    ]
    boards: Annotated[
        tuple[str, ...],
        Field("Boards that it stands for; `--device` takes their names, too."),
    ]
    mcu: Annotated[str, Field("Name that its compiler knows it by.")]
    family: Annotated[str, Field("Its kind of processor.")]
    features: Annotated[
        tuple[str, ...], Field("What some implementations need, such as an AES engine.")
    ]
    clock_hz: Annotated[
        int, Field("Clock.", heading="clock", own_unit="Hz", unit="MHz", exact=True)
    ]
    flash_bytes: Annotated[
        int, Field("Size of the flash memory.", heading="flash", unit="byte", rank=3)
    ]
    ram_start: Annotated[int, Field("First address of the RAM.")]
    ram_bytes: Annotated[int, Field("Size of the RAM.", heading="RAM", unit="byte")]
    supply_voltage: Annotated[
        Figure,
        Field("Supply voltage.", heading="voltage", unit="V", rank=4, exact=True),
    ]
    active_current: Annotated[
        Figure,
        Field(
            "Current while it computes.",
            heading="current",
            unit="mA",
            rank=4,
            exact=True,
        ),
    ]
    simulator: Annotated[str, Field("Name of the simulator.")]
    cycles: Annotated[
        Origin,
        Field("Whether the simulator's cycles are exact.", heading="cycles", rank=3),
    ]
    cycles_note: Annotated[str, Field("What the cycles leave out; may be empty.")]
    compiler: Annotated[str, Field("Name of the compiler.")]
    flags: Annotated[tuple[str, ...], Field("Options of the compiler.")]


def list_devices(_: DevicesRequest) -> Answer[DeviceDescription]:
    """Yield all devices, by name.

    Raises
    ------
    samara.bench.places.NoSourcesError
        If the sources of samara are missing.
    """
    found = devices.devices()
    yield Title(
        "",
        f"({Origin.ASSUMED.letter}) {Origin.ASSUMED}: the source, which --json shows,"
        " was not checked.",
        "there are no directories in devices/ with a device.toml",
    )
    for device in found:
        yield _described(device)
    yield _names("chips", {each.name: each.chips for each in found})
    yield _names("boards", {each.name: devices.boards_of(each) for each in found})
    notes = {each.family.title: each.family.cycles_note for each in found}
    for title, note in notes.items():
        if note:
            yield Remark(f"{title}: cycles {note}")


def _names(kind: str, by_device: Mapping[str, Sequence[str]]) -> Table:
    """Return a table of the other names that `--device` takes."""
    heads = f"{kind}\xa0that\xa0--device\xa0takes"
    return Table(
        slug=kind,
        title="",
        columns=[label("device"), Column(heads, numeric=False, rank=0, wraps=True)],
        rows=[
            Row([words(name), words(", ".join(names))])
            for name, names in by_device.items()
            if names
        ],
    )


def _described(device: Device) -> DeviceDescription:
    family = device.family
    return DeviceDescription(
        name=device.name,
        title=device.title,
        chips=device.chips,
        boards=devices.boards_of(device),
        mcu=device.mcu,
        family=family.name,
        features=device.features,
        clock_hz=device.clock_hz,
        flash_bytes=device.flash_bytes,
        ram_start=device.ram_start,
        ram_bytes=device.ram_bytes,
        supply_voltage=_figure(device.supply_voltage_v, "V"),
        active_current=_figure(device.active_current_a, "A"),
        simulator=family.simulator,
        cycles=family.cycles,
        cycles_note=family.cycles_note,
        compiler=family.compiler,
        flags=tuple(device.words(family.flags)),
    )


def _figure(quantity: Quantity, unit: str) -> Figure:
    origin = Origin.PUBLISHED if quantity.checked else Origin.ASSUMED
    return Figure(quantity.value, unit, origin, quantity.source)
