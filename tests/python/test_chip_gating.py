# SPDX-License-Identifier: Apache-2.0
"""Clock gates: none drives more than its library allows, and nothing else changes."""

from __future__ import annotations

import json
import re
import tempfile
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from samara.chip import gating, library, power, recipes, synthesis, timing, tools
from samara.chip.design import Core
from samara.chip.instances import instances_in
from samara.chip.recipes import Goal
from samara.chip.synthesis import Run

if TYPE_CHECKING:
    from samara.chip.library import Library

FLIP_FLOPS = 40


def cell(name: str, area: float, limit: float) -> str:
    """Return a clock gate of a library."""
    return f"""
  cell ({name}) {{ area : {area}; clock_gating_integrated_cell : "latch_posedge";
    pin (CK) {{ direction : input; capacitance : 0.2; clock_gate_clock_pin : true; }}
    pin (E) {{ direction : input; capacitance : 0.1; clock_gate_enable_pin : true; }}
    pin (G) {{ direction : output; max_capacitance : {limit};
      clock_gate_out_pin : true; }}
  }}"""


def buffer(name: str, area: float, limit: float) -> str:
    """Return a buffer of a library."""
    return f"""
  cell ({name}) {{ area : {area};
    pin (A) {{ direction : input; capacitance : 0.5; }}
    pin (Y) {{ direction : output; max_capacitance : {limit}; function : "(A)"; }}
  }}"""


HEAD = """library (toy) {
  cell (nand2) { area : 1; pin (A) { direction : input; capacitance : 0.1; }
    pin (B) { direction : input; capacitance : 0.1; }
    pin (Y) { direction : output; function : "!(A B)"; } }
  cell (inv) { area : 1; pin (A) { direction : input; capacitance : 0.1; }
    pin (Y) { direction : output; function : "!A"; } }
  cell (dff) { area : 5;
    ff (IQ, IQN) { }
    pin (CK) { direction : input; capacitance : 0.25; }
    pin (D) { direction : input; capacitance : 0.1; }
    pin (Q) { direction : output; max_capacitance : 3; } }
"""


def toy(folder: Path, *cells: str) -> Library:
    """Return a library of its own: one of the same path would be read once."""
    path = Path(tempfile.mkdtemp(dir=folder)) / "toy.lib"
    path.write_text(HEAD + "".join(cells) + "\n}\n")
    return library.load(path)


def netlist(gate: str = "gate_1") -> str:
    """Return 40 flip-flops of 0.25 behind one clock gate, whose name is escaped."""
    flops = (
        f"  dff f{k} (\n    .CK(\\gated[0] ),\n    .D(d),\n    .Q(q{k})\n  );\n"
        for k in range(FLIP_FLOPS)
    )
    clock = "    .CK(clk),\n    .E(en),\n    .G(\\gated[0] )\n"
    return (
        "module samara_grain128(clk, en, d);\n  input clk;\n  input en;\n  input d;\n"
        f"  wire \\gated[0] ;\n  {gate} \\g.0  (\n{clock}  );\n{''.join(flops)}"
        "endmodule\n"
    )


def fitted(cells: Library, share: float = 1.0) -> tuple[Counter[str], dict[str, int]]:
    """Return the cells of the fitted netlist but flip-flops, and what was told of it.

    Each flip-flop has a clock that comes from `clk` and is gated by `en`.
    """
    assert gating.overloads(instances_in(netlist()), cells)
    found = gating.fitted(netlist(), cells, share)
    made = instances_in(found.text)
    assert not gating.overloads(made, cells)
    drivers = {
        net: each for each in made for pin, net in each.pins.items() if pin in "GY"
    }
    flops = [each for each in made if each.cell == "dff"]
    assert {each.name for each in flops} == {f"f{k}" for k in range(FLIP_FLOPS)}
    for each in flops:
        driver = drivers[each.pins["CK"]]
        if "A" in driver.pins:
            assert gating.is_ours(driver.name)
            driver = drivers[driver.pins["A"]]
        assert (driver.pins["CK"], driver.pins["E"]) == ("clk", "en")
    counts = Counter(each.cell for each in made if each.cell != "dff")
    before = Counter({"gate_1": 1})
    assert {k: n for k in counts | before if (n := counts[k] - before[k])} == (
        found.changed
    )
    assert found.clocked == {f"f{k}/CK" for k in range(FLIP_FLOPS)}
    assert len({each.name for each in made}) == len(made)
    return counts, found.changed


