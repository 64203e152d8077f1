# SPDX-License-Identifier: Apache-2.0
"""The lists of devices and papers say what their files do."""

from __future__ import annotations

import pytest

from samara.bench import devices, published
from samara.bench.device_list import DeviceDescription, DevicesRequest, list_devices
from samara.bench.paper_list import (
    PaperDescription,
    PapersRequest,
    PublishedRow,
    list_papers,
)
from samara.crypto import UnknownNameError
from samara.figure import Origin
from samara.records import records_of
from samara.records.tables import Table, table_of

DEVICES = {each.name: each for each in records_of(list_devices(DevicesRequest()))}


def test_devices_have_their_figures_in_si_units() -> None:
    assert list(DEVICES) == [each.name for each in devices.devices()]
    found = DEVICES["msp430f1611"]
    assert (found.clock_hz, found.flash_bytes, found.ram_bytes) == (
        4_000_000,
        49_152,
        10_240,
    )
    current = found.active_current
    assert current.value == pytest.approx(1.83e-3)
    assert current.unit == "A"
    assert (found.supply_voltage.value, found.supply_voltage.unit) == (3.0, "V")
    for each in devices.devices():
        figure = DEVICES[each.name].active_current
        assert (figure.origin is Origin.PUBLISHED) == each.active_current_a.checked


def test_the_table_of_devices_has_their_digits_in_its_units() -> None:
    chosen: list[DeviceDescription] = [DEVICES["atmega128"], DEVICES["cortex-m0"]]
    table = table_of(chosen, "")
    units = {column.name: column.unit for column in table.columns}
    assert (units["clock"], units["current"], units["RAM"]) == ("MHz", "mA", "byte")
    rows = [
        dict(zip(units, (cell.text for cell in row.cells), strict=True))
        for row in table.rows
    ]
    assert [row["clock"] for row in rows] == ["7.3728", "16"]
    assert [row["voltage"] for row in rows] == ["3", "2.957"]
    assert [row["current"] for row in rows] == ["8", "4.71"]


def test_papers_are_followed_by_the_rows_of_their_tables() -> None:
    wanted = ("modspeck", "grain128ple")
    answer = list(list_papers(PapersRequest(papers=wanted)))
    found = records_of(iter(answer))
    papers = [each.slug for each in found if isinstance(each, PaperDescription)]
    assert papers == list(wanted)
    rows = [each for each in found if isinstance(each, PublishedRow)]
    assert [each.paper for each in rows] == ["modspeck"] * 12 + ["grain128ple"] * 9
    first = published.table("modspeck_arduino.csv")[0]
    assert rows[0].cells == first.cells
    (table,) = (each for each in answer if isinstance(each, Table))
    assert [[cell.text for cell in row.cells] for row in table.rows] == [
        ["modspeck", "Table 2", "12", "modspeck_arduino.csv"],
        ["grain128ple", "Table I", "5", "grain128ple_time.csv"],
        ["grain128ple", "text", "4", "grain128ple_other.csv"],
    ]


def test_all_papers_and_none_of_another_name() -> None:
    found = records_of(list_papers(PapersRequest()))
    papers = [each.slug for each in found if isinstance(each, PaperDescription)]
    assert papers == list(published.papers())
    with pytest.raises(UnknownNameError, match="modspeck"):
        records_of(list_papers(PapersRequest(papers=("modspec",))))
