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
    from collections.abc import Iterable, Sequence

    from samara.records.fields import Record


def csv_of(records: Sequence[Record]) -> bytes:
    """Return records of one type as a table, with all their leaves.

    A head is the path of the leaf; a figure has a second column for its origin.
    Figures are in their own units, which the head names.

    Parameters
    ----------
    records
        At least one.
    """
    return csv_lines([dict(_cells(row)) for record in records for row in record.rows()])


def csv_lines(rows: Sequence[Mapping[str, Any]]) -> bytes:
    """Return rows, which all have the same keys, as a table with a line of heads."""
    written = io.StringIO()
    writer = csv.DictWriter(written, list(rows[0]), lineterminator="\n")
    writer.writeheader()
    writer.writerows(rows)
    return written.getvalue().encode()


def _cells(row: object) -> Iterable[tuple[str, Any]]:
    for leaf in leaves(type(row)):
        value = leaf.of(row)
        if isinstance(value, Figure):
            unit = "" if value.unit == "1" else f"_{value.unit}"
            yield f"{leaf.name}{unit}", value.value
            yield f"{leaf.name}_origin", value.origin.value
        elif isinstance(value, (list, tuple)):
            yield leaf.name, "; ".join(str(plain(each)) for each in value)
        elif isinstance(value, Mapping):
            pairs = plain(value).items()
            yield leaf.name, "; ".join(f"{name}={each}" for name, each in pairs)
        else:
            yield leaf.name, plain(value)
