# SPDX-License-Identifier: Apache-2.0
"""Power of a netlist while it works: changes of pins, and the energy of each change.

How often each pin changes is counted in simulated messages. What a change costs at
the pin's load and slopes comes from OpenSTA, which prints it pin by pin. Its own sums
are not used: OpenSTA 2.0.17 replaces what it is told about the pins of gates by an
estimate of its own, adds the energies of a rise and a fall for one change, and lets
the clock run behind closed clock gates.
"""

from __future__ import annotations

import re
from collections import defaultdict
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple

from samara.chip import gates, gating, stimuli, tools
from samara.chip.design import TOP
from samara.chip.instances import instances
from samara.chip.library import Kind
from samara.chip.recipes import LIBERTY, NETLIST
from samara.chip.results import Power
from samara.chip.synthesis import about, synthesise
from samara.chip.tools import ToolError

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping
    from pathlib import Path

    from samara.chip.activity import Activity
    from samara.chip.instances import Instance
    from samara.chip.library import Library
    from samara.chip.synthesis import Run

PARTS = ("generator", "authenticator", "control", "shared", "clock gates")
"""Parts of a core. A gate belongs to the part whose flip-flops alone it leads to."""

KINDS = ("internal", "switching")

_PERIOD_NS = 100.0
_SCRIPT = "power.tcl"
# With the same activity everywhere OpenSTA propagates none, and its debugging text has
# the energy of each pin. 15 digits of watts are enough for the leakage of one gate.
_COMMANDS = f"""\
read_liberty {LIBERTY}
read_verilog {NETLIST}
link_design {TOP}
create_clock -name clk -period {_PERIOD_NS} [get_ports clk]
foreach port [all_inputs] {{
  if {{[get_property $port full_name] ne "clk"}} {{
    set_input_delay 0 -clock clk $port
  }}
}}
set_power_activity -global -activity 1 -duty 0.5
sta::set_debug power 2
report_power -instances [get_cells *] -digits 15
exit
"""
_SWITCHING = re.compile(r"^power: switching \S+ activity = (\S+) volt = \S+ (\S+)")
_PIN = re.compile(r"^power: internal (\S+)/(\S+) ")
_ARC = re.compile(
    r"^power: +(\S+) -> (\S+) +(?:(\S+) +)?[0-9.]+ +([0-9.]+) +(\S+) +\S+ "
)
_LINE = re.compile(r"^\s*(\S+)\s+(\S+)\s+(\S+)\s+(\S+)\s+(\S+)\s*$")
_PARTS_OF_DUTY = 32
"""OpenSTA prints two digits of a probability that is a multiple of 1/32."""


class _Arc(NamedTuple):
    """Internal energy of a change of a pin, by what causes it."""

    cause: str
    """The pin that changes first; of an input the pin itself."""
    share: float
    """Probability that the cause reaches the pin, or that the state is the arc's."""
    both_j: float
    """Energy of a rise and a fall, multiplied by the share."""
    has_state: bool
    """Whether it is of an input while other pins have certain values."""


