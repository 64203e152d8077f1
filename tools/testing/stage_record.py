# SPDX-License-Identifier: Apache-2.0
"""Taking a stage from the record where nothing that it reads changed since it passed.

This is as with a compiler's cache: a hash of all files under the paths that a stage
reads (`Stage.reads`), of the tools and of the machine is the key. Tools are known by
Debian's list of installed packages and by the versions of the Python packages; where
that list is missing nothing is taken. A stage that looks for something new each time,
such as fuzzing or killing nodes at random, names no paths and always runs.
"""

from __future__ import annotations

import hashlib
import os
import platform
import re
import time
from pathlib import Path
from typing import TYPE_CHECKING

from testing.session import ROOT, VENV

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from testing.green_record import GreenRecord
    from testing.session import Options, Session, Stage
    from testing.tally import Tally

_PACKAGES = Path("/var/lib/dpkg/status")
_PROCESSOR = Path("/proc/cpuinfo")
# What runs every stage, and decides how.
_ALWAYS = ("tools", "test", "constraints.txt", "pyproject.toml", "tests/conftest.py")
_NOT_READ = {"__pycache__", "build", "node_modules", ".git"}
_NOTE = re.compile(r"(\d+) passed on (.*)")


def state_of(stage: Stage, options: Options) -> str:
    """Return the hash of all that a stage depends on; empty if it has to run."""
    is_whole = not (options.only or options.thorough or options.quick or options.made)
    if not stage.reads or not is_whole or not _PACKAGES.exists():
        return ""
    value = hashlib.sha256(stage.name.encode())
    for text in _machine():
        value.update(text.encode())
    for path in _files((*stage.reads, *_ALWAYS)):
        value.update(path.relative_to(ROOT).as_posix().encode())
        value.update(hashlib.sha256(path.read_bytes()).digest())
    return value.hexdigest()


def take(session: Session, record: GreenRecord, state: str) -> bool:
    """Report a stage as on record, and tell whether it is."""
    found = _NOTE.fullmatch(record.note(state) or "")
    if not state or not found or session.options.again:
        return False
    count, day = found.groups()
    detail = f"{count} checks passed on {day}; --again runs them"
    what = "as on record: the same files, tools and machine"
    session.passed(what, detail, count=int(count))
    return True


def put(record: GreenRecord, state: str, tally: Tally) -> None:
    """Put a stage on record that passed, without anything skipped."""
    if state and tally.passed and not tally.failed and not tally.skipped:
        day = time.strftime("%Y-%m-%d %H:%M")
        record.add(state, f"{tally.passed} passed on {day}")


def _machine() -> Iterator[str]:
    """Return what tells of tools and machine."""
    yield _PACKAGES.read_text()
    for package in sorted(VENV.parent.glob("lib/python3*/site-packages/*.dist-info")):
        yield package.name
    yield from (os.environ.get("PATH", ""), platform.release())
    lines = _PROCESSOR.read_text().splitlines() if _PROCESSOR.exists() else ()
    yield from sorted({one for one in lines if one.startswith(("flags", "model name"))})


def _files(names: Iterable[str]) -> list[Path]:
    """Return the files under some paths of the project."""
    paths = {path for name in names for path in _under(ROOT / name)}
    return sorted(path for path in paths if _NOT_READ.isdisjoint(path.parts))


def _under(path: Path) -> Iterator[Path]:
    if path.is_dir():
        yield from (each for each in path.rglob("*") if each.is_file())
    elif path.exists():
        yield path
