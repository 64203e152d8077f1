# SPDX-License-Identifier: Apache-2.0
"""Power: activity from VCD files, energies by hand, and answers that are checked."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest

from samara.bench import places
from samara.chip import activity, gates, library, power, recipes, stimuli, tools
from samara.chip.activity import Activity, Counts
from samara.chip.design import Core
from samara.chip.frequency import clock_of
from samara.chip.instances import Instance, instances
from samara.chip.recipes import Goal
from samara.chip.synthesis import Run
from samara.chip.tools import ToolError
from samara.errors import MisuseError

if TYPE_CHECKING:
    from pathlib import Path

VCD = """\
$timescale 1ps $end
$scope module bench $end
$var reg 2 p phase [1:0] $end
$scope module dut $end
$var wire 1 n net $end
$scope module _1_ $end
$var wire 1 a A $end
$var wire 1 y Y $end
$upscope $end
$upscope $end
$upscope $end
$enddefinitions $end
#0
$dumpvars
b00 p
xa
0y
$end
#1000
1a
#2000
b01 p
#12000
1y
#17000
0a
#22000
0y
b10 p
#32000
1a
1y
#42000
b00 p
#50000
xa
xy
"""


def test_changes_are_counted_by_phase() -> None:
    found = activity.read(VCD.splitlines())
    assert found.pins == {("_1_", "A"): "a", ("_1_", "Y"): "y"}
    assert {number: each.clocks for number, each in found.phases.items()} == {
        1: 2,
        2: 2,
    }
    assert found.toggles_a_clock(1, "_1_", "A") == 0.5
    assert found.toggles_a_clock(1, "_1_", "Y") == 1
    assert found.toggles_a_clock(2, "_1_", "Y") == 0.5


def test_a_pin_that_becomes_undefined_is_an_error() -> None:
    with pytest.raises(ToolError, match="undefined"):
        activity.read(VCD.replace("0a", "xa").splitlines())
    with pytest.raises(ToolError, match="no variable phase"):
        activity.read(VCD.replace("phase", "other").splitlines())


# Energies: 2 pJ a change of the flip-flop's clock, 3 pJ of Q, 5 pJ of the inverter;
# each pin is 0.01 pF at 1 V, so that a change of a net with one load is 0.005 pJ.
LIBERTY = """\
library (toy) {
  time_unit : "1ns"; voltage_unit : "1V"; current_unit : "1mA";
  capacitive_load_unit (1, pf); leakage_power_unit : "1nW";
  pulling_resistance_unit : "1kohm"; nom_voltage : 1; nom_temperature : 25;
  nom_process : 1;
  operating_conditions (usual) { process : 1; voltage : 1; temperature : 25; }
  default_operating_conditions : usual;
  lu_table_template (even) {
    variable_1 : input_net_transition; index_1 ("0, 10");
  }
  lu_table_template (check) {
    variable_1 : related_pin_transition; index_1 ("0, 10");
  }
  power_lut_template (flat) {
    variable_1 : input_transition_time; index_1 ("0, 10");
  }
  slew_lower_threshold_pct_rise : 20; slew_upper_threshold_pct_rise : 80;
  slew_lower_threshold_pct_fall : 20; slew_upper_threshold_pct_fall : 80;
  input_threshold_pct_rise : 50; input_threshold_pct_fall : 50;
  output_threshold_pct_rise : 50; output_threshold_pct_fall : 50;
  cell (nand2) { area : 1; }
  cell (inv) { area : 1; cell_leakage_power : 7;
    pin (A) { direction : input; capacitance : 0.01; }
    pin (Y) { direction : output; function : "!A";
      timing () { related_pin : "A"; cell_rise (even) { values ("0.1, 0.1"); }
        cell_fall (even) { values ("0.1, 0.1"); }
        rise_transition (even) { values ("0.1, 0.1"); }
        fall_transition (even) { values ("0.1, 0.1"); } }
      internal_power () { related_pin : "A"; rise_power (flat) { values ("5, 5"); }
        fall_power (flat) { values ("5, 5"); } } }
  }
  cell (dff) { area : 4; cell_leakage_power : 11;
    ff (IQ, IQN) { clocked_on : "CK"; next_state : "D"; }
    pin (CK) { direction : input; clock : true; capacitance : 0.01;
      internal_power () { rise_power (flat) { values ("2, 2"); }
        fall_power (flat) { values ("2, 2"); } } }
    pin (D) { direction : input; capacitance : 0.01;
      timing () { related_pin : "CK"; timing_type : setup_rising;
        rise_constraint (check) { values ("0.1, 0.1"); }
        fall_constraint (check) { values ("0.1, 0.1"); } } }
    pin (Q) { direction : output; function : "IQ";
      timing () { related_pin : "CK"; timing_type : rising_edge;
        cell_rise (even) { values ("0.1, 0.1"); }
        cell_fall (even) { values ("0.1, 0.1"); }
        rise_transition (even) { values ("0.1, 0.1"); }
        fall_transition (even) { values ("0.1, 0.1"); } }
      internal_power () { related_pin : "CK"; rise_power (flat) { values ("3, 3"); }
        fall_power (flat) { values ("3, 3"); } } }
  }
}
"""
NETLIST = """\
module samara_grain128(clk, ready);
  input clk;
  wire clk;
  output ready;
  wire ready;
  wire \\generator.d ;
  inv _1_ (
    .A(\\generator.q ),
    .Y(\\generator.d )
  );
  dff _2_ (
    .CK(clk),
    .D(\\generator.d ),
    .Q(\\generator.q )
  );
