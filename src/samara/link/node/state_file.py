# SPDX-License-Identifier: Apache-2.0
"""The SQLite file with the state of a node: its layout, and the checks of a file.

The file contains the identity of the node, the path of its witness, its numbers
(`samara.link.node.quantities`), and its own place: inode number, generation of that
number and file system. A copy of the file has another place and is refused. Nodes whose
neighbours or keys change while they run also have records: JSON objects by name, which
may contain keys.

Format 1 had numbers by name (`samara.link.node.format_1`). It is read, and whoever uses
the node first stores it in the format of today. An older samara refuses that.
"""

from __future__ import annotations

import contextlib
import fcntl
import json
import os
import re
import secrets
import sqlite3
import stat
import struct
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

from samara.errors import MisuseError
from samara.link.node import format_1, quantities, unsynced
from samara.link.node.quantities import DamagedError, Number, Quantity, Value

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from samara.link.node.unsynced import Unsynced

Record: TypeAlias = dict[str, Any]
"""What JSON can hold, by name; it may contain keys."""
Place: TypeAlias = tuple[str, str, str]
"""Inode number, its generation and file system of a file."""

FILE = "state.db"
_LOG = "state.db-wal"
FILES = (FILE, _LOG, "state.db-shm", "state.db-journal")
"""The file, and those that SQLite keeps beside it."""
FAILURES = (sqlite3.Error, UnicodeDecodeError)
"""What Python raises for a damaged file; SQLite's messages can contain text of it."""
REKEY = "; `samara node rekey --offline` gives the node new keys"

FORMAT = 2
"""Format of the file."""
NUMBERS = "number"
"""The table of numbers."""
IDENTITY_SIZE = 16
"""Size of the identity of a node in bytes."""
IDENTITY = re.compile(f"[0-9a-f]{{{2 * IDENTITY_SIZE}}}")
"""Identity as hex digits."""

# Absolute, and without control characters.
_PATH = re.compile(rb"/[^\0-\x1f]*")
_NAMED_NUMBERS = 1
_RECORDS = "record"
# In format 1: of a neighbour without a name.
_RECORD_OF_PAIR = "neighbour"
# _IOR('v', 1, long): the generation of an inode's number, of 32 bits.
_FS_IOC_GETVERSION = 0x8000_7601 | struct.calcsize("l") << 16
_OTHERS = stat.S_IRWXG | stat.S_IRWXO


class StateError(MisuseError):
    """A state that cannot be used or stored; nothing was sent or accepted."""


class About(NamedTuple):
    """Identity of a node and the directory of its witness, from its state."""

    identity: str
    witness: Path
    """Directory of its witness."""
    format: int
    """Format of the file."""


class Stored(NamedTuple):
    """The numbers in a file, and the last unsynced ones, if any."""

    numbers: dict[Number, Value]
    unsynced: Unsynced | None

    @property
    def change(self) -> int:
        """How many durable changes there were."""
        found = self.numbers.get(CHANGES)
        return found.value if found else 0


CHANGES = Number(Quantity.CHANGES)


def new_identity() -> str:
    """Return the random identity of a new node, as hex digits."""
    return secrets.token_hex(IDENTITY_SIZE)


def make_tables(path: Path, identity: str, witness: Path) -> None:
    """Create the tables of a new state in an empty file.

    Raises
    ------
    StateError
        When they cannot be stored.
    """
    place = place_of(path)
    database = connected(path)
    try:
        database.execute("BEGIN")
        quantities.make_table(database, NUMBERS)
        database.execute("CREATE TABLE about (identity TEXT, witness TEXT)")
        database.execute(
            "CREATE TABLE place (inode TEXT, generation TEXT, file_system TEXT)"
        )
        # A process that opens the node may work in another directory.
        about = (identity, os.fsencode(witness.absolute()).hex())
        database.execute("INSERT INTO about VALUES (?, ?)", about)
        database.execute("INSERT INTO place VALUES (?, ?, ?)", place)
        database.execute(f"PRAGMA user_version = {FORMAT}")
        database.execute("COMMIT")
    except FAILURES as error:
        message = f"{path}: the state cannot be stored: {reason_of(error)}"
        raise StateError(message) from None
    finally:
        database.close()


