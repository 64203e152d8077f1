# SPDX-License-Identifier: Apache-2.0
"""Lines of a file of results, found by their suite.

A command asks for hundreds of suites of one file. Its lines are looked through once,
and none of them is parsed before it is asked for. What was found is kept while the file
is the same: in memory, and for a large file also in an index (`samara.bench.index`), so
that the next command does not look through it again.
"""

from __future__ import annotations

import json
import re
import time
from dataclasses import dataclass, field
from functools import cached_property, partial
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

from samara.bench import heads, index

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
    from pathlib import Path

    from samara.bench.heads import Head
    from samara.bench.index import Index, SourceFiles

FILES = '"files":'
"""What lines that name source files have, and no others."""

# A name that JSON writes as it is: without escapes, and so without doubt.
_SUITE = re.compile(r'"suite": ?"([\w.+-]+)"', re.ASCII)
_SUITE_FIELD = '"suite"'

_SETTLED_S = 2.0
"""A file that changed later than this before it was read may change again without
another time of change: file systems count these in steps, FAT in steps of two seconds.
"""

_INDEXED_BYTES = 1 << 16
"""Size from which a file has an index. A smaller one is read in a millisecond."""


class Line(NamedTuple):
    """A line of a file, and its number, from 1."""

    number: int
    text: str


class Unparsed(NamedTuple):
    """A line whose head is known: its text is read when more is asked for."""

    number: int
    head: Head
    text: Callable[[], str]


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
        return sorted([*found, *_possible(self.others, suites)])

    def suites(self) -> set[str]:
        """Return the suites that are told without parsing."""
        return set(self.by_suite)

    def unparsed(self) -> Iterator[Unparsed]:
        """Yield the lines whose head is told without parsing: in a text, none is."""
        return iter(())

    def others_than_unparsed(self) -> list[Line]:
        """Return the other lines, in their order."""
        return self.of(())

    def files_of(self, sources: str, number: int) -> tuple[str, ...]:
        """Return the source files that the last line before one names for a hash."""
        return _last_before(number, self.files.get(sources, ()))

    def indexed(self) -> Iterator[tuple[int, str | None, str]]:
        """Yield the number, the suite and the text of each line, for an index."""
        for suite, lines in self.by_suite.items():
            for line in lines:
                yield line.number, suite, line.text
        for line in self.others:
            yield line.number, None, line.text

    def indexed_heads(self) -> str:
        """Return the text of the heads of all lines, for an index."""
        return heads.as_text((n, heads.of_line(text)) for n, text in self.of(()))

    def indexed_files(self) -> Iterator[tuple[int, str, tuple[str, ...]]]:
        """Yield the number, hash and files of each line that names files."""
        for sources, lines in self.files.items():
            for number, names in lines:
                yield number, sources, names


class IndexedLines:
    """The same lines from the index of the file."""

    def __init__(self, path: Path, found: Index) -> None:
        self._path = path
        self._index = found
        self._files: dict[str, list[SourceFiles]] = {}

    def of(self, suites: Collection[str]) -> list[Line]:
        """Return the lines that may have results of these suites: see `Lines.of`."""
        try:
            return sorted(self._of(suites))
        except index.DamagedIndexError:
            return self._text.of(suites)

    def _of(self, suites: Collection[str]) -> Iterator[Line]:
        yield from _possible(self._others, suites)
        if not suites:
            yield from map(Line._make, self._index.of_all_suites())
        for suite in set(suites):
            yield from map(Line._make, self._index.of(suite))

    def suites(self) -> set[str]:
        """Return the suites that are told without parsing."""
        try:
            return self._index.suites()
        except index.DamagedIndexError:
            return self._text.suites()

    def files_of(self, sources: str, number: int) -> tuple[str, ...]:
        """Return the source files that the last line before one names for a hash."""
        try:
            if sources not in self._files:
                self._files[sources] = self._index.files(sources)
        except index.DamagedIndexError:
            return self._text.files_of(sources, number)
        return _last_before(number, self._files[sources])

    def unparsed(self) -> Iterator[Unparsed]:
        """Yield the lines whose head is told without parsing, in their order."""
        for number, head in self._heads.items():
            if head is not None:
                yield Unparsed(number, head, partial(self._text_of, number))

    def others_than_unparsed(self) -> list[Line]:
        """Return the other lines, in their order."""
        others = [number for number, head in self._heads.items() if head is None]
        return [Line(number, self._text_of(number)) for number in others]

    @cached_property
    def _heads(self) -> Mapping[int, Head | None]:
        try:
            return heads.from_text(self._index.heads())
        except index.DamagedIndexError:
            return dict.fromkeys(self._texts)

    def _text_of(self, number: int) -> str:
        try:
            return self._index.text(number)
        except index.DamagedIndexError:
            return self._texts[number]

    @cached_property
    def _texts(self) -> dict[int, str]:
        return dict(self._text.of(()))

    @cached_property
    def _others(self) -> list[Line]:
        return [Line._make(each) for each in self._index.of(None)]

    @cached_property
    def _text(self) -> Lines:
        """The lines of the text, where the index is damaged: the next one is new."""
        index.remove(self._path)
        return text_of(self._path)


FoundLines: TypeAlias = Lines | IndexedLines

_kept: dict[Path, tuple[tuple[int, ...], FoundLines]] = {}


def lines_of(path: Path) -> FoundLines:
    """Return the lines of a file; none if there is no such file."""
    if not path.is_file():
        return Lines()
    state = _state(path)
    if path in _kept and _kept[path][0] == state:
        return _kept[path][1]
    _kept.pop(path, None)
    if max(state[2:]) >= time.time_ns() - _SETTLED_S * 1e9:
        return text_of(path)
    found = _indexed(path, state) if _size(state) >= _INDEXED_BYTES else text_of(path)
    if _state(path) == state:
        _kept[path] = state, found
    return found


def text_of(path: Path) -> Lines:
    """Return the lines of a file from its text."""
    with path.open(encoding="utf-8", errors="replace") as file:
        return _sorted_out(file)


def _indexed(path: Path, state: tuple[int, ...]) -> FoundLines:
    """Return the lines from the index, or from the text to make the index of."""
    if known := index.Index.opened(path, state):
        return IndexedLines(path, known)
    found = text_of(path)
    # What was read while the file changed is of no state.
    if _state(path) == state:
        made_of = (found.indexed(), found.indexed_files(), found.indexed_heads())
        index.make(path, state, *made_of)
    return found


def _possible(lines: Iterable[Line], suites: Collection[str]) -> Iterator[Line]:
    """Yield those of unknown suites that may have results of these ones.

    A name that is written with escapes is told only by parsing. A line that was cut off
    is of an unknown suite: who reads it says that it is damaged.
    """
    words = [FILES, "\\", *(f'"{suite}"' for suite in suites)]
    for line in lines:
        if (
            not suites
            or any(word in line.text for word in words)
            or not line.text.rstrip().endswith("}")
        ):
            yield line


def _last_before(number: int, named: Iterable[SourceFiles]) -> tuple[str, ...]:
    known: tuple[str, ...] = ()
    for place, files in named:
        if place < number:
            known = files
    return known


def _size(state: tuple[int, ...]) -> int:
    return state[1]


def _state(path: Path) -> tuple[int, ...]:
    """Return what tells one content of a file from another: times are its end."""
    status = path.stat()
    return status.st_ino, status.st_size, status.st_mtime_ns, status.st_ctime_ns


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
