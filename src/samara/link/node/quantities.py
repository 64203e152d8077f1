# SPDX-License-Identifier: Apache-2.0
"""The durable numbers of a node: what each counts, and the table that they are rows of.

They are what keeps nonces from being repeated and replays from being accepted. A number
is therefore addressed by what it counts, with which neighbour, and under which of their
keys, and not by a text; and the table refuses rows that cannot be: a counter beyond its
limit, a number of a key that has no generation, two rows of one number.

A number that is received may have a window: one bit for each of the 64 values below it.
It is in the same row, so that it changes with its number or not at all.
"""

from __future__ import annotations

import itertools
from enum import StrEnum
from functools import lru_cache
from typing import TYPE_CHECKING, Final, NamedTuple, Self

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Iterable, Mapping

COUNTER_LIMIT: Final = 0xFFFF_FFFF
"""First value that is never used: IEEE 802.15.4 does not allow it."""
WINDOW_SIZE: Final = 64
"""Bits of a window."""

_GENERATION_MAX: Final = 2**32 - 1
_VALUE_MAX: Final = 2**63 - 1
_WINDOW_BYTES: Final = WINDOW_SIZE // 8


class Quantity(StrEnum):
    """What a number counts, in the words of `samara node status`.

    One more of them changes the constraints of the table, and so the format of the
    file (`samara.link.node.state_file.FORMAT`).
    """

    SENT = "transmit counter"
    """The next frame counter under a key, or the end of those that are reserved."""
    EXPECTED = "receive counter"
    """The lowest frame counter of a neighbour under a key that is not refused; with a
    window, which of those below have not arrived."""
    IDS = "message id"
    """The next id of a message."""
    TAKEN = "message taken"
    """The highest id of a message in parts, or acknowledged one, that was received."""
    HANDED_ON = "message handed on"
    """The highest id of an acknowledged message that was handed on."""
    RECEIVED = "received"
    LOST = "lost"
    INCOMPLETE = "incomplete"
    REFUSED = "refused"
    INTRODUCTIONS = "introductions"
    """Introductions that this node has begun."""
    INTRODUCERS = "introducers"
    """Nodes that have ever introduced others to this one."""
    INTRODUCED_BY = "introduced by"
    """The id after the highest introduction by a node, which is named by its extended
    address; with a window, which of those below were taken."""
    CHANGES = "changes"
    """Durable changes of this state."""
    INTERRUPTED = "interrupted"
    """1 while values are reserved that were not returned."""
    UNSYNCED = "note"
    """Number of the last unsynced write: it counts these, and wraps."""
    UNSYNCED_AFTER = "noted after"
    """The durable change after which it was written."""
    UNSYNCED_DURING = "noted during"
    """The run of this machine in which it was written."""


_OF_KEYS = (Quantity.SENT, Quantity.EXPECTED)
_OF_GROUPS = (*_OF_KEYS, Quantity.TAKEN, Quantity.HANDED_ON)
_WITH_PEER = (*_OF_GROUPS, Quantity.INTRODUCED_BY)
_WITH_WINDOW = (Quantity.EXPECTED, Quantity.INTRODUCED_BY)
WITH_BOUND = (Quantity.EXPECTED, Quantity.TAKEN)
"""Those of which a bound may be durable: see `samara.link.node.unsynced`."""
_OF_UNSYNCED = (Quantity.UNSYNCED, Quantity.UNSYNCED_AFTER, Quantity.UNSYNCED_DURING)
_LIMITED = (Quantity.SENT, Quantity.IDS)
_IS_ADDRESS = "(length(peer) = 16 AND peer NOT GLOB '*[^0-9a-f]*')"


class Number(NamedTuple):
    """Which number it is."""

    quantity: Quantity
    peer: str = ""
    """Name of the neighbour. Empty: the other end of a pair, or all."""
    generation: int = 0
    """Generation of the key."""
    of_group: bool = False
    """Whether it belongs to a key of a group, or to messages to all."""

    def __str__(self) -> str:
        """Return it in words, for users.

        >>> str(Number(Quantity.SENT, "bob", 2))
        'transmit counter bob 2'
        >>> str(Number(Quantity.EXPECTED, "bob", of_group=True))
        'group receive counter bob'
        """
        words = [
            "group" if self.of_group else "",
            self.quantity.value,
            self.peer,
            str(self.generation) if self.generation else "",
        ]
        return " ".join(word for word in words if word)


class Value(NamedTuple):
    """A stored number, and its window of accepted values if it has one."""

    value: int
    window: int | None = None
    """One bit for each value below, from the next one on. None: it has no window."""
    is_bound: bool = False
    """Whether the number continues here because its last value is not known."""

    @classmethod
    def of(cls, value: int | Value) -> Value:
        """Return a value as it is, or one without a window."""
        return value if isinstance(value, Value) else cls(value)

    def as_bound(self) -> Self:
        """Return where a number continues whose last value is not known."""
        return self._replace(window=None, is_bound=True)


class DamagedError(Exception):
    """A row with values that no version of samara writes: the table is damaged."""


