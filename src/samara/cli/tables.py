# SPDX-License-Identifier: Apache-2.0
"""Tables of figures on a terminal: every figure with its origin."""

from __future__ import annotations

from typing import TYPE_CHECKING

import rich.table
from rich import box
from rich.markup import escape

from samara.figure import Origin

if TYPE_CHECKING:
    from collections.abc import Sequence

    from rich.console import Console

    from samara.bench.report.model import Cell, Column, Table

ORIGIN_STYLES = {
    Origin.MEASURED: "green",
    Origin.PUBLISHED: "cyan",
    Origin.ESTIMATED: "yellow",
    Origin.HOST_CLOCK: "magenta",
    Origin.EMULATED: "magenta",
    Origin.ASSUMED: "red",
}
ORIGINS = {
    Origin.MEASURED: "counted: on an exact simulator, or from the bytes themselves",
    Origin.PUBLISHED: "as a paper or a data sheet has it",
    Origin.ESTIMATED: "what a rule or a model makes of those",
    Origin.HOST_CLOCK: "what this machine took, by its clock; of no device",
    Origin.EMULATED: "by this machine's clock, which emulators let wait; of no radio",
    Origin.ASSUMED: "rests on something that nobody here has checked",
}

_TEXT_WIDTH = 88


def marked(origin: Origin) -> str:
    """Return an origin's name in its colour."""
    return f"[{ORIGIN_STYLES[origin]}]{origin}[/]"


def rich_table(table: Table) -> rich.table.Table:
    """Return a table for a terminal.

    A column whose figures have one origin says so in its head; in the others each
    figure is followed by the first letter of its own.
    """
    columns = [[row.cells[i] for row in table.rows] for i in range(len(table.columns))]
    unit = _common_unit(table)
    shown = rich.table.Table(
        title=escape(table.title + (f" ({unit})" if unit else "")),
        title_justify="left",
        caption=escape(table.caption),
        caption_justify="left",
        box=box.SIMPLE_HEAD,
        padding=(0, 1, 0, 0),
    )
    for column, cells in zip(table.columns, columns, strict=True):
        shown.add_column(
            _head(column, cells, "" if unit else column.unit),
            justify="right" if column.numeric else "left",
            vertical="bottom",
            no_wrap=True,
        )
    texts = [[_text(cell, cells) for cell in cells] for cells in columns]
    for row in zip(*texts, strict=True):
        shown.add_row(*row)
    return shown


def _origins(cells: Sequence[Cell]) -> set[Origin]:
    return {cell.origin for cell in cells if cell.origin is not None}


def _common_unit(table: Table) -> str:
    """Return the unit of all columns that have one; nothing when they differ."""
    units = {column.unit for column in table.columns if column.unit}
    return units.pop() if len(units) == 1 else ""


def _head(column: Column, cells: Sequence[Cell], unit: str) -> str:
    """Return the words of a head, one below the other: figures are narrow."""
    lines = [*column.name.replace(", ", " ").split(), *unit.split()]
    origins = _origins(cells)
    origin = [_short(next(iter(origins)))] if len(origins) == 1 else []
    return "\n".join([*map(escape, lines), *origin])


def _short(origin: Origin) -> str:
    # Two begin with the same letter.
    letters = "em" if origin is Origin.EMULATED else origin[0]
    return f"[{ORIGIN_STYLES[origin]}]({letters})[/]"


def _text(cell: Cell, cells: Sequence[Cell]) -> str:
    text = escape(cell.text)
    if cell.origin is None or len(_origins(cells)) == 1:
        return text
    return f"{text} {_short(cell.origin)}"


def legend() -> str:
    """Return what the letters of origins stand for, in a line each."""
    return "\n".join(f"{_short(each)} {each}: {ORIGINS[each]}" for each in Origin)


def print_text(screen: Console, text: str) -> None:
    """Print text in lines that are not too long to be read."""
    screen.print(text, highlight=False, width=min(screen.width, _TEXT_WIDTH))
