# SPDX-License-Identifier: Apache-2.0
"""Power of a netlist while it works: OpenSTA with the activity of simulated messages.

Each pin is told how often it changes in a clock, loads as well as drivers. OpenSTA is
asked twice, since version 2.0 counts each edge of a propagated clock twice, and lets
it run behind closed clock gates: flip-flops and clock gates are asked for when the
clock ends at its port, where their pins have the activity that they were told. Gates
are asked for before that: without a clock they would count changes a second.
"""

from __future__ import annotations

import re
from collections import defaultdict
from typing import TYPE_CHECKING, NamedTuple

from samara.chip import gates, stimuli, tools
from samara.chip.design import TOP
from samara.chip.library import Kind
from samara.chip.recipes import LIBERTY, NETLIST
from samara.chip.results import Power
from samara.chip.synthesis import about, synthesise
from samara.chip.tools import ToolError

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence
    from pathlib import Path

    from samara.chip.activity import Activity
    from samara.chip.gates import Instance
    from samara.chip.library import Library
    from samara.chip.synthesis import Run

PARTS = ("generator", "authenticator", "control", "shared", "clock gates")
"""Parts of a core. A gate belongs to the part whose flip-flops alone it leads to."""

KINDS = ("internal", "switching")

_PERIOD_NS = 100.0
_SCRIPT = "power-{}.tcl"
_HEAD = f"""\
read_liberty {LIBERTY}
read_verilog {NETLIST}
link_design {TOP}
create_clock -name clk -period {_PERIOD_NS} [get_ports clk]
foreach port [all_inputs] {{
  if {{[get_property $port full_name] ne "clk"}} {{
    set_input_delay 0 -clock clk $port
  }}
}}
"""
# 15 digits of watts are enough for the leakage of one gate.
_REPORT = "report_power -instances [get_cells *] -digits 15"
_MIDDLE = "flip-flops and clock gates"
_TAIL = f"""\
{_REPORT}
puts "{_MIDDLE}"
set_sense -type clock -stop_propagation [get_ports clk]
{_REPORT}
exit
"""
_LINE = re.compile(r"^\s*(\S+)\s+(\S+)\s+(\S+)\s+(\S+)\s+(\S+)\s*$")


class _Watts(NamedTuple):
    """Power of one cell at the clock above."""

    internal: float
    switching: float
    leakage: float


def measure(run: Run) -> Power:
    """Synthesise a core, simulate messages, and return its power.

    Raises
    ------
    samara.errors.MisuseError
        If a program is missing or fails, or an answer is wrong.
    """
    netlist = synthesise(run)
    activity = gates.simulate(netlist)
    cells = gates.instances(netlist.folder / NETLIST)
    parts = parts_of(cells, run.library)
    found = {
        phase: powers(netlist.folder, cells, run.library, activity, phase)
        for phase in (gates.STARTS, gates.RUNS)
    }
    start, run_ = (_energies(found[phase], parts) for phase in found)
    leakage = _leakage(found[gates.RUNS], parts)
    messages = stimuli.SEALED
    return Power(
        **about(run),
        messages=messages + run.core.authenticates,
        message_bytes=stimuli.message_bytes(run.core),
        start_clocks=round(activity.phases[gates.STARTS].clocks / messages),
        run_clocks=round(activity.phases[gates.RUNS].clocks),
        leakage_w=_rounded(sum(leakage.values())),
        start_j=_rounded(sum(start.values())),
        run_j=_rounded(sum(run_.values())),
        start_parts_j=_all_rounded(start),
        run_parts_j=_all_rounded(run_),
        leakage_parts_w=_all_rounded(leakage),
    )


def powers(
    folder: Path,
    cells: Sequence[Instance],
    library: Library,
    activity: Activity,
    phase: int,
) -> dict[str, _Watts]:
    """Return the power of each cell in a phase, at a clock of 10 MHz.

    Parameters
    ----------
    folder
        Directory with netlist and library.
    """
    script = _SCRIPT.format(phase)
    lines = "\n".join(_annotations(cells, activity, phase))
    (folder / script).write_text(f"{_HEAD}{lines}\n{_TAIL}", encoding="utf-8")
    said = tools.call(tools.OPENSTA, ("-no_splash", "-exit", script), folder)
    gates_, _, states = said.partition(_MIDDLE)
    logic = {each.name for each in cells if library.cells[each.cell].kind is Kind.LOGIC}
    found = {name: watts for name, watts in _read(gates_) if name in logic}
    found |= {name: watts for name, watts in _read(states) if name not in logic}
    missing = {each.name for each in cells} - set(found)
    if missing:
        message = f"OpenSTA reported no power of {len(missing)} cells"
        raise ToolError(message)
    return found


