# SPDX-License-Identifier: Apache-2.0
"""Synthesise cores, and show their area and speed.

Area is in gate equivalents (GE): over that of the library's smallest NAND
gate of two inputs. Speed is that of the longest path between flip-flops. All
figures are estimates at one corner: the netlist has no layout, its wires no
delay, and its clock arrives everywhere at once.

Each core is synthesised for each goal. Where the two netlists differ, the
small one is not the fast one: a figure of area and a figure of speed are of
one netlist only if they are in one row.

\b
Examples:
  samara chip synth --n 1,8,64 --authenticate
  samara chip synth --variant fast --goal speed --liberty cells.lib.gz -o netlists
  samara chip synth --top axi --n 1 --variant plain --goal area
"""

from collections.abc import Sequence
from pathlib import Path
from shutil import copyfile
from typing import Annotated, Any

import typer

from samara.chip import described, library, recipes, synthesis, timing
from samara.chip.choosing import chosen_cores
from samara.chip.design import CORE, WRAPPERS, Core, check_top, widths
from samara.chip.results import Synthesis
from samara.chip.synthesis import Netlist, Run
from samara.cli.chip.library import (
    GoalName,
    LibertyFile,
    Store,
    chosen_goals,
    keep,
    prepare,
    warn_of_slow_pins,
    with_progress,
)
from samara.cli.chip.options import Authenticate, Variants, Widths
from samara.cli.shared.answering import prints
from samara.cli.shared.completion import one_of
from samara.cli.shared.diagnostics import note
from samara.cli.shared.json_lines import Json
from samara.cli.shared.repeatable import PROCESSORS, Workers
from samara.cli.shared.tables import Wide, console, print_figures, print_text
from samara.records.json_lines import record_line
from samara.records.tables import Column, Row, Table, label, number, words

_Output = Annotated[
    Path | None,
    typer.Option(
        "-o",
        "--output",
        metavar="DIR",
        file_okay=False,
        help="Directory for each netlist, its report of the longest paths, and the"
        " scripts that made them. Default: build/chip only.",
    ),
]

_Top = Annotated[
    str,
    typer.Option(
        "--top",
        metavar="TOP",
        autocompletion=one_of(lambda: [CORE, *WRAPPERS]),
        help="What is synthesised: core, or a wrapper with the core in it: axi"
        " (registers and streams) or spi (a serial port, N = 1 to 16).",
    ),
]

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


def _synth(  # noqa: PLR0913 - one parameter an option
    *,
    n: Widths = None,
    variant: Variants = None,
    authenticate: Authenticate = None,
    top: _Top = CORE,
    liberty: LibertyFile = None,
    goal: GoalName = "both",
    output: _Output = None,
    where: Store = None,
    jobs: Workers = PROCESSORS,
    as_json: Json = False,
    wide: Wide = False,
) -> None:
    cells = library.load(liberty)
    goals = chosen_goals(goal)
    runs = [
        Run(core, cells, each, top)
        for core in _cores(top, n, variant, authenticate=authenticate)
        for each in goals
    ]
    prepare(cells)
    rows = []
    with synthesis.threads(jobs) as workers:
        found = synthesis.synthesise_all(runs, workers)
        for netlist in with_progress("synthesising", len(runs), found):
            keep(where, [netlist.row])
            _note_failed(netlist)
            warn_of_slow_pins(netlist)
            if output is not None:
                _copy(netlist, output)
            if as_json:
                print(record_line(described.synthesis_of(netlist.row)), flush=True)
            rows.append(netlist.row)
    if not as_json:
        _print(rows, wide=wide)


def _cores(
    top: str,
    n: Sequence[str] | None,
    variant: Sequence[str] | None,
    *,
    authenticate: bool | None,
) -> list[Core]:
    """Return the cores that the options select: without others those of a wrapper."""
    if top != CORE:
        n = n or [f"{width}" for width in widths(top)]
        authenticate = True if authenticate is None else authenticate
    found = chosen_cores(n, variant, authenticate)
    for core in found:
        check_top(core, top)
    return found


def _note_failed(netlist: Netlist) -> None:
    if netlist.failed:
        scripts = ", ".join(netlist.failed)
        row = netlist.row
        note(
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


def _print(rows: Sequence[Synthesis], *, wide: bool) -> None:
    first = rows[0]
    table = Table(
        slug="synthesis",
        title=f"{first.process}, {first.corner}{_wrapped(first)}",
        columns=_COLUMNS,
        rows=[_row(row, rows) for row in rows],
    )
    screen = console()
    print_figures(table, screen, empty="no cores", wide=wide)
    print_text(
        screen,
        f"1 GE = {first.nand2}; the smallest flip-flop takes {first.flip_flop_ge:g} GE."
        " Estimates without layout; clock by the longest path between flip-flops.",
    )


def _wrapped(row: Synthesis) -> str:
    return "" if row.top == CORE else f"; with the wrapper {row.top}"


def _row(row: Synthesis, rows: Sequence[Synthesis]) -> Row:
    def figure(value: float, digits: int = 0) -> Any:  # noqa: ANN401 - a cell
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


command = prints(described.Synthesis)(_synth)