def read_identity(folder: Path) -> About | None:
    """Return identity and witness of a state; None when it cannot be read."""
    with contextlib.suppress(StateError), reading(folder / FILE) as database:
        return identity_and_witness(database, folder / FILE)
    return None


def records_in(folder: Path) -> dict[str, Record]:
    """Return the stored records of a node, which may be running.

    Raises
    ------
    StateError
        When they cannot be read.
    """
    path = folder / FILE
    with reading(path) as database:
        identity_and_witness(database, path)
        return records_of(database, path)


def numbers_in(folder: Path) -> dict[Number, Value]:
    """Return the stored numbers of a node, which may be running.

    Raises
    ------
    StateError
        When they cannot be read.
    """
    path = folder / FILE
    with reading(path) as database:
        stored = stored_in(database, path, identity_and_witness(database, path))
        last = stored.unsynced
        is_of_today = last is not None and last.change == stored.change
        return stored.numbers | (last.values if last and is_of_today else {})


@contextlib.contextmanager
def reading(path: Path) -> Iterator[sqlite3.Connection]:
    """Open the file of a node, which may be running, to read it.

    Raises
    ------
    StateError
        When it cannot be read.
    """
    try:
        uri = f"{path.absolute().as_uri()}?mode=ro"
        with contextlib.closing(sqlite3.connect(uri, uri=True)) as database:
            yield database
    except FAILURES as error:
        message = f"{path}: the state cannot be read: {reason_of(error)}"
        raise StateError(message) from None


def connected(path: Path) -> sqlite3.Connection:
    """Open the file so that each transaction is durable when it returns.

    Raises
    ------
    StateError
        When SQLite cannot open it.
    """
    try:
        database = sqlite3.connect(path, isolation_level=None)
        database.execute("PRAGMA journal_mode = WAL")
        database.execute("PRAGMA synchronous = FULL")
        # A key that was removed must not stay in a free page.
        database.execute("PRAGMA secure_delete = ON")
    except FAILURES as error:
        message = f"{path}: the state cannot be used: {reason_of(error)}"
        raise StateError(message) from None
    return database


def has_log(folder: Path) -> bool:
    """Whether SQLite's log has something: the process before was killed."""
    with contextlib.suppress(FileNotFoundError):
        return (folder / _LOG).stat().st_size > 0
    return False


def check_writable(path: Path) -> None:
    """Refuse a file that is read-only, or that others have access to.

    Raises
    ------
    StateError
        When it is.
    """
    # Check the mode, too: for the superuser every file is writable.
    for each in (path, path.parent):
        if not each.stat().st_mode & stat.S_IWUSR or not os.access(each, os.W_OK):
            message = f"{each} is read-only: a node must be able to store its counters"
            raise StateError(message)
    if path.stat().st_mode & _OTHERS:
        message = f"others than its owner have access to {path}; chmod 600 it"
        raise StateError(message)


def identity_and_witness(database: sqlite3.Connection, path: Path) -> About:
    """Return the identity and the witness that the file names.

    Raises
    ------
    StateError
        When it is damaged or of a newer format.
    """
    (version,) = database.execute("PRAGMA user_version").fetchone()
    if version > FORMAT:
        message = (
            f"{path} has format {version}, and this samara knows format {FORMAT}: "
            "use a newer samara"
        )
        raise StateError(message)
    rows = database.execute("SELECT identity, witness FROM about").fetchall()
    match rows:
        case [(str(identity), str(folder))] if version >= _NAMED_NUMBERS:
            path_of_witness = _PATH.fullmatch(_of_hex(folder))
            if IDENTITY.fullmatch(identity) and path_of_witness:
                witness = Path(os.fsdecode(path_of_witness[0]))
                return About(identity, witness, version)
    message = f"{path} is damaged"
    raise StateError(message + REKEY)


