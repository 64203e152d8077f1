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

import contextlib
import fcntl
import os
import time
from types import MappingProxyType
from typing import TYPE_CHECKING, Self, TypeAlias, TypeVar

from samara.atomic_files import sync_folder
from samara.errors import MisuseError
from samara.link.node import quantities, state_file, unsynced, witness
from samara.link.node.quantities import COUNTER_LIMIT, Number, Quantity, Value
from samara.link.node.state_file import CHANGES, NUMBERS, StateError
from samara.link.node.unsynced import Unsynced
from samara.link.node.witness import Witness, WitnessError

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Callable, Iterator, Mapping, Sequence
    from pathlib import Path

    from samara.link.node.state_file import About, Place, Record, Stored

    Writing: TypeAlias = Callable[[sqlite3.Connection], None]

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

KEYS_REPLACED = "keys.json"
"""Record of a state that has the keys, so that those of keys.json are to be removed."""

_T = TypeVar("_T")

_LOCK = "lock"
_LOCK_ATTEMPTS, _LOCK_PAUSE_S = 5, 0.01
_INTERRUPTED = Number(Quantity.INTERRUPTED)

RECEIVED_AHEAD = 256
"""How far a receive counter may be from its durable bound."""
IDS_AHEAD = 1024
"""The same of the ids of messages: the sender's other neighbours have some of them."""
SKIPPED_MAX = 1000
"""How many values are left out at most when another node asks for it."""


class CounterEndError(MisuseError):
    """A transmit counter has no values left: the link needs a new key."""


class State:
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
        self._path = folder / state_file.FILE
        self._reserved_ahead = reserved_ahead
        self._counters: dict[Number, Counter] = {}
        self._has_reserved = False
        self._is_half_done = False
        self.durable_writes = 0
        """Number of durable writes since it was opened."""
        state_file.check_writable(self._path)
        self._lock = _locked(folder)
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
        self.was_interrupted = bool(self.get(_INTERRUPTED))
        """Whether the last process that used it ended without returning values."""

    def _open(self, identity: str | None, place: Place, *, has_log: bool) -> None:
        """Open the witness, check the state, and read it."""
        about = state_file.about_of(self._database, self._path)
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
        os.close(os.open(folder / _LOCK, os.O_CREAT | os.O_RDWR, 0o600))
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
            self._counters.pop(number, None)
        for name, record in records.items():
            if record is None:
                self._records.pop(name, None)
            else:
                self._records[name] = record

    def reserve(self, number: Number, first: int) -> int:
        """Reserve counter values from `first` on; return the value after the last.

        The same write reserves values of all other counters that have none left.

        Raises
        ------
        CounterEndError
            When there are no more.
        StateError
            When the reservation could not be stored.
        """
        end = min(first + self._reserved_ahead, COUNTER_LIMIT)
        if first >= end:
            message = (
                f"the counter {str(number)!r} is at its end; the link needs new keys"
            )
            raise CounterEndError(message)
        others = {
            each: min(counter.next + self._reserved_ahead, COUNTER_LIMIT)
            for each, counter in self._counters.items()
            if each != number and counter.is_used_up
        }
        ends = {**others, number: end, _INTERRUPTED: 1}
        self._change(_values(ends), durable_witness=True)
        for each, its_end in others.items():
            self._counters[each].extend(its_end)
        self._has_reserved = True
        return end

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


class Counter:
    """A transmit counter: each value is used at most once."""

    def __init__(self, state: State, number: Number, first: int) -> None:
        self.next = first
        """The next value."""
        self._end = first
        self._state = state
        self._number = number

    @property
    def is_used_up(self) -> bool:
        """Whether no reserved value is left."""
        return self.next >= self._end

    def extend(self, end: int) -> None:
        """Note that the values before `end` are reserved."""
        self._end = end

    def skip_to(self, value: int, most: int = SKIPPED_MAX) -> bool:
        """Leave out the values before this one; tell whether that changes something.

        Parameters
        ----------
        most
            How many are left out: who asks for more is mistaken, and none is.
        """
        if not self.next < value <= self.next + most:
            return False
        self.next = value
        return True

    def take(self) -> int:
        """Return a value that was never returned before.

        Raises
        ------
        CounterEndError
            When there are no more.
        StateError
            When its reservation could not be stored.
        """
        if self.is_used_up:
            self._end = self._state.reserve(self._number, self.next)
        value = self.next
        self.next += 1
        return value


def _values(numbers: Mapping[Number, int | Value]) -> dict[Number, Value]:
    return {number: Value.of(value) for number, value in numbers.items()}


def locked(folder: Path) -> contextlib.AbstractContextManager[None]:
    """Lock the state of a node without opening it.

    Raises
    ------
    StateError
        When another process uses it.
    """

    @contextlib.contextmanager
    def holding() -> Iterator[None]:
        os.close(os.open(folder / _LOCK, os.O_CREAT | os.O_RDWR, 0o600))
        lock = _locked(folder)
        try:
            yield
        finally:
            os.close(lock)

    return holding()


def is_in_use(folder: Path) -> bool:
    """Return whether a process uses the state."""
    try:
        os.close(_locked(folder))
    except StateError:
        return True
    return False


def _locked(folder: Path) -> int:
    lock = os.open(folder / _LOCK, os.O_RDWR | os.O_CLOEXEC)
    # Repeated, because `is_in_use` holds the lock for a moment.
    for _ in range(_LOCK_ATTEMPTS):
        with contextlib.suppress(BlockingIOError):
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            return lock
        time.sleep(_LOCK_PAUSE_S)
    os.close(lock)
    message = (
        f"another process is using the node {folder}: stop it first; only `samara node "
        "up` does things for other commands while it runs"
    )
    raise StateError(message)
