# SPDX-License-Identifier: Apache-2.0
"""Taking a stage from the record where nothing that it reads changed since it passed.

This is as with a compiler's cache: the key is a hash of all files under the paths that
a stage reads (`Stage.reads`), of the tools and of the machine; of Python, where it is
known with what that begins, only what it needs (`Stage.begins`). A stage that looks for
something new each time, such as fuzzing or killing nodes at random, names no paths and
always runs.
"""

from __future__ import annotations

import re
import time
from typing import TYPE_CHECKING

from testing import files, fingerprint, python_needs
from testing.session import ROOT

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from testing.green_record import GreenRecord
    from testing.session import Options, Session, Stage
    from testing.tally import Tally

#: What runs every stage, and decides how.
ALWAYS = ("tools", "test", "constraints.txt", "pyproject.toml", "tests/conftest.py")
_NOT_READ = {"__pycache__", "build", "node_modules", ".git"}
_NOTE = re.compile(r"(\d+) passed on (.*)")


def state_of(stage: Stage, options: Options) -> str:
    """Return the hash of all that a stage depends on; empty if it has to run."""
    machine = fingerprint.of_machine()
    if not stage.reads or not machine or not is_usual(options):
        return ""
    paths = {path for name in (*stage.reads, *ALWAYS) for path in _under(ROOT / name)}
    if stage.begins:
        needed = python_needs.imports(*stage.begins)
        paths = {path for path in paths if path in needed or not _is_python(path)}
    return fingerprint.of_texts([stage.name, machine, fingerprint.of_files(paths)])


def _is_python(path: Path) -> bool:
    """Tell whether imports say who needs a file."""
    return files.is_python(path.relative_to(ROOT).as_posix())


def is_usual(options: Options) -> bool:
    """Tell whether all that ./test checks is to be checked, no more and no less."""
    return not (options.only or options.thorough or options.quick or options.made)


def take(session: Session, record: GreenRecord, state: str) -> bool:
    """Report a stage as on record, and tell whether it is."""
    found = _NOTE.fullmatch(record.note(state) or "")
    if not found or session.options.again:
        return False
    count, day = found.groups()
    detail = f"{count} checks passed on {day}; --again runs them"
    what = "as on record: the same files, tools and machine"
    session.on_record(what, detail, int(count))
    return True


def put(record: GreenRecord, state: str, tally: Tally) -> None:
    """Put a stage on record that passed, without anything skipped."""
    if state and tally.passed and not tally.failed and not tally.skipped:
        record.add(state, note(tally.passed))


def note(count: int) -> str:
    """Return what the record says of checks that passed now."""
    return f"{count} passed on {time.strftime('%Y-%m-%d %H:%M')}"


def _under(path: Path) -> Iterator[Path]:
    """Return the files at a path of the project."""
    paths = path.rglob("*") if path.is_dir() else [path]
    for each in paths:
        if each.is_file() and _NOT_READ.isdisjoint(each.parts):
            yield each
