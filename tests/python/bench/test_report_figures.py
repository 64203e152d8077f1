# SPDX-License-Identifier: Apache-2.0
"""The report's figures, worked out by hand from made-up results."""

from __future__ import annotations

import csv
import io
import math
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

import pytest
from bench.results import changed, result

from samara import crypto
from samara.bench import devices, published, results_table
from samara.bench.report import (
    general,
    host,
    linkplots,
    linkrows,
    merit,
    overview,
)
from samara.bench.report.papers import (
    grain128aead,
    grain128ple,
    link_security,
    modspeck,
)
from samara.bench.report.selecting import (
    Results,
    balanced,
)
from samara.figure import Origin
from samara.records import charts, tables
from samara.records.csv_lines import csv_of_table

if TYPE_CHECKING:
    from collections.abc import Iterator

    from samara.bench.devices import Device
    from samara.bench.results import Result
    from samara.records.parts import Plot, Section
    from samara.records.tables import Cell, Value

UNO = devices.device("atmega328p")
MEMORY: dict[str, Any] = {"static_ram_bytes": 41, "stack_bytes": 67}


def power_w(device: Device) -> float:
    return device.active_current_a.value * device.supply_voltage_v.value


def three_digits(value: float) -> float:
    return float(f"{value:.3g}")


def rows(found: Section, slug: str, *texts: str) -> list[dict[str, Value]]:
    """Return the values of the rows that have these texts, by column."""
    (table,) = [table for table in found.tables() if table.slug == slug]
    titles = [column.title for column in table.columns]
    return [
        dict(zip(titles, [cell.value for cell in row.cells], strict=True))
        for row in table.rows
        if set(texts) <= {cell.text for cell in row.cells}
    ]


def row(found: Section, slug: str, *texts: str) -> dict[str, Value]:
    (one,) = rows(found, slug, *texts)
    return one


# Devices


def test_a_suites_row() -> None:
    one = result("atmega328p", "aes128-gcm", cycles=15_900, **MEMORY)
    shown = row(general.section(UNO, Results([one])), "atmega328p-suites", "aes128-gcm")
    assert shown["code [bytes]"] == 1000
    assert (shown["RAM [bytes]"], shown["stack [bytes]"]) == (41, 67)
    assert shown["set-up [cycles]"] == 100
    assert shown["seal 64 B [cycles]"] == 15_900
    assert shown["open 64 B [cycles]"] == 15_901
    assert shown["time 64 B [ms]"] == 1.0
    assert shown["energy 64 B [µJ]"] == three_digits(1e3 * power_w(UNO))
    assert shown["constant time"] == "yes"


def test_a_block_ciphers_row() -> None:
    one = result("atmega328p", "aes128", cycles=15_900, **MEMORY)
    shown = row(general.section(UNO, Results([one])), "atmega328p-blocks", "aes128")
    found = [shown[f"{verb} [cycles]"] for verb in ("set-up", "encrypt", "decrypt")]
    assert found == [100, 15_900, 15_901]
    assert shown["time [ms]"] == 1.0


@pytest.mark.parametrize("by", [1, 4, 64, 65])
def test_any_variation_is_reported(by: int) -> None:
    one = result("atmega328p", "aes128-gcm", constant_time=False, varies={"open": by})
    shown = row(general.section(UNO, Results([one])), "atmega328p-suites", "aes128-gcm")
    assert shown["constant time"] == f"varies: open {by}"


def test_flags_are_chosen_by_64_bytes() -> None:
    some = [
        result("atmega328p", "aes128-gcm", (size, 0), opt=opt, cycles=cycles)
        for opt, size, cycles in (
            ("Os", 16, 1000),
            ("Os", 64, 9000),
            ("O2", 16, 2000),
            ("O2", 64, 8000),
        )
    ]
    found = general.section(UNO, Results(some))
    shown = row(found, "atmega328p-suites", "aes128-gcm")
    assert shown["flags"] == "-O2"
    assert shown["seal 16 B [cycles]"] == 2000


def test_balanced_is_the_least_product_and_then_the_smaller_code() -> None:
    def one(code: int, cycles: int) -> Result:
        return result("atmega328p", "aes128-gcm", code=code, cycles=cycles - 100)

    # 1000 x 1000 of each; then 999 x 1001, which is less, though the sum is not.
    assert balanced([one(2000, 500), one(1000, 1000), one(500, 2000)]) == one(500, 2000)
    assert balanced([one(1000, 1000), one(100, 9999)]) == one(100, 9999)


