# SPDX-License-Identifier: Apache-2.0
"""The state of a node: its counters, stored durably before they are used.

A transmit counter is part of the nonce, and a repeated nonce reveals messages. Values
are therefore reserved in advance, a thousand with one durable write, and used only
after that write. A node that was killed continues after its reservation and leaves
the rest unused. A node that ends normally returns the unused values.

A receive counter is needed to detect replays. It is stored before a message is
delivered: a delivered message is never accepted again. `State.advance` does this with
a durable write for each call, or for hundreds: `samara.link.node.notes`.

SQLite stores all, in WAL mode with full synchronisation, so that each write (but not a
note) is complete and on the disk when the call returns. Only one process at a time can
use the state, and only its latest version: an older version would use counters again. A
copy of the file is recognised by its place (`samara.link.node.state_file`), a restored
backup by its witness (`samara.link.node.witness`): each change of the state has a
number, which is stored there as well.
"""

from __future__ import annotations

import contextlib
import fcntl
import os
import time
from types import MappingProxyType
from typing import TYPE_CHECKING, Self

from samara.drafts import sync_folder
from samara.errors import MisuseError
from samara.link.node import notes, state_file, witness
from samara.link.node.notes import Notes
from samara.link.node.state_file import StateError
from samara.link.node.witness import Witness, WitnessError

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from pathlib import Path

    from samara.link.node.state_file import Place, Record