def make_table(database: sqlite3.Connection, table: str) -> None:
    """Create a table of numbers, if there is none.

    Parameters
    ----------
    table
        "number", or "note" (unsynced ones), which has what is said about them as well.
    """
    allowed = [each for each in Quantity if table == "note" or each not in _OF_UNSYNCED]
    database.execute(
        f"CREATE TABLE IF NOT EXISTS {table} ("
        f"quantity TEXT NOT NULL CHECK {_one_of(allowed)}, "
        "peer TEXT NOT NULL, "
        "generation INTEGER NOT NULL "
        f"CHECK (generation BETWEEN 0 AND {_GENERATION_MAX}), "
        "of_group INTEGER NOT NULL CHECK (of_group IN (0, 1)), "
        "value INTEGER NOT NULL CHECK (value >= 0), "
        f"window BLOB CHECK (length(window) = {_WINDOW_BYTES}), "
        "is_bound INTEGER NOT NULL CHECK (is_bound IN (0, 1)), "
        f"{_constraints()}, "
        "PRIMARY KEY (quantity, peer, generation, of_group)"
        ") STRICT, WITHOUT ROWID"
    )


def _constraints() -> str:
    """Return what holds between the columns of a row."""
    rules = [
        f"generation = 0 OR {_one_of(_OF_KEYS)}",
        f"of_group = 0 OR {_one_of(_OF_GROUPS)}",
        # A node has one counter for all of the group, and hears each of them.
        f"of_group = 0 OR (peer = '') = (quantity = '{Quantity.SENT}')",
        f"peer = '' OR {_one_of(_WITH_PEER)}",
        f"quantity <> '{Quantity.INTRODUCED_BY}' OR {_IS_ADDRESS}",
        f"value <= {COUNTER_LIMIT} OR NOT {_one_of(_LIMITED)}",
        f"window IS NULL OR {_one_of(_WITH_WINDOW)}",
        f"is_bound = 0 OR {_one_of(WITH_BOUND)}",
    ]
    return ", ".join(f"CHECK ({rule})" for rule in rules)


def _one_of(quantities: Iterable[Quantity]) -> str:
    # SQLite makes a table of a list behind IN, each time that a row is written.
    return "(" + " OR ".join(f"quantity = '{each}'" for each in quantities) + ")"


def has_table(database: sqlite3.Connection, table: str) -> bool:
    """Return whether there is a table of this name."""
    found = database.execute(
        "SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = ?", (table,)
    )
    return found.fetchone() is not None


def read(database: sqlite3.Connection, table: str) -> dict[Number, Value]:
    """Return all numbers of a table.

    Raises
    ------
    DamagedError
        When a row cannot be: the table was damaged, or made by something else.
    """
    rows = database.execute(
        "SELECT quantity, peer, generation, of_group, value, window, is_bound "  # noqa: S608 - one of two names
        f"FROM {table}"
    )
    return dict(map(_checked, rows))


def _checked(row: tuple[object, ...]) -> tuple[Number, Value]:
    match row:
        case (
            str(quantity),
            str(peer),
            int(generation),
            0 | 1 as of_group,
            int(value),
            None | bytes() as window,
            0 | 1 as is_bound,
        ):
            is_possible = (
                quantity in _QUANTITIES
                and 0 <= generation <= _GENERATION_MAX
                and 0 <= value <= _VALUE_MAX
                and (window is None or len(window) == _WINDOW_BYTES)
            )
            if is_possible:
                number = Number(_QUANTITIES[quantity], peer, generation, bool(of_group))
                bits = None if window is None else int.from_bytes(window, "big")
                return number, Value(value, bits, bool(is_bound))
    raise DamagedError


_QUANTITIES = {each.value: each for each in Quantity}


def write(
    database: sqlite3.Connection, table: str, values: Mapping[Number, Value]
) -> None:
    """Write numbers, all or none; others are kept.

    It is one statement, and so a transaction of its own if there is none: a node
    writes each frame that it receives.
    """
    rows = [_columns(number) + _cells(value) for number, value in values.items()]
    if not rows:
        return
    places = ", ".join(["(?, ?, ?, ?, ?, ?, ?)"] * len(rows))
    database.execute(
        f"INSERT INTO {table} VALUES {places} "  # noqa: S608 - nothing but places
        "ON CONFLICT DO UPDATE SET value = excluded.value, "
        "window = excluded.window, is_bound = excluded.is_bound",
        list(itertools.chain.from_iterable(rows)),
    )


def remove(database: sqlite3.Connection, table: str, numbers: Iterable[Number]) -> None:
    """Remove numbers within a transaction."""
    database.executemany(
        f"DELETE FROM {table} "  # noqa: S608 - one of two names
        "WHERE quantity = ? AND peer = ? AND generation = ? AND of_group = ?",
        map(_columns, numbers),
    )


# Asked for with each frame. SQLite takes plain types faster than those derived of them.
@lru_cache(maxsize=1024)
def _columns(number: Number) -> tuple[str, str, int, int]:
    quantity, peer, generation, of_group = number
    return quantity.value, peer, generation, int(of_group)


def _cells(value: Value) -> tuple[int, bytes | None, int]:
    number, window, is_bound = value
    bits = None if window is None else window.to_bytes(_WINDOW_BYTES, "big")
    return number, bits, int(is_bound)
