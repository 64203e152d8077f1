# SPDX-License-Identifier: Apache-2.0
"""Options and output that the commands of `samara phy` share."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from samara.cli.shared.completion import one_of
from samara.cli.shared.diagnostics import MisuseError, say
from samara.cli.shared.repeatable import Seed
from samara.cli.shared.tables import Column, console, print_table
from samara.phy.modulation import MODULATIONS, names
from samara.units import DECIBEL

if TYPE_CHECKING:
    from collections.abc import Sequence

__all__ = ["Seed"]

Ebn0 = Annotated[
    str,
    typer.Option(
        "--ebn0",
        metavar="DB",
        help="Eb/N0 in dB: FIRST:LAST:STEP, or values separated by commas.",
    ),
]
complete_modulation = one_of(lambda: MODULATIONS)
ModulationName = Annotated[
    str,
    typer.Option(
        "--modulation",
        metavar="NAME",
        autocompletion=complete_modulation,
        help=f"Modulation: {names()}.",
    ),
]
Multipath = Annotated[
    str,
    typer.Option(
        metavar="RAYS",
        help="Rays of the channel: none, three-ray, or DELAY:GAIN,... with delays in "
        "samples and gains in dB.",
    ),
]
Out = Annotated[
    Path | None,
    typer.Option("-o", "--output", metavar="DIR", help="Directory for pictures."),
]
PayloadSize = Annotated[
    int,
    typer.Option(
        "--payload", metavar="BYTES", min=1, max=1024, help="Payload of a frame."
    ),
]

_MOST_POINTS = 1000
_LARGEST_DB = 100


def values_of(text: str) -> list[float]:
    """Return the values of --ebn0.

    Raises
    ------
    MisuseError
        If there are none, or too many.
    """
    try:
        if ":" in text:
            first, last, *rest = (DECIBEL.parse(part) for part in text.split(":"))
            (step,) = rest or [1.0]
            count = int((last - first) / step + 1e-9) + 1 if step > 0 else 0
            values = [first + step * i for i in range(min(count, _MOST_POINTS + 1))]
        else:
            values = [DECIBEL.parse(part) for part in text.split(",")]
    except (ValueError, OverflowError):
        values = []
    if not 0 < len(values) <= _MOST_POINTS or not all(
        abs(value) <= _LARGEST_DB for value in values
    ):
        message = (
            f"--ebn0 {text!r} is not valid: expected FIRST:LAST:STEP or values "
            f"separated by commas, from -{_LARGEST_DB} to {_LARGEST_DB} dB, at most "
            f"{_MOST_POINTS} of them"
        )
        raise MisuseError(message)
    return [round(value, 6) for value in values]


def columns(
    head: Sequence[str], *, numeric_from: int, ranks: Sequence[int] = ()
) -> list[Column]:
    """Return columns with these names.

    Parameters
    ----------
    numeric_from
        Index of the first column that is aligned to the right.
    ranks
        Rank of each column: where the terminal is narrow, the highest goes first.
    """
    return [
        Column(name, numeric=i >= numeric_from, rank=ranks[i] if ranks else 0)
        for i, name in enumerate(head)
    ]


def show(
    columns: Sequence[Column],
    rows: Sequence[Sequence[str]],
    *,
    title: str = "",
    empty: str = "no point is complete: give the command more time, or less to do",
    wide: bool | None = None,
) -> None:
    """Print a table."""
    print_table(console(), columns, rows, empty=empty, title=title, wide=wide)


def say_written(paths: Sequence[Path]) -> None:
    """Name the files that were written, on stderr."""
    say("wrote " + ", ".join(str(path) for path in paths))