__all__ = [
    "COUNTER_LIMIT",
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
COUNTER_LIMIT = 0xFFFF_FFFF
"""First value that is never used: IEEE 802.15.4 does not allow it."""

KEYS_REPLACED = "keys.json"
"""Record of a state that has the keys, so that those of keys.json are to be removed."""

_LOCK = "lock"
_LOCK_ATTEMPTS, _LOCK_PAUSE_S = 5, 0.01
_INTERRUPTED = "interrupted"
_CHANGES = "changes"
_SKIPPED = "skipped to"

RECEIVED_AHEAD = 256
"""How far a receive counter may be from its durable bound."""
IDS_AHEAD = 1024
"""The same of the ids of messages: the sender's other neighbours have some of them."""
SKIPPED_MAX = 1000
"""How many values are left out at most when another node asks for it."""


class CounterEndError(MisuseError):
    """A transmit counter has no values left: the link needs a new key."""


class State:
    """The durable numbers of one node, by name.

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
        self._counters: dict[str, Counter] = {}
        self._has_reserved = False
        self.durable_writes = 0
        """Number of durable writes since it was opened."""
        state_file.check_writable(self._path)
        self._lock = _locked(folder)
        try:
            # Before SQLite opens the file: closing another descriptor of the file
            # would release SQLite's locks.
            place = state_file.place_of(self._path)
            self._database = state_file.connected(self._path)
            self._is_synchronised: bool | None = None
            self._can_note = False
            try:
                with self._failures_explained():
                    self._numbers: dict[str, int] = {}
                    self._numbers = self._checked(identity, place)
            except BaseException:
                self._database.close()
                raise
        except BaseException:
            os.close(self._lock)
            raise
        self.was_interrupted = bool(self._numbers.get(_INTERRUPTED, 0))
        """Whether the last process that used it ended without returning values."""

    def _checked(self, identity: str | None, place: Place) -> dict[str, int]:
        """Open the witness, check the state, and return its numbers."""
        about = state_file.about_of(self._database, self._path)
        state_file.check_place(self._database, self._path, place)
        if identity not in (None, about.identity):
            message = f"{self._path} belongs to another node than the files beside it"
            raise StateError(message + state_file.REKEY)
        numbers = state_file.numbers_of(self._database, self._path)
        self._records = state_file.records_of(self._database, self._path)
        self._witness = Witness(about.witness, about.identity)
        try:
            self._check_latest(numbers.get(_CHANGES, 0))
            self._take_notes(numbers)
        except BaseException:
            self._witness.close()
            raise
        return numbers

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

    def _take_notes(self, numbers: dict[str, int]) -> None:
        """Add what was noted to the durable numbers, or continue at the bounds."""
        change = numbers.get(_CHANGES, 0)
        last = notes.read(self._database)
        self._notes = Notes(0, change, notes.boot(), {})
        self._bounds: dict[str, int] = {}
        self._numbers = numbers
        if last is None:
            return
        if last.are_latest(change, self._witness.noted, self._notes.boot):
            self._notes = last
            self._bounds = {
                name: numbers[name]
                for name, value in last.values.items()
                if numbers.get(name, -1) > value
            }
            numbers |= last.values
            return
        skipped = {
            f"{_SKIPPED} {name}": numbers[name]
            for name, value in last.values.items()
            if numbers.get(name, -1) > value and _is_counter(name)
        }
        # At once: the notes must not be taken for those of a later process.
        self._notes = Notes(last.number, change, self._notes.boot, {})
        self._change(skipped, durable_witness=True)

    def skipped(self, name: str) -> int | None:
        """Return where a number continues whose last values are not known.

        What is below it is refused, although some of it may never have arrived. None:
        its last value is known, or it has risen since.
        """
        return self._numbers.get(f"{_SKIPPED} {name}")

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
            if self._has_reserved or self._notes.values:
                unused = {}
                if self._has_reserved:
                    unused = {name: each.next for name, each in self._counters.items()}
                    unused[_INTERRUPTED] = 0
                self._change({**self._notes.values, **unused}, durable_witness=True)
        finally:
            self._database.close()
            self._witness.close()
            os.close(self._lock)

    def counter(self, name: str, first: int = 0) -> Counter:
        """Return the counter of this name; a new one starts at `first`."""
        if name not in self._counters:
            first = self._numbers.get(name, first)
            if any(each.startswith(_SKIPPED) for each in self._numbers):
                # The other end may have lost its notes, too, and refuses what is below
                # its bound: two such nodes would not hear of each other's bounds.
                first = min(first + RECEIVED_AHEAD, COUNTER_LIMIT)
            self._counters[name] = Counter(self, name, first)
        return self._counters[name]

    def get(self, name: str) -> int | None:
        """Return a stored number, or None when there is none."""
        return self._numbers.get(name)

    def records(self) -> Mapping[str, Record]:
        """Return the stored records by name; they are not to be changed."""
        return self._records

    def store(
        self,
        numbers: Mapping[str, int],
        records: Mapping[str, Record | None] | None = None,
        forgotten: Sequence[str] = (),
    ) -> None:
        """Store numbers and records durably, all or none.

        Parameters
        ----------
        records
            Records by name; None removes one. Their witness is synchronised, since
            they decide on keys.
        forgotten
            Names of numbers to remove: their keys are gone. Counters of these names
            must not be used again.

        Raises
        ------
        StateError
            When they could not be stored; then nothing has changed.
        """
        self._change(
            numbers,
            durable_witness=records is not None,
            records=records or {},
            forgotten=forgotten,
        )

    def advance(
        self,
        numbers: Mapping[str, int],
        ahead: Mapping[str, int] = MappingProxyType({}),
        noted: Mapping[str, int] = MappingProxyType({}),
    ) -> None:
        """Store numbers before what they stand for is used.

        Parameters
        ----------
        numbers
            Numbers that must never fall back. A name with a comma belongs to the number
            that is named in front of it, and means nothing beside another value of it.
        ahead
            Names of those that may continue higher when the last value is not known,
            and how much higher; the others are stored durably each time.
        noted
            Other numbers, which may fall back after a power failure.

        Raises
        ------
        StateError
            When they could not be stored; then nothing has changed.
        """
        beyond = {
            name: value
            for name, value in numbers.items()
            if _is_counter(name) and value > self._bounds.get(name, -1)
        }
        if not beyond:
            self._note({**numbers, **noted})
            return
        # Of all at once, so that they do not need a write each.
        bounds = {
            name: min(value + ahead[name], COUNTER_LIMIT)
            for name, value in numbers.items()
            if name in ahead
        }
        exact = {
            name: value
            for name, value in numbers.items()
            if (of := name.partition(",")[0]) in beyond and of not in bounds
        }
        self._change(
            {**exact, **bounds, **noted},
            durable_witness=False,
            noted={name: v for name, v in numbers.items() if name not in exact},
            forgotten=[f"{_SKIPPED} {name}" for name in beyond if self.skipped(name)],
        )

    def _note(self, values: Mapping[str, int]) -> None:
        """Store numbers so that they survive the end of this process."""
        last = self._notes
        number, change = notes.following(last.number), self._numbers.get(_CHANGES, 0)
        after = Notes(number, change, last.boot, {**last.values, **values})
        with self._failures_explained():
            if not self._can_note:
                notes.make_table(self._database)
                self._can_note = True
            self._synchronise(fully=False)
            notes.write(self._database, after, values)
            self._notes = after
            self._numbers.update(values)
            self._witness.note(number)

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

    def scrub(self) -> None:
        """Empty SQLite's log, which may still contain keys that were removed."""
        with self._failures_explained():
            self._database.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()

    def _change(
        self,
        numbers: Mapping[str, int],
        *,
        durable_witness: bool,
        records: Mapping[str, Record | None] = MappingProxyType({}),
        forgotten: Sequence[str] = (),
        noted: Mapping[str, int] = MappingProxyType({}),
    ) -> None:
        numbers = {**numbers, _CHANGES: self._numbers.get(_CHANGES, 0) + 1}
        forgotten = [*forgotten, *(f"{_SKIPPED} {name}" for name in forgotten)]
        after = self._notes_after(numbers, forgotten, noted)
        with self._failures_explained():
            self._synchronise(fully=True)
            with self._transaction():
                self._database.executemany(
                    "INSERT INTO number VALUES (?, ?) "
                    "ON CONFLICT (name) DO UPDATE SET value = excluded.value",
                    list(numbers.items()),
                )
                self._database.executemany(
                    "DELETE FROM number WHERE name = ?", [(each,) for each in forgotten]
                )
                if records:
                    state_file.change_records(self._database, records)
                notes.forget(self._database)
                if after.values:
                    notes.make_table(self._database)
                    notes.write(self._database, after, after.values)
            self._notes = after
            self._bounds = {
                name: numbers.get(name, self._bounds.get(name, -1))
                for name, value in after.values.items()
                if numbers.get(name, self._bounds.get(name, -1)) > value
            }
            self._numbers.update({**numbers, **after.values})
            self._remember(records, forgotten)
            self.durable_writes += 1
            # Before the change is used. A write that is not synchronised survives
            # the end of this process, but not a power failure.
            self._witness.record(numbers[_CHANGES], durably=durable_witness)

    def _notes_after(
        self,
        numbers: Mapping[str, int],
        forgotten: Sequence[str],
        noted: Mapping[str, int],
    ) -> Notes:
        """Return the notes beside a durable change."""
        gone = {*numbers, *forgotten} - set(noted)
        values = {n: v for n, v in self._notes.values.items() if n not in gone}
        return Notes(
            notes.following(self._notes.number),
            numbers[_CHANGES],
            self._notes.boot,
            {**values, **noted},
        )

    def _remember(
        self, records: Mapping[str, Record | None], forgotten: Sequence[str]
    ) -> None:
        """Have in memory what was stored."""
        for name in forgotten:
            self._numbers.pop(name, None)
            self._counters.pop(name, None)
        for name, record in records.items():
            if record is None:
                self._records.pop(name, None)
            else:
                self._records[name] = record

    def reserve(self, name: str, first: int) -> int:
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
            message = f"the counter {name!r} is at its end; the link needs new keys"
            raise CounterEndError(message)
        others = {
            each: min(counter.next + self._reserved_ahead, COUNTER_LIMIT)
            for each, counter in self._counters.items()
            if each != name and counter.is_used_up
        }
        self._change({**others, name: end, _INTERRUPTED: 1}, durable_witness=True)
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

    def __init__(self, state: State, name: str, first: int) -> None:
        self.next = first
        """The next value."""
        self._end = first
        self._state = state
        self._name = name

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
            self._end = self._state.reserve(self._name, self.next)
        value = self.next
        self.next += 1
        return value


def _is_counter(name: str) -> bool:
    return "," not in name


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
