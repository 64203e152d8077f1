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
state, and only the latest one there is: an older one would use the same counters
again. A copy is recognised by the number of its file (inode), the generation of
that number, where the file system has one, and the file system. A backup that
was restored is recognised by its witness (`samara.link.node.witness`): each
change of the state has a number, which is kept there as well.
"""

from __future__ import annotations

import contextlib
import fcntl
import os
import re
import secrets
import sqlite3
import stat
import struct
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, Self

from samara.drafts import sync_folder
from samara.errors import MisuseError
from samara.link.node import witness
from samara.link.node.witness import Witness, WitnessError

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

RESERVED_AHEAD = 1000
"""Values that one durable write reserves."""
COUNTER_LIMIT = 0xFFFF_FFFF
"""The first value that no transmit counter takes: IEEE 802.15.4 refuses it."""

FORMAT = 1
"""Of the file."""
IDENTITY_SIZE = 16
"""Bytes of what tells the node from all others."""
IDENTITY = re.compile(f"[0-9a-f]{{{2 * IDENTITY_SIZE}}}")
"""How it is written."""

_FILE = "state.db"
# What SQLite keeps beside it.
_FILES = (_FILE, "state.db-wal", "state.db-shm", "state.db-journal")
_LOCK = "lock"
_LOCK_ATTEMPTS, _LOCK_PAUSE_S = 5, 0.01
_INTERRUPTED = "interrupted"
_CHANGES = "changes"
# What Python raises of a file that SQLite reads; it decodes SQLite's own words.
_FAILURES = (sqlite3.Error, UnicodeDecodeError)
# Absolute, and without control characters.
_PATH = re.compile(rb"/[^\0-\x1f]*")
_NUMBER_MAX = 2**63 - 1
# _IOR('v', 1, long): the generation of an inode's number, of 32 bits.
_FS_IOC_GETVERSION = 0x8000_7601 | struct.calcsize("l") << 16
_OTHERS = stat.S_IRWXG | stat.S_IRWXO
_REKEY = "; `samara node rekey` gives the node new keys"


class StateError(MisuseError):
    """The state cannot be used, or not be stored; nothing was sent or taken."""


class CounterEndError(MisuseError):
    """A transmit counter has no values left: the link needs a new key."""


class About(NamedTuple):
    """What a state says of itself."""

    identity: str
    witness: Path
    """The folder of its witness."""


class State:
    """The durable numbers of one node, by name.

    Parameters
    ----------
    folder
        The node's folder, where `State.make` was called once.
    reserved_ahead
        How many counter values one durable write reserves.
    identity
        Of the node, if it is known: the state has to be this one's.

    Raises
    ------
    StateError
        When another process has it, or it is a copy, not the latest, damaged or
        read-only.
    """

    def __init__(
        self,
        folder: Path,
        reserved_ahead: int = RESERVED_AHEAD,
        identity: str | None = None,
    ) -> None:
        self._path = folder / _FILE
        self._reserved_ahead = reserved_ahead
        self._counters: dict[str, Counter] = {}
        self._has_reserved = False
        self.durable_writes = 0
        """How many there were since it was opened."""
        _check_writable(self._path)
        self._lock = _locked(folder)
        try:
            # Before SQLite has it open: to close another descriptor of the file
            # would give its locks away.
            place = _place_of(self._path)
            self._database = _connected(self._path)
            try:
                with self._explaining():
                    self._numbers = self._checked(identity, place)
            except BaseException:
                self._database.close()
                raise
        except BaseException:
            os.close(self._lock)
            raise
        self.was_interrupted = bool(self._numbers.get(_INTERRUPTED, 0))
        """Whether reserved values were left unused when it was last used."""

    def _checked(
        self, identity: str | None, place: tuple[str, str, str]
    ) -> dict[str, int]:
        """Open the witness, and return the numbers of what is the latest state."""
        about = _about(self._database, self._path)
        _check_place(self._database, self._path, place)
        if identity not in (None, about.identity):
            message = f"{self._path} is of another node than the files beside it"
            raise StateError(message + _REKEY)
        numbers = _numbers(self._database, self._path)
        self._witness = Witness(about.witness, about.identity)
        try:
            self._check_latest(numbers.get(_CHANGES, 0))
        except BaseException:
            self._witness.close()
            raise
        return numbers

    def _check_latest(self, changes: int) -> None:
        """Refuse a state that is behind its witness."""
        if changes < self._witness.number:
            message = (
                f"{self._path.parent} was restored from a backup (change {changes} of "
                f"{self._witness.number}): using it would repeat nonces and accept "
                "replays"
            )
            raise StateError(message + _REKEY)
        if changes > self._witness.number:
            # Stored, and interrupted before the witness was told.
            self._witness.tell(changes, durably=True)

    @staticmethod
    def make(
        folder: Path, identity: str | None = None, witnesses: Path | None = None
    ) -> None:
        """Make the state of a new node, but for its witness, if it is named.

        Parameters
        ----------
        folder
            Has no state yet.
        identity
            Of the node, 32 hex digits. Default: a new one, and its witness.
        witnesses
            The folder of its witness. Default: the user's.

        Raises
        ------
        FileExistsError
            When there is one.
        StateError
            When it cannot be stored.
        """
        witnesses = witnesses or witness.default_folder()
        if identity is None:
            identity = new_identity()
            Witness.make(witnesses, identity)
        path = folder / _FILE
        os.close(os.open(folder / _LOCK, os.O_CREAT | os.O_RDWR, 0o600))
        os.close(os.open(path, os.O_CREAT | os.O_EXCL | os.O_RDWR, 0o600))
        place = _place_of(path)
        database = _connected(path)
        try:
            database.execute("BEGIN")
            database.execute("CREATE TABLE number (name TEXT PRIMARY KEY, value INT)")
            database.execute("CREATE TABLE about (identity TEXT, witness TEXT)")
            database.execute(
                "CREATE TABLE place (inode TEXT, generation TEXT, file_system TEXT)"
            )
            about = (identity, os.fsencode(witnesses).hex())
            database.execute("INSERT INTO about VALUES (?, ?)", about)
            database.execute("INSERT INTO place VALUES (?, ?, ?)", place)
            database.execute(f"PRAGMA user_version = {FORMAT}")
            database.execute("COMMIT")
        except _FAILURES as error:
            message = f"{path}: the state cannot be stored: {_reason_of(error)}"
            raise StateError(message) from None
        finally:
            database.close()
        sync_folder(folder)

    @staticmethod
    def remove(folder: Path) -> None:
        """Remove the state of a node, but for its lock and its witness."""
        for name in _FILES:
            (folder / name).unlink(missing_ok=True)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Give unused counter values back, and let others have the state."""
        try:
            if self._has_reserved:
                unused = {name: each.next for name, each in self._counters.items()}
                self._change({**unused, _INTERRUPTED: 0}, durably_told=True)
        finally:
            self._database.close()
            self._witness.close()
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
        self._change(numbers, durably_told=False)

    def _change(self, numbers: Mapping[str, int], *, durably_told: bool) -> None:
        numbers = {**numbers, _CHANGES: self._numbers.get(_CHANGES, 0) + 1}
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
            # Before the change is used. Without synchronisation where that may
            # be: it then outlasts this process, but not a power failure.
            self._witness.tell(numbers[_CHANGES], durably=durably_told)

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
        self._change({name: end, _INTERRUPTED: 1}, durably_told=True)
        self._has_reserved = True
        return end

    @contextlib.contextmanager
    def _explaining(self) -> Iterator[None]:
        try:
            yield
        except _FAILURES as error:
            told = _reason_of(error)
            message = f"{self._path}: the state cannot be used or stored: {told}"
            raise StateError(message) from None
        except WitnessError as error:
            raise StateError(str(error)) from None


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


