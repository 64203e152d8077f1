# SPDX-License-Identifier: Apache-2.0
"""The state of a node: its counters, stored durably before they are used.

A transmit counter is part of the nonce, and a repeated nonce reveals messages. Values
are therefore reserved in advance, a thousand with one durable write, and used only
after that write. A node that was killed continues after its reservation and leaves
the rest unused. A node that ends normally returns the unused values.

A receive counter is needed to detect replays. It is stored before a message is
delivered: a delivered message is never accepted again. `State.advance` does this with
a durable write for each call, or for hundreds: `samara.link.node.unsynced`.

SQLite stores all, in WAL mode with full synchronisation, so that each write (but not
an unsynced one) is complete and on the disk when the call returns. Only one process at
a time can use the state, and only its latest version: an older version would use
counters again. A copy of the file is recognised by its place
(`samara.link.node.state_file`), a restored backup by its witness
(`samara.link.node.witness`): each change of the state has a number, which is stored
there as well.
"""

from __future__ import annotations

import os
from types import MappingProxyType
from typing import TYPE_CHECKING, Self, TypeVar

from samara.atomic_files import sync_folder
from samara.link.node import state_file, witness
from samara.link.node.counter import Counter, CounterEndError
from samara.link.node.quantities import COUNTER_LIMIT, Number, Quantity, Value
from samara.link.node.state_file import StateError
from samara.link.node.state_lock import LOCK, is_in_use, locked
from samara.link.node.state_store import StateStore
from samara.link.node.witness import Witness

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Callable, Mapping, Sequence
    from pathlib import Path

    from samara.link.node.state_file import Record
    from samara.link.node.state_store import Writing

__all__ = [
    "IDS_AHEAD",
    "RECEIVED_AHEAD",
    "RESERVED_AHEAD",
    "Counter",
    "CounterEndError",
    "State",
    "StateError",
    "is_in_use",
    "locked",
]

RESERVED_AHEAD = 1000
"""Counter values that one durable write reserves."""
# And no more than this part of those that are left.
_RESERVED_OF_REST = 8

KEYS_REPLACED = "keys.json"
"""Record of a state that has the keys, so that those of keys.json are to be removed."""

_T = TypeVar("_T")

_INTERRUPTED = Number(Quantity.INTERRUPTED)

RECEIVED_AHEAD = 256
"""How far a receive counter may be from its durable bound."""
IDS_AHEAD = 1024
"""The same of the ids of messages: the sender's other neighbours have some of them."""


