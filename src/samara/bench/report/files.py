# SPDX-License-Identifier: Apache-2.0
"""Tables as CSV: a column for each figure, and one for its origin."""

from __future__ import annotations

import csv
import io
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

    from samara.records.tables import Row, Table, Value


def as_csv(table: Table) -> str:
    """Return a table as text of comma-separated values.

    Each column with figures is followed by one with their origins.
    """
    figures = [
        any(row.cells[i].origin for row in table.rows)
        for i in range(len(table.columns))
    ]
    lines = io.StringIO()
    writer = csv.writer(lines, lineterminator="\n")
    writer.writerow(_heads(table, figures))
    writer.writerows(list(_values(row, figures)) for row in table.rows)
    return lines.getvalue()


def _heads(table: Table, figures: list[bool]) -> list[str]:
    heads: list[str] = []
    for column, has_figures in zip(table.columns, figures, strict=True):
        heads += [column.title]
        heads += [f"{column.name} origin"] if has_figures else []
    return heads


def _values(row: Row, figures: list[bool]) -> Iterator[Value]:
    for cell, has_figures in zip(row.cells, figures, strict=True):
        yield "" if cell.value is None else cell.value
        if has_figures:
            yield "" if cell.origin is None else cell.origin.value