def test_a_stronger_gate_is_taken_if_it_suffices(tmp_path: Path) -> None:
    gates = cell("gate_1", 4, 2), cell("gate_2", 5, 4), cell("gate_4", 9, 10)
    # 40 times 0.25 is all that the third may drive.
    assert fitted(toy(tmp_path, *gates))[0] == {"gate_4": 1}
    # At 0.9 of the limits three of the second are smaller than two of the third.
    assert fitted(toy(tmp_path, *gates), 0.9)[0] == {"gate_2": 3}


def test_several_gates_share_the_flip_flops(tmp_path: Path) -> None:
    # 10 flip-flops each: 2.5 of 2.6.
    cells = toy(tmp_path, cell("gate_1", 4, 2.6))
    assert fitted(cells) == ({"gate_1": 4}, {"gate_1": 3})
    # 9 of 10 groups would have 2.25, and one 2.5 that is not allowed.
    cells = toy(tmp_path, cell("gate_1", 4, 2.4))
    assert fitted(cells) == ({"gate_1": 5}, {"gate_1": 4})


def test_buffers_are_taken_if_they_are_smaller(tmp_path: Path) -> None:
    # The gate may just drive the two buffers, 0.5 each.
    cells = toy(tmp_path, cell("gate_1", 4, 1), buffer("buf_8", 3, 5))
    assert fitted(cells)[0] == {"gate_1": 1, "buf_8": 2}
    dear = toy(tmp_path, cell("gate_1", 4, 1), buffer("buf_8", 30, 5))
    assert fitted(dear)[0] == {"gate_1": 10}
    weak = toy(tmp_path, cell("gate_1", 4, 0.9), buffer("buf_8", 3, 5))
    assert "buf_8" not in fitted(weak)[0]


def test_a_gate_within_its_limit_stays(tmp_path: Path) -> None:
    text = netlist()
    just = toy(tmp_path, cell("gate_1", 4, 10))
    assert gating.fitted(text, just).text == text
    assert gating.overloads(instances_in(text), just) == []
    (over,) = gating.overloads(instances_in(text), toy(tmp_path, cell("gate_1", 4, 8)))
    assert (over.instance, over.cell, over.pin) == ("g.0", "gate_1", "G")
    assert over.times == pytest.approx(1.25)


def test_what_no_cell_can_drive_stays_and_is_reported(tmp_path: Path) -> None:
    weak = toy(tmp_path, cell("gate_1", 4, 0.2))
    assert gating.fitted(netlist(), weak).text == netlist()
    assert len(gating.overloads(instances_in(netlist()), weak)) == 1


def test_cells_that_are_added_are_of_the_clock_gates(tmp_path: Path) -> None:
    cells = toy(tmp_path, cell("gate_1", 4, 1), buffer("buf_8", 3, 5))
    made = instances_in(gating.fitted(netlist(), cells).text)
    parts = power.parts_of(made, cells)
    added = {each.name for each in made if each.cell != "dff"}
    assert len(added) == 3
    assert {parts[name] for name in added} == {"clock gates"}