endmodule
"""


# As yosys writes a flip-flop, which here keeps the value that it began with.
FLIP_FLOP = """\
module flop(CLK, Q, QN);
  input CLK;
  output Q, QN;
  reg _0_;
  reg IQ;
  always @(posedge CLK)
    IQ <= IQ;
  always @(posedge CLK)
    _0_ <= _0_;
  assign Q = IQ;
  assign QN = ~_0_;
endmodule

module inv(A, Y);
  input A;
  output Y;
  assign Y = ~A;
endmodule
"""
FLIP_FLOPS = """
module bench;
  reg clk = 0;
  wire [31:0] q, qn;
  flop each [31:0] (.CLK(clk), .Q(q), .QN(qn));
  initial begin
    #1 clk = 1;
    #1 $display("%b %b", q, qn);
  end
endmodule
"""


def test_flip_flops_begin_with_a_value(tmp_path: Path) -> None:
    text = gates.begun_at_random(FLIP_FLOP)
    assert text.count("initial") == 1
    (tmp_path / "flops.v").write_text(text + FLIP_FLOPS)
    tools.call(tools.IVERILOG, ("-g2005", "-o", "flops.vvp", "flops.v"), tmp_path)
    q, qn = tools.call(tools.VVP, ("-N", "flops.vvp"), tmp_path).split()
    assert set(q) == {"0", "1"}
    assert int(q, 2) ^ int(qn, 2) == 2**32 - 1


def test_energies_are_those_by_hand(tmp_path: Path) -> None:
    (tmp_path / recipes.LIBERTY).write_text(LIBERTY)
    (tmp_path / recipes.NETLIST).write_text(NETLIST)
    toy = library.load(tmp_path / recipes.LIBERTY)
    cells = instances(tmp_path / recipes.NETLIST)
    assert [each.name for each in cells] == ["_1_", "_2_"]
    pins = {("_2_", "CK"): "c", ("_2_", "D"): "d", ("_2_", "Q"): "q"}
    pins |= {("_1_", "A"): "q", ("_1_", "Y"): "d"}
    counts = Counts(10 * activity.CLOCK_TICKS, {"c": 20, "d": 5, "q": 5})
    energies = power.energies_of_changes(tmp_path, cells)
    found = power.powers(energies, cells, Activity(pins, {1: counts}), 1)
    period_s = 100e-9

    def approx(value: float) -> object:
        return pytest.approx(value, rel=1e-5, abs=0)

    flop = found["_2_"]
    # Two edges of the clock, half a change of Q.
    assert flop.internal * period_s == approx((2 * 2 + 0.5 * 3) * 1e-12)
    assert flop.switching * period_s == approx(0.5 * 0.005e-12)
    assert flop.leakage == approx(11e-9)
    assert power.parts_of(cells, toy) == {"_1_": "generator", "_2_": "generator"}


FLAGS = re.DOTALL | re.MULTILINE


def _constant(cell: str, table: str, value: str) -> str:
    """Return the text of a cell with one value in all of a kind of its tables."""
    return re.sub(
        rf"({table}\(.*?\) \{{.*?values \()(.*?)(\);)",
        lambda found: found[1] + re.sub(r"-?[0-9.]+", value, found[2]) + found[3],
        cell,
        flags=FLAGS,
    )


SAID = """\
power: internal _1_/A (nand)
power:  cap = 0.0000
power:        when act/ns duty  energy    power
power:  A -> A       0.01 0.50  2.00e-15  2.00e-08 no pg_pin
power: internal _1_/B (nand)
power:  cap = 0.0000
power:        when act/ns duty  energy    power
power:  B -> B A     0.01 0.25  1.00e-15  1.00e-08 no pg_pin
power:  B -> B !A    0.01 0.50  2.00e-15  2.00e-08 no pg_pin
power:  B -> B       0.01 0.50  9.00e-15  9.00e-08 no pg_pin
power: switching nand/Y activity = 1.00e+07 volt = 1.80 5.000e-08
power: internal _1_/Y (nand)
power:  cap = 0.0044
power:        when act/ns duty  energy    power
power:  A -> Y B  0.01 0.50  4.00e-15  4.00e-08 no pg_pin
power:  B -> Y A  0.01 0.12  2.00e-15  2.00e-08 no pg_pin
power: leakage cell nand 2.118e-12
 1.0e-07 5.0e-08 2.0e-12 1.5e-07 _1_