def new_identity() -> str:
    """Draw what tells a node from all others."""
    return secrets.token_hex(IDENTITY_SIZE)


def locked(folder: Path) -> contextlib.AbstractContextManager[None]:
    """Keep other processes from the state of a node, as one that uses it does.

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


def about_in(folder: Path) -> About | None:
    """Return what a state says of itself; None when it cannot be read."""
    with contextlib.suppress(StateError), _reading(folder / _FILE) as database:
        return _about(database, folder / _FILE)
    return None


def numbers_in(folder: Path) -> dict[str, int]:
    """Return the stored numbers of a node that may be running, to be shown.

    Raises
    ------
    StateError
        When they cannot be read.
    """
    path = folder / _FILE
    with _reading(path) as database:
        _about(database, path)
        return _numbers(database, path)


@contextlib.contextmanager
def _reading(path: Path) -> Iterator[sqlite3.Connection]:
    try:
        uri = f"{path.absolute().as_uri()}?mode=ro"
        with contextlib.closing(sqlite3.connect(uri, uri=True)) as database:
            yield database
    except _FAILURES as error:
        message = f"{path}: the state cannot be read: {_reason_of(error)}"
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
    except _FAILURES as error:
        message = f"{path}: the state cannot be used: {_reason_of(error)}"
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


def _about(database: sqlite3.Connection, path: Path) -> About:
    (version,) = database.execute("PRAGMA user_version").fetchone()
    if version > FORMAT:
        message = (
            f"{path} has format {version}, and this samara knows format {FORMAT}: "
            "use a newer samara"
        )
        raise StateError(message)
    rows = database.execute("SELECT identity, witness FROM about").fetchall()
    match rows:
        case [(str(identity), str(folder))] if version == FORMAT:
            path_of_witness = _PATH.fullmatch(_of_hex(folder))
            if IDENTITY.fullmatch(identity) and path_of_witness:
                return About(identity, Path(os.fsdecode(path_of_witness[0])))
    message = f"{path} is damaged"
    raise StateError(message + _REKEY)


def _reason_of(error: Exception) -> str:
    """Return what is wrong in one line: it may repeat what was in the file."""
    return " ".join(str(error).split())


def _of_hex(digits: str) -> bytes:
    try:
        return bytes.fromhex(digits)
    except ValueError:
        return b""


def _numbers(database: sqlite3.Connection, path: Path) -> dict[str, int]:
    rows: list[tuple[Any, Any]] = database.execute(
        "SELECT name, value FROM number"
    ).fetchall()
    for name, value in rows:
        is_number = isinstance(value, int) and 0 <= value <= _NUMBER_MAX
        if not isinstance(name, str) or not is_number:
            message = f"{path} is damaged: it has a number that is none"
            raise StateError(message + _REKEY)
    return dict(rows)


def _check_place(
    database: sqlite3.Connection, path: Path, place: tuple[str, str, str]
) -> None:
    found = database.execute(
        "SELECT inode, generation, file_system FROM place"
    ).fetchall()
    if found != [place] or path.stat().st_nlink != 1:
        message = f"{path} is a copy: using it would repeat nonces"
        raise StateError(message + _REKEY)


def _place_of(path: Path) -> tuple[str, str, str]:
    # As text: SQLite's integers have a sign. Some file systems have no number
    # of their own; that of the device may change when the machine starts.
    status = path.stat()
    file_system = os.statvfs(path).f_fsid or status.st_dev
    return str(status.st_ino), _generation_of(path), str(file_system)


def _generation_of(path: Path) -> str:
    """Return which use of its inode's number a file is; empty if not known.

    The number of a removed file is given to a new one, often at once. Some file
    systems (ext4, XFS, Btrfs) tell them apart; tmpfs and overlayfs do not.
    """
    answer = bytearray(struct.calcsize("l"))
    file = os.open(path, os.O_RDONLY | os.O_CLOEXEC)
    try:
        fcntl.ioctl(file, _FS_IOC_GETVERSION, answer)
    except OSError:
        return ""
    finally:
        os.close(file)
    return str(struct.unpack_from("I", answer)[0])
