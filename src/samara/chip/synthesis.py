# SPDX-License-Identifier: Apache-2.0
"""Synthesis: a core becomes a netlist, whose area and paths are read.

Each run has a directory in build/chip/, which is named by a hash of all that it
depends on. A run that is there already is not repeated.
"""

from __future__ import annotations

import hashlib
import json
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from samara import atomic_files
from samara.bench import places
from samara.chip import gating, recipes, timing, tools
from samara.chip.design import CORE, check_top, module_of, sources_hash
from samara.chip.instances import instances
from samara.chip.library import Kind
from samara.chip.results import Synthesis
from samara.chip.timing import Paths
from samara.workers import in_order

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from samara.chip.design import Core
    from samara.chip.library import Library
    from samara.chip.recipes import Candidate, Goal
    from samara.workers import Workers

_FAILED = "failed.json"
"""Scripts for ABC that failed, each with its error."""
_STATISTICS = "statistics.json"
"""Numbers of the cells of the netlist that was kept."""

_SHARES = (1.0, 0.9, 0.8, 0.7, 0.6, 0.5)
"""Parts of the limit of a load that clock gates may use, the first that suffices."""


class Run(NamedTuple):
    """What is synthesised."""

    core: Core
    library: Library
    goal: Goal
    top: str = CORE
    """The core alone, or the wrapper around it."""

    @property
    def module(self) -> str:
        """Name of the module that is synthesised."""
        return module_of(self.top)


class Netlist(NamedTuple):
    """A core in the cells of a library."""

    run: Run
    folder: Path
    """Directory with the netlist and the reports."""
    row: Synthesis
    """Its area and speed."""

    @property
    def failed(self) -> dict[str, str]:
        """The errors of scripts for ABC that made no netlist, by their names."""
        text = (self.folder / _FAILED).read_text(encoding="utf-8")
        return dict(json.loads(text))


def synthesise(run: Run) -> Netlist:
    """Synthesise a core and time it, unless that was done before.

    Raises
    ------
    samara.errors.MisuseError
        If a program is missing or fails, or the wrapper does not have the core. A
        script for ABC may fail if another does not: see `Netlist.failed`.
    """
    check_top(run.core, run.top)
    files = recipes.files(*run)
    folder = _folder(run, files)
    done = folder / "done.json"
    if not done.is_file():
        folder.mkdir(parents=True, exist_ok=True)
        for name, text in files.items():
            (folder / name).write_text(text, encoding="utf-8")
        (folder / recipes.LIBERTY).write_text(run.library.text(), encoding="utf-8")
        _make(run, files, folder)
        found = timing.paths(folder, run.module)
        contents = {
            "paths": found._asdict(),
            "beyond_limits": len(beyond_limits(run, folder)),
        }
        with atomic_files.made_by(done) as temporary:
            temporary.write_text(json.dumps(contents), encoding="utf-8")
    known = json.loads(done.read_text(encoding="utf-8"))
    counts = _counts(run, folder / _STATISTICS)
    row = _row(run, counts, Paths(**known["paths"]), known["beyond_limits"])
    return Netlist(run, folder, row)


def beyond_limits(run: Run, folder: Path) -> set[str]:
    """Return the pins of the netlist in a directory that are beyond the limits.

    They change more slowly than the library allows, or drive more.

    Raises
    ------
    samara.errors.MisuseError
        If OpenSTA is missing or fails.
    """
    slow = {pin.pin for pin in timing.slow_pins(folder, run.module)}
    cells = instances(folder / recipes.NETLIST)
    over = gating.overloads(cells, run.library)
    return slow | {f"{each.instance}/{each.pin}" for each in over}


def _folder(run: Run, files: dict[str, str]) -> Path:
    digest = hashlib.sha256(run.library.sha256.encode())
    for name, text in sorted(files.items()):
        digest.update(f"{name}\0{text}\0".encode())
    digest.update(json.dumps(tools.versions(), sort_keys=True).encode())
    # What is done to a netlist that yosys has made.
    digest.update(Path(gating.__file__).read_bytes())
    top = "" if run.top == CORE else f"-{run.top}"
    name = f"{run.core.name}{top}-{run.goal}-{digest.hexdigest()[:12]}"
    return places.build() / "chip" / run.library.name / name


