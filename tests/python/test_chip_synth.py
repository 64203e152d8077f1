# SPDX-License-Identifier: Apache-2.0
"""Synthesis: areas, paths, and what is said when a program is missing."""

from __future__ import annotations

import json
import re
import shutil
from typing import TYPE_CHECKING

import pytest
from shell import assert_misuse, samara

from samara.bench import places
from samara.chip import library, preparing, recipes, synthesis, timing, tools
from samara.chip.design import Core, Variant
from samara.chip.recipes import Goal
from samara.chip.synthesis import Run
from samara.chip.tools import MissingToolError, ToolError
from samara.errors import MisuseError

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path


def test_scripts_differ_by_goal_and_library() -> None:
    osu = library.load()
    small = recipes.files(Core(1), osu, Goal.AREA)
    fast = recipes.files(Core(1, Variant.FAST), osu, Goal.SPEED)
    assert "-nofsm" in small["script.ys"]
    for k in range(6):
        assert f" -script candidate-{k}.abc\n" in small[f"candidate-{k}.ys"]
        assert small[f"candidate-{k}.abc"]
    assert "-script" not in fast["candidate-0.ys"]
    assert "-dont_use" not in fast["candidate-0.ys"]
    assert "-set FAST 1" in fast["script.ys"]
    assert "clockgate" not in small["script.ys"] + fast["script.ys"]
    assert small[recipes.CONSTRAINTS].startswith("set_driving_cell INVX1\n")


def test_a_wrapper_is_synthesised_with_its_core() -> None:
    found = recipes.files(Core(1, Variant.FAST), library.load(), Goal.AREA, "axi")
    assert {"samara_grain128.v", "samara_grain128_axi.v"} < set(found)
    assert "samara_grain128_spi.v" not in found
    script = found["script.ys"]
    assert "chparam -set N 1 -set FAST 1 samara_grain128_axi\n" in script
    assert "-flatten -top samara_grain128_axi\n" in script


@pytest.mark.slow
@pytest.mark.usefixtures("one_script")
def test_a_wrapper_is_larger_than_its_core(clone: Path) -> None:
    runs = [Run(Core(1), library.load(), Goal.AREA, top) for top in ("core", "axi")]
    alone, wrapped = (synthesis.synthesise(run).row for run in runs)
    assert (alone.top, wrapped.top) == ("core", "axi")
    # Key 128, nonce and what stands behind it 128, tag 64, sizes 48, and more.
    assert wrapped.flip_flops - alone.flip_flops > 128 + 128 + 64 + 48
    assert alone.sources != wrapped.sources
    assert not wrapped.is_stale
    assert clone.is_dir()
    with pytest.raises(MisuseError, match="N = 1 to 16, not 32"):
        synthesis.synthesise(Run(Core(32), library.load(), Goal.AREA, "spi"))


@pytest.mark.slow
@pytest.mark.usefixtures("one_script")
def test_the_smallest_core(clone: Path) -> None:
    netlist = synthesis.synthesise(Run(Core(1), library.load(), Goal.AREA))
    row = netlist.row
    # 256 bits of generator, 128 of authenticator, and few of control.
    assert 384 + 5 < row.flip_flops < 384 + 30
    assert row.flip_flops_ge == 4 * row.flip_flops
    assert 1.4 < row.area_ge / row.flip_flops_ge < 2.5
    assert 0 < row.inside_ns <= row.with_ports_ns
    assert netlist.folder.is_relative_to(clone)
    script = (netlist.folder / recipes.SCRIPT).read_text()
    # yosys counts the area by itself.
    said = tools.yosys(
        "read_liberty -lib library.lib\nread_verilog netlist.v\n"
        f"hierarchy -top samara_grain128\nstat -liberty {recipes.LIBERTY}\n",
        netlist.folder,
    )
    (area,) = re.findall(r"Chip area for module.*: ([0-9.]+)", said)
    assert float(area) / 24 == pytest.approx(row.area_ge, abs=0.01)
    # The script that made the netlist stays beside it.
    assert (netlist.folder / recipes.SCRIPT).read_text() == script
    # OpenSTA's own words agree with the slacks that were read.
    report = (netlist.folder / timing.REPORT).read_text()
    arrivals = re.findall(r"([0-9.]+)\s+data arrival time", report)
    assert max(map(float, arrivals)) < row.with_ports_ns


