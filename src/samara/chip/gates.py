# SPDX-License-Identifier: Apache-2.0
"""A netlist that is simulated gate by gate, and how often its pins change.

Cells work without delay: what a gate does before it settles (glitches) is not seen.
"""

from __future__ import annotations

import os
import re
import subprocess
from contextlib import contextmanager
from importlib import resources
from typing import TYPE_CHECKING

from samara.chip import activity, stimuli, tools
from samara.chip.instances import instances
from samara.chip.library import Kind
from samara.chip.recipes import LIBERTY, NETLIST
from samara.chip.tools import ToolError

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path
    from typing import IO

    from samara.chip.activity import Activity
    from samara.chip.library import Library
    from samara.chip.synthesis import Netlist

STARTS, RUNS = 1, 2
"""Phases that data/bench.v tells apart."""
_MODELS = "models.v"


def simulate(netlist: Netlist) -> Activity:
    """Send messages through a netlist; check its answers, and count changes.

    Raises
    ------
    samara.chip.tools.MissingToolError
        If Icarus is not installed.
    samara.chip.tools.ToolError
        If a program fails, or an answer is wrong.
    """
    core, folder = netlist.run.core, netlist.folder
    given = stimuli.messages(core)
    made, words = stimuli.files(core, given)
    source = resources.files("samara.chip") / "data" / "bench.v"
    made["bench.v"] = source.read_text(encoding="utf-8")
    for name, text in made.items():
        (folder / name).write_text(text, encoding="utf-8")
    _write_models(netlist)
    width = max(core.n // 2, 1) if core.authenticates else core.n
    macros = {
        "N": core.n,
        "W": width,
        "BYTES": max(width // 8, 1),
        "AUTHENTICATE": int(core.authenticates),
        "MESSAGES": len(given),
        "WORDS": words,
        "VCD": '"activity.vcd"',
    }
    options = [f"-D{name}={value}" for name, value in macros.items()]
    sources = ("bench.v", NETLIST, _MODELS)
    line = ("-g2005", "-s", "bench", "-o", "bench.vvp", *options, *sources)
    tools.call(tools.IVERILOG, line, folder)
    with _running(folder) as lines:
        found = activity.read(lines)
    answers = (folder / "answers.txt").read_text(encoding="utf-8")
    stimuli.check(core, given, answers)
    return found


@contextmanager
def _running(folder: Path) -> Iterator[IO[str]]:
    """Run the simulation, and provide its VCD file as it is written: a named pipe."""
    pipe = folder / "activity.vcd"
    pipe.unlink(missing_ok=True)
    os.mkfifo(pipe)
    program = tools.found(tools.VVP)
    # Without -N an error of the design would wait for commands.
    process = subprocess.Popen(  # noqa: S603 - a program of the table in tools
        [program, "-N", "bench.vvp"],
        cwd=folder,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        stdin=subprocess.DEVNULL,
        text=True,
    )
    try:
        with pipe.open(encoding="ascii", errors="replace") as lines:
            yield lines
        said, _ = process.communicate()
        if process.returncode:
            message = f"Icarus Verilog failed: {' '.join(said.split())}"
            raise ToolError(message)
    finally:
        process.kill()
        process.wait()
        pipe.unlink()


def _write_models(netlist: Netlist) -> None:
    """Write what the library's cells do: gates by yosys, clock gates by hand."""
    folder, library = netlist.folder, netlist.run.library
    tools.yosys(
        f"read_liberty -ignore_miss_func {LIBERTY}\nwrite_verilog -noattr {_MODELS}\n",
        folder,
    )
    path = folder / _MODELS
    text = begun_at_random(path.read_text(encoding="utf-8"))
    used = {each.cell for each in instances(folder / NETLIST)}
    for cell in library.cells.values():
        if cell.kind is Kind.CLOCK_GATE and cell.name in used:
            model = _clock_gate(library, cell.name)
            # yosys may have written one without the latch.
            own = rf"(?ms)^module {cell.name}\(.*?^endmodule"
            text = re.sub(own, "", text)
            text += model
    path.write_text(text, encoding="utf-8")


def begun_at_random(models: str) -> str:
    """Return models of cells whose flip-flops begin with a 0 or 1, as in a chip.

    With an undefined value, gates that cancel it in a chip stay undefined in a
    simulation: a OR NOT a. A core that needs a certain beginning gives wrong answers.
    """

    def begun(found: re.Match[str]) -> str:
        module = found[0]
        # yosys has a register for each output, Q and QN, of the same value.
        registers = re.findall(r"^  reg (\w+);", module, re.MULTILINE)
        if not registers:
            return module
        values = " ".join(f"{name} = begins;" for name in registers)
        own = f"  reg begins;\n  initial begin begins = $random; {values} end\n"
        return f"{module.removesuffix('endmodule')}{own}endmodule"

    return re.sub(r"(?ms)^module .*?^endmodule", begun, models)


def _clock_gate(library: Library, name: str) -> str:
    """Return a model of a clock gate: a latch, open while the clock is 0, and AND."""
    pins = library.clock_gate_pins(name)
    test = f"    input {pins['test']},\n" if "test" in pins else ""
    enable = pins["enable"] + (f" | {pins['test']}" if test else "")
    return (
        f"\nmodule {name} (\n    input {pins['clock']},\n    input {pins['enable']},\n"
        f"{test}    output {pins['out']}\n);\n  reg held;\n"
        f"  always @* if (!{pins['clock']}) held = {enable};\n"
        f"  assign {pins['out']} = {pins['clock']} & held;\nendmodule\n"
    )