def test_overview_is_of_messages_without_header() -> None:
    some = [
        result("atmega328p", "aes128-gcm", (64, 0), cycles=15_900),
        result("atmega328p", "aes128-gcm", (64, 14), cycles=7900),
    ]
    found = overview.section([UNO], Results(some))
    shown = row(found, "overview-cycles", "aes128-gcm")
    assert shown["atmega328p"] == 16_000
    shown = row(found, "overview-energy", "aes128-gcm")
    assert shown["atmega328p"] == three_digits(1e3 * power_w(UNO))
    shown = row(found, "devices", "atmega328p")
    assert shown["current [mA, active]"] == three_digits(
        1e3 * UNO.active_current_a.value
    )
    assert shown["supply [V]"] == UNO.supply_voltage_v.value
    assert shown["results"] == "2"


def test_energy_rests_on_current_and_voltage() -> None:
    for device in devices.devices():
        current, voltage = device.active_current_a, device.supply_voltage_v
        checked = [current.checked, voltage.checked]
        wanted = Origin.ESTIMATED if all(checked) else Origin.ASSUMED
        assert device.energy_origin == wanted
        supply = f"{current.value * 1e3:g} mA at {voltage.value:g} V"
        assert supply in device.energy_source


# ModSpeck


def modspeck_results() -> list[Result]:
    """Return results of AES and Speck, each better on one board."""

    def one(board: str, suite: str, opt: str, cycles: int, ram: int) -> Result:
        sizes: dict[str, Any] = {"static_ram_bytes": ram - 60, "stack_bytes": 60}
        return result(board, suite, opt=opt, cycles=cycles, **sizes)

    return [
        one("atmega328p", "aes128", "Os", 9900, 100),
        one("atmega328p", "aes128", "O2", 7900, 100),
        one("atmega328p", "aes128", "O3", 8900, 100),
        one("atmega328p", "speck128-128", "O3", 3900, 200),
        one("atmega2560", "aes128", "O2", 1900, 400),
        one("atmega2560", "speck128-128", "O2", 5900, 100),
    ]


def test_modspecks_columns_are_in_the_papers_units() -> None:
    found = modspeck.section(Results(modspeck_results()))
    shown = [r for r in rows(found, "modspeck-uno", "samara", "AES") if r["flags"]]
    (aes,) = [r for r in shown if r["key"] == "128 bits"]
    assert aes["flags"] == "-O2, portable"
    assert aes["RAM [bits]"] == 800
    assert aes["code [kbit]"] == 8.0
    assert aes["cycles [a block, with set-up]"] == 8000
    assert aes["cycles [a block, without]"] == 7900
    # 128 bits in 8,000 and in 7,900 cycles of 62.5 ns.
    assert aes["throughput [Mbit/s, with set-up]"] == 0.26
    assert aes["throughput [Mbit/s, without]"] == 0.26
    # 500 us.
    assert aes["energy [nJ/bit]"] == three_digits(500e3 * power_w(UNO) / 128)
    assert modspeck.throughput(4000) == pytest.approx(0.512)


def test_the_figure_of_merit_by_hand() -> None:
    some = Results(modspeck_results())
    found = modspeck.section(some)
    merits = {
        str(r["cipher"]): r["samara [by (3), (4)]"]
        for r in rows(found, "modspeck-merit", "128 bits")
    }
    # Uno: AES 100/100 + 1 + 8000/4000, Speck 200/100 + 1 + 1.
    # Mega: AES 400/100 + 1 + 1, Speck 1 + 1 + 6000/2000.
    assert merits["AES"] == (4 + 6) / 2
    assert merits["Speck"] == (4 + 5) / 2
    assert merits["Simon"] is None


def test_equation_4_is_the_mean_of_boards() -> None:
    assert merit.figure([3.0, 4.0, 8.0]) == 5
    assert merit.figure([7.0]) == 7


def test_the_papers_merits_come_of_both_boards() -> None:
    again = merit.published()
    records = published.table("modspeck_arduino.csv")
    place = next(
        i
        for i, record in enumerate(records)
        if (record.text("cipher"), record.value("key_bits")) == ("ModSpeck", 256)
    )
    uno = 3136 / 3040 + 18.224 / 16.917 + 15226 / 10234
    mega = 3136 / 3040 + 20.520 / 17.683 + 14816 / 10221
    assert again[place] == pytest.approx((uno + mega) / 2)


# The Grain note


def test_the_notes_columns() -> None:
    one = result("atmega128", "grain128aead", (1224, 40), cycles=924, **MEMORY)
    # Another message is not the note's.
    other = result("atmega128", "grain128aead", (1224, 14), cycles=1)
    found = grain128aead.section(Results([one, other]))
    shown = row(found, "grain128aead-table1", "atmega128", "Grain-128AEADv2")
    assert (shown["state [bytes]"], shown["code [bytes]"]) == (41, 1000)
    assert (shown["stack [bytes]"], shown["cycles"]) == (67, 1024)
    # 1000 x 2^10.
    assert shown["code x cycles [log2]"] == round(10 + math.log2(1000), 2)


