# SPDX-License-Identifier: Apache-2.0
"""Messages that were received and that nobody has taken yet.

A node that hands messages to other processes cannot know what becomes of them: a
process that was written to may be killed before it reads. A message is therefore kept
in the state of the node until somebody says that it has taken it, and only then is it
acknowledged. It is stored in the transaction that also stores that its frames and its
id were received, so that it is neither lost nor received again, whenever the node is
killed.

That transaction is a durable write or an unsynced one (`samara.link.node.unsynced`), as
the receive counters need it: an inbox adds no durable write. After a power failure a
message of an unsynced one may be gone; it was not acknowledged. One that had been taken
may be there again. Whatever was in the inbox when the node was opened is handed out
with a mark that it may have been handed out before, and with the id that it had then.
"""

from __future__ import annotations

import json
import re
import secrets
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Final, TypeAlias

from samara.link.node import state_file
from samara.link.node.carriers import Carrier
from samara.link.node.events import Received
from samara.link.node.lazy_receipt import LazyReceipt
from samara.link.node.quantities import has_table
from samara.link.node.receipt import Direction
from samara.link.node.state_file import StateError

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Iterator, Sequence
    from pathlib import Path

    from samara.link.node.link import Link
    from samara.link.node.state import State

MESSAGES_MAX: Final = 1000
"""Messages that are kept; the oldest is dropped for one more."""
SIZE_MAX: Final = 4 << 20
"""Bytes of these messages, unless it is only one."""

TABLE: Final = "inbox"

_ID_SIZE = 8
_ID = re.compile(f"[0-9a-f]{{{2 * _ID_SIZE}}}")
_MAKE_TABLE = """
CREATE TABLE IF NOT EXISTS inbox (
    number INTEGER PRIMARY KEY,
    id TEXT NOT NULL,
    source TEXT,
    to_all INTEGER NOT NULL,
    asked INTEGER,
    clock_s REAL NOT NULL,
    message BLOB NOT NULL,
    cost TEXT NOT NULL
) STRICT
"""
_IN_ORDER = (
    "SELECT number, id, source, to_all, asked, clock_s, message, cost FROM inbox "
    "ORDER BY number"
)
_Change: TypeAlias = tuple[str, tuple[Any, ...]]


@dataclass(frozen=True, slots=True)
class Cost:
    """What the receipt of a message is made from."""

    carriers: tuple[Carrier, ...]
    delivery_s: float | None
    answers: tuple[int, ...]
    """Bytes of each payload that acknowledges it, or asks for what is missing."""

    def receipt(self, link: Link, message: bytes) -> LazyReceipt:
        """Return the receipt of the message, which is made when it is read."""
        return LazyReceipt(
            lambda: link.receipt(
                Direction.RECEIVED,
                message,
                self.carriers,
                self.delivery_s,
                self.answers,
            )
        )


@dataclass(slots=True)
class InboxMessage:
    """A message in an inbox."""

    number: int
    """Rises from message to message."""
    event: Received
    asked: int | None
    """The id that its sender gave it, if it is to be acknowledged."""
    is_out: bool = False
    """Whether this process has handed it to somebody who may take it."""

    def hand_out(self, *, is_late: bool = False, takes: bool = True) -> Received:
        """Return the message, marked if somebody may have used and not taken it.

        Parameters
        ----------
        is_late
            Whether it goes to somebody who was not there when it arrived. Those who
            were are handed it at the same time: it is no repetition.
        takes
            Whether it goes to somebody who may take it.
        """
        is_repeated = self.event.is_repeated or (is_late and self.is_out)
        self.is_out = self.is_out or takes
        return replace(self.event, is_repeated=is_repeated)


