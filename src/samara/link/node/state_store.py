# SPDX-License-Identifier: Apache-2.0
"""What is stored in the state of a node: numbers and records, in memory and on disk.

Each change of it is one transaction, has a number, and is written to the witness. An
unsynced write is smaller: it survives the end of the process, not a power failure.
"""

from __future__ import annotations

import contextlib
import os
from types import MappingProxyType
from typing import TYPE_CHECKING, TypeAlias

from samara.link.node import quantities, state_file, unsynced
from samara.link.node.quantities import Number, Value
from samara.link.node.state_file import CHANGES, NUMBERS, StateError
from samara.link.node.state_lock import lock_of
from samara.link.node.unsynced import Unsynced
from samara.link.node.witness import Witness, WitnessError

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Callable, Iterator, Mapping, Sequence
    from pathlib import Path

    from samara.link.node.state_file import About, Place, Record, Stored

    Writing: TypeAlias = Callable[[sqlite3.Connection], None]


class StateStore:
    """The stored numbers and records of one node, while a process uses them.

    Parameters
    ----------
    folder
        Directory of the node.
    identity
        Identity that the state must have. None: any.

    Raises
    ------
    StateError
        When another process uses it, or it is a copy, an older version, damaged or
        read-only.
    """

    def __init__(self, folder: Path, identity: str | None) -> None:
        self._path = folder / state_file.FILE
        self._is_half_done = False
        self.durable_writes = 0
        """Number of durable writes since it was opened."""
        state_file.check_writable(self._path)
        self._lock = lock_of(folder)
        try:
            # Before SQLite opens the file: closing another descriptor of the file
            # would release SQLite's locks.
            place = state_file.place_of(self._path)
            has_log = state_file.has_log(folder)
            self._database = state_file.connected(self._path)
            self._is_synchronised: bool | None = None
            self._has_unsynced_table = False
            try:
                with self._failures_explained():
                    self._numbers: dict[Number, Value] = {}
                    self._open(identity, place, has_log=has_log)
            except BaseException:
                self._database.close()
                raise
        except BaseException:
            os.close(self._lock)
            raise

    def _open(self, identity: str | None, place: Place, *, has_log: bool) -> None:
        """Open the witness, check the state, and read it."""
        about = state_file.identity_and_witness(self._database, self._path)
        state_file.check_place(self._database, self._path, place)
        if identity not in (None, about.identity):
            message = f"{self._path} belongs to another node than the files beside it"
            raise StateError(message + state_file.REKEY)
        stored = state_file.stored_in(self._database, self._path, about)
        self._records = state_file.records_of(self._database, self._path)
        self._witness = Witness(about.witness, about.identity)
        try:
            self._check_latest(stored.change)
            self._take(stored, about)
            if has_log:
                # The process before was killed, maybe before it had done this.
                self._scrub()
        except BaseException:
            self._witness.close()
            raise

    def _check_latest(self, changes: int) -> None:
        """Refuse a state that is older than its witness."""
        if changes < self._witness.number:
            message = (
                f"{self._path.parent} was restored from a backup (change {changes} of "
                f"{self._witness.number}): using it would repeat nonces and accept "
                "replays"
            )
            raise StateError(message + state_file.REKEY)
        if changes > self._witness.number:
            # A change was stored, but the process ended before it wrote the witness.
            self._witness.record(changes, durably=True)

    def _take(self, stored: Stored, about: About) -> None:
        """Add unsynced numbers to the durable ones, or continue at the bounds."""
        self._numbers, last = stored.numbers, stored.unsynced
        self._unsynced = Unsynced(
            last.number if last else 0, stored.change, unsynced.boot(), {}
        )
        self._bounds: dict[Number, int] = {}
        bounds = {} if last is None else self._bounds_above(last.values)
        skipped: dict[Number, Value] = {}
        if last is None:
            pass
        elif last.are_latest(
            stored.change, self._witness.unsynced, self._unsynced.boot
        ):
            self._unsynced, self._bounds = last, bounds
            self._numbers |= last.values
        else:
            skipped = {
                each: self._numbers[each].as_bound()
                for each in bounds
                if each.quantity in quantities.WITH_BOUND
            }
        if about.format != state_file.FORMAT:
            self._change_format(skipped)
        elif last is not None and self._unsynced is not last:
            # At once: they must not be taken for those of a later process.
            self._change(skipped, durable_witness=True)

    def _bounds_above(self, values: Mapping[Number, Value]) -> dict[Number, int]:
        """Return the bounds of unsynced values, by their numbers."""
        known = ((each, self.get(each)) for each in values)
        return {
            each: at for each, at in known if at is not None and at > values[each].value
        }

    def _change_format(self, skipped: Mapping[Number, Value]) -> None:
        """Store everything in the format of today, as one more change.

        It is one transaction, and unsynced numbers are durable from now on. Its number
        goes to the witness, so that a backup of the old format is refused.
        """
        change = self._count(CHANGES) + 1
        numbers = {**self._numbers, **skipped, CHANGES: Value(change)}
        self._synchronise(fully=True)
        with self._transaction():
            state_file.change_format(self._database, numbers)
        self._numbers, self._bounds = numbers, {}
        self._unsynced = Unsynced(
            self._unsynced.number, change, self._unsynced.boot, {}
        )
        self.durable_writes += 1
        self._witness.record(change, durably=True)

    def get(self, number: Number) -> int | None:
        """Return a stored number, or None when there is none."""
        value = self._numbers.get(number)
        return None if value is None else value.value

    def window(self, number: Number) -> int | None:
        """Return the window that is stored with a number, or None."""
        value = self._numbers.get(number)
        return None if value is None else value.window

    def _count(self, number: Number) -> int:
        return self.get(number) or 0

    def records(self) -> Mapping[str, Record]:
        """Return the stored records by name; they are not to be changed."""
        return self._records

    def _store_unsynced(
        self, values: Mapping[Number, Value], also: Writing | None = None
    ) -> None:
        """Store numbers so that they survive the end of this process."""
        self._check_whole()
        last = self._unsynced
        number = unsynced.following(last.number)
        after = Unsynced(
            number, self._count(CHANGES), last.boot, {**last.values, **values}
        )
        with self._failures_explained():
            if not self._has_unsynced_table:
                unsynced.make_table(self._database)
                self._has_unsynced_table = True
            self._synchronise(fully=False)
            if also is None:
                # One statement, and so a transaction of its own.
                unsynced.write(self._database, after, values)
            else:
                with self._transaction():
                    unsynced.write(self._database, after, values)
                    also(self._database)
            self._unsynced = after
            self._numbers.update(values)
            self._witness.record_unsynced(number)

    def _synchronise(self, *, fully: bool) -> None:
        """Let writes from now on be on the disk when they return, or not."""
        if fully is not self._is_synchronised:
            # As long as this is not known, each write asks for what it needs.
            self._is_synchronised = None
            level = "FULL" if fully else "NORMAL"
            self._database.execute(f"PRAGMA synchronous = {level}")
            self._is_synchronised = fully

    @contextlib.contextmanager
    def _transaction(self) -> Iterator[None]:
        self._database.execute("BEGIN IMMEDIATE")
        try:
            yield
            self._database.execute("COMMIT")
        except BaseException:
            if self._database.in_transaction:
                self._database.execute("ROLLBACK")
            raise

    def _scrub(self) -> None:
        """Empty SQLite's log, which may still contain keys that were removed."""
        self._is_half_done = True
        with self._failures_explained():
            self._database.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()
        self._is_half_done = False

    def _change(
        self,
        numbers: Mapping[Number, Value],
        *,
        durable_witness: bool,
        records: Mapping[str, Record | None] = MappingProxyType({}),
        forgotten: Sequence[Number] = (),
        volatile: Mapping[Number, Value] = MappingProxyType({}),
        also: Writing | None = None,
    ) -> None:
        self._check_whole()
        numbers = {**numbers, CHANGES: Value(self._count(CHANGES) + 1)}
        after = self._unsynced_after(numbers, forgotten, volatile)
        with self._failures_explained():
            self._synchronise(fully=True)
            with self._transaction():
                quantities.write(self._database, NUMBERS, numbers)
                quantities.remove(self._database, NUMBERS, forgotten)
                if records:
                    state_file.change_records(self._database, records)
                unsynced.forget(self._database)
                if after.values:
                    unsynced.make_table(self._database)
                    unsynced.write(self._database, after, after.values)
                if also is not None:
                    also(self._database)
            # Numbers alone can be asked for again: those that were lost are not used.
            self._is_half_done = bool(records or forgotten)
            self._unsynced = after
            bounds = {**self._bounds, **{n: each.value for n, each in numbers.items()}}
            self._bounds = {
                number: bounds[number]
                for number, value in after.values.items()
                if bounds.get(number, -1) > value.value
            }
            self._numbers.update({**numbers, **after.values})
            self._remember(records, forgotten)
            self.durable_writes += 1
            # Before the change is used. A write that is not synchronised survives
            # the end of this process, but not a power failure.
            self._witness.record(after.change, durably=durable_witness)
            self._is_half_done = False

    def _check_whole(self) -> None:
        """Refuse to go on after a change that was stored and then failed.

        Who asked for it was told that it failed, and may still use the keys of before,
        whose counters are gone: they would begin anew.
        """
        if self._is_half_done:
            message = (
                f"{self._path}: the last change was stored, but not all that follows it"
                " could be written: end this process, and start it again"
            )
            raise StateError(message)

    def _unsynced_after(
        self,
        numbers: Mapping[Number, Value],
        forgotten: Sequence[Number],
        volatile: Mapping[Number, Value],
    ) -> Unsynced:
        """Return the unsynced numbers beside a durable change."""
        gone = {*numbers, *forgotten} - set(volatile)
        values = {n: v for n, v in self._unsynced.values.items() if n not in gone}
        return Unsynced(
            unsynced.following(self._unsynced.number),
            numbers[CHANGES].value,
            self._unsynced.boot,
            {**values, **volatile},
        )

    def _remember(
        self, records: Mapping[str, Record | None], forgotten: Sequence[Number]
    ) -> None:
        """Have in memory what was stored."""
        for number in forgotten:
            self._numbers.pop(number, None)
        for name, record in records.items():
            if record is None:
                self._records.pop(name, None)
            else:
                self._records[name] = record

    @contextlib.contextmanager
    def _failures_explained(self) -> Iterator[None]:
        try:
            yield
        except state_file.FAILURES as error:
            reason = state_file.reason_of(error)
            message = f"{self._path}: the state cannot be used or stored: {reason}"
            raise StateError(message) from None
        except WitnessError as error:
            raise StateError(str(error)) from None
