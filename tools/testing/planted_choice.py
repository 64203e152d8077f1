# SPDX-License-Identifier: Apache-2.0
"""Which planted faults a run without --all plants: those that changed, and a sample.

A row has changed if its text, its file or the file of its test differs from main's. The
sample is drawn by the commit's hash, so that each commit plants other rows.
"""

from __future__ import annotations

import hashlib
from pathlib import PurePath
from typing import TYPE_CHECKING

from testing.changed import changed, head, of_main
from testing.planted_rows import FOLDER, rows_in
from testing.session import ROOT

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Sequence

    from testing.planted_rows import Mutation

#: How many of the rows that did not change are planted.
SAMPLE = 8


def chosen(rows: Sequence[Mutation]) -> list[Mutation]:
    """Return the rows that differ from main's, then the sample of the others."""
    different = set(_different(rows, changed()))
    others = [row for row in rows if row not in different]
    return [*sorted(different), *sample(others, head())]


def sample(rows: Sequence[Mutation], commit: str) -> list[Mutation]:
    """Draw some of the rows, by the hash of a commit."""
    return sorted(rows, key=lambda row: _drawn(row, commit))[:SAMPLE]


def _drawn(row: Mutation, commit: str) -> bytes:
    return hashlib.sha256(f"{commit} {row.name}".encode()).digest()


def _different(rows: Sequence[Mutation], names: Collection[str]) -> Iterator[Mutation]:
    """Return the rows that changed, or whose file or test is one of the names."""
    changed_rows = set(_changed_rows(names))
    for row in rows:
        tests = {path.relative_to(ROOT).as_posix() for path in row.test_files()}
        if row in changed_rows or row.file in names or not tests.isdisjoint(names):
            yield row


def _changed_rows(names: Collection[str]) -> Iterator[Mutation]:
    """Return the rows that main does not have."""
    folder = PurePath(FOLDER.relative_to(ROOT))
    for name in names:
        path = PurePath(name)
        if path.parent == folder and path.suffix == ".toml" and (ROOT / path).exists():
            before = rows_in(of_main(name), name)
            now = rows_in((ROOT / path).read_text(), name)
            yield from (row for row in now if row not in before)
