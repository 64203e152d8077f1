# SPDX-License-Identifier: Apache-2.0
"""The durable numbers of nodes that tests look at."""

from __future__ import annotations

import contextlib
import sqlite3
from typing import TYPE_CHECKING

from samara.link.node import state_file
from samara.link.node.quantities import Number, Quantity

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

SENT, EXPECTED = Number(Quantity.SENT), Number(Quantity.EXPECTED)
IDS = Number(Quantity.IDS)
RECEIVED, LOST = Number(Quantity.RECEIVED), Number(Quantity.LOST)
INTERRUPTED = Number(Quantity.INTERRUPTED)


def counts_in(folder: Path) -> dict[Number, int]:
    """Return the stored numbers of a node without their windows."""
    found = state_file.numbers_in(folder)
    return {number: value.value for number, value in found.items()}


def to_format_1(
    folder: Path, numbers: Mapping[str, int], notes: Mapping[str, int] | None = None
) -> None:
    """Make a state one of format 1, with these numbers by name."""
    with contextlib.closing(sqlite3.connect(folder / state_file.FILE)) as database:
        for table, rows in (("number", numbers), ("note", notes or {})):
            database.execute(f"DROP TABLE IF EXISTS {table}")
            database.execute(f"CREATE TABLE {table} (name TEXT PRIMARY KEY, value INT)")
            database.executemany(
                f"INSERT INTO {table} VALUES (?, ?)",  # noqa: S608 - one of two
                rows.items(),
            )
        database.execute("PRAGMA user_version = 1")
        database.commit()
