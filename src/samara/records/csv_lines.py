# SPDX-License-Identifier: Apache-2.0
"""CSV: a line of heads, and a line for each record of one type."""

from __future__ import annotations

import csv
import io
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from samara.figure import Figure
from samara.records.fields import leaves
from samara.records.json_lines import plain

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from samara.records.fields import Leaf, Record
    from samara.records.tables import Row, Table, Value


def csv_of(records: Sequence[Record]) -> bytes:
    """Return records of one type as a table, with all their leaves.

    A head is the path of the leaf; a figure has a second column for its origin.
    Figures are in their own units, which the head names; where they have several, a
    column for the unit follows.

    Parameters
    ----------
    records
        At least one.
    """
    return csv_of_rows([row for record in records for row in record.table_rows()])


def csv_of_rows(rows: Sequence[Any]) -> bytes:
    """Return objects of one class, which `record_class` has made, as `csv_of`."""
    columns = [(leaf, _units_of(leaf, rows)) for leaf in leaves(type(rows[0]))]
    return csv_lines([dict(_cells(row, columns)) for row in rows])


def csv_lines(rows: Sequence[Mapping[str, Any]]) -> bytes:
    """Return rows, which all have the same keys, as a table with a line of heads."""
    written = io.StringIO()
    writer = csv.DictWriter(written, list(rows[0]), lineterminator="\n")
    writer.writeheader()
    writer.writerows(rows)
    return written.getvalue().encode()


def _units_of(leaf: Leaf, rows: Sequence[object]) -> set[str]:
    """Return the units of a leaf's figures; none if it has none."""
    values = (leaf.of(row) for row in rows)
    return {value.unit for value in values if isinstance(value, Figure)}


def _cells(
    row: object, columns: Sequence[tuple[Leaf, set[str]]]
) -> Iterable[tuple[str, Any]]:
    for leaf, units in columns:
        value = leaf.of(row)
        if units:
            several = len(units) > 1
            suffix = "" if several or units == {"1"} else f"_{min(units)}"
            yield f"{leaf.name}{suffix}", value and value.value
            if several:
                yield f"{leaf.name}_unit", value and value.unit
            yield f"{leaf.name}_origin", value and value.origin.value
        elif isinstance(value, (list, tuple)):
            yield leaf.name, "; ".join(str(plain(each)) for each in value)
        elif isinstance(value, Mapping):
            pairs = plain(value).items()
            yield leaf.name, "; ".join(f"{name}={each}" for name, each in pairs)
        else:
            yield leaf.name, plain(value)


def csv_of_table(table: Table) -> bytes:
    """Return a table as `samara.records.tables` has it.

    Each column with figures is followed by one with their origins.
    """
    figures = [
        any(row.cells[i].origin for row in table.rows)
        for i in range(len(table.columns))
    ]
    lines = io.StringIO()
    writer = csv.writer(lines, lineterminator="\n")
    writer.writerow(_heads_of(table, figures))
    writer.writerows(list(_values_of(row, figures)) for row in table.rows)
    return lines.getvalue().encode()


def _heads_of(table: Table, figures: list[bool]) -> list[str]:
    heads: list[str] = []
    for column, has_figures in zip(table.columns, figures, strict=True):
        heads += [column.title]
        heads += [f"{column.name} origin"] if has_figures else []
    return heads


def _values_of(row: Row, figures: list[bool]) -> Iterator[Value]:
    for cell, has_figures in zip(row.cells, figures, strict=True):
        yield "" if cell.value is None else cell.value
        if has_figures:
            yield "" if cell.origin is None else cell.origin.value