def _annotations(
    cells: Iterable[Instance], activity: Activity, phase: int
) -> Iterator[str]:
    for cell in cells:
        for pin in cell.pins:
            toggles = activity.toggles_a_clock(phase, cell.name, pin)
            duty = activity.duty(phase, cell.name, pin)
            yield (
                f"sta::set_power_pin_activity [get_pins {{{cell.name}/{pin}}}]"
                f" {toggles:.6f} {duty:.6f}"
            )


def _read(said: str) -> Iterator[tuple[str, _Watts]]:
    for line in said.splitlines():
        found = _LINE.match(line)
        if found is None:
            continue
        *numbers, name = found.groups()
        try:
            internal, switching, leakage, _ = map(float, numbers)
        except ValueError:
            continue
        yield name, _Watts(internal, switching, leakage)


def _energies(
    powers: Mapping[str, _Watts], parts: Mapping[str, str]
) -> dict[str, float]:
    """Return the energy of a clock, by part and kind."""
    found = {f"{part}/{kind}": 0.0 for part in PARTS for kind in KINDS}
    for name, watts in powers.items():
        for kind in KINDS:
            energy = getattr(watts, kind) * _PERIOD_NS * 1e-9
            found[f"{parts[name]}/{kind}"] += energy
    return found


def _leakage(
    powers: Mapping[str, _Watts], parts: Mapping[str, str]
) -> dict[str, float]:
    found = dict.fromkeys(PARTS, 0.0)
    for name, watts in powers.items():
        found[parts[name]] += watts.leakage
    return found


def _rounded(value: float) -> float:
    return float(f"{value:.6g}")


def _all_rounded(values: Mapping[str, float]) -> dict[str, float]:
    return {name: _rounded(value) for name, value in values.items()}


def parts_of(cells: Iterable[Instance], library: Library) -> dict[str, str]:
    """Return the part of `PARTS` that each cell belongs to.

    Flip-flops keep the names of the sources. A gate leads to flip-flops through
    other gates; if all of them are of one part, so is the gate.
    """
    cells = list(cells)
    # Paths end at what holds a state.
    drivers = {
        net: each
        for each in cells
        for pin, net in each.pins.items()
        if _drives(pin) and library.cells[each.cell].kind is Kind.LOGIC
    }
    found: dict[str, str] = {}
    reached: dict[str, set[str]] = defaultdict(set)
    for each in cells:
        kind = library.cells[each.cell].kind
        if kind is Kind.CLOCK_GATE:
            found[each.name] = "clock gates"
        elif kind is not Kind.LOGIC:
            found[each.name] = _part_of_state(each)
    for each in cells:
        if each.name in found:
            part = found[each.name]
            _mark("control" if part == "clock gates" else part, each, drivers, reached)
    for each in cells:
        if each.name not in found:
            parts = reached[each.name] or {"control"}
            found[each.name] = parts.pop() if len(parts) == 1 else "shared"
    return found


_OUTPUTS = {
    "Q",
    "QN",
    "Q_N",
    "Y",
    "X",
    "Z",
    "ZN",
    "YC",
    "YS",
    "COUT",
    "SUM",
    "HI",
    "LO",
}


def _drives(pin: str) -> bool:
    return pin in _OUTPUTS


def _part_of_state(cell: Instance) -> str:
    names = [net for pin, net in cell.pins.items() if pin in {"Q", "QN", "Q_N"}]
    for part in ("generator", "authenticator"):
        if any(part in name.split("[")[0].split(".") for name in names):
            return part
    return "control"


def _mark(
    part: str,
    cell: Instance,
    drivers: Mapping[str, Instance],
    reached: dict[str, set[str]],
) -> None:
    """Note a part for all gates that lead to a cell."""
    waiting = [cell]
    while waiting:
        each = waiting.pop()
        for pin, net in each.pins.items():
            driver = None if _drives(pin) else drivers.get(net)
            if driver is not None and part not in reached[driver.name]:
                reached[driver.name].add(part)
                waiting.append(driver)
