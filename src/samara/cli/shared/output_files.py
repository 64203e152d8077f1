# SPDX-License-Identifier: Apache-2.0
"""Files that answers are written to: a table, a picture of it, or a page."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

from samara.cli.shared.diagnostics import MisuseError, note, say
from samara.cli.shared.files import writing
from samara.extras import need
from samara.records import report_script
from samara.records.charts import View
from samara.records.csv_lines import csv_of_rows
from samara.records.parts import Plot

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence
    from pathlib import Path

    from matplotlib.figure import Figure

    from samara.records import Record, Written
    from samara.records.charts import Chart, Drawn
    from samara.records.parts import Heading

_SIZE = (7.2, 3.6)
_LISTED = 6
"""Files that are named when they are written; of more, their number is told."""


Paint: TypeAlias = "Callable[[Figure, Any, Sequence[str]], None]"
"""Draws records, or what an answer says, into an empty figure, with these colours."""


Charts: TypeAlias = "Callable[[Written], Sequence[Chart]] | str"
"""Returns what the charts of a page show of an answer; or names the chart that the
console's page has of the records."""


Files: TypeAlias = "Callable[[Any], Mapping[str, bytes]]"
"""Returns files by their names, of records or of what an answer says is drawn."""


class Picture(NamedTuple):
    """How an answer is drawn."""

    paint: Paint | None = None
    """Default: the charts are drawn."""
    charts: Charts | None = None
    size: tuple[float, float] | None = None
    """Width and height in inches."""

    @property
    def is_there(self) -> bool:
        """Whether the answer can be drawn."""
        return self.paint is not None or callable(self.charts)

    def draw(self, figure: Figure, made: Written, colours: Sequence[str]) -> None:
        """Draw an answer into an empty figure."""
        if self.paint is not None:
            self.paint(figure, made.drawn, colours)
        else:
            # With what Matplotlib needs.
            from samara.records.painting import paint_charts  # noqa: PLC0415

            paint_charts(figure, _made_charts(self.charts, made), colours)


def checked_output(path: Path | None, *, pictures: bool = True) -> Path | None:
    """Check that an answer can be made the kind of file that a path names.

    Parameters
    ----------
    pictures
        Whether the answer can be drawn.

    Raises
    ------
    MisuseError
        When the name ends with none of .png, .svg, .csv, or Matplotlib is missing.
    """
    if path is None:
        return None
    if path.suffix not in (".png", ".svg", ".csv"):
        message = f"-o {path} is not valid: expected a name with .png, .svg or .csv"
        raise MisuseError(message)
    if path.suffix != ".csv" and not pictures:
        message = f"-o {path} is not valid: this answer is not drawn; expected .csv"
        raise MisuseError(message)
    if path.suffix != ".csv":
        need("matplotlib", "phy")
    return path


def write_file(path: Path, made: Written, picture: Picture) -> None:
    """Write an answer as a table or a picture.

    Parameters
    ----------
    path
        As `checked_output` accepted it.
    """
    kind = path.suffix.removeprefix(".")
    if kind == "csv":
        content = csv_of_rows(made.rows)
    else:
        content = as_picture(
            lambda figure, colours: picture.draw(figure, made, colours),
            picture.size or _SIZE,
            kind,
        )
    _write(path, content)


def write_directory(directory: Path, files: Files, made: Written) -> None:
    """Write files of an answer into a directory, which is made if need be."""
    if not made.drawn:
        return
    directory.mkdir(parents=True, exist_ok=True)
    contents = files(made.drawn)
    for name, content in contents.items():
        with writing(directory / name, hold=False) as file:
            file.write(content)
    paths = [str(directory / name) for name in contents]
    many = f"{len(paths)} files to {directory}"
    say(f"wrote {many if len(paths) > _LISTED else ', '.join(paths)}")


def charts_of(
    charts: Charts | None, made: Written, records: Sequence[Record]
) -> Sequence[Drawn]:
    """Return the charts of an answer."""
    if isinstance(charts, str):
        return [View(charts, records)] if records else []
    return _made_charts(charts, made)


def _made_charts(charts: Charts | None, made: Written) -> list[Chart]:
    if not callable(charts) or not made.drawn:
        return []
    return [each for each in charts(made) if each.series]


def write_page(
    path: Path,
    answer: Iterable[Any],
    heading: Heading,
    drawn: Sequence[Drawn],
) -> None:
    """Write an answer as a page, with its charts if it has some."""
    # It loads a template engine.
    from samara.records.html_page import page_of  # noqa: PLC0415

    plots = [Plot("charts", "", drawn)] if drawn else []
    if plots and report_script.found() is None:
        note(f"{path}: {report_script.NOT_BUILT}")
    _write(path, page_of(answer, heading, plots).encode())


def _write(path: Path, content: bytes) -> None:
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
