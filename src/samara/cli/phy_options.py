# SPDX-License-Identifier: Apache-2.0
"""Options and answers that the commands of `samara phy` share."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from rich.table import Table

from samara.cli.ciphers import console
from samara.cli.outcome import MisuseError, say

if TYPE_CHECKING:
    from collections.abc import Sequence

Ebn0 = Annotated[
    str,
    typer.Option(
        "--ebn0", metavar="DB", help="FIRST:LAST:STEP, or some values with commas."
    ),
]
Json = Annotated[bool, typer.Option("--json", help="All figures, as JSON.")]
Seed = Annotated[int, typer.Option(min=0, help="The same seed, the same noise.")]
Out = Annotated[
    Path | None,
    typer.Option("-o", "--output", metavar="DIR", help="Where pictures go."),
]
PayloadSize = Annotated[
    int, typer.Option("--payload", min=1, max=1024, help="Bytes of a frame's payload.")
]

_MOST_POINTS = 1000


def values_of(text: str) -> list[float]:
    """Return the values that --ebn0 names.

    Raises
    ------
    MisuseError
        When it names none, or too many.
    """
    try:
        if ":" in text:
            first, last, *rest = (float(part) for part in text.split(":"))
            (step,) = rest or [1.0]
            count = int((last - first) / step + 1e-9) + 1 if step > 0 else 0
            values = [first + step * i for i in range(min(count, _MOST_POINTS + 1))]
        else:
            values = [float(part) for part in text.split(",")]
    except (ValueError, OverflowError):
        values = []
    if not 0 < len(values) <= _MOST_POINTS or not all(abs(v) <= 100 for v in values):  # noqa: PLR2004
        message = (
            f"--ebn0 {text} is no sweep: give FIRST:LAST:STEP or values with commas, "
            "within 100 dB"
        )
        raise MisuseError(message)
    return [round(value, 6) for value in values]


def show(head: Sequence[str], rows: Sequence[Sequence[str]], numbers_from: int) -> None:
    """Print a table; columns from `numbers_from` on are to the right."""
    table = Table(*head)
    for column in table.columns[numbers_from:]:
        column.justify = "right"
    for row in rows:
        table.add_row(*row)
    console().print(table)


def told(paths: Sequence[Path]) -> None:
    """Say which files were written."""
    say("wrote " + ", ".join(str(path) for path in paths))