def of_osu018(folder: Path, slowest_ns: float) -> Library:
    """Return OSU018 with a limit of slopes, and a clock gate as strong as its BUFX2."""
    text = library.load().text()
    found = re.search(r"(?ms)^cell \(BUFX2\).*?(?=^cell \()", text)
    assert found is not None
    gate = found[0].replace("BUFX2", "CGX2").replace('"A"', '"CK"')
    gate = gate.replace("pin(A)  {", "pin(CK) { clock_gate_clock_pin : true;")
    gate = gate.replace("pin(Y)  {", "pin(G) { clock_gate_out_pin : true;")
    gate = gate.replace('function : "CK";', "")
    enable = (
        "clock_gating_integrated_cell : latch_posedge;\n  pin(E) { direction : input;"
        " capacitance : 0.01; clock_gate_enable_pin : true; }\n"
    )
    gate = gate.replace("cell_footprint : buf;", enable)
    text = text[: found.start()] + gate + text[found.start() :]
    head = re.search(r"\blibrary\s*\([^)]*\)\s*\{", text)
    assert head is not None
    limit = f"\n default_max_transition : {slowest_ns};"
    path = folder / "gated.lib"
    path.write_text(text[: head.end()] + limit + text[head.end() :])
    return library.load(path)


class _Yosys:
    """Makes a netlist in which a gate drives 120 flip-flops: a shift register."""

    def __init__(self) -> None:
        self.netlist = ""

    def __call__(self, script: str, folder: Path) -> str:
        if "-script" not in script:
            return ""
        flops = (
            f"  DFFPOSX1 f{k} (\n    .CLK(gated),\n"
            f"    .D({f'q[{k - 1}]' if k else 'd'}),\n    .Q(q[{k}])\n  );\n"
            for k in range(120)
        )
        self.netlist = (
            "module samara_grain128(clk, en, d, q);\n  input clk;\n  input en;\n"
            "  input d;\n  output [119:0] q;\n  wire gated;\n"
            "  CGX2 g (\n    .CK(clk),\n    .E(en),\n    .G(gated)\n  );\n"
            f"{''.join(flops)}endmodule\n"
        )
        counts = {"DFFPOSX1": 120, "CGX2": 1}
        statistics = {"modules": {"\\samara_grain128": {"num_cells_by_type": counts}}}
        for each in recipes.candidates(Goal.AREA):
            (folder / each.netlist).write_text(self.netlist)
            (folder / each.statistics).write_text(json.dumps(statistics))
        return ""


def test_no_clock_is_slower_than_the_library_allows(
    tmp_path: Path, clone: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A gate drives 1.5 times what it may, and its clock is far too slow.

    Within the limit of the load a clock would still be too slow.
    """
    cells, yosys = of_osu018(tmp_path, 0.8), _Yosys()
    monkeypatch.setattr(tools, "yosys", yosys)
    run = Run(Core(1), cells, Goal.AREA)
    made = synthesis.synthesise(run)
    assert made.folder.is_relative_to(clone)
    assert made.row.beyond_limits == 0
    assert synthesis.beyond_limits(run, made.folder) == set()
    path = made.folder / recipes.NETLIST
    counts = Counter(each.cell for each in instances_in(path.read_text()))
    assert made.row.flip_flops == counts["DFFPOSX1"] == 120
    assert made.row.clock_gates == counts["CGX2"]
    assert made.row.area_ge == pytest.approx(
        sum(cells.cells[name].area * n for name, n in counts.items()) / 24
    )
    # What the loads alone would need is too slow; what yosys made is beyond both.
    once = gating.fitted(yosys.netlist, cells)
    assert sum(counts.values()) - 121 > sum(once.changed.values()) > 0
    path.write_text(once.text)
    assert timing.slow_pins(made.folder)
    path.write_text(yosys.netlist)
    assert {"g/G", "f0/CLK", "f119/CLK"} <= synthesis.beyond_limits(run, made.folder)
    (tmp_path / "loads").mkdir()
    loads = of_osu018(tmp_path / "loads", 100)
    (made.folder / recipes.LIBERTY).write_text(loads.text())
    found = synthesis.beyond_limits(run._replace(library=loads), made.folder)
    assert found == {"g/G"}