# Link security


def link(suite: str, opt: str, cycles: int) -> Result:
    return result(
        linkrows.DEVICE,
        suite,
        link_security_sizes(),
        opt=opt,
        cycles=cycles,
        implementation="engine",
        **MEMORY,
    )


def link_security_sizes() -> tuple[int, int]:
    return linkrows.PAYLOAD, linkrows.HEADER


def test_ccm_with_its_set_up_in_ms_and_energy() -> None:
    some = [
        link(linkrows.CCM, "Os", 15_900),
        link(linkrows.CCM, "O2", 17_000),
        link(linkrows.CCM, "O3", 7900),
    ]
    found = link_security.section(Results(some))
    ours = rows(found, "link-security-ccm", "CCM* forward", "samara", "engine")
    # The smallest, and the fastest.
    assert [r["flags"] for r in ours] == ["-Os", "-O3"]
    assert [r["cycles"] for r in ours] == [16_000, 8000]
    assert [r["at 16 MHz [ms]"] for r in ours] == [1.0, 0.5]
    assert [r["at 32 MHz [ms]"] for r in ours] == [0.5, 0.25]
    device = devices.device(linkrows.DEVICE)
    assert ours[0]["energy [µJ]"] == float(f"{1e3 * power_w(device):.4g}")
    ours = rows(found, "link-security-ccm", "CCM* inverse", "samara", "engine")
    assert [r["cycles"] for r in ours] == [16_001, 8001]
    shown = row(found, "link-security-memory", "samara", "engine", "-Os")
    found_sizes = [shown[f"{name} [bytes]"] for name in ("ROM", "RAM", "stack")]
    assert found_sizes == [1000, 41, 67]


def test_the_engine_takes_24_us_and_the_paper_printed_32_mhz() -> None:
    found = link_security.section(Results([]))
    shown = row(found, "link-security-aes", "data sheet")
    assert (shown["cycles"], shown["at 16 MHz [µs]"]) == (384, 24.0)
    assert shown["at 32 MHz [µs]"] == 12.0
    # 160 us without ticks: 5,120 at 32 MHz.
    with_load = rows(
        found, "link-security-aes", "hardware with key and data load", "paper"
    )
    assert [r["cycles"] for r in with_load] == [1331, 5120]
    assert with_load[1]["at 16 MHz [µs]"] == 320.0


def charts_in(plot: Plot) -> list[charts.Chart]:
    return [each for each in plot.charts if isinstance(each, charts.Chart)]


def test_fig_8_is_in_ms_at_the_papers_clock() -> None:
    plot = linkplots.fig8(Results([link(linkrows.CCM, "Os", 31_900)]))
    lines = [line for chart in charts_in(plot) for line in chart.series]
    (ours,) = [line for line in lines if line.name == "CCM*, ours"]
    assert [(point.x, point.y) for point in ours.points] == [(95, 1.0)]
    assert {chart.y.unit for chart in charts_in(plot)} == {"ms"}
    printed = [line for line in lines if line.name == "CCM*, paper"]
    # The engine optimised, and software not optimised.
    assert [line.points[0].y for line in printed] == [1.44, 64.8]
    assert {line.points[0].origin for line in printed} == {Origin.PUBLISHED}


def test_the_notes_ciphers_are_hollow_points_with_their_names() -> None:
    one = result("atmega128", "grain128aead", (1224, 40), code=900, cycles=1900)
    chart, _ = charts_in(grain128aead._plot(Results([one])))  # noqa: SLF001 - section has tables, too
    grain, others, own = chart.series
    names = [grain.name, others.name, own.name]
    assert names == [
        "note: Grain-128AEAD", "note: others", "samara: Grain-128AEADv2"
    ]  # fmt: skip
    (printed,) = grain.points
    records = [
        each
        for each in published.table("grain128aead_mcu.csv")
        if each.text("processor").lower() == "atmega128"
    ]
    (record,) = [each for each in records if each.text("cipher") == "Grain-128AEAD"]
    assert (printed.x, printed.y) == (
        *(record.value("code_bytes"), record.value("total_cycles")),
    )
    assert {each.origin for each in others.points} == {Origin.PUBLISHED}
    assert "ASCON" in {each.label for each in others.points}
    (point,) = own.points
    # Set-up takes 100 cycles.
    assert (point.x, point.y) == (900, 2000)
    assert (point.label, point.origin) == ("Grain-128AEADv2", Origin.MEASURED)


