# SPDX-License-Identifier: Apache-2.0
"""Files of `samara energy` and `samara advise`: a table, or a picture of it."""

from __future__ import annotations

import csv
import io
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from samara.cli.files import writing
from samara.cli.outcome import MisuseError, say
from samara.extras import need

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from matplotlib.figure import Figure

_SIZE = (7.2, 3.6)


def _checked(path: Path | None) -> Path | None:
    """Check that an answer can be written as a file, before it is computed.

    Raises
    ------
    MisuseError
        When the name ends with none of .png, .svg, .csv, there is no such directory,
        or Matplotlib is missing.
    """
    if path is None:
        return None
    if path.suffix not in (".png", ".svg", ".csv"):
        message = f"-o {path} is not valid: expected a name with .png, .svg or .csv"
        raise MisuseError(message)
    if not path.parent.is_dir():
        message = f"-o {path}: there is no directory {path.parent}; make it first"
        raise MisuseError(message)
    if path.suffix != ".csv":
        need("matplotlib", "phy")
    return path


Output = Annotated[
    Path | None,
    typer.Option(
        "-o",
        "--output",
        metavar="FILE",
        callback=_checked,
        help="Write the answer as FILE: .png or .svg, a picture; .csv, a table. "
        "Default: write no file.",
    ),
]


def write(
    path: Path | None,
    rows: Sequence[Mapping[str, Any]],
    paint: Callable[[Figure, Sequence[str]], None],
    size: tuple[float, float] = _SIZE,
) -> None:
    """Write rows as a table, or draw them, by the name of a checked file.

    Parameters
    ----------
    path
        None writes nothing.
    rows
        At least one; all have the same keys.
    paint
        Draws into an empty figure with these colours.
    size
        Width and height of the picture in inches.
    """
    if path is None:
        return
    kind = path.suffix.removeprefix(".")
    content = as_csv(rows) if kind == "csv" else as_picture(paint, size, kind)
    with writing(path, hold=False) as file:
        file.write(content)
    say(f"wrote {path}")


def as_csv(rows: Sequence[Mapping[str, Any]]) -> bytes:
    """Return rows as a table with a line of heads."""
    written = io.StringIO()
    writer = csv.DictWriter(written, list(rows[0]), lineterminator="\n")
    writer.writeheader()
    writer.writerows(rows)
    return written.getvalue().encode()


def as_picture(
    paint: Callable[[Figure, Sequence[str]], None],
    size: tuple[float, float],
    kind: str,
) -> bytes:
    """Return a picture as png or svg."""
    from samara.phy import pictures  # noqa: PLC0415 - slow

    return pictures.draw(lambda figure: paint(figure, pictures.COLOURS), size, kind)
