# SPDX-License-Identifier: Apache-2.0
"""Areas, clocks and powers in tables and --json are those of results/chip.

Commands get lines of results/chip instead of running yosys, OpenSTA, Icarus and
nextpnr; what they are to show is worked out here from these lines.
"""

from __future__ import annotations

import json
import re
import statistics
from pathlib import Path
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

import pytest
from printed import (
    assert_figures,
    objects,
    output,
    tables,
    value_in,
)

from samara.chip import (
    described,
    fpga,
    library,
    power,
    preparing,
    results,
    synthesis,
    tools,
)
from samara.records.checking import problems
from samara.records.json_lines import record_line
from samara.records.json_types import json_type_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from samara.records import Record

ROOT = Path(__file__).parents[2]


LIBRARY = "sky130_fd_sc_hd__tt_025C_1v80"


def lines(kind: str, name: str) -> list[dict[str, Any]]:
    """Return the lines of a kind about cores alone in a file of results/chip."""
    path = ROOT / "results" / "chip" / f"{name}.jsonl"
    found = map(json.loads, path.read_text().splitlines())
    alone = (line for line in found if line.get("top", "core") == "core")
    return [line for line in alone if line["kind"] == kind]


def chosen(kind: str, name: str) -> dict[tuple[str, str], dict[str, Any]]:
    """Return those of the cores that tests show, by core and goal."""
    return {
        (line["core"], line["goal"]): line
        for line in lines(kind, name)
        if re.fullmatch(r"grain-(ple-)?n[18](-fast)?", line["core"])
    }


def bits_a_clock(core: str) -> float:
    """Return bits of message: all of the keystream, or every second one."""
    n = int(re.findall(r"n(\d+)", core)[0])
    return n if "-ple-" in core else n / 2


def row_of(line: dict[str, Any]) -> Any:  # noqa: ANN401 - one of several rows
    return results.from_json(line)


@pytest.fixture
def without_tools(monkeypatch: pytest.MonkeyPatch) -> pytest.MonkeyPatch:
    """Let commands of the chip take rows of results/ instead of running programs."""
    nothing: Callable[..., tuple[()]] = lambda *_, **__: ()  # noqa: E731 - of any call
    monkeypatch.setattr(library, "load", nothing)
    monkeypatch.setattr(tools, "found", nothing)
    for name in ("prepare", "prepare_placing", "slow_pins"):
        monkeypatch.setattr(preparing, name, nothing)
    monkeypatch.setattr(results, "store", nothing)
    return monkeypatch


def test_synthesis(without_tools: pytest.MonkeyPatch) -> None:
    known = chosen("synthesis", LIBRARY)

    def synthesise_all(runs: Sequence[Any], _: object) -> Iterator[SimpleNamespace]:
        for run in runs:
            line = known[run.core.name, run.goal]
            yield SimpleNamespace(row=row_of(line), failed=())

    without_tools.setattr(synthesis, "synthesise_all", synthesise_all)
    command = "chip synth --n 1,8 --variant plain --variant fast --authenticate"
    records = objects(command)
    (rows,) = tables(output(f"{command} --wide"))
    assert len(rows) == len(records) == 8
    for row, one in zip(rows, records, strict=True):
        line = known[one["core"], one["goal"]]
        assert (row["core"], row["goal"]) == (line["core"], line["goal"])
        path_s, ports_s = line["inside_ns"] * 1e-9, line["with_ports_ns"] * 1e-9
        bit_s = bits_a_clock(line["core"]) / path_s
        assert_figures(
            row,
            {
                "area": (line["area_ge"], "GE"),
                "flip-flops": (line["flip_flops"], ""),
                "their share": (line["flip_flops_ge"] / line["area_ge"], ""),
                "clock gates": (line["clock_gates"], ""),
                "path": (path_s, "s"),
                "clock": (1 / path_s, "Hz"),
                "through port": (ports_s, "s"),
                "throughput": (bit_s, "bit/s"),
            },
        )
        for name, value, unit in (
            ("area", line["area_ge"], "GE"),
            ("flip_flops_area", line["flip_flops_ge"], "GE"),
            ("clock_gates_area", line["clock_gates_ge"], "GE"),
            ("path", path_s, "s"),
            ("path_with_ports", ports_s, "s"),
            ("clock", 1 / path_s, "Hz"),
            ("throughput", bit_s, "bit/s"),
        ):
            assert value_in(one[name], unit) == pytest.approx(value, rel=1e-6), name
        assert one["flip_flops"] == line["flip_flops"]
        assert one["clock_gates"] == line["clock_gates"]


