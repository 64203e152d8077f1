# SPDX-License-Identifier: Apache-2.0
"""Options and notes about libraries and programs, of commands that synthesise."""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, TypeVar

import typer
from rich.console import Console
from rich.progress import (
    BarColumn,
    MofNCompleteColumn,
    Progress,
    TextColumn,
    TimeRemainingColumn,
)

from samara.chip import results, timing, tools
from samara.chip.recipes import Goal
from samara.cli.shared.diagnostics import MisuseError, note, say, warn

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from samara.chip.library import Library
    from samara.chip.results import Row
    from samara.chip.synthesis import Netlist

_Item = TypeVar("_Item")

LibertyFile = Annotated[
    Path | None,
    typer.Option(
        "--liberty",
        metavar="FILE",
        help="Liberty file of the cells, also compressed by gzip. Default: OSU018 of"
        " Debian's package qflow-tech-osu018.",
    ),
]
GoalName = Annotated[
    str,
    typer.Option(
        "--goal",
        metavar="GOAL",
        help="What netlists are made for: area, speed or both.",
    ),
]
Store = Annotated[
    Path | None,
    typer.Option(
        "--store",
        metavar="DIR",
        file_okay=False,
        help="Directory with the file of the library that results go to. Default:"
        " build/chip/results.",
    ),
]


def chosen_goals(name: str) -> tuple[Goal, ...]:
    """Return the goals that the option names.

    Raises
    ------
    MisuseError
        If it is not known.
    """
    if name == "both":
        return tuple(Goal)
    if name not in list(Goal):
        message = f"--goal {name} is unknown: use area, speed or both"
        raise MisuseError(message)
    return (Goal(name),)


def prepare(library: Library) -> None:
    """Say what will take long, or be missing, before the first run."""
    if not library.has_clock_gate:
        note(
            f"{library.name} has no clock-gating cell: each flip-flop with an enable"
            " takes a multiplexer"
        )
    tools.found(tools.OPENSTA)
    if not tools.yosys_is_prepared():
        say("the first call of yosys compiles it, which takes about a minute")
        with tempfile.TemporaryDirectory() as folder:
            tools.prepare_yosys(Path(folder))


def warn_of_slow_pins(netlist: Netlist) -> None:
    """Warn if pins change more slowly than the library's tables reach."""
    slow = timing.slow_pins(netlist.folder)
    if not slow:
        return
    worst = max(slow, key=lambda pin: pin.takes_ns)
    core, goal = netlist.run.core.name, netlist.run.goal
    warn(
        f"{core}, netlist for {goal}: {len(slow)} pins change more slowly than the"
        f" library allows (worst {worst.takes_ns:g} ns, at most"
        f" {worst.limit_ns:g} ns): its power is read beyond the library's tables"
    )


def keep(where: Path | None, rows: Sequence[Row]) -> None:
    """Add rows to the directory of the option `Store`."""
    results.store(where or results.own(), rows)


def with_progress(what: str, total: int, items: Iterator[_Item]) -> Iterator[_Item]:
    """Yield items, with a bar on a terminal."""
    screen = Console(stderr=True)
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn())
    with Progress(
        *columns,
        TimeRemainingColumn(),
        console=screen,
        transient=True,
        # As in cli.shared.progress: what goes to a file is not for the terminal.
        redirect_stdout=sys.stdout is not None and sys.stdout.isatty(),
        disable=not screen.is_terminal,
    ) as progress:
        bar = progress.add_task(what, total=total)
        for item in items:
            yield item
            progress.advance(bar)
