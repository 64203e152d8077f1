# SPDX-License-Identifier: Apache-2.0
"""Numbers that are stored without synchronising them, beside bounds that are durable.

A synchronised write takes milliseconds, and one for each message would be most of what
a message costs. Of a number that only rises, such as a receive counter, a bound is
therefore durable: a value that the number has not reached, some hundred ahead. The
number itself is in the file when the call returns (in the table "note"), so that it
survives the end of the process, but nobody has waited for the disk.

After a process was killed, its unsynced numbers say exactly where it was. They are used
only if nothing is older than it should be: the machine has not been restarted since
(its boot id is the same), the durable state is the one that they were written after,
and the witness outside of the directory has the number of their last write. Otherwise,
as after a power failure or when an older file was restored, each number continues at
its bound.
"""

from __future__ import annotations

import secrets
from pathlib import Path
from typing import TYPE_CHECKING, Final, NamedTuple

from samara.link.node import quantities
from samara.link.node.quantities import Number, Quantity, Value

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Mapping

TABLE: Final = "note"

_BOOT_ID = Path("/proc/sys/kernel/random/boot_id")
_NUMBER, _CHANGE, _BOOT = _OWN = (
    Number(Quantity.UNSYNCED),
    Number(Quantity.UNSYNCED_AFTER),
    Number(Quantity.UNSYNCED_DURING),
)
_WRAPS: Final = 2**32


class Unsynced(NamedTuple):
    """The numbers as they were written last."""

    number: int
    """Counts the writes, and wraps at 2^32."""
    change: int
    """The durable change after which they were written."""
    boot: int
    values: dict[Number, Value]

    def are_latest(self, change: int, witnessed: int | None, boot: int) -> bool:
        """Whether they are of this boot, and no older ones were put in their place.

        Parameters
        ----------
        change
            Number of the last durable change.
        witnessed
            Number that the witness has. It is written after them: the process may
            have ended in between.
        boot
            What `boot` returned.
        """
        if witnessed is None:
            # Without a number of its own: they are the first since the change.
            witnessed = self.number
        ahead = (self.number - witnessed) % _WRAPS
        return self.boot == boot and self.change == change and ahead <= 1


def boot() -> int:
    """Return the boot id of this machine as a number; it differs after each start."""
    try:
        text = _BOOT_ID.read_text(encoding="ascii").replace("-", "")
        return int(text, 16) >> 66
    except (OSError, ValueError):
        # Then they are never taken for those of this boot.
        return secrets.randbits(62)


def read(database: sqlite3.Connection) -> Unsynced | None:
    """Return the unsynced numbers that were written last, or None.

    Raises
    ------
    samara.link.node.quantities.DamagedError
        When a row cannot be.
    """
    if not quantities.has_table(database, TABLE):
        return None
    values = quantities.read(database, TABLE)
    if not values.keys() >= set(_OWN):
        return None
    number, change, boot = (values.pop(each).value for each in _OWN)
    return Unsynced(number, change, boot, values)


def write(
    database: sqlite3.Connection, last: Unsynced, values: Mapping[Number, Value]
) -> None:
    """Write values, all or none; others are kept."""
    own = {
        _NUMBER: Value(last.number),
        _CHANGE: Value(last.change),
        _BOOT: Value(last.boot),
    }
    quantities.write(database, TABLE, {**values, **own})


def make_table(database: sqlite3.Connection) -> None:
    """Create the table, if there is none."""
    quantities.make_table(database, TABLE)


def forget(database: sqlite3.Connection) -> None:
    """Remove all within a transaction."""
    if quantities.has_table(database, TABLE):
        database.execute("DELETE FROM note")


def following(number: int) -> int:
    """Return the number of the write after this one."""
    return (number + 1) % _WRAPS
