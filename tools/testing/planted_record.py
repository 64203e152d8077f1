# SPDX-License-Identifier: Apache-2.0
"""Which planted faults were found, and in which state of the sources.

The record is a text file beside the rows, a line for each fault: a hash, and the
fault's name. The hash covers the row, the file that it changes and the files of the
test that must find it, so that a change of any of them calls for planting it again.
"""

from __future__ import annotations

import hashlib
import threading
from dataclasses import astuple
from typing import TYPE_CHECKING

from testing.session import ROOT

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

    from testing.planted_rows import Mutation

_HASH_DIGITS = 16


class Record:
    """The record in a file; it is written at each change.

    Parameters
    ----------
    path
        The file. It need not exist.
    root
        Directory that the rows' files are in.
    """

    def __init__(self, path: Path, root: Path = ROOT) -> None:
        self._path, self._root = path, root
        self._lock = threading.Lock()
        lines = path.read_text().splitlines() if path.exists() else []
        self._hashes = {name: value for value, name in map(str.split, lines)}

    def has(self, row: Mutation) -> bool:
        """Whether this fault was found in these sources."""
        return self._hashes.get(row.name) == self.state(row)

    def state(self, row: Mutation) -> str:
        """Return the hash of a row, of its file and of its test as they are now."""
        value = hashlib.sha256(repr(astuple(row)).encode())
        for path in (self._root / row.file, *row.test_files()):
            value.update(hashlib.sha256(path.read_bytes()).digest())
        return value.hexdigest()[:_HASH_DIGITS]

    def add(self, row: Mutation, state: str) -> None:
        """Note that a fault was found in a state: what `state` returned before."""
        self._change({row.name: state})

    def drop(self, row: Mutation) -> None:
        """Note that a fault was not found."""
        self._change({row.name: None})

    def keep_only(self, rows: Iterable[Mutation]) -> None:
        """Leave out faults that have no row any more."""
        names = {row.name for row in rows}
        self._change({name: None for name in self._hashes if name not in names})

    def _change(self, changed: dict[str, str | None]) -> None:
        with self._lock:
            for name, value in changed.items():
                if value is None:
                    self._hashes.pop(name, None)
                else:
                    self._hashes[name] = value
            if changed:
                self._write()

    def _write(self) -> None:
        draft = self._path.with_suffix(".draft")
        lines = (f"{value} {name}\n" for name, value in sorted(self._hashes.items()))
        draft.write_text("".join(lines))
        draft.replace(self._path)
