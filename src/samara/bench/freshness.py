# SPDX-License-Identifier: Apache-2.0
"""Whether results are of the sources that are here."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

from samara.bench import devices, hashing, sources, subjects, toolchain
from samara.bench.added import NotACipherError
from samara.bench.toolchain import BuildError, ToolMissingError
from samara.bench.ways import Build
from samara.crypto.names import UnknownNameError

if TYPE_CHECKING:
    from collections.abc import Iterable

    from samara.bench.results import Result


def is_current(result: Result) -> bool | None:
    """Return whether a result is of a program as it would be compiled now.

    Returns
    -------
    bool or None
        True for results that could not be built, and so have no sources. None if this
        cannot be told: the compiler is missing here, is another one or may not be
        run, or the cipher, the device or the names of the sources are not known.
    """
    if not result.sources:
        return True
    build = (result.device, result.implementation, result.opt)
    suite = _same_program(result.suite)
    return _is_current(build, suite, result.sources, result.files, result.compiler)


def stale(results: Iterable[Result]) -> list[Result]:
    """Return the results that are of other sources than those here."""
    with hashing.looking_once():
        return [result for result in results if is_current(result) is False]


@cache
def _same_program(suite: str) -> str:
    """Return the first suite that has the same program as one: its tags differ."""
    programs: dict[str, str] = {}
    for subject in subjects.subjects():
        programs.setdefault(subject.image_name, subject.slug)
    known = {subject.slug: subject for subject in subjects.subjects()}
    return programs[known[suite].image_name] if suite in known else suite


@cache
def _is_current(
    build: tuple[str, str, str],
    suite: str,
    stored_hash: str,
    files: tuple[str, ...],
    compiler: str,
) -> bool | None:
    name, implementation, opt = build
    if not files:
        return None
    try:
        device, subject = devices.device(name), subjects.subject(suite)
        if toolchain.version(device.family.compiler) != compiler:
            return None
        with hashing.looking_once():
            found = sources.hash_of(Build(device, implementation, opt), subject, files)
    except (UnknownNameError, NotACipherError, ToolMissingError, PermissionError):
        return None
    except (LookupError, OSError, BuildError):
        return False
    return found == stored_hash