"""


def test_an_energy_by_what_causes_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A change of A costs 2 fJ, one of B (1 + 2) / 2 / 0.75 fJ, by its two states.

    One of Y costs 4 fJ (8 for rise and fall) if A causes it, and 8 fJ if B does. A
    changes twice as often as B, and reaches Y in a half of all states, B in an eighth:
    8 of 9 changes of Y are by A.
    """
    monkeypatch.setattr(tools, "call", lambda *_: SAID)
    cells = [Instance("_1_", "nand", {"A": "a", "B": "b", "Y": "y"})]
    energies = power.energies_of_changes(tmp_path, cells)
    pins = {("_1_", "A"): "a", ("_1_", "B"): "b", ("_1_", "Y"): "y"}
    changes = {"a": 10, "b": 5, "y": 4}
    counts = Counts(10 * activity.CLOCK_TICKS, changes)
    found = power.powers(energies, cells, Activity(pins, {1: counts}), 1)["_1_"]
    expected_fj = 1.0 * 2 + 0.5 * 2 + 0.4 * (8 / 9 * 4 + 1 / 9 * 8)
    assert found.internal * 100e-9 == pytest.approx(
        expected_fj * 1e-15, rel=1e-6, abs=0
    )
    assert found.switching * 100e-9 == pytest.approx(0.4 * 5e-15, rel=1e-6, abs=0)
    assert found.leakage == 2e-12


