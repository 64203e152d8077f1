# SPDX-License-Identifier: Apache-2.0
"""Tables of figures, before they are text on a terminal, a page or a file.

Tables are made of records (`table_of`), and by hand where columns are known only when
a command runs. Each figure in one carries its origin.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import TYPE_CHECKING, Any, TypeAlias, get_args

from samara.figure import Figure
from samara.records.fields import leaves
from samara.records.numbers import digits, factor

if TYPE_CHECKING:
    from collections.abc import Sequence

    from samara.figure import Origin
    from samara.records.fields import Leaf, Record


Value: TypeAlias = float | int | str | None


@dataclass(frozen=True, slots=True)
class Cell:
    """One cell of a table."""

    value: Value
    """The value in files; None if there is none."""
    text: str
    """The text in tables and pages."""
    origin: Origin | None = None
    """None for words, which are not figures."""
    remark: str = ""
    """Shown on a page when the reader points at the cell."""
    missing: bool = False
    """Whether it has not been measured yet."""
    colour: str = ""
    """Of the text on a terminal; empty: that of all others."""

    def as_json(self, unit: str, source: str) -> dict[str, Any] | Value:
        """Return the value, for a figure with its unit, its origin and its source.

        Parameters
        ----------
        source
            Where the cell itself does not say it.
        """
        if self.origin is None:
            return self.value
        return {
            "value": self.value,
            "unit": unit,
            "origin": self.origin.value,
            "source": self.remark or source,
        }


def words(text: str, remark: str = "") -> Cell:
    """Return a cell with words."""
    return Cell(text, text, remark=remark)


NOTHING = Cell(None, "-")
"""For cells that never have a value."""

NOT_MEASURED = Cell(None, "not measured yet", missing=True)

NOT_YET = Cell(None, "not yet", remark=NOT_MEASURED.text, missing=True)
"""The same for narrow columns."""


def number(
    value: float | None,
    origin: Origin,
    digits: int = 0,
    remark: str = "",
) -> Cell:
    """Return a figure with this many digits after the decimal point; `-` for None."""
    if value is None:
        return NOTHING
    kept = round(value, digits) if digits else round(value)
    return Cell(kept, f"{value:,.{digits}f}", origin, remark)


def significant(
    value: float | None, origin: Origin, digits: int = 3, remark: str = ""
) -> Cell:
    """Return a figure with this many significant digits; `-` for None."""
    if value is None:
        return NOTHING
    kept = float(f"{value:.{digits}g}")
    if abs(kept) < 1:
        return Cell(kept, f"{kept:#.{digits}g}", origin, remark)
    decimals = max(digits - len(str(int(abs(kept)))), 0)
    return Cell(kept, f"{kept:,.{decimals}f}", origin, remark)


@dataclass(frozen=True, slots=True)
class Column:
    """The head of a column."""

    name: str
    unit: str = ""
    numeric: bool = True
    rank: int = 1
    """Those of the highest rank are left out first on a narrow terminal; 0: never."""
    wraps: bool = False
    """Whether it is text that may take several lines."""

    @property
    def title(self) -> str:
        """Name and unit, for files."""
        return f"{self.name} [{self.unit}]" if self.unit else self.name


def label(name: str, *, rank: int = 1) -> Column:
    """Return the head of a column of words."""
    return Column(name, numeric=False, rank=rank)


@dataclass(frozen=True, slots=True)
class Row:
    """One line of a table."""

    cells: Sequence[Cell]
    emphasis: bool = False
    """Whether it is a row of samara's figures among published ones."""
    command: str = ""
    """The command that makes the row again; empty: that of the whole answer."""


@dataclass(frozen=True, slots=True)
class Table:
    """A table; a report writes each to a file too."""

    slug: str
    title: str
    columns: Sequence[Column]
    rows: Sequence[Row]
    caption: str = ""
    groups: bool = False
    """Whether rows with the same first cell belong together."""
    folded: bool = False
    """Whether a page shows it only after a click."""

    def as_json(self) -> dict[str, Any]:
        """Return everything as plain values; figures with unit, origin and source."""
        return {
            "slug": self.slug,
            "title": self.title,
            "caption": self.caption,
            "rows": [
                {
                    column.title: cell.as_json(column.unit, self.title)
                    for column, cell in zip(self.columns, row.cells, strict=True)
                }
                for row in self.rows
            ],
        }


def table_of(records: Sequence[Record], title: str, caption: str = "") -> Table:
    """Return records of one type as a table, with the columns that have a heading.

    Parameters
    ----------
    records
        At least one.
    """
    rows = [row for record in records for row in record.table_rows()]
    return table_of_rows(records[0].type_name(), rows, title, caption)


def table_of_rows(
    slug: str, rows: Sequence[object], title: str = "", caption: str = ""
) -> Table:
    """Return objects of one class, which `record_class` has made, as a table.

    Parameters
    ----------
    rows
        At least one.
    """
    shown = shown_leaves(type(rows[0]))
    return Table(
        slug,
        title,
        [_column(leaf) for leaf in shown],
        [Row([_cell(leaf, leaf.of(row)) for leaf in shown]) for row in rows],
        caption,
    )


def shown_leaves(kind: type) -> list[Leaf]:
    """Return the leaves of a record's class that tables show; none: it is for programs.

    Parameters
    ----------
    kind
        The class.
    """
    return [leaf for leaf in leaves(kind) if leaf.heading is not None]


def _column(leaf: Leaf) -> Column:
    kinds = (leaf.kind, *get_args(leaf.kind))
    numeric = any(kind in (int, float, Figure) for kind in kinds)
    field = leaf.field
    return Column(leaf.heading or "", field.unit, numeric, field.rank, field.wraps)


def _cell(leaf: Leaf, value: object) -> Cell:  # noqa: PLR0911 - a return for each kind
    if value is None:
        return NOTHING
    if isinstance(value, Figure):
        number = value.value * factor(value.unit, leaf.field.unit)
        return Cell(number, _text(leaf, number), value.origin, value.source)
    if isinstance(value, bool):
        return words("yes" if value else "no")
    if isinstance(value, Enum):
        text = str(value.value)
        return Cell(text, text, colour=getattr(value, "colour", ""))
    if isinstance(value, (int, float)):
        return _bare(leaf, value)
    if isinstance(value, (list, tuple)):
        return words(", ".join(map(str, value)))
    return words(str(value))


def _bare(leaf: Leaf, value: float) -> Cell:
    """Return the cell of a number that is no figure."""
    field = leaf.field
    if field.own_unit:
        value *= factor(field.own_unit, field.unit)
    whole = isinstance(value, int) and not field.digits
    return Cell(value, f"{value:,}" if whole else _text(leaf, value))


def _text(leaf: Leaf, value: float) -> str:
    if leaf.field.digits:
        return format(value, leaf.field.digits)
    return f"{value:,.10g}" if leaf.field.exact else digits(value)
