# SPDX-License-Identifier: Apache-2.0
"""Lines of a file of results, found by their suite.

A command asks for hundreds of suites of one file. Its lines are looked through once,
and none of them is parsed before it is asked for. What was found is kept in memory
while the file is the same: on disk there is only the text, so nothing there can be
older than the text.
"""

from __future__ import annotations

import json
import re
import time
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable
    from pathlib import Path

FILES = '"files":'
"""What lines that name source files have, and no others."""

# A name that JSON writes as it is: without escapes, and so without doubt.
_SUITE = re.compile(r'"suite": ?"([\w.+-]+)"', re.ASCII)
_SUITE_FIELD = '"suite"'

_SETTLED_S = 2.0
"""A file that changed later than this before it was read may change again without
another time of change: file systems count these in steps, FAT in steps of two seconds.
"""


class Line(NamedTuple):
    """A line of a file, and its number, from 1."""

    number: int
    text: str


@dataclass(slots=True)
class Lines:
    """The lines of a file but for empty ones."""

    by_suite: dict[str, list[Line]] = field(default_factory=dict)
    others: list[Line] = field(default_factory=list)
    """Those whose suite is not told without parsing; damaged ones are among them."""
    files: dict[str, list[tuple[int, tuple[str, ...]]]] = field(default_factory=dict)
    """Of each hash the numbers of the lines that name its files, and the files."""

    def of(self, suites: Collection[str]) -> list[Line]:
        """Return the lines that may have results of these suites, in their order.

        Parameters
        ----------
        suites
            None at all stands for all suites.
        """
        if not suites:
            found = [line for lines in self.by_suite.values() for line in lines]
            return sorted([*found, *self.others])
        found = [line for suite in set(suites) for line in self.by_suite.get(suite, ())]
        # A name that is written with escapes is told only by parsing. A line that was
        # cut off is of an unknown suite: who reads it says that it is damaged.
        words = [FILES, "\\", *(f'"{suite}"' for suite in suites)]
        found += [
            line
            for line in self.others
            if any(word in line.text for word in words)
            or not line.text.rstrip().endswith("}")
        ]
        return sorted(found)

    def files_of(self, sources: str, number: int) -> tuple[str, ...]:
        """Return the source files that the last line before one names for a hash."""
        known: tuple[str, ...] = ()
        for place, files in self.files.get(sources, ()):
            if place < number:
                known = files
        return known


_kept: dict[Path, tuple[tuple[int, ...], Lines]] = {}


def lines_of(path: Path) -> Lines:
    """Return the lines of a file; none if there is no such file."""
    if not path.is_file():
        return Lines()
    state = _state(path)
    if path in _kept and _kept[path][0] == state:
        return _kept[path][1]
    began_ns = time.time_ns()
    with path.open(encoding="utf-8", errors="replace") as file:
        found = _sorted_out(file)
    _kept.pop(path, None)
    if max(state[2:]) < began_ns - _SETTLED_S * 1e9 and _state(path) == state:
        _kept[path] = state, found
    return found


def _state(path: Path) -> tuple[int, ...]:
    """Return what tells one content of a file from another: times are its end."""
    told = path.stat()
    return told.st_ino, told.st_size, told.st_mtime_ns, told.st_ctime_ns


def _sorted_out(file: Iterable[str]) -> Lines:
    lines = Lines()
    for number, text in enumerate(file, 1):
        if not text.strip():
            continue
        line = Line(number, text)
        if FILES in text:
            _put_files(lines, line)
        elif text.count(_SUITE_FIELD) == 1 and (found := _SUITE.search(text)):
            lines.by_suite.setdefault(found[1], []).append(line)
        else:
            lines.others.append(line)
    return lines


def _put_files(lines: Lines, line: Line) -> None:
    """Keep the files that a line names; one that does not is parsed when asked for."""
    try:
        named = json.loads(line.text)
        files = line.number, tuple(named["files"])
        lines.files.setdefault(named["sources"], []).append(files)
    except (ValueError, TypeError, KeyError):
        lines.others.append(line)
