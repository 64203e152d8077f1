# SPDX-License-Identifier: Apache-2.0
"""Results of chips: files, what is stale, and the page beside the note."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest
from shell import assert_done, samara

from samara.chip import comparing, results
from samara.chip.design import WIDTHS, sources_hash
from samara.chip.report import docs, goals, making, wrappers
from samara.chip.report.answer import answers
from samara.chip.report.rows import by_library, goal_ge, goal_mhz
from samara.chip.results import Power, Synthesis
from samara.errors import DamagedWarning
from samara.figure import Figure, Origin

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path
    from typing import Any

ABOUT: Mapping[str, Any] = {
    "core": "grain-n8",
    "goal": "area",
    "library": "sky130_fd_sc_hd__tt_025C_1v80",
    "library_sha256": "00",
    "process": "SkyWater 130 nm",
    "corner": "typical",
    "sources": "old",
    "tools": {"yosys": "1"},
}
SYNTHESIS = Synthesis(
    **ABOUT,
    nand2="nand2",
    nand2_area=4,
    flip_flop_ge=5,
    area_ge=4000,
    flip_flops=400,
    flip_flops_ge=2000,
    latches=0,
    clock_gates=3,
    clock_gates_ge=12,
    inside_ns=2,
    with_ports_ns=3,
)
POWER = Power(
    **ABOUT,
    messages=2,
    message_bytes=32,
    start_clocks=100,
    run_clocks=84,
    leakage_w=1e-6,
    start_j=20e-12,
    run_j=40e-12,
    start_parts_j={"generator/internal": 20e-12},
    run_parts_j={"generator/internal": 30e-12, "control/switching": 10e-12},
    leakage_parts_w={"generator": 1e-6, "control": 0},
)


def other(row: Synthesis, **changed: object) -> Synthesis:
    return results.from_json(row.as_json() | changed)  # type: ignore[return-value]


def test_files_keep_the_last_row_about_the_same(tmp_path: Path) -> None:
    results.store(tmp_path, [SYNTHESIS, POWER])
    results.store(tmp_path, [other(SYNTHESIS, area_ge=3999.0)])
    found = results.read(tmp_path)
    assert sorted(found, key=lambda row: row.identity) == [
        POWER,
        other(SYNTHESIS, area_ge=3999.0),
    ]
    assert all(row.origin is Origin.ESTIMATED for row in found)


def test_a_damaged_line_is_left_out(tmp_path: Path) -> None:
    results.store(tmp_path, [SYNTHESIS])
    (path,) = tmp_path.iterdir()
    path.write_text('{"kind": "synthesis"}\nx\n' + path.read_text())
    with pytest.warns(DamagedWarning, match="damaged at line"):
        assert results.read(tmp_path) == [SYNTHESIS]


def test_figures_of_a_message() -> None:
    assert SYNTHESIS.frequency_hz == 500e6
    assert SYNTHESIS.throughput_bit_s == 2e9
    assert POWER.power_w(1e6, POWER.run_j) == pytest.approx(41e-6)
    assert POWER.part_w(1e6, "generator") == pytest.approx(31e-6)
    # 100 clocks of start, 16 of data.
    expected = 100 * 20e-12 + 16 * 40e-12 + 1e-6 * 116e-6
    assert POWER.energy_j(1e6, 8) == pytest.approx(expected, rel=1e-6, abs=0)
    assert POWER.energy_of_bit_j(1e6) == pytest.approx(41e-12 / 4, rel=1e-6, abs=0)


def test_a_row_of_other_sources_is_stale() -> None:
    """Power has no module of its own; what was synthesised may be a wrapper."""
    for row in (SYNTHESIS, POWER):
        assert row.is_stale
        now = row.as_json() | {"sources": sources_hash()}
        assert not results.from_json(now).is_stale


def test_one_netlist_keeps_both_goals_or_none_is_named() -> None:
    small = other(SYNTHESIS, goal="area", inside_ns=4.0)
    fast = other(SYNTHESIS, goal="speed", area_ge=5000.0)
    (rows,) = by_library([small, fast])
    assert (rows.smallest(8), rows.fastest(8)) == (small, fast)
    assert rows.both(8) is None
    assert by_library([SYNTHESIS])[0].both(8) == SYNTHESIS
    assert goal_ge("high_speed", 8) == 4448
    assert goal_mhz(rows.library, 8) == pytest.approx(1.3 * 357)
    assert goal_mhz("unknown", 8) is None


def test_goals_of_area_are_what_the_note_prints() -> None:
    high = [goal_ge("high_speed", n) for n in WIDTHS]
    assert high == [2645, 2695, 3335, 4448, 7118, 9206, 16958]
    low = [goal_ge("low_power", n) for n in WIDTHS]
    # It prints 2053 for N = 16, between 3692 and 7950.
    assert low == [2375, 2588, 2950, 3692, None, 7950, 13800]
    assert goal_ge("high_speed", 3) is None


def test_a_missed_goal_has_its_bound_by_hand() -> None:
    ple = other(SYNTHESIS, core="grain-ple-n1", area_ge=1750.0)
    large = other(SYNTHESIS, area_ge=4500.0)
    table = goals.missed(by_library([large, ple]))
    rows = [[cell.value for cell in row.cells] for row in table.rows]
    # 256 flip-flops of 5 gate equivalents, and 384.
    assert rows == [
        ["SkyWater 130 nm", "1", "keystream", 1700, 1750, 2.9, 1280, 420, 470],
        ["SkyWater 130 nm", "8", "high speed", 4448, 4500, 1.2, 1920, 2528, 2580],
        ["SkyWater 130 nm", "8", "low power", 3692, 4500, 21.9, 1920, 1772, 2580],
    ]
    assert not goals.missed(by_library([other(SYNTHESIS, area_ge=3692.0)])).rows


def test_the_goals_as_markdown(tmp_path: Path) -> None:
    results.store(tmp_path, [SYNTHESIS])
    found = docs.blocks(tmp_path)
    assert set(found) == {
        *("chip-goals", "chip-missed", "chip-fpga", "chip-spi"),
        *("chip-wrappers", "chip-limits"),
    }
    lines = found["chip-goals"].splitlines()
    assert lines[0].startswith("| library | N | smallest, GE | goal, high speed, GE |")
    assert lines[1] == "|" + "---|" * 8
    assert lines[2].startswith("| SkyWater 130 nm | 1 | not yet | 2,645 | 2,375 |")
    assert lines[5] == (
        "| SkyWater 130 nm | 8 | 4,000 | 4,448 | 3,692 | 500 | 464 |"
        " grain-n8, for area |"
    )
    assert len(lines) == 2 + len(WIDTHS)


def test_the_page_has_each_n_and_says_what_is_stale(tmp_path: Path) -> None:
    made = making.make([SYNTHESIS, POWER])
    page, *files = made.write(tmp_path)
    text = page.read_text()
    assert "2 results are of other sources" in text
    assert "What the Grain-128 core costs in hardware" in text
    assert "not yet" in text
    area = (tmp_path / "chip-area.csv").read_text()
    assert len(area.splitlines()) == 1 + len(WIDTHS)
    assert "4448" in area
    assert {path.suffix for path in files} == {".csv"}


def test_the_page_says_which_clocks_are_within_the_limits() -> None:
    kept = other(SYNTHESIS, core="grain-n4", beyond_limits=0)
    over = other(SYNTHESIS, core="grain-n2", beyond_limits=7)
    none = other(SYNTHESIS, core="grain-n1", clock_gates=0)
    facts = making.make([SYNTHESIS, kept, over, none]).facts
    assert facts["clock gates"].startswith("1 of 3 netlists with clock gates")
    assert "clock gates" not in making.make([kept, none]).facts


def test_a_page_without_results_says_how_to_get_them() -> None:
    (gap,) = making.make([]).missing()
    assert gap.command == "samara chip synth"


def test_a_message_on_a_core_by_hand() -> None:
    # A byte of length is two words of 4 bits; then the bit behind it, and the end.
    cost = comparing.of_core(POWER, 1e6, 0)
    assert cost.cycles.value == 97 + 2 + 2
    expected = 97 * 20e-12 + 4 * 40e-12 + 1e-6 * 101e-6
    assert cost.energy.value == pytest.approx(expected, rel=1e-6, abs=0)
    assert cost.energy.origin is Origin.ESTIMATED


@pytest.mark.slow
def test_a_core_stands_beside_devices() -> None:
    found = comparing.compare([POWER], 10e6, 64)
    names = [cost.name for cost in found]
    assert names[0] == "grain-n8"
    assert {"atmega128", "msp430f1611", "cortex-m0"} < set(names)
    energies = [cost.energy.value for cost in found]
    assert energies == sorted(energies)
    assert len(names) == len(set(names))


def test_a_clock_that_a_netlist_does_not_reach() -> None:
    # 2 ns are 500 MHz. Nothing is known of the other netlist, of other sources.
    unknown = results.from_json(POWER.as_json() | {"core": "grain-n4"})
    stale = other(SYNTHESIS, core="grain-n4", sources="x")
    rows: list[results.Row] = [SYNTHESIS, POWER, unknown, stale]
    assert comparing.at_clock(rows, 500e6) == ([POWER, unknown], [])
    assert comparing.at_clock(rows, 501e6) == ([unknown], [POWER])


@pytest.mark.slow
def test_what_compare_leaves_out_is_reported(tmp_path: Path) -> None:
    slow = other(SYNTHESIS, core="grain-n4")
    power = results.from_json(POWER.as_json() | {"core": "grain-n4"})
    fast = other(SYNTHESIS, inside_ns=0.5)
    results.store(tmp_path, [fast, POWER, slow, power])
    options = ("--store", tmp_path, "--clock", "1GHz", "--message", "63", "--json")
    done = samara("chip", "compare", *options, folder=tmp_path)
    messages = done.stderr.decode()
    assert done.returncode == 0, messages
    names = [json.loads(line)["name"] for line in done.stdout.decode().splitlines()]
    assert names == ["grain-n8"]
    assert "1 of 2 netlists are left out: they do not reach 1GHz" in messages
    assert "no results for 63 bytes: only cores are shown" in messages


def test_the_factor_and_when_it_ends_by_hand() -> None:
    def cost(name: str, joules: float, leakage_w: float, family: str) -> comparing.Cost:
        energy = Figure(joules, "J", Origin.ESTIMATED, "")
        time = Figure(1, "s", Origin.MEASURED, "")
        cycles = Figure(1, "cycle", Origin.MEASURED, "")
        return comparing.Cost(
            name, "", 1e6, cycles, time, energy, leakage_w, family=family
        )

    found = [
        cost("core", 2e-9, 1e-9, ""),
        cost("worse core", 3e-9, 1e-9, ""),
        cost("best avr", 42e-9, 0, "avr"),
        cost("msp430", 62e-9, 0, "msp430"),
        cost("worse avr", 82e-9, 0, "avr"),
    ]
    avr, msp430 = comparing.answers(found)
    assert (avr.core.name, avr.device.name) == ("core", "best avr")
    assert avr.ratio.value == pytest.approx(21)
    assert avr.break_even is not None
    assert avr.break_even.value == pytest.approx(40)
    assert msp430.ratio.value == pytest.approx(31)
    assert comparing.answers(found[2:]) == []


AXI = other(SYNTHESIS, top="axi", area_ge=9100.0, inside_ns=0.5)


def test_a_wrapper_has_rows_of_its_own(tmp_path: Path) -> None:
    results.store(tmp_path, [SYNTHESIS, POWER, AXI])
    found = results.read(tmp_path)
    assert sorted(found, key=lambda row: row.identity) == [POWER, SYNTHESIS, AXI]
    # It is no core: neither its area nor its clock is one of a core.
    (rows,) = by_library([AXI, SYNTHESIS])
    assert rows.smallest(8) == rows.fastest(8) == SYNTHESIS
    assert results.fastest_clock_hz([AXI, SYNTHESIS], POWER) == 500e6
    assert AXI.is_stale
    assert not other(AXI, sources=sources_hash("samara_grain128_axi")).is_stale
    assert other(AXI, sources=sources_hash()).is_stale


def test_what_a_wrapper_adds_by_hand() -> None:
    added = results.wrapper_ge([SYNTHESIS, AXI], SYNTHESIS.library, 8, "axi")
    assert added is not None
    assert (added.value, added.unit) == (5100, "GE")
    for rows, n, top in (([AXI], 8, "axi"), ([SYNTHESIS, AXI], 8, "spi")):
        assert results.wrapper_ge(rows, SYNTHESIS.library, n, top) is None
    assert results.wrapper_ge([SYNTHESIS, AXI], SYNTHESIS.library, 4, "axi") is None
    table = wrappers.table(by_library([SYNTHESIS, AXI]))
    (row,) = [[cell.value for cell in row.cells] for row in table.rows]
    # 64 bytes in and 64 out.
    cycles = 9 * 4 + 128 * 6
    assert row[:5] == ["SkyWater 130 nm", "8", 4000, 9100, 5100]
    assert row[5:] == [None, None, 9, 128, cycles]


def test_what_is_left_if_the_host_feeds_the_core_by_hand() -> None:
    core = comparing.of_core(POWER, 1e6, 64, rows=[SYNTHESIS, AXI])
    assert core.area is not None
    assert core.wrapper is not None
    assert (core.area.value, core.wrapper.value) == (4000, 5100)
    energy = Figure(1000 * core.energy.value, "J", Origin.ESTIMATED, "")
    time = Figure(1, "s", Origin.MEASURED, "")
    cycles = Figure(100_000, "cycle", Origin.MEASURED, "")
    device = comparing.Cost("avr", "", 1e6, cycles, time, energy, family="avr", bits=8)
    (answer,) = comparing.answers([core, device])
    assert answer.ratio.value == pytest.approx(1000)
    host = 4 * 9 * 4 + 128 * 6
    assert answer.host_cycles is not None
    assert answer.host_cycles.value == host
    # The host takes 1000 / 100,000 of the core's energy in each cycle; the core leaks.
    fed = core.energy.value * (1 + 1000 * host / 100_000) + 1e-6 * host / 1e6
    assert answer.fed_ratio is not None
    assert answer.fed_ratio.value == pytest.approx(energy.value / fed)
    assert answer.fed_ratio.origin is Origin.ASSUMED


def test_a_core_that_a_wrapper_does_not_have_is_not_fed() -> None:
    wide = results.from_json(POWER.as_json() | {"core": "grain-n32"})
    assert isinstance(wide, Power)
    cost = comparing.of_core(wide, 1e6, 64, top="spi")
    assert (cost.feed, cost.area, cost.wrapper) == (None, None, None)
    assert comparing.of_core(POWER, 1e6, 64, top="spi").feed is not None


@pytest.mark.thorough
def test_committed_results_are_of_the_sources() -> None:
    rows = results.read(results.committed())
    assert rows
    stale = sorted({row.core for row in rows if row.is_stale})
    assert stale == [], (
        "results/chip is of other sources than rtl/: run the commands of"
        " results/chip/README.md"
    )


@pytest.mark.slow
def test_the_command(tmp_path: Path) -> None:
    results.store(tmp_path / "kept", [SYNTHESIS, POWER])
    done = samara(
        *("chip", "report", "--store", tmp_path / "kept", "-o", tmp_path / "page"),
        "--json",
        folder=tmp_path,
    )
    text = assert_done(
        done,
        "samara: warning: 2 of 2 results are of other sources than those in rtl/: run"
        " samara chip synth and samara chip power again.",
    )
    objects = [json.loads(line) for line in text.splitlines()]
    assert [each["type"] for each in objects[:2]] == ["page", "table"]
    assert (tmp_path / "page" / "index.html").is_file()


def test_the_answer_names_the_least_of_each() -> None:
    small = replace(SYNTHESIS, core="grain-n1", area_ge=2500, inside_ns=4)
    quick = replace(SYNTHESIS, core="grain-n64", area_ge=9000, inside_ns=1.6)
    (least,) = answers(by_library([small, SYNTHESIS, quick, POWER]))
    speed, energy = quick.throughput_bit_s / 1e9, POWER.energy_of_bit_j(10e6) * 1e12
    assert least.text == (
        "In SkyWater 130 nm: for the least area, take grain-n1: 2,500 gate equivalents."
        f" For speed, take grain-n64: {speed:.3g} Gbit/s."
        f" For the least energy at 10 MHz, take grain-n8: {energy:.3g} pJ a bit."
    )
    assert list(answers([])) == []