def test_gates_count_each_change_and_closed_clocks_none(tmp_path: Path) -> None:
    osu = library.load()
    netlist = NETLIST.replace("inv", "INVX1").replace("dff", "DFFPOSX1")
    head, inverter, rest = re.split(
        r"(cell \(INVX1\).*?^})", osu.text(), maxsplit=1, flags=FLAGS
    )
    inverter = _constant(
        _constant(inverter, "rise_power", "0.03"), "fall_power", "0.05"
    )
    (tmp_path / recipes.LIBERTY).write_text(head + inverter + rest)
    (tmp_path / recipes.NETLIST).write_text(netlist.replace(".CK(", ".CLK("))
    cells = instances(tmp_path / recipes.NETLIST)
    pins = {("_2_", "CLK"): "c", ("_2_", "D"): "d", ("_2_", "Q"): "q"}
    pins |= {("_1_", "A"): "q", ("_1_", "Y"): "d"}
    halves = {"c": 20, "d": 5, "q": 5}
    counts = [halves, {"c": 0, "d": 0, "q": 0}]
    phases = {
        number: Counts(10 * activity.CLOCK_TICKS, toggles)
        for number, toggles in enumerate(counts, 1)
    }
    energies = power.energies_of_changes(tmp_path, cells)
    busy, idle = (
        power.powers(energies, cells, Activity(pins, phases), phase) for phase in phases
    )
    (load,) = re.findall(
        r"cell \(DFFPOSX1\).*?pin\(D\).*?capacitance : ([0-9.]+)", osu.text(), re.DOTALL
    )
    change_j = float(load) * 1e-12 * 1.8**2 / 2
    assert busy["_1_"].switching * 100e-9 == pytest.approx(
        0.5 * change_j, rel=1e-3, abs=0
    )
    # A change is a rise or a fall: their mean.
    assert busy["_1_"].internal * 100e-9 == pytest.approx(
        0.5 * 0.04e-12, rel=1e-3, abs=0
    )
    assert busy["_2_"].internal > 0
    assert idle["_1_"].switching == idle["_1_"].internal == 0
    assert idle["_2_"].switching == idle["_2_"].internal == 0


@pytest.mark.parametrize(
    ("text", "hertz"),
    [("10MHz", 10e6), ("100 kHz", 100e3), ("2.5ghz", 2.5e9), ("10", 10.0)],
)
def test_frequencies(text: str, hertz: float) -> None:
    assert clock_of(text) == hertz


@pytest.mark.parametrize("text", ["0MHz", "-1kHz", "1.2.3kHz", "fast", "10s"])
def test_what_is_not_a_frequency(text: str) -> None:
    with pytest.raises(MisuseError, match=r"expected a (frequency|number of Hz)"):
        clock_of(text)


@pytest.mark.parametrize("authenticates", [True, False])
@pytest.mark.parametrize("n", [1, 16, 64])
def test_wrong_answers_are_refused(n: int, *, authenticates: bool) -> None:
    core = Core(n, authenticates=authenticates)
    given = stimuli.messages(core)
    with pytest.raises(ToolError, match="does not do what the library does"):
        stimuli.check(core, given, "out 0 1\ntag 0\n" if authenticates else "out 0 1\n")


@pytest.mark.slow
@pytest.mark.usefixtures("one_script")
@pytest.mark.parametrize("authenticates", [True, False])
def test_power_of_the_smallest_core(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, *, authenticates: bool
) -> None:
    for name in ("rtl", "core", "devices"):
        (tmp_path / name).symlink_to(places.root() / name)
    monkeypatch.setenv("SAMARA_ROOT", str(tmp_path))
    places.root.cache_clear()
    try:
        core = Core(1, authenticates=authenticates)
        row = power.measure(Run(core, library.load(), Goal.AREA))
    finally:
        places.root.cache_clear()
    # The latency that the core's header tells.
    assert row.start_clocks == 1 + 128 + 320 + 64 + 2 * 64
    for total, parts in (
        (row.start_j, row.start_parts_j),
        (row.run_j, row.run_parts_j),
        (row.leakage_w, row.leakage_parts_w),
    ):
        assert total == pytest.approx(sum(parts.values()), rel=1e-4, abs=0)
    assert row.run_parts_j["generator/internal"] > row.run_parts_j["control/internal"]
    assert (row.run_parts_j["authenticator/internal"] > 0) == authenticates
    # All of it changes with the clock, except leakage.
    slow, fast = (row.energy_j(hertz, 8) for hertz in (1e5, 1e7))
    assert slow > fast
    assert slow - fast == pytest.approx(
        row.leakage_w * (row.start_clocks + row.clocks_of(8)) * (1e-5 - 1e-7)
    )
