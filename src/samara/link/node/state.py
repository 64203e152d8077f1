# SPDX-License-Identifier: Apache-2.0
"""What a node must not forget: its counters, on disk before they are used.

A transmit counter is part of a nonce, and a nonce that is used twice gives
messages away. Values are therefore reserved ahead, a thousand with one durable
write, and used only after that write; a node that was killed goes on behind its
reservation and leaves the rest unused. One that ends in good order gives the
rest back.

A receive counter is what a replay is recognised by. It is stored before a
message is handed on: what was handed on is never accepted again.

SQLite keeps both, in WAL mode with full synchronisation, so that each write is
whole and on the disk when it returns. Only one process at a time may have the
state, and only where it was made: a copy would use the same counters again. It
is recognised by the number of its file (inode) and its file system. A backup
that is written into the very same file cannot be recognised.
"""

from __future__ import annotations

import contextlib
import fcntl
import os
import sqlite3
import stat
import time
from typing import TYPE_CHECKING, Self

from samara.errors import MisuseError

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from pathlib import Path

RESERVED_AHEAD = 1000
"""Values that one durable write reserves."""
COUNTER_LIMIT = 0xFFFF_FFFF
"""The first value that no transmit counter takes: IEEE 802.15.4 refuses it."""

_FILE = "state.db"
_LOCK = "lock"
_LOCK_ATTEMPTS, _LOCK_PAUSE_S = 5, 0.01
_INTERRUPTED = "interrupted"
_OTHERS = stat.S_IRWXG | stat.S_IRWXO


class StateError(MisuseError):
    """The state cannot be used, or not be stored; nothing was sent or taken."""


class CounterEndError(MisuseError):
    """A transmit counter has no values left: the link needs a new key."""


