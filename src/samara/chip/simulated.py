# SPDX-License-Identifier: Apache-2.0
"""Power of cores while they work, by simulated messages, as an answer."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

from samara.chip import (
    described,
    library,
    power,
    preparing,
    requests,
    results,
    synthesis,
    tools,
)
from samara.chip.choosing import CoresRequest
from samara.chip.frequency import clock_of, text_of
from samara.chip.recipes import Goal
from samara.chip.requests import GoalName, LibertyFile, Store
from samara.chip.synthesis import Run
from samara.records import Answer, Notice, Parameter, Remark, request_class
from samara.records.tables import Cell, Column, Row, Table, label, significant, words
from samara.records.usual import Workers
from samara.workers import PROCESSORS, in_order, threads

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from samara.chip.results import Power
    from samara.chip.synthesis import Netlist

_MICRO, _PICO, _NANO = 1e6, 1e12, 1e9

_COLUMNS = (
    label("core", rank=0),
    label("goal", rank=2),
    Column("leakage", "µW", rank=2),
    Column("starting", "µW"),
    Column("running", "µW", rank=0),
    *(Column(part, "µW", rank=3) for part in power.PARTS),
    Column("a clock", "pJ", rank=2),
    Column("a bit", "pJ", rank=0),
    Column("8 bytes", "nJ"),
    Column("8000 bytes", "nJ"),
)


@request_class
class PowerRequest(CoresRequest):
    """Of which cores the power is simulated, and the clock that it is told for."""

    CHANGES = "netlists and results"

    clock: Annotated[
        str,
        Parameter(
            metavar="HZ",
            help="Clock in Hz that power and energy are shown at, such as 100kHz or"
            " 10MHz.",
        ),
    ] = "10MHz"
    liberty: LibertyFile = None
    goal: GoalName = Goal.AREA.value
    store: Store = None
    workers: Workers = None


def simulate(request: PowerRequest) -> Answer[described.Power]:
    """Simulate messages through netlists of cores, and yield their power as it comes.

    Raises
    ------
    samara.errors.MisuseError
        If the clock, a width or a variant is not valid, the library cannot be read, a
        program is missing or fails, or an answer of a netlist is wrong.
    """
    hertz = clock_of(request.clock)
    cells = library.load(request.liberty)
    goals = requests.goals_of(request.goal)
    runs = [Run(core, cells, goal) for core in request.cores() for goal in goals]
    yield from preparing.prepare(cells)
    tools.found(tools.IVERILOG)
    yield requests.begun("simulating", runs)
    rows = []
    with threads(request.workers or PROCESSORS) as workers:
        found = in_order(workers, power.measure, ((run,) for run in runs))
        counted = requests.counted("simulating", len(runs), found)
        for run, (row, progress) in zip(runs, counted, strict=True):
            results.store(request.store or results.own(), [row])
            netlist = synthesis.synthesise(run)
            yield from _too_fast(netlist, hertz)
            yield from preparing.slow_pins(netlist)
            rows.append(row)
            yield described.power_of(row, hertz)
            yield progress
    yield from _shown(rows, hertz)


def _too_fast(netlist: Netlist, hertz: float) -> Iterator[Notice]:
    """Yield whether a netlist does not reach a clock."""
    core, goal = netlist.run.core, netlist.run.goal
    fastest = netlist.row.frequency_hz
    if hertz > fastest:
        text = (
            f"{core.name}, netlist for {goal}, reaches {fastest / 1e6:.0f} MHz:"
            f" it cannot work at {text_of(hertz)}"
        )
        yield Notice(text, warns=True)


def _shown(rows: Sequence[Power], hertz: float) -> Iterator[Table | Remark]:
    """Yield results as people are shown them."""
    first = rows[0]
    yield Table(
        slug="power",
        title=f"{first.process}, {first.corner}, clock {hertz / 1e6:g} MHz",
        columns=_COLUMNS,
        rows=[Row(_cells(row, hertz)) for row in rows],
    )
    yield Remark(
        "Estimates without layout and without glitches. Parts are of the power"
        " while running, leakage included; 8000 bytes are 1000 blocks of 64 bits."
    )


def _cells(row: Power, hertz: float) -> list[Cell]:
    def figure(value: float) -> Cell:
        return significant(value, row.origin)

    return [
        words(row.core),
        words(row.goal),
        figure(row.leakage_w * _MICRO),
        figure(row.power_w(hertz, row.start_j) * _MICRO),
        figure(row.power_w(hertz, row.run_j) * _MICRO),
        *(figure(row.part_w(hertz, part) * _MICRO) for part in power.PARTS),
        figure(row.run_j * _PICO),
        figure(row.energy_of_bit_j(hertz) * _PICO),
        figure(row.energy_j(hertz, 8) * _NANO),
        figure(row.energy_j(hertz, 8000) * _NANO),
    ]
