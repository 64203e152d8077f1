# SPDX-License-Identifier: Apache-2.0
"""Place and route cores in an FPGA, and show their area and speed.

yosys maps a core to the cells of the part, nextpnr places and routes it, once a
seed. Clocks are estimates by nextpnr's model of the part at its worst case; the
clock of one seed is luck, so the best and the median of all seeds are shown.

The core has more ports than the part has pins. It stands between two shift
registers with a clock of their own: their cells are subtracted, and only
paths from flip-flop to flip-flop of the core count. With --top spi everything
counts.

\b
Examples:
  samara chip fpga --part ice40-hx8k --n 1,8 --variant plain
  samara chip fpga --part ecp5-25k --variant fast --seeds 10 -o placed
  samara chip fpga --part ice40-hx8k --top spi --n 1
"""

import tempfile
from collections.abc import Sequence
from pathlib import Path
from shutil import copyfile
from typing import Annotated, Any

import typer

from samara.chip import described, fpga, results, synthesis, tools
from samara.chip.choosing import chosen_cores
from samara.chip.design import widths
from samara.chip.fpga import Part, Placed, Run
from samara.chip.results import Placement
from samara.cli.chip.library import GoalName, chosen_goals, with_progress
from samara.cli.chip.options import Variants, Widths
from samara.cli.shared.answering import prints
from samara.cli.shared.completion import one_of
from samara.cli.shared.diagnostics import MisuseError, say
from samara.cli.shared.json_lines import Json
from samara.cli.shared.repeatable import PROCESSORS, Workers
from samara.cli.shared.tables import Wide, console, print_figures, print_text
from samara.records.json_lines import record_line
from samara.records.tables import Column, Row, Table, label, number, words

_PartName = Annotated[
    str,
    typer.Option(
        "--part",
        metavar="PART",
        autocompletion=one_of(lambda: list(fpga.PARTS)),
        help=f"Part: {' or '.join(fpga.PARTS)}.",
    ),
]
_Top = Annotated[
    str,
    typer.Option(
        "--top",
        metavar="TOP",
        help="What is placed: core, or spi, the wrapper with a serial port (N = 1 to"
        " 16), whose figures include the wrapper.",
    ),
]
_Seeds = Annotated[
    int,
    typer.Option(
        "--seeds", metavar="K", min=1, max=100, help="Place with seeds 1 to K."
    ),
]
_Output = Annotated[
    Path | None,
    typer.Option(
        "-o",
        "--output",
        metavar="DIR",
        file_okay=False,
        help="Directory for each netlist, its script, and nextpnr's report of the best"
        " seed. Default: build/chip only.",
    ),
]


_Store = Annotated[
    Path | None,
    typer.Option(
        "--store",
        metavar="DIR",
        file_okay=False,
        help="Directory of results; those of parts go to its directory fpga. Default:"
        " build/chip/results.",
    ),
]


def _columns(part: Part) -> tuple[Column, ...]:
    return (
        label("core", rank=0),
        label("goal", rank=0),
        Column(part.cells_title, rank=0),
        Column("flip-flops", rank=1),
        Column("best", "MHz", rank=0),
        Column("median", "MHz", rank=1),
        Column("throughput", "Mbit/s"),
        label("longest path", rank=4),
    )


def _fpga(  # noqa: PLR0913 - one parameter an option
    *,
    part: _PartName,
    n: Widths = None,
    variant: Variants = None,
    top: _Top = "core",
    goal: GoalName = "both",
    seeds: _Seeds = 5,
    output: _Output = None,
    where: _Store = None,
    jobs: Workers = PROCESSORS,
    as_json: Json = False,
    wide: Wide = False,
) -> None:
    chosen = fpga.part(part)
    if top not in fpga.TOPS:
        message = f"--top {top} is unknown: use {' or '.join(fpga.TOPS)}"
        raise MisuseError(message)
    goals = chosen_goals(goal)
    runs = [
        Run(core, chosen, each, top, seeds)
        for core in chosen_cores(
            n or [f"{width}" for width in widths(top)], variant, authenticate=True
        )
        for each in goals
    ]
    for run in runs:
        fpga.check(run)
    _prepare(chosen)
    rows = []
    with synthesis.threads(jobs) as workers:
        found = fpga.place_all(runs, workers)
        for placed in with_progress("placing", len(runs), found):
            results.store((where or results.own()) / "fpga", [placed.row])
            if output is not None:
                _copy(placed, output)
            if as_json:
                print(record_line(described.placement_of(placed.row)), flush=True)
            rows.append(placed.row)
    if not as_json:
        _print(chosen, rows, wide=wide)


def _prepare(part: Part) -> None:
    """Let programs compile themselves before they are called in parallel."""
    family = part.family
    with tempfile.TemporaryDirectory() as name:
        if not tools.yosys_is_prepared():
            say("the first call of yosys compiles it, which takes about a minute")
            tools.prepare_yosys(Path(name))
        if not tools.nextpnr_is_prepared(family):
            say(f"the first call of nextpnr-{family} compiles it: about a minute")
            tools.nextpnr(family, ("--version",), Path(name))


def _copy(placed: Placed, folder: Path) -> None:
    """Copy the files of a run to a directory of its own name."""
    row = placed.row
    target = folder / f"{row.core}-{row.top}-{row.goal}-{row.library}"
    target.mkdir(parents=True, exist_ok=True)
    for name in (fpga.NETLIST, fpga.SCRIPT, fpga.report_name(row.best_seed)):
        copyfile(placed.folder / name, target / name)


def _print(part: Part, rows: Sequence[Placement], *, wide: bool) -> None:
    table = Table(
        slug="placement",
        title=f"{part.title}, {part.corner}",
        columns=_columns(part),
        rows=[_row(row) for row in rows],
    )
    screen = console()
    print_figures(table, screen, empty="no cores", wide=wide)
    counted = (
        "Core alone, by paths between its flip-flops"
        if rows[0].top == "core"
        else "Core and wrapper with its pins"
    )
    seeds = ", ".join(rows[0].clocks_hz)
    print_text(screen, f"{counted}. Best and median of these seeds: {seeds}.")


def _row(row: Placement) -> Row:
    def figure(value: float, digits: int = 0) -> Any:  # noqa: ANN401 - a cell
        return number(value, row.origin, digits)

    path = f"{row.path_from} to {row.path_to}: {row.path_cells} cells"
    return Row(
        (
            words(row.core),
            words(row.goal),
            figure(row.cells),
            figure(row.flip_flops),
            figure(row.best_hz / 1e6),
            figure(row.median_hz / 1e6),
            figure(row.throughput_bit_s / 1e6),
            words(path),
        )
    )


command = prints(described.Placement)(_fpga)