def _make(run: Run, files: Mapping[str, str], folder: Path) -> None:
    """Make the netlist of each script for ABC that does not fail; keep the smallest.

    Raises
    ------
    samara.chip.tools.ToolError
        If all fail.
    """
    said = [tools.yosys(files[recipes.SCRIPT], folder)]
    made: list[Candidate] = []
    failed: dict[str, str] = {}
    for candidate in recipes.candidates(run.goal):
        try:
            said.append(tools.yosys(files[candidate.commands], folder))
            made.append(candidate)
        except tools.ToolError as error:
            failed[candidate.mapping] = str(error)
            if len(failed) == len(recipes.candidates(run.goal)):
                raise
    (folder / "yosys.txt").write_text("".join(said), encoding="utf-8")
    (folder / _FAILED).write_text(json.dumps(failed), encoding="utf-8")
    kept = _keep_smallest(run, made, folder)
    fit_clock_gates(run, folder)
    script = files[recipes.SCRIPT] + files[kept.commands]
    (folder / recipes.SCRIPT).write_text(script, encoding="utf-8")


def _keep_smallest(run: Run, made: Sequence[Candidate], folder: Path) -> Candidate:
    """Name the smallest netlist of a run as others find it; remove the rest."""

    def area(candidate: Candidate) -> float:
        counts = _counts(run, folder / candidate.statistics)
        return sum(run.library.cells[name].area * n for name, n in counts.items())

    kept = min(made, key=area)
    (folder / kept.netlist).replace(folder / recipes.NETLIST)
    (folder / kept.statistics).replace(folder / _STATISTICS)
    for candidate in recipes.candidates(run.goal):
        (folder / candidate.netlist).unlink(missing_ok=True)
    return kept


def fit_clock_gates(run: Run, folder: Path) -> None:
    """Let the clock gates of a netlist drive no more than the library allows.

    A load within its limit may still make a clock slower than the library allows: then
    less of the limit is used.
    """
    path, statistics = folder / recipes.NETLIST, folder / _STATISTICS
    netlist = path.read_text(encoding="utf-8")
    for share in _SHARES:
        found = gating.fitted(netlist, run.library, share)
        path.write_text(found.text, encoding="utf-8")
        if not found.clocked:
            return
        slow = {pin.pin for pin in timing.slow_pins(folder, run.module)}
        if not slow & found.clocked:
            break
    contents = json.loads(statistics.read_text(encoding="utf-8"))
    counts = contents["modules"][f"\\{run.module}"]["num_cells_by_type"]
    for name, number in found.changed.items():
        counts[name] = int(counts.get(name, 0)) + number
    statistics.write_text(json.dumps(contents), encoding="utf-8")


def _counts(run: Run, statistics: Path) -> dict[str, int]:
    """Return the numbers of cells by their names, as yosys wrote them."""
    text = statistics.read_text(encoding="utf-8")
    counts = json.loads(text)["modules"][f"\\{run.module}"]["num_cells_by_type"]
    return {name: int(n) for name, n in counts.items()}


def _row(run: Run, counts: Mapping[str, int], paths: Paths, beyond: int) -> Synthesis:
    library = run.library
    numbers = dict.fromkeys(Kind, 0)
    areas = dict.fromkeys(Kind, 0.0)
    for name, number in counts.items():
        cell = library.cells[name]
        numbers[cell.kind] += number
        areas[cell.kind] += library.gate_equivalents(cell.area * number)
    return Synthesis(
        **about(run),
        top=run.top,
        nand2=library.nand2.name,
        nand2_area=library.nand2.area,
        flip_flop_ge=round(library.gate_equivalents(library.flip_flop.area), 4),
        area_ge=_rounded(sum(areas.values())),
        flip_flops=numbers[Kind.FLIP_FLOP],
        flip_flops_ge=_rounded(areas[Kind.FLIP_FLOP]),
        latches=numbers[Kind.LATCH],
        clock_gates=numbers[Kind.CLOCK_GATE],
        clock_gates_ge=_rounded(areas[Kind.CLOCK_GATE]),
        inside_ns=paths.inside_ns,
        with_ports_ns=paths.with_ports_ns,
        beyond_limits=beyond,
    )


def _rounded(area_ge: float) -> float:
    return round(area_ge, 2)


def about(run: Run) -> dict[str, Any]:
    """Return the fields of a row that say what it is about."""
    return {
        "core": run.core.name,
        "goal": run.goal,
        "library": run.library.name,
        "library_sha256": run.library.sha256,
        "process": run.library.process,
        "corner": run.library.corner,
        "sources": sources_hash(run.module),
        "tools": tools.versions(),
    }


def synthesise_all(runs: Sequence[Run], workers: Workers) -> Iterator[Netlist]:
    """Yield the netlists of runs, in their order."""
    return in_order(workers, synthesise, ((run,) for run in runs))