@dataclass(slots=True)
class _Pin:
    """What a change of a pin costs."""

    switching_j: float = 0.0
    """Half of load and squared voltage; 0 for an input."""
    arcs: list[_Arc] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class Energies:
    """Energy of a change, by instance and pin, and leakage by instance."""

    pins: Mapping[tuple[str, str], _Pin]
    leakage_w: Mapping[str, float]


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
    cells = instances(netlist.folder / NETLIST)
    parts = parts_of(cells, run.library)
    energies = energies_of_changes(netlist.folder, cells)
    found = {
        phase: powers(energies, cells, activity, phase)
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


def energies_of_changes(folder: Path, cells: Iterable[Instance]) -> Energies:
    """Return what changes cost in the netlist of a directory.

    Raises
    ------
    samara.errors.MisuseError
        If OpenSTA is missing or fails, or tells nothing about a cell.
    """
    (folder / _SCRIPT).write_text(_COMMANDS, encoding="utf-8")
    said = tools.call(tools.OPENSTA, ("-no_splash", "-exit", _SCRIPT), folder)
    found = Energies(dict(_pins_in(said)), dict(_leakages_in(said)))
    known = {instance for instance, _ in found.pins} & set(found.leakage_w)
    missing = {each.name for each in cells} - known
    if missing:
        message = f"OpenSTA reported no power of {len(missing)} cells"
        raise ToolError(message)
    return found


def _pins_in(said: str) -> Iterator[tuple[tuple[str, str], _Pin]]:
    """Yield pins: of each the line of its load comes first, then its arcs."""
    switching_j, pin = 0.0, _Pin()
    for line in said.splitlines():
        if found := _SWITCHING.match(line):
            a_second, watts = map(float, found.groups())
            switching_j = watts / a_second
        elif found := _PIN.match(line):
            pin = _Pin(switching_j)
            switching_j = 0.0
            yield (found[1], found[2]), pin
        elif found := _ARC.match(line):
            cause, to, state, duty, joules = found.groups()
            share = round(float(duty) * _PARTS_OF_DUTY) / _PARTS_OF_DUTY
            energy = float(joules)
            # OpenSTA takes 1/2 for what has no state, and 1 for a clock.
            if cause == to and state is None and share:
                energy, share = energy / share, 1.0
            has_state = cause == to and state is not None
            pin.arcs.append(_Arc(cause, share, energy, has_state))


def _leakages_in(said: str) -> Iterator[tuple[str, float]]:
    for line in said.splitlines():
        found = _LINE.match(line)
        if found is None or line.startswith("power:"):
            continue
        *numbers, name = found.groups()
        try:
            _, _, leakage, _ = map(float, numbers)
        except ValueError:
            continue
        yield name, leakage


def powers(
    energies: Energies, cells: Iterable[Instance], activity: Activity, phase: int
) -> dict[str, _Watts]:
    """Return the power of each cell in a phase, at a clock of 10 MHz."""
    found = {}
    for cell in cells:
        toggles = {
            pin: activity.toggles_a_clock(phase, cell.name, pin) for pin in cell.pins
        }
        internal = switching = 0.0
        for name, changes in toggles.items():
            pin = energies.pins.get((cell.name, name), _Pin())
            internal += changes * _internal_j(name, pin, toggles)
            switching += changes * pin.switching_j
        leakage = energies.leakage_w[cell.name]
        found[cell.name] = _Watts(
            internal / _PERIOD_NS * 1e9, switching / _PERIOD_NS * 1e9, leakage
        )
    return found


def _internal_j(name: str, pin: _Pin, toggles: Mapping[str, float]) -> float:
    """Return the internal energy of a change of a pin, the mean of rise and fall.

    Of several causes each counts as often as it changes and reaches the pin; states
    of an input's arcs exclude each other.
    """
    if not pin.arcs:
        return 0.0
    if pin.arcs[0].cause == name:
        # What a cell has beside its states is for tools that do not know the state.
        arcs = [arc for arc in pin.arcs if arc.has_state] or pin.arcs[:1]
        shares = sum(arc.share for arc in arcs)
        return sum(arc.both_j for arc in arcs) / shares / 2 if shares else 0.0
    weights = [toggles.get(arc.cause, 0.0) for arc in pin.arcs]
    shares = _weighted(weights, [arc.share for arc in pin.arcs])
    if not shares:
        weights = [1.0] * len(weights)
        shares = _weighted(weights, [arc.share for arc in pin.arcs])
    both_j = _weighted(weights, [arc.both_j for arc in pin.arcs])
    return both_j / shares / 2 if shares else 0.0


def _weighted(weights: Iterable[float], values: Iterable[float]) -> float:
    return sum(w * value for w, value in zip(weights, values, strict=True))


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
        if kind is Kind.CLOCK_GATE or gating.is_ours(each.name):
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