class State:
    """The durable numbers of one node, by name.

    Parameters
    ----------
    folder
        The node's folder, where `State.make` was called once.
    reserved_ahead
        How many counter values one durable write reserves.

    Raises
    ------
    StateError
        When another process has it, or it is a copy, damaged or read-only.
    """

    def __init__(self, folder: Path, reserved_ahead: int = RESERVED_AHEAD) -> None:
        self._path = folder / _FILE
        self._reserved_ahead = reserved_ahead
        self._counters: dict[str, Counter] = {}
        self._has_reserved = False
        self.durable_writes = 0
        """How many there were since it was opened."""
        _check_writable(self._path)
        self._lock = _locked(folder)
        try:
            self._database = _connected(self._path)
            with self._explaining():
                _check_place(self._database, self._path)
                self._numbers = dict(
                    self._database.execute("SELECT name, value FROM number")
                )
        except BaseException:
            os.close(self._lock)
            raise
        self.was_interrupted = bool(self._numbers.get(_INTERRUPTED, 0))
        """Whether reserved values were left unused when it was last used."""

    @staticmethod
    def make(folder: Path) -> None:
        """Make the state of a new node in an empty folder.

        Raises
        ------
        FileExistsError
            When there is one.
        """
        path = folder / _FILE
        os.close(os.open(folder / _LOCK, os.O_CREAT | os.O_RDWR, 0o600))
        os.close(os.open(path, os.O_CREAT | os.O_EXCL | os.O_RDWR, 0o600))
        database = _connected(path)
        try:
            database.execute("CREATE TABLE number (name TEXT PRIMARY KEY, value INT)")
            database.execute("CREATE TABLE place (inode TEXT, file_system TEXT)")
            database.execute("INSERT INTO place VALUES (?, ?)", _place_of(path))
        finally:
            database.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Give unused counter values back, and let others have the state."""
        try:
            if self._has_reserved:
                unused = {name: each.next for name, each in self._counters.items()}
                self.store({**unused, _INTERRUPTED: 0})
        finally:
            self._database.close()
            os.close(self._lock)

    def counter(self, name: str) -> Counter:
        """Return the transmit counter of this name; new ones begin at 0."""
        if name not in self._counters:
            self._counters[name] = Counter(self, name, self._numbers.get(name, 0))
        return self._counters[name]

    def get(self, name: str) -> int | None:
        """Return a stored number, or None when there is none."""
        return self._numbers.get(name)

    def store(self, numbers: Mapping[str, int]) -> None:
        """Store numbers, all or none, so that they outlast whatever comes next.

        Raises
        ------
        StateError
            When they could not be stored; then nothing has changed.
        """
        with self._explaining():
            self._database.execute("BEGIN IMMEDIATE")
            try:
                self._database.executemany(
                    "INSERT INTO number VALUES (?, ?) "
                    "ON CONFLICT (name) DO UPDATE SET value = excluded.value",
                    list(numbers.items()),
                )
                self._database.execute("COMMIT")
            except BaseException:
                if self._database.in_transaction:
                    self._database.execute("ROLLBACK")
                raise
        self._numbers.update(numbers)
        self.durable_writes += 1

    def reserve(self, name: str, first: int) -> int:
        """Reserve counter values from `first` on; return where they end.

        Raises
        ------
        CounterEndError
            When there are no more.
        StateError
            When that could not be stored.
        """
        end = min(first + self._reserved_ahead, COUNTER_LIMIT)
        if first >= end:
            message = f"the counter {name!r} is at its end; the link needs new keys"
            raise CounterEndError(message)
        self.store({name: end, _INTERRUPTED: 1})
        self._has_reserved = True
        return end

    @contextlib.contextmanager
    def _explaining(self) -> Iterator[None]:
        try:
            yield
        except sqlite3.Error as error:
            message = f"{self._path}: the state cannot be used or stored: {error}"
            raise StateError(message) from None


class Counter:
    """A transmit counter: each value is taken once, whatever happens."""

    def __init__(self, state: State, name: str, first: int) -> None:
        self.next = first
        """The value that will be taken next, if it can be reserved."""
        self._end = first
        self._state = state
        self._name = name

    def take(self) -> int:
        """Return a value that was never returned before.

        Raises
        ------
        CounterEndError
            When there are no more.
        StateError
            When its reservation could not be stored.
        """
        if self.next >= self._end:
            self._end = self._state.reserve(self._name, self.next)
        value = self.next
        self.next += 1
        return value


def numbers_in(folder: Path) -> dict[str, int]:
    """Return the stored numbers of a node that may be running, to be shown.

    Raises
    ------
    StateError
        When they cannot be read.
    """
    path = folder / _FILE
    try:
        database = sqlite3.connect(f"{path.absolute().as_uri()}?mode=ro", uri=True)
        try:
            return dict(database.execute("SELECT name, value FROM number"))
        finally:
            database.close()
    except sqlite3.Error as error:
        message = f"{path}: the state cannot be read: {error}"
        raise StateError(message) from None


def is_in_use(folder: Path) -> bool:
    """Tell whether a process has the state."""
    try:
        os.close(_locked(folder))
    except StateError:
        return True
    return False


def _connected(path: Path) -> sqlite3.Connection:
    try:
        database = sqlite3.connect(path, isolation_level=None)
        database.execute("PRAGMA journal_mode = WAL")
        database.execute("PRAGMA synchronous = FULL")
    except sqlite3.Error as error:
        message = f"{path}: the state cannot be used: {error}"
        raise StateError(message) from None
    return database


def _locked(folder: Path) -> int:
    lock = os.open(folder / _LOCK, os.O_RDWR | os.O_CLOEXEC)
    # Again: who only asks whether it is in use (`is_in_use`) has it for a moment.
    for _ in range(_LOCK_ATTEMPTS):
        with contextlib.suppress(BlockingIOError):
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            return lock
        time.sleep(_LOCK_PAUSE_S)
    os.close(lock)
    message = f"another process is using the node {folder}"
    raise StateError(message)


def _check_writable(path: Path) -> None:
    # Asked of the mode, too: to the superuser everything seems writable.
    for each in (path, path.parent):
        if not each.stat().st_mode & stat.S_IWUSR or not os.access(each, os.W_OK):
            message = f"{each} is read-only: a node must be able to store its counters"
            raise StateError(message)
    if path.stat().st_mode & _OTHERS:
        message = f"others than its owner have access to {path}; chmod 600 it"
        raise StateError(message)


def _check_place(database: sqlite3.Connection, path: Path) -> None:
    found = database.execute("SELECT inode, file_system FROM place").fetchall()
    if found != [_place_of(path)] or path.stat().st_nlink != 1:
        message = (
            f"{path} is a copy: using it would repeat nonces; make a new pair of "
            "nodes with `samara node init`"
        )
        raise StateError(message)


def _place_of(path: Path) -> tuple[str, str]:
    # As text: SQLite's integers have a sign. Some file systems have no number
    # of their own; that of the device may change when the machine starts.
    status = path.stat()
    file_system = os.statvfs(path).f_fsid or status.st_dev
    return str(status.st_ino), str(file_system)
