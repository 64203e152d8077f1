# SPDX-License-Identifier: Apache-2.0
"""Cores as netlists of a library's cells: their area and speed, as an answer."""

from __future__ import annotations

from pathlib import Path
from shutil import copyfile
from typing import TYPE_CHECKING, Annotated

from samara.chip import (
    described,
    library,
    preparing,
    recipes,
    requests,
    results,
    synthesis,
    timing,
)
from samara.chip.choosing import CoresRequest, chosen_cores
from samara.chip.design import CORE, WRAPPERS, Core, check_top, widths
from samara.chip.requests import BOTH, GoalName, LibertyFile, Store, output_of
from samara.chip.synthesis import Netlist, Run
from samara.records import (
    Answer,
    Notice,
    Parameter,
    Remark,
    request_class,
)
from samara.records.tables import Cell, Column, Row, Table, label, number, words
from samara.records.usual import Workers
from samara.workers import PROCESSORS, threads

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from samara.chip.library import Library
    from samara.chip.results import Synthesis


_COLUMNS = (
    label("core", rank=0),
    label("goal", rank=0),
    Column("area", "GE", rank=0),
    Column("flip-flops", rank=2),
    Column("their share", "%", rank=2),
    Column("clock gates", rank=3),
    Column("path", "ns"),
    Column("clock", "MHz", rank=0),
    Column("through port", "ns", rank=3),
    Column("throughput", "Mbit/s"),
    label("other goal", rank=4),
)

_COPIED = (recipes.NETLIST, timing.REPORT, "script.ys", timing.SCRIPT)


def _tops() -> tuple[str, ...]:
    return (CORE, *WRAPPERS)


@request_class
class SynthRequest(CoresRequest):
    """Which cores are synthesised, for what, and where netlists and results go."""

    CHANGES = "netlists and results"

    top: Annotated[
        str,
        Parameter(
            metavar="TOP",
            help="What is synthesised: core, or a wrapper with the core in it: axi"
            " (registers and streams) or spi (a serial port, N = 1 to 16).",
            names=_tops,
            names_in_words="",
        ),
    ] = CORE
    liberty: LibertyFile = None
    goal: GoalName = BOTH
    output: Annotated[
        Path | None,
        output_of(
            "each netlist, its report of the longest paths, and the scripts that made"
            " them"
        ),
    ] = None
    store: Store = None
    workers: Workers = None

    def runs(self, cells: Library) -> list[Run]:
        """Return what is to be synthesised with a library.

        Raises
        ------
        samara.errors.MisuseError
            If a width, a variant or a wrapper is not known, or the wrapper does not
            have the core.
        """
        return [
            Run(core, cells, goal, self.top)
            for core in self._cores()
            for goal in requests.goals_of(self.goal)
        ]

    def _cores(self) -> list[Core]:
        """Return the chosen cores: without a choice those of a wrapper."""
        n, authenticates = self.widths, self.authenticates
        if self.top != CORE:
            n = n or tuple(f"{width}" for width in widths(self.top))
            authenticates = True if authenticates is None else authenticates
        found = chosen_cores(n, self.variants, authenticates)
        for core in found:
            check_top(core, self.top)
        return found


def synth(request: SynthRequest) -> Answer[described.Synthesis]:
    """Synthesise cores, store results and yield them as they come.

    Raises
    ------
    samara.errors.MisuseError
        As `SynthRequest.runs`; or the library cannot be read, or a program is missing
        or fails.
    """
    cells = library.load(request.liberty)
    runs = request.runs(cells)
    yield from preparing.prepare(cells)
    yield requests.begun("synthesising", runs)
    rows = []
    with threads(request.workers or PROCESSORS) as workers:
        found = synthesis.synthesise_all(runs, workers)
        for netlist, progress in requests.counted("synthesising", len(runs), found):
            results.store(request.store or results.own(), [netlist.row])
            yield from _failed(netlist)
            yield from preparing.slow_pins(netlist)
            if request.output is not None:
                _copy(netlist, request.output)
            rows.append(netlist.row)
            yield described.synthesis_of(netlist.row)
            yield progress
    yield from _shown(rows)


def _failed(netlist: Netlist) -> Iterator[Notice]:
    if netlist.failed:
        scripts = ", ".join(netlist.failed)
        row = netlist.row
        yield Notice(
            f"{row.core}, {row.goal}: ABC failed with {scripts}; the netlist is the"
            f" smallest of its other scripts (errors: {netlist.folder})"
        )


def _copy(netlist: Netlist, folder: Path) -> None:
    """Copy the files of a run to a directory of its own name."""
    top = "" if netlist.row.top == CORE else f"-{netlist.row.top}"
    target = folder / f"{netlist.row.core}{top}-{netlist.row.goal}"
    target.mkdir(parents=True, exist_ok=True)
    for name in _COPIED:
        copyfile(netlist.folder / name, target / name)


def _shown(rows: Sequence[Synthesis]) -> Iterator[Table | Remark]:
    """Yield results as people are shown them."""
    first = rows[0]
    wrapped = "" if first.top == CORE else f"; with the wrapper {first.top}"
    yield Table(
        slug="synthesis",
        title=f"{first.process}, {first.corner}{wrapped}",
        columns=_COLUMNS,
        rows=[_row(row, rows) for row in rows],
    )
    yield Remark(
        f"1 GE = {first.nand2}; the smallest flip-flop takes {first.flip_flop_ge:g} GE."
        " Estimates without layout; clock by the longest path between flip-flops."
    )


def _row(row: Synthesis, rows: Sequence[Synthesis]) -> Row:
    def figure(value: float, digits: int = 0) -> Cell:
        return number(value, row.origin, digits)

    return Row(
        (
            words(row.core),
            words(row.goal),
            figure(row.area_ge),
            figure(row.flip_flops),
            figure(100 * row.flip_flops_share),
            figure(row.clock_gates),
            figure(row.inside_ns, 2),
            figure(row.frequency_hz / 1e6),
            figure(row.with_ports_ns, 2),
            figure(row.throughput_bit_s / 1e6),
            words(_trade(row, rows)),
        )
    )


def _trade(row: Synthesis, rows: Sequence[Synthesis]) -> str:
    """Return whether the netlist for the other goal is better in something."""
    others = [each for each in rows if each.core == row.core and each is not row]
    if not others:
        return "-"
    (other,) = others
    smaller, faster = other.area_ge < row.area_ge, other.inside_ns < row.inside_ns
    if smaller and faster:
        return "better in both"
    if not smaller and not faster:
        return "better in nothing"
    return "smaller, slower" if smaller else "faster, larger"
