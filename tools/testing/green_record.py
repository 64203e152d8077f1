# SPDX-License-Identifier: Apache-2.0
"""A record of what passed on this machine, each by a hash of all that it depends on.

It is a text file in the user's cache, a line for each: the hash, and a note for people.
Lines are added at the end, so that several runs may write at once. Losing some of it
costs time alone.
"""

from __future__ import annotations

import os
import threading
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

# Lines that are kept when there are more than twice as many.
_KEPT_LINES = 20_000


def cache_folder() -> Path:
    """Return samara's directory in the user's cache."""
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "samara"


def record_of(name: str) -> GreenRecord:
    """Return a record of the user's cache; for an automatic builder an empty one."""
    is_builder = bool(os.environ.get("CI"))
    return GreenRecord(None if is_builder else cache_folder() / f"{name}.txt")


class GreenRecord:
    """The record in a file, which need not exist; without a path nothing is kept."""

    def __init__(self, path: Path | None) -> None:
        self._path = path
        self._lock = threading.Lock()
        lines = path.read_text().splitlines() if path and path.exists() else []
        if path and len(lines) > 2 * _KEPT_LINES:
            lines = lines[-_KEPT_LINES:]
            write_whole(path, _text_of(lines))
        self._note_by_state = dict(line.split(" ", 1) for line in lines if " " in line)

    def note(self, state: str) -> str | None:
        """Return the note on what passed in this state; None if it is not on record."""
        return self._note_by_state.get(state)

    def add(self, state: str, note: str) -> None:
        """Put down that something passed in this state."""
        with self._lock:
            self._note_by_state[state] = note
            if self._path:
                self._path.parent.mkdir(parents=True, exist_ok=True)
                with self._path.open("a") as file:
                    file.write(f"{state} {note}\n")

    def drop(self, state: str) -> None:
        """Take back that something passed in this state."""
        with self._lock:
            if self._note_by_state.pop(state, None) is not None and self._path:
                lines = self._path.read_text().splitlines()
                kept = (one for one in lines if not one.startswith(state))
                write_whole(self._path, _text_of(kept))


def write_whole(path: Path, text: str) -> None:
    """Write a file that others may read meanwhile: they find the old or the new one."""
    temporary = path.with_suffix(f".{os.getpid()}")
    temporary.write_text(text)
    temporary.replace(path)


def _text_of(lines: Iterable[str]) -> str:
    return "".join(f"{line}\n" for line in lines)