@pytest.mark.parametrize("least", [0, 4])
def test_the_smallest_netlist_is_kept(
    least: int, clone: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    made = recipes.candidates(Goal.AREA)

    def yosys(_: str, folder: Path) -> str:
        for number, candidate in enumerate(made):
            # The larger netlist has fewer cells.
            cells = {"NAND2X1": 3} if number == least else {"DFFPOSX1": 1}
            modules = {"\\samara_grain128": {"num_cells_by_type": cells}}
            text = json.dumps({"modules": modules})
            (folder / candidate.statistics).write_text(text)
            (folder / candidate.netlist).write_text(candidate.netlist)
        return ""

    monkeypatch.setattr(tools, "yosys", yosys)
    monkeypatch.setattr(timing, "paths", lambda *_: timing.Paths(1.0, 2.0))
    monkeypatch.setattr(timing, "slow_pins", lambda *_: [])
    netlist = synthesis.synthesise(Run(Core(1), library.load(), Goal.AREA))
    assert netlist.row.area_ge == 3
    assert (netlist.folder / recipes.NETLIST).read_text() == made[least].netlist
    assert not list(netlist.folder.glob("candidate-*.v"))
    assert netlist.folder.is_relative_to(clone)


def test_a_pin_beyond_the_limit_is_reported(tmp_path: Path) -> None:
    """One inverter drives 300 flip-flops; then the library has a limit, then none."""
    count = 300
    lines = [
        "module samara_grain128 (clk, a, q);",
        f"  input clk, a; output [{count - 1}:0] q; wire n;",
        "  INVX1 i ( .A(a), .Y(n) );",
        *(f"  DFFPOSX1 f{k} ( .CLK(clk), .D(n), .Q(q[{k}]) );" for k in range(count)),
        "endmodule",
    ]
    (tmp_path / recipes.NETLIST).write_text("\n".join(lines) + "\n")
    text = library.load().text()
    (tmp_path / recipes.LIBERTY).write_text(text)
    run = Run(Core(1), library.load(), Goal.AREA)
    netlist = synthesis.Netlist(run, tmp_path, None)  # type: ignore[arg-type]
    assert not list(preparing.slow_pins(netlist))

    head = re.search(r"\blibrary\s*\([^)]*\)\s*\{", text)
    assert head is not None
    limited = (
        f"{text[: head.end()]}\n default_max_transition : 0.5;{text[head.end() :]}"
    )
    (tmp_path / recipes.LIBERTY).write_text(limited)
    slow = timing.slow_pins(tmp_path)
    # The data pins of all flip-flops, and the inverter's output.
    assert {f"f{k}/D" for k in range(count)} <= {pin.pin for pin in slow}
    assert all(pin.takes_ns > pin.limit_ns == 0.5 for pin in slow)
    (notice,) = preparing.slow_pins(netlist)
    assert f"{len(slow)} pins change more slowly than the library allows" in notice.text
    assert "at most 0.5 ns" in notice.text
    assert notice.warns


def _yosys(failing: set[str]) -> Callable[[str, Path], str]:
    """Return a yosys that makes a netlist of one gate, and fails with some scripts."""

    def run(script: str, folder: Path) -> str:
        for name in failing:
            if f"-script {name}\n" in script:
                message = f"{name} has failed"
                raise ToolError(message)
        for candidate in recipes.candidates(Goal.AREA):
            if f"-script {candidate.mapping}\n" in script:
                modules = {"\\samara_grain128": {"num_cells_by_type": {"INVX1": 1}}}
                text = json.dumps({"modules": modules})
                (folder / candidate.statistics).write_text(text)
                (folder / candidate.netlist).write_text(candidate.netlist)
        return ""

    return run


@pytest.mark.usefixtures("clone")
def test_a_script_that_fails_is_left_out_and_reported(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    names = [each.mapping for each in recipes.candidates(Goal.AREA)]
    monkeypatch.setattr(tools, "yosys", _yosys({names[0]}))
    monkeypatch.setattr(timing, "paths", lambda *_: timing.Paths(1.0, 2.0))
    monkeypatch.setattr(timing, "slow_pins", lambda *_: [])
    netlist = synthesis.synthesise(Run(Core(1), library.load(), Goal.AREA))
    assert netlist.failed == {names[0]: f"{names[0]} has failed"}
    assert (netlist.folder / recipes.NETLIST).read_text() == "candidate-1.v"
    script = (netlist.folder / recipes.SCRIPT).read_text()
    assert script.startswith("read_verilog")
    assert f"-script {names[1]}\n" in script
    assert script.count("-script ") == 1

    monkeypatch.setattr(tools, "yosys", _yosys(set(names)))
    with pytest.raises(ToolError, match=f"{names[-1]} has failed"):
        synthesis.synthesise(Run(Core(2), library.load(), Goal.AREA))


@pytest.mark.slow
@pytest.mark.usefixtures("one_script")
def test_a_run_is_not_repeated(clone: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert places.root() == clone
    run = Run(Core(1, authenticates=False), library.load(), Goal.AREA)
    first = synthesis.synthesise(run)
    monkeypatch.setattr(tools, "yosys", None)
    assert synthesis.synthesise(run) == first
    with pytest.raises(TypeError):
        synthesis.synthesise(run._replace(goal=Goal.SPEED))


def test_a_missing_program_is_one_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shutil, "which", lambda _: None)
    with pytest.raises(MissingToolError, match="install the package opensta"):
        tools.found(tools.OPENSTA)


def test_errors_of_programs_are_one_sentence(tmp_path: Path) -> None:
    (tmp_path / "wrong.tcl").write_text("read_verilog none.v\n")
    with pytest.raises(ToolError, match=r"^OpenSTA failed: .*none\.v"):
        tools.call(tools.OPENSTA, ("-no_splash", "-exit", "wrong.tcl"), tmp_path)


@pytest.mark.parametrize(
    ("option", "words"),
    [
        ("--liberty=none.lib", "none.lib: No such file"),
        ("--liberty=wrong.lib", "is not a Liberty file"),
        ("--goal=cost", "expected area, speed or both"),
        ("--n=3", "expected one of 1, 2"),
        ("--top=usb", "--top usb is unknown: use one of core, axi, spi"),
    ],
)
def test_wrong_options(option: str, words: str, tmp_path: Path) -> None:
    (tmp_path / "wrong.lib").write_text("not a library")
    done = samara("chip", "synth", option, folder=tmp_path)
    assert_misuse(done, words)


@pytest.mark.slow
def test_the_command_prints_and_keeps_results(tmp_path: Path) -> None:
    line = ["chip", "synth", "--n", "1", "--ple", "--variant", "plain", "--goal=area"]
    store = ["--store", str(tmp_path / "kept"), "-o", str(tmp_path / "out")]
    done = samara(*line, *store, "--json", folder=tmp_path)
    assert done.returncode == 0, done
    (row,) = map(json.loads, done.stdout.splitlines())
    assert row["type"] == "synthesis"
    assert row["core"] == "grain-ple-n1"
    assert row["area"]["origin"] == "estimated"
    (kept,) = (tmp_path / "kept" / "osu018_stdcells.jsonl").read_text().splitlines()
    assert json.loads(kept)["area_ge"] == row["area"]["value"]
    names = {path.name for path in (tmp_path / "out" / "grain-ple-n1-area").iterdir()}
    assert names == {"netlist.v", "timing.txt", "timing.tcl", "script.ys"}