def test_dots_of_a_paper_stand_at_their_cipher() -> None:
    plot = modspeck._fig3({board: {} for board in ("uno", "mega")})  # noqa: SLF001 - section has tables, too
    uno, _ = charts_in(plot)
    records = [record for _, record in modspeck.contestants()]
    theirs, with_set_up, without = uno.series
    assert not [*with_set_up.points, *without.points]
    assert {point.y: point.x for point in theirs.points} == {
        at: record.number("uno_mbit_s") for at, record in enumerate(records)
    }
    titles = [each.title for each, _ in modspeck.contestants()]
    assert list(uno.y.names) == titles


# Grain-128PLE


def test_ples_times_with_and_without_start_up() -> None:
    one = result("atmega328p", "grain128ple", (1024, 0), cycles=15_900, **MEMORY)
    times = host.HostTimes("p", {100: 3e-6, 1024: 12.24e-6})
    found = grain128ple.section_with(Results([one]), times)
    shown = row(found, "grain128ple-table1", "atmega328p")
    assert shown["encrypt [ms]"] == 1.0
    # A Mbyte is 2^20: 1,024 times the message.
    assert shown["encrypt [s/Mbyte]"] == 1.024
    assert shown["start-up [ms]"] == 0.00625
    assert shown["without start-up [s/Mbyte]"] == 1.018
    assert shown["decrypt [ms]"] == 1.0
    assert shown["decrypt [s/Mbyte]"] == 1.024
    here = row(found, "grain128ple-table1", "this machine", "1,024")
    assert here["encrypt [ms]"] == 0.0122
    assert here["start-up [ms]"] == 0.002
    assert here["without start-up [s/Mbyte]"] == 0.0105
    shown = row(found, "grain128ple-memory", "atmega328p")
    found_sizes = [shown[f"{name} [bytes]"] for name in ("RAM", "stack", "code")]
    assert found_sizes == [41, 67, 1000]


def test_a_machines_time_is_that_of_one_message(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def timed(_suite: object, size: int, count: int) -> SimpleNamespace:
        return SimpleNamespace(nanoseconds=count * size * 1000)

    monkeypatch.setattr(crypto.Suite, "time_seal", timed)
    found = host.measure("grain128ple", (100, 1000)).seconds
    # 1 us a byte, however often a message is repeated.
    assert found[100] == pytest.approx(1e-4)
    assert found[1000] == pytest.approx(1e-3)


# Cells and files


@pytest.mark.parametrize(
    ("value", "digits", "text"),
    [
        (1234.5, 3, "1,230"),
        (123.4, 3, "123"),
        (12.34, 3, "12.3"),
        (1.234, 3, "1.23"),
        (0.012345, 3, "0.0123"),
        (1.0, 4, "1.000"),
        (99.96, 3, "100"),
    ],
)
def test_digits_that_matter(value: float, digits: int, text: str) -> None:
    cell = tables.significant(value, Origin.MEASURED, digits)
    assert cell.text == text
    assert cell.value == float(text.replace(",", ""))


def test_numbers_are_rounded() -> None:
    assert tables.number(2.6, Origin.MEASURED).value == 3
    assert tables.number(2.345, Origin.MEASURED, 1).value == 2.3


def test_a_file_tells_each_origin() -> None:
    columns = [tables.label("a"), tables.Column("b", "ms")]
    cells: Iterator[Cell] = (tables.number(n, o) for n, o in enumerate(Origin))
    table = tables.Table(
        "t", "T", columns, [tables.Row([tables.words("x"), c]) for c in cells]
    )
    lines = list(csv.DictReader(io.StringIO(csv_of_table(table).decode())))
    assert [(line["b [ms]"], line["b origin"]) for line in lines] == [
        (str(place), origin.value) for place, origin in enumerate(Origin)
    ]


def test_shows_cells_are_of_sealing() -> None:
    times = {"set_up": 1000.0, "seal": 2500.0, "open": 4000.0}
    energies = {"set_up": 1.0, "seal": 2.5, "open": 4.0}
    one = result("atmega328p", "aes128-gcm", time_us=times, energy_uj=energies)
    one = changed(one, constant_time=False, varies={"seal": 1})
    cells = results_table._figures(one)  # noqa: SLF001 - a terminal cuts them
    assert [cell.text for cell in cells[:6]] == [
        *("100", "16,000", "16,001"),
        *("1,000", "40", "60"),
    ]
    assert [cell.text for cell in cells[6:]] == ["2.50", "2.50", "varies seal 1"]
    # The current of the ATmega328P was not checked.
    assert [cell.origin for cell in cells[6:8]] == [Origin.MEASURED, Origin.ASSUMED]
