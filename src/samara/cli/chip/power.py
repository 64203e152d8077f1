# SPDX-License-Identifier: Apache-2.0
"""Simulate messages through netlists of cores, and show their power.

The netlist of each core seals a message, gate by gate; its answers are compared
with those of the library. How often each pin changed gives the power: before
data (starting: key, nonce, mixing) and with data (running). Gates have no delay
in the simulation, so glitches are missing; so are the wires and the clock tree
of a layout.

Energy of a message includes its start. Dynamic energy of a clock does not
depend on the frequency; leakage is a power, which costs more energy the slower
the clock is. A warning says if a netlist does not reach the clock.

\b
Examples:
  samara chip power --n 8 --clock 10MHz
  samara chip power --variant low-power --clock 100kHz --liberty cells.lib.gz
"""

from collections.abc import Sequence
from typing import Annotated

import typer

from samara.chip import described, library, power, synthesis, tools
from samara.chip.choosing import chosen_cores
from samara.chip.frequency import clock_of, text_of
from samara.chip.recipes import Goal
from samara.chip.results import Power
from samara.chip.synthesis import Netlist, Run
from samara.cli.chip.library import (
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
from samara.cli.shared.diagnostics import warn
from samara.cli.shared.json_lines import Json
from samara.cli.shared.repeatable import PROCESSORS, Workers
from samara.cli.shared.tables import Wide, console, print_figures, print_text
from samara.records.json_lines import record_line
from samara.records.tables import Cell, Column, Row, Table, label, significant, words
from samara.workers import in_order

_Clock = Annotated[
    str,
    typer.Option(
        "--clock",
        metavar="HZ",
        help="Clock in Hz that power and energy are shown at, such as 100kHz or 10MHz.",
    ),
]
_PowerGoal = Annotated[
    str,
    typer.Option(
        "--goal",
        metavar="GOAL",
        help="What the netlists are made for: area, speed or both.",
    ),
]
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


def _power(  # noqa: PLR0913 - one parameter an option
    *,
    n: Widths = None,
    clock: _Clock = "10MHz",
    variant: Variants = None,
    authenticate: Authenticate = None,
    liberty: LibertyFile = None,
    goal: _PowerGoal = Goal.AREA.value,
    where: Store = None,
    jobs: Workers = PROCESSORS,
    as_json: Json = False,
    wide: Wide = False,
) -> None:
    hertz = clock_of(clock)
    cells = library.load(liberty)
    goals = chosen_goals(goal)
    runs = [
        Run(core, cells, each)
        for core in chosen_cores(n, variant, authenticate)
        for each in goals
    ]
    prepare(cells)
    tools.found(tools.IVERILOG)
    rows = []
    with synthesis.threads(jobs) as workers:
        found = in_order(workers, power.measure, ((run,) for run in runs))
        rows_found = with_progress("simulating", len(runs), found)
        for run, row in zip(runs, rows_found, strict=True):
            keep(where, [row])
            netlist = synthesis.synthesise(run)
            _warn_if_too_fast(netlist, hertz)
            warn_of_slow_pins(netlist)
            if as_json:
                print(record_line(described.power_of(row, hertz)), flush=True)
            rows.append(row)
    if not as_json:
        _print(rows, hertz, wide=wide)


def _warn_if_too_fast(netlist: Netlist, hertz: float) -> None:
    """Warn of a clock that a netlist does not reach."""
    core, goal = netlist.run.core, netlist.run.goal
    fastest = netlist.row.frequency_hz
    if hertz > fastest:
        warn(
            f"{core.name}, netlist for {goal}, reaches {fastest / 1e6:.0f} MHz:"
            f" it cannot work at {text_of(hertz)}"
        )


def _print(rows: Sequence[Power], hertz: float, *, wide: bool) -> None:
    first = rows[0]
    table = Table(
        slug="power",
        title=f"{first.process}, {first.corner}, clock {hertz / 1e6:g} MHz",
        columns=_COLUMNS,
        rows=[Row(_cells(row, hertz)) for row in rows],
    )
    screen = console()
    print_figures(table, screen, empty="no cores", wide=wide)
    print_text(
        screen,
        "Estimates without layout and without glitches. Parts are of the power"
        " while running, leakage included; 8000 bytes are 1000 blocks of 64 bits.",
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


command = prints(described.Power)(_power)
