# SPDX-License-Identifier: Apache-2.0
"""Faults that are made by rule, and the tests that ought to find them.

The rules change a comparison, a condition, a constant, an operator or the order of
arguments, or leave out a statement, an operand or an argument. Whether a test finds
them shows what is checked; some of them change nothing that can be seen.
"""

from __future__ import annotations

import re
from functools import cache
from random import Random
from typing import TYPE_CHECKING

from testing import made_c, made_python
from testing.edit import Edit, whole_edit
from testing.import_graph import read
from testing.planted_rows import Mutation, RowError
from testing.session import ROOT

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from pathlib import Path

_OTHER_MACHINES = re.compile(r"core/arch/(avr|armv[67]m|msp430|rv32)/")


def made_in(name: str) -> list[Mutation]:
    """Return the faults of a file as rows, in an order that mixes its parts.

    Raises
    ------
    RowError
        If faults are not made in such a file, or no test is known for it.
    """
    source = (ROOT / name).read_text()
    stage, only = _test_of(name)
    found = sorted(edits(name, source))
    Random(name).shuffle(found)  # noqa: S311 - the same order each time
    # The name is for people: where the fault is.
    return [
        Mutation(stage, only, name, source, edit.made(source), edit.shown(source))
        for edit in found
    ]


def edits(name: str, source: str) -> set[Edit]:
    """Return the faults of a file, each as its shortest change."""
    maker = made_python if name.endswith(".py") else made_c
    if not name.endswith((".py", ".c", ".h")):
        message = f"{name}: faults are made in Python and C alone"
        raise RowError(message)
    every = {edit.least(source) for edit in maker.edits(source)}
    return {edit for edit in every if edit.begin < edit.end or edit.text}


def repeated(rows: Iterable[Mutation]) -> Iterator[Mutation]:
    """Return the rows whose fault is made by rule, too, for the same tests."""
    for row in rows:
        if row.file.endswith((".py", ".c", ".h")) and _has_its_test(row):
            source = (ROOT / row.file).read_text()
            if whole_edit(source, row.planted(source)) in _edits_of(row.file):
                yield row


def _has_its_test(row: Mutation) -> bool:
    """Return whether the test of a row is one of those for faults made in its file."""
    try:
        stage, only = _test_of(row.file)
    except RowError:
        return False
    words = {path.stem for path in row.modules()}
    return stage == row.stage and (stage == "c" or words <= set(only.split(" or ")))


@cache
def _edits_of(name: str) -> set[Edit]:
    return edits(name, (ROOT / name).read_text())


def _test_of(name: str) -> tuple[str, str]:
    """Return the stage for a file, and the part of it that is run."""
    if name.startswith("core/") and not _OTHER_MACHINES.match(name):
        return "c", "gcc-O2"
    words = sorted(
        path.stem for path in _tests() if _module(name) in read(path).modules
    )
    if not words:
        message = f"{name}: no test in tests/python or tests/tools imports it"
        raise RowError(message)
    return "python", " or ".join(words)


@cache
def _tests() -> tuple[Path, ...]:
    folders = (ROOT / "tests" / "python", ROOT / "tests" / "tools")
    return tuple(path for folder in folders for path in folder.rglob("test_*.py"))


def _module(name: str) -> str:
    """Return the name that a file is imported by."""
    path = re.sub(r"^(src|tools)/|\.py$|/__init__\.py$", "", name)
    return path.removesuffix("/__init__").replace("/", ".")
