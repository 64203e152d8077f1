# SPDX-License-Identifier: Apache-2.0
"""The devices, and one row for each cipher with all of them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from samara.bench.report.answer import answer
from samara.bench.report.general import HEADLINE, REFERENCE, UNAUTHENTICATED
from samara.bench.report.selecting import balanced
from samara.figure import Origin
from samara.records.parts import Section
from samara.records.tables import (
    NOT_YET,
    Cell,
    Column,
    Row,
    Table,
    label,
    number,
    significant,
    words,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from samara.bench.devices import Device, Quantity
    from samara.bench.report.selecting import Results
    from samara.bench.results import Result

_DEVICE_COLUMNS = (
    label("device"),
    label("what it is"),
    Column("clock", "MHz"),
    Column("flash", "bytes"),
    Column("RAM", "bytes"),
    Column("supply", "V"),
    Column("current", "mA, active"),
    label("cycles"),
    Column("results"),
)


def section(devices: Sequence[Device], results: Results) -> Section:
    """Return the devices, with the ciphers that are shown first on each of them."""
    return Section(
        slug="overview",
        title="All devices",
        intro=(
            f"Sealing {REFERENCE} bytes without associated data, set-up included, in"
            " portable C or what is better on the device; each with the flags that give"
            " the least code size times cycles."
        ),
        group="Overview",
        name="All devices",
        parts=[
            *(part for each in devices for part in answer(each, results, REFERENCE)),
            *_matrices(devices, results, "cycles", "Cycles", _cycles),
            *_matrices(devices, results, "energy", "Energy in µJ", _energy),
            _device_table(devices, results),
        ],
    )


def _matrices(
    devices: Sequence[Device],
    results: Results,
    slug: str,
    title: str,
    cell: Callable[[Device, Result], Cell],
) -> Iterator[Table]:
    """Yield a table of the suites that authenticate, and one of the others."""
    for suites, suffix, restriction in (
        (HEADLINE, "", ""),
        (UNAUTHENTICATED, "-unauthenticated", ", without authentication"),
    ):
        rows = _matrix_rows(suites, devices, results, cell)
        yield Table(
            f"overview-{slug}{suffix}",
            f"{title}, {REFERENCE} bytes{restriction}",
            [label("suite"), *(Column(device.name) for device in devices)],
            rows,
        )


def _matrix_rows(
    suites: Sequence[str],
    devices: Sequence[Device],
    results: Results,
    cell: Callable[[Device, Result], Cell],
) -> list[Row]:
    rows = []
    for suite in suites:
        cells = [words(suite)]
        for device in devices:
            best = _best(device, suite, results)
            cells.append(NOT_YET if best is None else cell(device, best))
        rows.append(Row(cells))
    return rows


def _best(device: Device, suite: str, results: Results) -> Result | None:
    return balanced(
        results.matching(
            device=device.name, suite=suite, message_bytes=REFERENCE, ad_bytes=0
        )
    )


def _cycles(_device: Device, result: Result) -> Cell:
    remark = result.compiled
    return number(result.total_cycles, result.origin, remark=remark)


def _energy(device: Device, result: Result) -> Cell:
    microjoules = device.energy_uj(result.total_cycles)
    remark = device.energy_source
    return significant(microjoules, device.energy_origin, remark=remark)


def _device_table(devices: Sequence[Device], results: Results) -> Table:
    rows = []
    for device in devices:
        count = len(results.of_device(device.name))
        rows.append(
            Row(
                [
                    words(device.name),
                    words(device.title),
                    words(f"{device.clock_hz / 1e6:g}"),
                    words(f"{device.flash_bytes:,}"),
                    words(f"{device.ram_bytes:,}"),
                    _quantity(device.supply_voltage_v, 1.0),
                    _quantity(device.active_current_a, 1e3),
                    words(f"{device.family.cycles}, {device.family.simulator}"),
                    words(f"{count:,}"),
                ]
            )
        )
    caption = "Point at a voltage or current for its source; ? marks one not checked."
    return Table("devices", "Devices", _DEVICE_COLUMNS, rows, caption)


def _quantity(quantity: Quantity, factor: float) -> Cell:
    kind = Origin.PUBLISHED if quantity.checked else Origin.ASSUMED
    return significant(quantity.value * factor, kind, remark=quantity.source)
