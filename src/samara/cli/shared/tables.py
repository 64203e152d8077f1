# SPDX-License-Identifier: Apache-2.0
"""Tables on a terminal: one printer for all commands.

A table that is wider than the terminal loses columns, never digits: the columns of
the highest rank first, and of those the rightmost. A line below the table names the
columns that are not shown, and how to see them. Output that goes to a pipe or a file
has no width and loses nothing, unless the environment variable COLUMNS gives one.
"""

from __future__ import annotations

import os
from functools import lru_cache
from typing import TYPE_CHECKING, Annotated, NamedTuple

import rich.table
import typer
from rich import box
from rich.cells import cell_len
from rich.console import Console
from rich.markup import escape
from rich.segment import Segment
from rich.text import Text

from samara.cli.shared.printable import printable_text
from samara.figure import Origin

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from rich.console import ConsoleOptions

    from samara.records import tables
    from samara.records.tables import Cell, Table

_TEXT_WIDTH = 88
# Text in a pipe is not wrapped earlier; tables there are as wide as they need.
_PIPE_WIDTH = 200
# A column of text is wrapped down to this width before a column is left out.
_WRAPPED_WIDTH = 24
_PADDING = 1

Wide = Annotated[
    bool,
    typer.Option("--wide", help="Show all columns, however wide the terminal is."),
]
"""The option of a command whose tables have more columns than fit into 80."""


def marked(origin: Origin) -> str:
    """Return an origin's name in its colour."""
    return f"[{origin.colour}]{origin}[/]"


class Column(NamedTuple):
    """The head of a column, and when it is left out."""

    name: str
    """A new line in it is kept."""
    numeric: bool = False
    """Whether it is aligned to the right."""
    rank: int = 1
    """Columns of the highest rank are left out first; 0: never. The first column of
    a table is never left out."""
    wraps: bool = False
    """Whether it is text that may take several lines."""


def console() -> Console:
    """Return stdout for text and tables: as wide as the terminal or COLUMNS."""
    # Parts of addresses, such as :ab:, are no names of pictures.
    found = Console(emoji=False)
    if found.is_terminal or os.environ.get("COLUMNS", "").isdigit():
        return found
    return Console(width=_PIPE_WIDTH, emoji=False)


def print_table(  # noqa: PLR0913 - all but the table itself by name
    screen: Console,
    columns: Sequence[Column],
    rows: Sequence[Sequence[str]],
    *,
    empty: str,
    title: str = "",
    caption: str = "",
    wide: bool | None = None,
) -> None:
    """Print a table, or why it is empty.

    Parameters
    ----------
    screen
        What `console` returns.
    columns
        Heads, from left to right.
    rows
        Cells for each column, in Rich's markup: text of others needs
        `rich.markup.escape`.
    empty
        Text that is printed when there are no rows: why there are none, and what to
        type to get some.
    title, caption
        Lines above and below.
    wide
        What the command's option `Wide` says; None when the command has none.
    """
    if not rows:
        print_text(screen, escape(f"{title}: {empty}" if title else empty))
        return
    widths = [
        _width(column, [row[i] for row in rows]) for i, column in enumerate(columns)
    ]
    room = None if wide or _is_unlimited(screen) else screen.width
    shown = _fitting(columns, widths, room)
    width = _total([widths[i] for i in shown])
    if room is not None:
        # Where even the least does not fit, the terminal wraps lines: no digit is lost.
        width = min(width, max(room, _total(_least(columns, widths, shown))))
    if title:
        print_text(screen, f"[bold]{escape(title)}[/]")
    kept = [columns[i] for i in shown]
    cells = [[row[i] for i in shown] for row in rows]
    whole_lines = _total([widths[i] for i in shown]) == width and not any(
        "\n" in text for row in cells for text in row
    )
    screen.print(
        _WholeLines(kept, cells, [widths[i] for i in shown])
        if whole_lines
        else _drawn(kept, cells, width),
        crop=False,
        no_wrap=True,
        overflow="ignore",
    )
    if caption:
        print_text(screen, escape(caption))
    left_out = [column for i, column in enumerate(columns) if i not in shown]
    _print_left_out(screen, left_out, wide=wide)


