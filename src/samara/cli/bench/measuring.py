# SPDX-License-Identifier: Apache-2.0
"""Measuring for a command, with a progress bar."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rich.console import Console
from rich.progress import (
    BarColumn,
    MofNCompleteColumn,
    Progress,
    TextColumn,
    TimeRemainingColumn,
)

from samara.bench import running, store
from samara.bench.result_record import record_of
from samara.bench.results_table import parts_of
from samara.cli.shared.diagnostics import ExitCode, say
from samara.cli.shared.showing import print_parts
from samara.records import Title
from samara.records.composing import composed
from samara.records.json_lines import record_line
from samara.workers import processes

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from pathlib import Path

    from samara.bench.measuring import Task
    from samara.bench.results import Result


def measure(
    tasks: Sequence[Task], jobs: int, where: Path, *, as_json: bool, wide: bool
) -> tuple[ExitCode, bool]:
    """Measure, store and print; return the exit status, and whether anything ran."""
    found, errors = carry_out(tasks, jobs, where, each=_print_line if as_json else None)
    if not as_json:
        empty = "No results: see the errors." if errors else "Nothing to measure."
        rows = [(result, None) for result in found]
        parts = parts_of(rows, fold=False) if rows else [Title("", empty=empty)]
        print_parts(composed(parts), wide=wide)
    for error in dict.fromkeys(errors):
        say(error)
    return ExitCode.REFUSED if errors else ExitCode.DONE, bool(found)


def _print_line(result: Result) -> None:
    print(record_line(record_of(result)), flush=True)


def carry_out(
    tasks: Sequence[Task],
    jobs: int,
    where: Path | None,
    each: Callable[[Result], None] | None = None,
) -> tuple[list[Result], list[str]]:
    """Measure with a progress bar; return the results, and each error once.

    Parameters
    ----------
    where
        File or directory that results are added to as they come, so that an
        interruption loses none; None for nowhere.
    each
        Called with each result as it comes.
    """
    screen = Console(stderr=True)
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn())
    results: list[Result] = []
    errors: list[str] = []
    with (
        Progress(
            *columns,
            TimeRemainingColumn(),
            console=screen,
            transient=True,
            disable=not screen.is_terminal,
        ) as progress,
        processes(jobs) as executor,
    ):
        bar = progress.add_task("measuring", total=len(tasks))
        for outcome in running.carry_out(tasks, executor):
            if where is not None:
                store.append(where, outcome.results)
            results += outcome.results
            if each is not None:
                for result in outcome.results:
                    each(result)
            if outcome.error and outcome.error not in errors:
                errors.append(outcome.error)
            progress.advance(bar)
    return results, errors