class State(StateStore):
    """The durable numbers of one node: which there are is in `quantities`.

    Parameters
    ----------
    folder
        Directory of the node, where `State.make` was called once.
    reserved_ahead
        How many counter values one durable write reserves.
    identity
        Identity that the state must have. Default: any.

    Raises
    ------
    StateError
        When another process uses it, or it is a copy, an older version, damaged or
        read-only.
    """

    def __init__(
        self,
        folder: Path,
        reserved_ahead: int = RESERVED_AHEAD,
        identity: str | None = None,
    ) -> None:
        self._reserved_ahead = reserved_ahead
        self._counters: dict[Number, Counter] = {}
        self._has_reserved = False
        super().__init__(folder, identity)
        self.was_interrupted = bool(self.get(_INTERRUPTED))
        """Whether the last process that used it ended without returning values."""

    def skipped(self, number: Number) -> int | None:
        """Return where a number continues whose last values are not known.

        What is below it is refused, although some of it may never have arrived. None:
        its last value is known, or it has risen since.
        """
        value = self._numbers.get(number)
        return value.value if value is not None and value.is_bound else None

    @staticmethod
    def make(
        folder: Path, identity: str | None = None, witnesses: Path | None = None
    ) -> None:
        """Create the state of a new node, and its witness if no identity is given.

        Parameters
        ----------
        folder
            Directory of the node, without a state.
        identity
            Identity of the node, 32 hex digits, whose witness exists. Default: a new
            identity and witness.
        witnesses
            Directory of its witness. Default: that of the user's witnesses.

        Raises
        ------
        FileExistsError
            When there is a state already.
        StateError
            When it cannot be stored.
        """
        witnesses = witnesses or witness.default_folder()
        if identity is None:
            identity = state_file.new_identity()
            Witness.make(witnesses, identity)
        path = folder / state_file.FILE
        os.close(os.open(folder / LOCK, os.O_CREAT | os.O_RDWR, 0o600))
        os.close(os.open(path, os.O_CREAT | os.O_EXCL | os.O_RDWR, 0o600))
        state_file.make_tables(path, identity, witnesses)
        sync_folder(folder)

    @staticmethod
    def remove(folder: Path) -> None:
        """Remove the state of a node, except its lock and its witness."""
        for name in state_file.FILES:
            (folder / name).unlink(missing_ok=True)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Return unused counter values, and release the state."""
        try:
            has_more = self._has_reserved or self._unsynced.values
            if has_more and not self._is_half_done:
                unused: dict[Number, int] = {}
                if self._has_reserved:
                    unused = {each: of.next for each, of in self._counters.items()}
                    unused[_INTERRUPTED] = 0
                given_back = {**self._unsynced.values, **_values(unused)}
                self._change(given_back, durable_witness=True)
        finally:
            self._database.close()
            self._witness.close()
            os.close(self._lock)

    def counter(self, number: Number, first: int = 0) -> Counter:
        """Return a transmit counter; a new one starts at `first`."""
        if number not in self._counters:
            known = self.get(number)
            first = first if known is None else known
            if any(each.is_bound for each in self._numbers.values()):
                # The other end may have lost its own, too, and refuses what is below
                # its bound: two such nodes would not hear of each other's bounds.
                first = min(first + RECEIVED_AHEAD, COUNTER_LIMIT)
            self._counters[number] = Counter(self, number, first)
        return self._counters[number]

    def store(
        self,
        numbers: Mapping[Number, int | Value],
        records: Mapping[str, Record | None] | None = None,
        forgotten: Sequence[Number] = (),
        also: Writing | None = None,
    ) -> None:
        """Store numbers and records durably, all or none.

        What is removed is removed from SQLite's log, too: it may be a key.

        Parameters
        ----------
        records
            Records by name; None removes one. Their witness is synchronised, since
            they decide on keys.
        forgotten
            Numbers to remove: their keys are gone. Their counters must not be used
            again.
        also
            Called within the transaction, to write to a table of its own.

        Raises
        ------
        StateError
            When they could not be stored; then nothing has changed. Or when they are
            stored, and the witness or the log could not be written: then nothing can
            be stored any more until the state is opened again.
        """
        self._change(
            _values(numbers),
            durable_witness=records is not None,
            records=records or {},
            forgotten=forgotten,
            also=also,
        )
        if forgotten or None in (records or {}).values():
            self._scrub()

    def advance(
        self,
        numbers: Mapping[Number, int | Value],
        ahead: Mapping[Number, int] = MappingProxyType({}),
        volatile: Mapping[Number, int] = MappingProxyType({}),
        also: Writing | None = None,
    ) -> None:
        """Store numbers before what they stand for is used.

        Parameters
        ----------
        numbers
            Numbers that must never fall back, with their windows.
        ahead
            How much higher those may continue whose last value is not known, then
            without a window; the others are stored durably each time.
        volatile
            Other numbers, which may fall back after a power failure.
        also
            Called within the transaction, to write to a table of its own.

        Raises
        ------
        StateError
            When they could not be stored; then nothing has changed.
        """
        values, others = _values(numbers), _values(volatile)
        if all(
            value.value <= self._bounds.get(number, -1)
            for number, value in values.items()
        ):
            self._store_unsynced({**values, **others}, also)
            return
        # Of all at once, so that they do not need a write each.
        bounds = {
            number: Value(min(value.value + ahead[number], COUNTER_LIMIT))
            for number, value in values.items()
            if number in ahead
        }
        exact = {
            number: value
            for number, value in values.items()
            if number not in bounds and value.value > self._bounds.get(number, -1)
        }
        self._change(
            {**exact, **bounds, **others},
            durable_witness=False,
            volatile={n: value for n, value in values.items() if n not in exact},
            also=also,
        )

    def use(self, act: Callable[[sqlite3.Connection], _T]) -> _T:
        """Read from a table of its own, or create it.

        Raises
        ------
        StateError
            When the state cannot be used.
        """
        with self._failures_explained():
            return act(self._database)

    def _remember(
        self, records: Mapping[str, Record | None], forgotten: Sequence[Number]
    ) -> None:
        super()._remember(records, forgotten)
        for number in forgotten:
            self._counters.pop(number, None)

    def reserve(self, number: Number, first: int) -> int:
        """Reserve counter values from `first` on; return the value after the last.

        The same write reserves values of all other counters that have none left. Near
        the end it reserves less, so that a killed node does not leave out all the rest:
        it is kept to agree on a new key.

        Raises
        ------
        CounterEndError
            When there are no more.
        StateError
            When the reservation could not be stored.
        """
        end = self._reserved_from(first)
        if first >= end:
            message = (
                f"the counter {str(number)!r} is at its end; the link needs new keys"
            )
            raise CounterEndError(message)
        others = {
            each: self._reserved_from(counter.next)
            for each, counter in self._counters.items()
            if each != number and counter.is_used_up
        }
        ends = {**others, number: end, _INTERRUPTED: 1}
        self._change(_values(ends), durable_witness=True)
        for each, its_end in others.items():
            self._counters[each].extend(its_end)
        self._has_reserved = True
        return end

    def _reserved_from(self, first: int) -> int:
        """Return the value after the last that is reserved from one on."""
        some_of_rest = -(-(COUNTER_LIMIT - first) // _RESERVED_OF_REST)
        return first + min(self._reserved_ahead, some_of_rest)


def _values(numbers: Mapping[Number, int | Value]) -> dict[Number, Value]:
    return {number: Value.of(value) for number, value in numbers.items()}