def print_figures(
    table: Table,
    screen: Console,
    *,
    empty: str = "no figures",
    wide: bool | None = None,
) -> None:
    """Print a table of figures, as `print_table` does.

    A column whose figures have one origin says so in its head; in the others each
    figure is followed by the letter of its own.
    """
    columns = [[row.cells[i] for row in table.rows] for i in range(len(table.columns))]
    unit = _common_unit(table)
    heads = [
        Column(
            _head(column, cells, "" if unit else column.unit),
            numeric=column.numeric,
            rank=column.rank,
            wraps=column.wraps,
        )
        for column, cells in zip(table.columns, columns, strict=True)
    ]
    texts = [list(_texts(cells)) for cells in columns]
    print_table(
        screen,
        heads,
        list(zip(*texts, strict=True)),
        title=printable_text(table.title) + (f" ({unit})" if unit else ""),
        caption=table.caption,
        empty=empty,
        wide=wide,
    )


class _WholeLines:
    """A table each of whose rows is one line, and no column is wrapped.

    Rich draws the head, and would draw a row in some milliseconds: it looks at each
    cell four times, for what is not in such a table. Rows that it would draw in the
    same way are put together here.
    """

    def __init__(
        self,
        columns: Sequence[Column],
        rows: Sequence[Sequence[str]],
        widths: Sequence[int],
    ) -> None:
        self._columns, self._rows, self._widths = columns, rows, widths
        self._drawn: dict[str, list[Segment]] = {}
        """By markup: most cells end with one of a few letters."""

    def __rich_console__(
        self, screen: Console, options: ConsoleOptions
    ) -> Iterator[Segment]:
        # Rich draws the head over a row that is as wide as the columns.
        widest = ["x" * width for width in self._widths]
        drawn = _drawn(self._columns, [widest], _total(self._widths))
        *head, _, foot = Segment.split_lines(screen.render(drawn, options))
        for line in head:
            yield from (*line, Segment.line())
        for row in self._rows:
            yield from self._line(screen, row)
        yield from (*foot, Segment.line())

    def _line(self, screen: Console, row: Sequence[str]) -> Iterator[Segment]:
        """Yield a row: a space around it and between its cells."""
        line = ""
        for column, text, width in zip(self._columns, row, self._widths, strict=True):
            room = " " * (width - _cells_of(text))
            left, right = (room, "") if column.numeric else ("", room)
            plain, markup = _divided(text)
            line += f" {left}{plain}"
            if markup:
                yield Segment(line)
                yield from self._segments(screen, markup)
                line = ""
            line += right + " " * _PADDING
        yield Segment(f"{line} \n")

    def _segments(self, screen: Console, markup: str) -> list[Segment]:
        if markup not in self._drawn:
            text = Text.from_markup(markup, emoji=False, end="")
            self._drawn[markup] = list(text.render(screen))
        return self._drawn[markup]


def _divided(text: str) -> tuple[str, str]:
    """Return what stands in front of all markup, and the rest.

    >>> _divided("1,024 [green](m)[/]"), _divided(r"a \\[b]"), _divided("seal")
    (('1,024 ', '[green](m)[/]'), ('', 'a \\\\[b]'), ('seal', ''))
    """
    plain, bracket, rest = text.partition("[")
    if "\\" in plain or "\n" in text:
        return "", text
    return plain, bracket + rest


def _drawn(
    columns: Sequence[Column], rows: Sequence[Sequence[str]], width: int
) -> rich.table.Table:
    table = rich.table.Table(
        box=box.SIMPLE_HEAD, padding=(0, _PADDING, 0, 0), width=width
    )
    lines = max(column.name.count("\n") for column in columns)
    for column in columns:
        # Heads stand on one line, and cells hang from one.
        above = "\n" * (lines - column.name.count("\n"))
        table.add_column(
            above + column.name,
            justify="right" if column.numeric else "left",
            no_wrap=not column.wraps,
        )
    for row in rows:
        table.add_row(*row)
    return table


def _is_unlimited(screen: Console) -> bool:
    return not screen.is_terminal and screen.width == _PIPE_WIDTH


