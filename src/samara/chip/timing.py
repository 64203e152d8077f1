# SPDX-License-Identifier: Apache-2.0
"""The longest paths of a netlist, and pins beyond its library's limits, by OpenSTA.

The clock is ideal: it arrives at all flip-flops and clock gates at once. Wires have
no delay of their own, since there is no layout.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from samara.chip import tools
from samara.chip.design import TOP
from samara.chip.recipes import LIBERTY, NETLIST
from samara.chip.tools import ToolError

if TYPE_CHECKING:
    from pathlib import Path

SCRIPT = "timing.tcl"
REPORT = "timing.txt"

_PERIOD_NS = 1.0

# Slacks are told by the period above. Inputs count only from the second report on.
_READ = f"""\
read_liberty {LIBERTY}
read_verilog {NETLIST}
"""
_COMMANDS = f"""\
set_cmd_units -time ns
create_clock -name clk -period {_PERIOD_NS} [get_ports clk]
puts "paths inside"
report_checks -path_delay max -format full -fields {{fanout capacitance slew}} -digits 4
set data {{}}
foreach port [all_inputs] {{
  if {{[get_property $port full_name] ne "clk"}} {{ lappend data $port }}
}}
set_input_delay 0 -clock clk $data
set_output_delay 0 -clock clk [all_outputs]
puts "paths with ports"
report_checks -path_delay max -format full -fields {{fanout capacitance slew}} -digits 4
exit
"""


class Paths(NamedTuple):
    """The longest paths of a netlist, in nanoseconds."""

    inside_ns: float
    """From a flip-flop to a flip-flop or a clock gate, set-up time included."""
    with_ports_ns: float
    """Of all paths, those from and to ports among them. Nothing outside adds to
    them."""


def paths(folder: Path, module: str = TOP) -> Paths:
    """Return the longest paths of the netlist in a directory; write a report there.

    Parameters
    ----------
    folder
        The directory.
    module
        Name of the netlist's module.

    Raises
    ------
    samara.chip.tools.MissingToolError
        If OpenSTA is not installed.
    samara.chip.tools.ToolError
        If it fails.
    """
    said = _run_opensta(folder, module, SCRIPT, _COMMANDS, REPORT)
    slacks = re.findall(r"^\s*(-?[0-9.]+)\s+slack \(", said, flags=re.MULTILINE)
    try:
        inside, whole = (_PERIOD_NS - float(slack) for slack in slacks)
    except ValueError:
        message = f"OpenSTA reported {len(slacks)} slacks, not 2: see {folder / REPORT}"
        raise ToolError(message) from None
    return Paths(round(inside, 4), round(whole, 4))


LIMITS = "limits.txt"
_LIMIT_SCRIPT = "limits.tcl"
# OpenSTA 2.0.17 checks no loads, but a load beyond its limit makes a slow change.
_LIMIT_COMMANDS = """\
set_cmd_units -time ns
create_clock -name clk -period 100 [get_ports clk]
report_check_types -all_violators -max_transition
exit
"""
_VIOLATED = re.compile(
    r"^(\S+)\s+([0-9.]+)\s+([0-9.]+)\s+-[0-9.]+ \(VIOLATED\)", re.MULTILINE
)


class SlowPin(NamedTuple):
    """A pin that changes more slowly than the library allows."""

    pin: str
    limit_ns: float
    """The library's max_transition."""
    takes_ns: float


def slow_pins(folder: Path, module: str = TOP) -> list[SlowPin]:
    """Return the pins of the netlist in a directory that are beyond the limit.

    None is, if the library has no limit. The report is written to `LIMITS`.

    Raises
    ------
    samara.chip.tools.MissingToolError
        If OpenSTA is not installed.
    samara.chip.tools.ToolError
        If it fails.
    """
    said = _run_opensta(folder, module, _LIMIT_SCRIPT, _LIMIT_COMMANDS, LIMITS)
    return [
        SlowPin(pin, float(limit), float(takes))
        for pin, limit, takes in _VIOLATED.findall(said)
    ]


def _run_opensta(
    folder: Path, module: str, script: str, commands: str, report: str
) -> str:
    """Run commands in OpenSTA; return its output. Both are kept as files there."""
    text = f"{_READ}link_design {module}\n{commands}"
    (folder / script).write_text(text, encoding="utf-8")
    said = tools.call(tools.OPENSTA, ("-no_splash", "-exit", script), folder)
    (folder / report).write_text(said, encoding="utf-8")
    return said
