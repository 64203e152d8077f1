# SPDX-License-Identifier: Apache-2.0
"""An index of a file of results: its lines by suite, and their heads, in SQLite.

To look through the text of a large file takes longer than to answer from it. So its
lines are kept in an index, which is made from the text when there is none that has the
file's state, and which can be deleted at any time. It is in `build/` of the clone, or
in the user's cache directory. An index that is damaged, that is of another version, or
that cannot be written is as good as none: the text is read.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import sqlite3
import weakref
import zlib
from pathlib import Path
from typing import TYPE_CHECKING

from samara import atomic_files
from samara.bench import places

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    Numbered = tuple[int, str]
    SourceFiles = tuple[int, tuple[str, ...]]

_VERSION = 3
"""Of the tables below, and of what `samara.bench.lines` puts into them."""

_TABLES = """
PRAGMA journal_mode = OFF;
PRAGMA synchronous = OFF;
CREATE TABLE made_from (state TEXT);
CREATE TABLE lines (number INTEGER PRIMARY KEY, suite TEXT, text BLOB, sum INTEGER);
CREATE TABLE heads (text BLOB, sum INTEGER);
CREATE TABLE files (number INTEGER PRIMARY KEY, sources TEXT, names BLOB, sum INTEGER);
CREATE INDEX lines_by_suite ON lines (suite);
CREATE INDEX files_by_sources ON files (sources);
"""
# It needs no journal, and is not forced to the disk: with an index, nothing is lost.
# A line whose suite is not known without parsing has none.
_OF_A_SUITE = "SELECT number, text, sum FROM lines WHERE suite IS ?"
_OF_ALL_SUITES = "SELECT number, text, sum FROM lines WHERE suite IS NOT NULL"
_OF_A_NUMBER = "SELECT number, text, sum FROM lines WHERE number = ?"
_HEADS = "SELECT 0, text, sum FROM heads"
_SUITES = "SELECT DISTINCT suite FROM lines WHERE suite IS NOT NULL"
_OF_SOURCES = "SELECT number, names, sum FROM files WHERE sources = ? ORDER BY number"


class DamagedIndexError(Exception):
    """An index cannot be read. It never leaves `samara.bench.lines`."""


class Index:
    """An index that was made from a file as it is now."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._connection = connection
        weakref.finalize(self, connection.close)

    @classmethod
    def opened(cls, text: Path, state: tuple[int, ...]) -> Index | None:
        """Return the index of a file; None if there is none that was made from it.

        Parameters
        ----------
        text
            The file of results.
        state
            Numbers that tell one content of it from another.
        """
        for place in _places(text):
            if place.is_file():
                with contextlib.suppress(sqlite3.Error, OSError):
                    found = cls(_connected(place))
                    if found._state() == _state_as_text(state):
                        return found
        return None

    def _state(self) -> str:
        found = self._connection.execute("SELECT state FROM made_from").fetchone()
        return str(found and found[0])

    def of(self, suite: str | None) -> Iterator[Numbered]:
        """Yield the numbers and texts of the lines of a suite; None: of unknown ones.

        Raises
        ------
        DamagedIndexError
        """
        return self._checked(_OF_A_SUITE, suite)

    def of_all_suites(self) -> Iterator[Numbered]:
        """Yield the lines of all suites that are known without parsing.

        Raises
        ------
        DamagedIndexError
        """
        return self._checked(_OF_ALL_SUITES)

    def suites(self) -> set[str]:
        """Return the suites that are known without parsing.

        Raises
        ------
        DamagedIndexError
        """
        try:
            return {str(suite) for (suite,) in self._connection.execute(_SUITES)}
        except sqlite3.Error as error:
            raise DamagedIndexError from error

    def text(self, number: int) -> str:
        """Return the text of one line.

        Raises
        ------
        DamagedIndexError
        """
        return self._one(_OF_A_NUMBER, number)

    def heads(self) -> str:
        """Return the text of the heads of all lines.

        Raises
        ------
        DamagedIndexError
        """
        return self._one(_HEADS)

    def _one(self, query: str, *values: int) -> str:
        for _, text in self._checked(query, *values):
            return text
        raise DamagedIndexError

    def files(self, sources: str) -> list[SourceFiles]:
        """Return the numbers of lines that name files of a hash, and these files.

        Raises
        ------
        DamagedIndexError
        """
        found = self._checked(_OF_SOURCES, sources)
        return [(number, tuple(json.loads(names))) for number, names in found]

    def _checked(self, query: str, *values: str | int | None) -> Iterator[Numbered]:
        try:
            for number, text, check in self._connection.execute(query, values):
                if zlib.crc32(text) != check:
                    raise DamagedIndexError
                yield number, text.decode()
        except (sqlite3.Error, TypeError, ValueError) as error:
            raise DamagedIndexError from error


def make(
    text: Path,
    state: tuple[int, ...],
    lines: Iterable[tuple[int, str | None, str]],
    files: Iterable[tuple[int, str, tuple[str, ...]]],
    heads: str,
) -> None:
    """Make the index of a file; if no place for it can be written, there is none.

    Parameters
    ----------
    lines
        The number, suite and text of each; None for a suite that is not known.
    files
        Of each line that names source files its number, their hash, and their names.
    heads
        Text of the heads of all lines: see `samara.bench.heads`.
    """
    rows = [(number, suite, *_summed(text)) for number, suite, text in lines]
    named = [(number, key, *_summed(json.dumps(names))) for number, key, names in files]
    for place in _places(text):
        with (
            contextlib.suppress(sqlite3.Error, OSError),
            atomic_files.made_by(place) as temporary,
            contextlib.closing(sqlite3.connect(temporary)) as connection,
        ):
            connection.executescript(_TABLES)
            with connection:
                connection.execute(
                    "INSERT INTO made_from VALUES (?)", [_state_as_text(state)]
                )
                connection.executemany("INSERT INTO lines VALUES (?, ?, ?, ?)", rows)
                connection.executemany("INSERT INTO files VALUES (?, ?, ?, ?)", named)
                connection.execute("INSERT INTO heads VALUES (?, ?)", _summed(heads))
            return


def remove(text: Path) -> None:
    """Remove the index of a file, wherever it is."""
    for place in _places(text):
        with contextlib.suppress(OSError):
            place.unlink(missing_ok=True)


def _summed(text: str) -> tuple[bytes, int]:
    encoded = text.encode()
    return encoded, zlib.crc32(encoded)


def _state_as_text(state: tuple[int, ...]) -> str:
    return json.dumps([_VERSION, *state])


def _connected(place: Path) -> sqlite3.Connection:
    # An index is replaced as a whole, and never written again: no locks are needed.
    uri = f"{place.absolute().as_uri()}?mode=ro&immutable=1"
    return sqlite3.connect(uri, uri=True, check_same_thread=False)


def _places(text: Path) -> Iterator[Path]:
    """Yield where the index of a file may be: the first that can be written has it."""
    key = hashlib.sha256(os.fsencode(text.resolve())).hexdigest()[:16]
    for folder in _folders():
        yield folder / f"{text.stem}-{key}.sqlite"


def _folders() -> Iterator[Path]:
    with contextlib.suppress(places.NoSourcesError, places.NoHomeError):
        yield places.index()
    with contextlib.suppress(RuntimeError):
        caches = os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache"
        yield Path(caches) / "samara" / "index"