def _width(column: Column, cells: Sequence[str]) -> int:
    """Return the width that a column needs without wrapping."""
    return max(_cells_of(text) for text in (column.name, *cells))


def _cells_of(markup: str) -> int:
    """Return the width of text on a terminal: of several lines the widest."""
    plain, rest = _divided(markup)
    return cell_len(plain) + (_cells_of_markup(rest) if rest else 0)


@lru_cache(maxsize=1024)
def _cells_of_markup(markup: str) -> int:
    lines = Text.from_markup(markup, emoji=False).split(allow_blank=True)
    return max(line.cell_len for line in lines)


def _least(
    columns: Sequence[Column], widths: Sequence[int], shown: Sequence[int]
) -> list[int]:
    """Return the least widths of the columns that are shown."""
    return [
        min(widths[i], _WRAPPED_WIDTH) if columns[i].wraps else widths[i] for i in shown
    ]


def _total(widths: Sequence[int]) -> int:
    # The box has an edge on either side, and a space between columns.
    return sum(width + _PADDING for width in widths) + len(widths) - 1 + 2


def _fitting(
    columns: Sequence[Column], widths: Sequence[int], room: int | None
) -> list[int]:
    """Return the indices of the columns that are shown."""
    shown = list(range(len(columns)))
    while room is not None and _total(_least(columns, widths, shown)) > room:
        droppable = [i for i in shown[1:] if columns[i].rank]
        if not droppable:
            break
        shown.remove(max(droppable, key=lambda i: (columns[i].rank, i)))
    return shown


def _print_left_out(
    screen: Console, left_out: Sequence[Column], *, wide: bool | None
) -> None:
    if not left_out:
        return
    names = ", ".join(" ".join(column.name.split()) for column in left_out)
    option = "" if wide is None else "--wide, "
    print_text(
        screen,
        f"Not shown in {screen.width} columns: {names}. "
        f"To see them: {option}a wider terminal, or --json.",
    )


def _origins(cells: Sequence[Cell]) -> set[Origin]:
    return {cell.origin for cell in cells if cell.origin is not None}


def _common_unit(table: Table) -> str:
    """Return the unit of all columns that have one; nothing when they differ."""
    units = {column.unit for column in table.columns if column.unit}
    return units.pop() if len(units) == 1 else ""


def _head(column: tables.Column, cells: Sequence[Cell], unit: str) -> str:
    """Return the words of a head, one below the other: figures are narrow.

    Text that may take several lines is not, and its head stays on one.
    """
    # A no-break space joins words that stay on one line, and is shown as a space.
    name = column.name.replace(", ", " ")
    names = [name] if column.wraps else name.split(" ")
    lines = [*(name.replace("\xa0", " ") for name in names), *unit.split()]
    origins = _origins(cells)
    origin = [_short(next(iter(origins)))] if len(origins) == 1 else []
    return "\n".join([*map(escape, lines), *origin])


def _short(origin: Origin) -> str:
    return f"[{origin.colour}]({origin.letter})[/]"


def _texts(cells: Sequence[Cell]) -> Iterator[str]:
    """Yield the cells of a column in markup; the head tells an origin of all."""
    is_in_heading = len(_origins(cells)) == 1
    for cell in cells:
        # Some of it comes from others, who must not control the terminal.
        text = escape(printable_text(cell.text))
        if cell.colour:
            text = f"[{cell.colour}]{text}[/]"
        if cell.origin is None or is_in_heading:
            yield text
        else:
            yield f"{text} {_short(cell.origin)}"


def legend() -> str:
    """Return what the letters of origins stand for, in a line each."""
    return "\n".join(f"{_short(each)} {each}: {each.meaning}" for each in Origin)


def print_text(screen: Console, text: str, *, wraps: bool = True) -> None:
    """Print text in lines that are not too long to be read, or as one line.

    It may contain what others have written: control characters are escaped.
    """
    width = min(screen.width, _TEXT_WIDTH) if wraps else None
    shown = "\n".join(map(printable_text, text.split("\n")))
    screen.print(shown, highlight=False, width=width, soft_wrap=not wraps)
