# SPDX-License-Identifier: Apache-2.0
"""Cores in a part with programmable logic: their area and speed, as an answer."""

from __future__ import annotations

from pathlib import Path
from shutil import copyfile
from typing import TYPE_CHECKING, Annotated

from samara.chip import described, fpga, preparing, requests, results
from samara.chip.choosing import Variants, Widths, chosen_cores
from samara.chip.design import CORE, widths
from samara.chip.fpga import Part, PlacedCore, Run
from samara.chip.requests import BOTH, GoalName, output_of
from samara.records import (
    Answer,
    Between,
    Parameter,
    Remark,
    Request,
    request_class,
)
from samara.records.paths import OUTPUT_DIRECTORY
from samara.records.tables import Cell, Column, Row, Table, label, number, words
from samara.records.usual import Workers
from samara.workers import PROCESSORS, threads

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from samara.chip.results import Placement


def _parts() -> list[str]:
    return list(fpga.PARTS)


@request_class
class PlaceRequest(Request):
    """Which cores are placed in which part, and where netlists and results go."""

    CHANGES = "netlists and results"

    part: Annotated[
        str,
        Parameter(metavar="PART", help="Part.", names=_parts),
    ]
    widths: Widths = ()
    variants: Variants = ()
    top: Annotated[
        str,
        Parameter(
            metavar="TOP",
            help="What is placed: core, or spi, the wrapper with a serial port (N = 1"
            " to 16), whose figures include the wrapper.",
            values=fpga.TOPS,
        ),
    ] = CORE
    goal: GoalName = BOTH
    seeds: Annotated[
        int,
        Parameter(metavar="K", help="Place with seeds 1 to K.", values=Between(1, 100)),
    ] = 5
    output: Annotated[
        Path | None,
        output_of("each netlist, its script, and nextpnr's report of the best seed"),
    ] = None
    store: Annotated[
        Path | None,
        Parameter(
            metavar="DIR",
            help="Directory of results; those of parts go to its directory fpga.",
            values=OUTPUT_DIRECTORY,
            default_text="build/chip/results",
        ),
    ] = None
    workers: Workers = None

    def runs(self, part: Part) -> list[Run]:
        """Return what is to be placed.

        Raises
        ------
        samara.errors.MisuseError
            If a width or a variant is not known, or the wrapper does not have the core.
        """
        n = self.widths or tuple(f"{width}" for width in widths(self.top))
        found = [
            Run(core, part, goal, self.top, self.seeds)
            for core in chosen_cores(n, self.variants, authenticate=True)
            for goal in requests.goals_of(self.goal)
        ]
        for run in found:
            fpga.check(run)
        return found


def place(request: PlaceRequest) -> Answer[described.Placement]:
    """Place and route cores, store results and yield them as they come.

    Raises
    ------
    samara.crypto.UnknownNameError
        If the part is not known.
    samara.errors.MisuseError
        As `PlaceRequest.runs`; or a core does not fit, or a program is missing or
        fails.
    """
    part = fpga.part(request.part)
    runs = request.runs(part)
    yield from preparing.prepare_placing(part)
    yield requests.begun("placing", runs)
    rows = []
    with threads(request.workers or PROCESSORS) as workers:
        found = fpga.place_all(runs, workers)
        for placed, progress in requests.counted("placing", len(runs), found):
            results.store((request.store or results.own()) / "fpga", [placed.row])
            if request.output is not None:
                _copy(placed, request.output)
            rows.append(placed.row)
            yield described.placement_of(placed.row)
            yield progress
    yield from _shown(part, rows)


def _copy(placed: PlacedCore, folder: Path) -> None:
    """Copy the files of a run to a directory of its own name."""
    row = placed.row
    target = folder / f"{row.core}-{row.top}-{row.goal}-{row.library}"
    target.mkdir(parents=True, exist_ok=True)
    for name in (fpga.NETLIST, fpga.SCRIPT, fpga.report_name(row.best_seed)):
        copyfile(placed.folder / name, target / name)


def _shown(part: Part, rows: Sequence[Placement]) -> Iterator[Table | Remark]:
    """Yield results as people are shown them."""
    yield Table(
        slug="placement",
        title=f"{part.title}, {part.corner}",
        columns=_columns(part),
        rows=[_row(row) for row in rows],
    )
    counted = (
        "Core alone, by paths between its flip-flops"
        if rows[0].top == CORE
        else "Core and wrapper with its pins"
    )
    seeds = ", ".join(rows[0].clocks_hz)
    yield Remark(f"{counted}. Best and median of these seeds: {seeds}.")


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


def _row(row: Placement) -> Row:
    def figure(value: float, digits: int = 0) -> Cell:
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
