# SPDX-License-Identifier: Apache-2.0
"""Files of the commands of `samara energy`: a table, or a picture of it."""

from __future__ import annotations

import csv
import io
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from samara.cli.energy_tables import check_output
from samara.cli.files import writing
from samara.cli.outcome import say

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from matplotlib.axes import Axes


def _checked(path: Path | None) -> Path | None:
    if path is not None:
        check_output(path)
    return path


Output = Annotated[
    Path | None,
    typer.Option(
        "-o",
        metavar="FILE",
        callback=_checked,
        help="Write the answer as FILE: .png, .svg or .csv by its name.",
    ),
]
_SIZE = (7.2, 3.6)


def write(
    path: Path | None,
    rows: Sequence[Mapping[str, Any]],
    paint: Callable[[Axes, Sequence[str]], None],
) -> None:
    """Write rows as a table, or draw them, by the name of a checked file.

    Parameters
    ----------
    path
        None writes nothing.
    rows
        At least one; all have the same keys.
    paint
        Draws into empty axes with these colours.
    """
    if path is None:
        return
    kind = path.suffix.removeprefix(".")
    content = _csv(rows) if kind == "csv" else _picture(paint, kind)
    with writing(path, hold=False) as file:
        file.write(content)
    say(f"wrote {path}")


def _csv(rows: Sequence[Mapping[str, Any]]) -> bytes:
    written = io.StringIO()
    writer = csv.DictWriter(written, list(rows[0]), lineterminator="\n")
    writer.writeheader()
    writer.writerows(rows)
    return written.getvalue().encode()


def _picture(paint: Callable[[Axes, Sequence[str]], None], kind: str) -> bytes:
    from samara.phy import pictures  # noqa: PLC0415 - slow

    return pictures.draw(
        lambda figure: paint(figure.subplots(), pictures.COLOURS), _SIZE, kind
    )