class Inbox:
    """The messages of a node that nobody has taken yet, the oldest first.

    Parameters
    ----------
    state
        Stores them. What changes is stored by `write`, which is to be part of the
        transaction that stores why it changes.
    link
        Makes their receipts.

    Raises
    ------
    StateError
        When what is stored cannot be read.
    """

    def __init__(self, state: State, link: Link) -> None:
        self._state, self._link = state, link
        self._kept: dict[int, InboxMessage] = {}
        self._numbers: dict[str, int] = {}
        self._asked: dict[tuple[str | None, int], int] = {}
        self._changes: list[_Change] = []
        self.size = 0
        """Bytes of all messages."""
        self.dropped = 0
        """How many had to make room since somebody took one."""
        for row in state.use(_rows_of):
            self._add(self._kept_of(row))
        self.end = max(self._kept, default=0) + 1
        """The number of the next message."""

    def __len__(self) -> int:
        return len(self._kept)

    def __iter__(self) -> Iterator[InboxMessage]:
        return iter([*self._kept.values()])

    def make_table(self) -> None:
        """Prepare the state for messages."""
        self._state.use(lambda database: database.execute(_MAKE_TABLE))

    def keep(self, event: Received, cost: Cost, asked: int | None) -> InboxMessage:
        """Add a message; remove the oldest if the inbox is full.

        Parameters
        ----------
        asked
            The id that its sender gave it, if it is to be acknowledged.
        """
        named = replace(event, id=secrets.token_hex(_ID_SIZE))
        kept = InboxMessage(self.end, named, asked)
        self.end += 1
        self._add(kept)
        self._changes.append(
            ("INSERT INTO inbox VALUES (?, ?, ?, ?, ?, ?, ?, ?)", _row_of(kept, cost))
        )
        while len(self._kept) > MESSAGES_MAX or (
            self.size > SIZE_MAX and len(self._kept) > 1
        ):
            self._remove(next(iter(self._kept)))
            self.dropped += 1
        return kept

    def take(self, name: str) -> InboxMessage | None:
        """Remove and return the message with this id; None when it is gone already."""
        number = self._numbers.get(name)
        if number is None:
            return None
        self.dropped = 0
        return self._remove(number)

    def has(self, source: str | None, asked: int) -> bool:
        """Whether the message is here that a neighbour asks about."""
        return (source, asked) in self._asked

    def first_after(self, number: int) -> InboxMessage | None:
        """Return the first message with a higher number than this one."""
        first = next(iter(self._kept), self.end)
        numbers = range(max(number + 1, first), self.end)
        return next((self._kept[n] for n in numbers if n in self._kept), None)

    def forget(self, source: str) -> None:
        """Do not acknowledge the messages of a neighbour; `forget` has stored this."""
        for kept in self._kept.values():
            if kept.event.source == source and kept.asked is not None:
                del self._asked[source, kept.asked]
                kept.asked = None

    @property
    def is_changed(self) -> bool:
        """Whether there is something to be stored."""
        return bool(self._changes)

    def write(self, database: sqlite3.Connection) -> None:
        """Write what has changed, within a transaction."""
        for statement, values in self._changes:
            database.execute(statement, values)

    def stored(self) -> None:
        """Note that all changes are stored: the transaction has ended."""
        self._changes.clear()

    def _add(self, kept: InboxMessage) -> None:
        self._kept[kept.number] = kept
        self._numbers[str(kept.event.id)] = kept.number
        if kept.asked is not None:
            self._asked[kept.event.source, kept.asked] = kept.number
        self.size += len(kept.event.message)

    def _remove(self, number: int) -> InboxMessage:
        kept = self._kept.pop(number)
        del self._numbers[str(kept.event.id)]
        if kept.asked is not None:
            del self._asked[kept.event.source, kept.asked]
        self.size -= len(kept.event.message)
        self._changes.append(("DELETE FROM inbox WHERE number = ?", (number,)))
        return kept

    def _kept_of(self, row: tuple[Any, ...]) -> InboxMessage:
        """Return the message of a row, which may have been handed out before."""
        number, name, source, to_all, asked, clock_s, message, cost = row
        try:
            if not _ID.fullmatch(name):
                raise ValueError  # noqa: TRY301 - as damaged as the others
            facts = _cost_of(cost)
        except (ValueError, TypeError, KeyError, RecursionError):
            text = "the state of the node is damaged: it has a message that is invalid"
            raise StateError(text) from None
        event = Received(
            message,
            facts.receipt(self._link, message),
            source,
            facts.carriers,
            clock_s,
            to_all=bool(to_all),
            id=name,
            is_repeated=True,
        )
        return InboxMessage(number, event, asked)


def kept_in(folder: Path) -> int:
    """Return how many messages of a node, which may be running, nobody has taken yet.

    Raises
    ------
    StateError
        When the state of the node cannot be read.
    """
    with state_file.reading(folder / state_file.FILE) as database:
        if not has_table(database, TABLE):
            return 0
        (count,) = database.execute("SELECT count(*) FROM inbox").fetchone()
        return int(count)


def forget(database: sqlite3.Connection, source: str) -> None:
    """Mark the messages of a removed neighbour as not to be acknowledged.

    Call it within a transaction. A later neighbour of the same name has message ids of
    its own, which such acknowledgements could match.
    """
    if has_table(database, TABLE):
        database.execute("UPDATE inbox SET asked = NULL WHERE source = ?", (source,))


def _rows_of(database: sqlite3.Connection) -> Sequence[tuple[Any, ...]]:
    return database.execute(_IN_ORDER).fetchall() if has_table(database, TABLE) else ()


def _row_of(kept: InboxMessage, cost: Cost) -> tuple[Any, ...]:
    event = kept.event
    return (
        kept.number,
        event.id,
        event.source,
        event.to_all,
        kept.asked,
        event.clock_s,
        event.message,
        _text_of(cost),
    )


def _text_of(cost: Cost) -> str:
    carriers = [
        {**each._asdict(), **{name: getattr(each, name).hex() for name in _BYTES}}
        for each in cost.carriers
    ]
    return json.dumps(
        {
            "carriers": carriers,
            "delivery_s": cost.delivery_s,
            "answers": cost.answers,
        }
    )


_BYTES = ("encoded", "acknowledgement")


def _cost_of(text: str) -> Cost:
    fields = json.loads(text)
    carriers = (
        Carrier(**{**each, **{name: bytes.fromhex(each[name]) for name in _BYTES}})
        for each in fields["carriers"]
    )
    return Cost(tuple(carriers), fields["delivery_s"], tuple(fields["answers"]))