def reason_of(error: Exception) -> str:
    """Return the message of an error as one line; it may contain line breaks."""
    return " ".join(str(error).split())


def _of_hex(digits: str) -> bytes:
    try:
        return bytes.fromhex(digits)
    except ValueError:
        return b""


def stored_in(database: sqlite3.Connection, path: Path, about: About) -> Stored:
    """Return the numbers of a file, of whichever format.

    Raises
    ------
    StateError
        When one of them is invalid.
    """
    try:
        if about.format == _NAMED_NUMBERS:
            is_pair = _RECORD_OF_PAIR in records_of(database, path)
            return Stored(*format_1.read(database, is_pair=is_pair))
        numbers = quantities.read(database, NUMBERS)
        return Stored(numbers, unsynced.read(database))
    except DamagedError:
        message = f"{path} is damaged: it has a number that is invalid"
        raise StateError(message + REKEY) from None


def change_format(
    database: sqlite3.Connection, numbers: Mapping[Number, Value]
) -> None:
    """Write numbers in the format of today within a transaction, all durably."""
    for table in (NUMBERS, unsynced.TABLE):
        database.execute(f"DROP TABLE IF EXISTS {table}")
    quantities.make_table(database, NUMBERS)
    quantities.write(database, NUMBERS, numbers)
    database.execute(f"PRAGMA user_version = {FORMAT}")


def records_of(database: sqlite3.Connection, path: Path) -> dict[str, Record]:
    """Return the stored records by name.

    Raises
    ------
    StateError
        When one of them is invalid; the text does not repeat it, as it has keys.
    """
    if not quantities.has_table(database, _RECORDS):
        return {}
    rows = database.execute("SELECT name, value FROM record").fetchall()
    records: dict[str, Record] = {}
    for name, value in rows:
        try:
            record = json.loads(value)
        except (TypeError, ValueError, RecursionError):
            record = None
        if not isinstance(name, str) or not isinstance(record, dict):
            message = f"{path} is damaged: it has a record that is invalid"
            raise StateError(message + REKEY)
        records[name] = record
    return records


def change_records(
    database: sqlite3.Connection, records: Mapping[str, Record | None]
) -> None:
    """Write records within a transaction; None removes one."""
    if not quantities.has_table(database, _RECORDS):
        database.execute("CREATE TABLE record (name TEXT PRIMARY KEY, value TEXT)")
    for name, record in records.items():
        if record is None:
            database.execute("DELETE FROM record WHERE name = ?", (name,))
            continue
        database.execute(
            "INSERT INTO record VALUES (?, ?) "
            "ON CONFLICT (name) DO UPDATE SET value = excluded.value",
            (name, json.dumps(record)),
        )


def check_place(database: sqlite3.Connection, path: Path, place: Place) -> None:
    """Refuse a copy of the file.

    Raises
    ------
    StateError
        When it is.
    """
    found = database.execute(
        "SELECT inode, generation, file_system FROM place"
    ).fetchall()
    if found != [place] or path.stat().st_nlink != 1:
        message = f"{path} is a copy: using it would repeat nonces"
        raise StateError(message + REKEY)


def place_of(path: Path) -> Place:
    """Return where a file is; a copy of it is elsewhere."""
    # As text, because SQLite's integers are signed. Some file systems have no
    # identifier; their device number may change when the machine restarts.
    status = path.stat()
    file_system = os.statvfs(path).f_fsid or status.st_dev
    return str(status.st_ino), _generation_of(path), str(file_system)


def _generation_of(path: Path) -> str:
    """Return the generation of the inode number of a file; empty if not known.

    The inode number of a removed file is often reused at once. The generation differs
    on ext4, XFS and Btrfs; tmpfs and overlayfs have none.
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
