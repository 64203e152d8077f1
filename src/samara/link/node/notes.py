# SPDX-License-Identifier: Apache-2.0
"""Numbers that are stored without synchronising them, beside bounds that are durable.

A synchronised write takes milliseconds, and one for each message would be most of what
a message costs. Of a number that only rises, such as a receive counter, a bound is
therefore durable: a value that the number has not reached, some hundred ahead. The
number itself is noted: the note is in the file when the call returns, so that it
survives the end of the process, but nobody has waited for the disk.

After a process was killed, its notes say exactly where it was. They are used only if
nothing is older than it should be: the machine has not been restarted since (its
boot id is the same), the durable state is that of the note, and the witness outside
of the directory has its number. Otherwise, as after a power failure or when an older
file was restored, each number continues at its bound.
"""

from __future__ import annotations

import itertools
import secrets
from pathlib import Path
from typing import TYPE_CHECKING, Final, NamedTuple

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Mapping

_BOOT_ID = Path("/proc/sys/kernel/random/boot_id")
_NUMBER, _CHANGE, _BOOT = OWN = ("#number", "#change", "#boot")
_WRAPS: Final = 2**32


class Notes(NamedTuple):
    """What was noted last."""

    number: int
    """Counts the notes, and wraps at 2^32."""
    change: int
    """The durable change after which it was noted."""
    boot: int
    values: dict[str, int]

    def are_latest(self, change: int, witnessed: int | None, boot: int) -> bool:
        """Whether they are of this boot, and no older ones were put in their place.

        Parameters
        ----------
        change
            Number of the last durable change.
        witnessed
            Number that the witness has. It is written after the note: the process
            may have ended in between.
        boot
            What `boot` returned.
        """
        if witnessed is None:
            # Without a note of its own, the first one since the change.
            witnessed = self.number
        ahead = (self.number - witnessed) % _WRAPS
        return self.boot == boot and self.change == change and ahead <= 1


def boot() -> int:
    """Return what differs after each start of this machine, as a number."""
    try:
        text = _BOOT_ID.read_text(encoding="ascii").replace("-", "")
        return int(text, 16) >> 66
    except (OSError, ValueError):
        # Then notes are never taken for those of this boot.
        return secrets.randbits(62)


def has_table(database: sqlite3.Connection) -> bool:
    """Whether anything was ever noted."""
    found = database.execute("SELECT 1 FROM sqlite_master WHERE name = 'note'")
    return found.fetchone() is not None


def read(database: sqlite3.Connection) -> Notes | None:
    """Return what was noted, or None."""
    if not has_table(database):
        return None
    rows = dict(database.execute("SELECT name, value FROM note").fetchall())
    if not rows or any(type(value) is not int for value in rows.values()):
        return None
    own = [rows.pop(name, -1) for name in OWN]
    return Notes(own[0], own[1], own[2], rows)


def write(database: sqlite3.Connection, last: Notes, values: Mapping[str, int]) -> None:
    """Write values that are noted, all or none; others are kept.

    It is one statement, and so a transaction of its own if there is none: a node notes
    each frame that it receives.
    """
    own = {_NUMBER: last.number, _CHANGE: last.change, _BOOT: last.boot}
    rows = {**values, **own}
    places = ", ".join(["(?, ?)"] * len(rows))
    database.execute(
        f"INSERT INTO note VALUES {places} "  # noqa: S608 - nothing but places
        "ON CONFLICT (name) DO UPDATE SET value = excluded.value",
        list(itertools.chain.from_iterable(rows.items())),
    )


def make_table(database: sqlite3.Connection) -> None:
    """Create the table of notes, if there is none."""
    database.execute(
        "CREATE TABLE IF NOT EXISTS note (name TEXT PRIMARY KEY, value INT)"
    )


def forget(database: sqlite3.Connection) -> None:
    """Remove all notes within a transaction."""
    if has_table(database):
        database.execute("DELETE FROM note")


def following(number: int) -> int:
    """Return the number of the note after this one."""
    return (number + 1) % _WRAPS