@pytest.mark.parametrize(("clock", "hertz"), [("100kHz", 1e5), ("10MHz", 1e7)])
def test_power(clock: str, hertz: float, without_tools: pytest.MonkeyPatch) -> None:
    known = chosen("power", LIBRARY)

    def measure(run: Any) -> Any:  # noqa: ANN401 - a run of the command
        return row_of(known[run.core.name, run.goal])

    def synthesise(run: Any) -> SimpleNamespace:  # noqa: ANN401 - as above
        return SimpleNamespace(run=run, row=SimpleNamespace(frequency_hz=1e9))

    without_tools.setattr(power, "measure", measure)
    without_tools.setattr(synthesis, "synthesise", synthesise)
    command = f"chip power --n 1,8 --variant plain --clock {clock}"
    records = objects(command)
    (rows,) = tables(output(f"{command} --wide"))
    assert len(rows) == len(records) == 4
    for row, one in zip(rows, records, strict=True):
        line = known[one["core"], one["goal"]]
        assert (row["core"], row["goal"]) == (line["core"], line["goal"])
        assert one["clock"] == hertz
        leakage_w, run_j = line["leakage_w"], line["run_j"]
        starting_w, running_w = (
            line[name] * hertz + leakage_w for name in ("start_j", "run_j")
        )
        a_clock = bits_a_clock(line["core"])

        bit_j = running_w / hertz / a_clock
        assert_figures(
            row,
            {
                "leakage": (leakage_w, "W"),
                "starting": (starting_w, "W"),
                "running": (running_w, "W"),
                **{part: (_part_w(line, part, hertz), "W") for part in power.PARTS},
                "a clock": (run_j, "J"),
                "a bit": (bit_j, "J"),
                "8 bytes": (_energy_j(line, 8, hertz), "J"),
                "8000 bytes": (_energy_j(line, 8000, hertz), "J"),
            },
            kept=3,
        )
        for name, value, unit in (
            ("leakage", leakage_w, "W"),
            ("starting", starting_w, "W"),
            ("running", running_w, "W"),
            ("energy_per_bit", bit_j, "J"),
            ("energy_block", _energy_j(line, 8, hertz), "J"),
            ("energy_1000_blocks", _energy_j(line, 8000, hertz), "J"),
        ):
            assert value_in(one[name], unit) == pytest.approx(value), name
        for name, figure in one["running_parts"].items():
            expected = line["run_parts_j"][name] * hertz
            assert value_in(figure, "W") == pytest.approx(expected)
        for name, figure in one["leakage_parts"].items():
            assert value_in(figure, "W") == line["leakage_parts_w"][name]


def _energy_j(line: dict[str, Any], size: int, hertz: float) -> float:
    starting, running = line["start_clocks"], 8 * size / bits_a_clock(line["core"])
    dynamic_j = starting * line["start_j"] + running * line["run_j"]
    return float(dynamic_j + line["leakage_w"] * (starting + running) / hertz)


def _part_w(line: dict[str, Any], part: str, hertz: float) -> float:
    kinds = ("internal", "switching")
    dynamic_j = sum(line["run_parts_j"].get(f"{part}/{kind}", 0) for kind in kinds)
    return float(dynamic_j * hertz + line["leakage_parts_w"].get(part, 0))


def test_placement(without_tools: pytest.MonkeyPatch) -> None:
    known = {
        line["core"]: line
        for line in lines("placement", "fpga/ice40-hx8k")
        if line["top"] == "core" and line["goal"] == "area"
    }

    def place_all(runs: Sequence[Any], _: object) -> Iterator[SimpleNamespace]:
        return (SimpleNamespace(row=row_of(known[run.core.name])) for run in runs)

    without_tools.setattr(fpga, "place_all", place_all)
    command = "chip fpga --part ice40-hx8k --n 1,4,8 --variant plain --goal area"
    records = objects(command)
    (rows,) = tables(output(f"{command} --wide"))
    assert len(rows) == len(records) == 3
    for row, one in zip(rows, records, strict=True):
        line = known[one["core"]]
        assert row["core"] == line["core"]
        clocks_hz = sorted(line["clocks_hz"].values())
        best_hz, median_hz = clocks_hz[-1], statistics.median(clocks_hz)
        bit_s = best_hz * bits_a_clock(line["core"])
        assert_figures(
            row,
            {
                "logic cells": (line["cells"], ""),
                "flip-flops": (line["flip_flops"], ""),
                "best": (best_hz, "Hz"),
                "median": (median_hz, "Hz"),
                "throughput": (bit_s, "bit/s"),
            },
        )
        assert row["longest path"].endswith(f": {line['path_cells']} cells")
        for name in ("cells", "luts", "flip_flops", "path_cells"):
            assert one[name] == line[name]
        for name, value, unit in (
            ("clock", best_hz, "Hz"),
            ("clock_median", median_hz, "Hz"),
            ("throughput", bit_s, "bit/s"),
            ("path_logic", line["path_logic_ns"] * 1e-9, "s"),
        ):
            assert value_in(one[name], unit) == pytest.approx(value, rel=1e-6), name


def test_each_result_is_a_record_of_its_shape() -> None:
    committed = results.committed()
    rows = results.read(committed, committed / "fpga")
    assert len(rows) > 100
    for row in rows:
        if isinstance(row, results.Synthesis):
            record: Record = described.synthesis_of(row)
        elif isinstance(row, results.Power):
            record = described.power_of(row, 1e7)
        else:
            record = described.placement_of(row)
        line = json.loads(record_line(record))
        assert line.pop("type") == row.KIND
        assert line["core"] == row.core
        assert not list(problems(json_type_of(type(record)), line))
