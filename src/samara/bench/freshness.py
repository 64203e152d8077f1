# SPDX-License-Identifier: Apache-2.0
"""Whether results are of the sources that are here."""

from __future__ import annotations

import contextlib
from functools import cache
from typing import TYPE_CHECKING, NamedTuple

from samara.bench import devices, hashing, preprocessed, sources, subjects, toolchain
from samara.bench.added import NotACipherError
from samara.bench.toolchain import BuildError, ToolMissingError
from samara.bench.ways import Build
from samara.crypto.names import UnknownNameError
from samara.records import Progress

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from samara.bench.results import Result
    from samara.bench.subjects import Subject
    from samara.bench.units import Unit

_UNTOLD = (UnknownNameError, NotACipherError, ToolMissingError, PermissionError)
"""Why it cannot be told what a program would be compiled from now."""


class _Stored(NamedTuple):
    """What results tell of their program."""

    device: str
    suite: str
    implementation: str
    opt: str
    compiler: str
    files: tuple[str, ...]
    sources: str


def is_current(result: Result) -> bool | None:
    """Return whether a result is of a program as it would be compiled now.

    Returns
    -------
    bool or None
        True for results that could not be built, and so have no sources. None if this
        cannot be told: the compiler is missing here, is another one or may not be
        run, or the cipher, the device or the names of the sources are not known.
    """
    return _is_current(_stored(result)) if result.sources else True


def stale(results: Iterable[Result]) -> list[Result]:
    """Return the results that are of other sources than those here."""
    with hashing.looking_once():
        return [result for result in results if is_current(result) is False]


def look_up(results: Iterable[Result]) -> Iterator[Progress]:
    """Look at the sources of results on all processors, and yield how far that is.

    `is_current` does without it, but looks at one file after the other: where nothing
    was looked at before, that is thousands of runs of the preprocessor.
    """
    for share in preprocessed.find(_units_of(results)):
        yield Progress(share, "sources")


def _units_of(results: Iterable[Result]) -> Iterator[tuple[Build, Unit]]:
    """Yield what the preprocessor has to see of the results."""
    for stored in dict.fromkeys(_stored(each) for each in results if each.sources):
        with contextlib.suppress(*_UNTOLD, *preprocessed.FAILURES):
            if program := _program(stored):
                build, subject = program
                for unit in sources.units_of(build, subject, stored.files):
                    yield build, unit


def _stored(result: Result) -> _Stored:
    return _Stored(
        result.device,
        _same_program(result.suite),
        result.implementation,
        result.opt,
        result.compiler,
        result.files,
        result.sources,
    )


@cache
def _same_program(suite: str) -> str:
    """Return the first suite that has the same program as one: its tags differ."""
    programs: dict[str, str] = {}
    for subject in subjects.subjects():
        programs.setdefault(subject.image_name, subject.slug)
    known = {subject.slug: subject for subject in subjects.subjects()}
    return programs[known[suite].image_name] if suite in known else suite


@cache
def _is_current(stored: _Stored) -> bool | None:
    try:
        program = _program(stored)
        if program is None:
            return None
        with hashing.looking_once():
            found = sources.hash_of(*program, stored.files)
    except _UNTOLD:
        return None
    except (LookupError, OSError, BuildError):
        return False
    return found == stored.sources


def _program(stored: _Stored) -> tuple[Build, Subject] | None:
    """Return what would be compiled now; None without files, or by another compiler.

    Raises
    ------
    UnknownNameError, NotACipherError, ToolMissingError, PermissionError
        If that cannot be told either.
    LookupError, OSError, BuildError
        If it would not be compiled.
    """
    if not stored.files:
        return None
    device, subject = devices.device(stored.device), subjects.subject(stored.suite)
    if toolchain.version(device.family.compiler) != stored.compiler:
        return None
    return Build(device, stored.implementation, stored.opt), subject
