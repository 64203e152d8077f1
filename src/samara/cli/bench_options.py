# SPDX-License-Identifier: Apache-2.0
"""What the commands of `samara bench` that measure have in common."""

import os
from collections.abc import Sequence
from itertools import product
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console
from rich.progress import (
    BarColumn,
    MofNCompleteColumn,
    Progress,
    TextColumn,
    TimeRemainingColumn,
)

from samara.bench import building, devices, running, sizes, store
from samara.bench.measuring import Task
from samara.bench.rows import Row
from samara.cli.outcome import MisuseError

Devices = Annotated[
    list[str] | None,
    typer.Option("--device", metavar="DEVICE", help="Which; all when not given."),
]
Suites = Annotated[
    list[str] | None,
    typer.Option(
        "--suite",
        metavar="SUITE",
        help="Suites and block ciphers; all when not given.",
    ),
]
Messages = Annotated[
    list[int] | None,
    typer.Option("--message", metavar="BYTES", min=0, help="Sizes of the message."),
]
Ads = Annotated[
    list[int] | None,
    typer.Option("--ad", metavar="BYTES", min=0, help="Sizes of the header."),
]
Opts = Annotated[
    list[str] | None,
    typer.Option("--opt", metavar="OPT", help="Os, O2, O3; all when not given."),
]
Jobs = Annotated[
    int, typer.Option("--jobs", metavar="N", min=1, help="How many at a time.")
]
Json = Annotated[bool, typer.Option("--json", help="As JSON.")]

PROCESSORS = os.cpu_count() or 1


def chosen_devices(names: Sequence[str] | None) -> list[devices.Device]:
    """Return the devices of these names; all when there are none."""
    return [devices.device(name) for name in names] if names else devices.devices()


def chosen_sizes(
    messages: Sequence[int] | None, ads: Sequence[int] | None
) -> list[tuple[int, int]] | None:
    """Return what was asked for; None for what each subject is measured with."""
    if not messages and not ads:
        return None
    # One header size suffices for who asks for one message size.
    return list(product(messages or sizes.MESSAGE_SIZES, ads or (0,)))


def chosen_optimisations(names: Sequence[str] | None) -> Sequence[str]:
    """Return the ways to optimise of these names; all when there are none.

    Raises
    ------
    MisuseError
        When one is not known.
    """
    for name in names or ():
        if name not in building.OPTIMISATIONS:
            known = ", ".join(building.OPTIMISATIONS)
            message = f"--opt takes {known}, not {name!r}"
            raise MisuseError(message)
    return names or building.OPTIMISATIONS


def carry_out(
    tasks: Sequence[Task], jobs: int, where: Path | None
) -> tuple[list[Row], list[str]]:
    """Measure with a progress bar; return rows, and what went wrong, once each.

    What was done is stored even when the rest is given up.
    """
    screen = Console(stderr=True)
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn())
    rows: list[Row] = []
    errors: list[str] = []
    with Progress(
        *columns,
        TimeRemainingColumn(),
        console=screen,
        transient=True,
        disable=not screen.is_terminal,
    ) as progress:
        bar = progress.add_task("measuring", total=len(tasks))
        for outcome in running.carry_out(tasks, jobs):
            if where is not None:
                store.append(where, outcome.rows)
            rows += outcome.rows
            if outcome.error and outcome.error not in errors:
                errors.append(outcome.error)
            progress.advance(bar)
    return rows, errors
