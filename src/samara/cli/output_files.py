# SPDX-License-Identifier: Apache-2.0
"""Files that answers are written to: a table, or a picture of it."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, TypeAlias

import typer

from samara.cli.diagnostics import MisuseError, say
from samara.cli.files import writing
from samara.extras import need
from samara.records.csv_lines import csv_lines, csv_of

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from matplotlib.figure import Figure

    from samara.records import Record

_SIZE = (7.2, 3.6)


Paint: TypeAlias = "Callable[[Figure, Sequence[Any], Sequence[str]], None]"
"""Draws records into an empty figure, with these colours."""


def checked_output(path: Path | None, *, pictures: bool = True) -> Path | None:
    """Check that an answer can be written as a file, before it is computed.

    Parameters
    ----------
    pictures
        Whether the answer can be drawn.

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
    if path.suffix != ".csv" and not pictures:
        message = f"-o {path} is not valid: this answer is not drawn; expected .csv"
        raise MisuseError(message)
    if not path.parent.is_dir():
        message = f"-o {path}: there is no directory {path.parent}; make it first"
        raise MisuseError(message)
    if path.suffix != ".csv":
        need("matplotlib", "phy")
    return path


def _checked(path: Path | None) -> Path | None:
    # Typer calls this with the value if there is one parameter, else with others.
    return checked_output(path)


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


def write_file(path: Path, records: Sequence[Record], paint: Paint | None) -> None:
    """Write records, of which there is at least one, as a table or a picture.

    Parameters
    ----------
    path
        As `checked_output` accepted it.
    """
    kind = path.suffix.removeprefix(".")
    if kind == "csv" or paint is None:
        content = csv_of(records)
    else:
        content = as_picture(
            lambda figure, colours: paint(figure, records, colours), _SIZE, kind
        )
    with writing(path, hold=False) as file:
        file.write(content)
    say(f"wrote {path}")


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
    content = csv_lines(rows) if kind == "csv" else as_picture(paint, size, kind)
    with writing(path, hold=False) as file:
        file.write(content)
    say(f"wrote {path}")


def as_picture(
    paint: Callable[[Figure, Sequence[str]], None],
    size: tuple[float, float],
    kind: str,
) -> bytes:
    """Return a picture as png or svg."""
    from samara.phy import pictures  # noqa: PLC0415 - slow

    return pictures.draw(lambda figure: paint(figure, pictures.COLOURS), size, kind)
