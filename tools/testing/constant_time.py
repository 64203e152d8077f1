# SPDX-License-Identifier: Apache-2.0
"""Secrets marked undefined under valgrind: no branch, no address from them."""

from dataclasses import replace
from typing import TYPE_CHECKING

from testing.builds import Build, make, matrix
from testing.c_programs import selected
from testing.c_tests import COMPILERS
from testing.process import Outcome
from testing.session import Session, Stage
from testing.tally import last_line_tally

if TYPE_CHECKING:
    from pathlib import Path

# Valgrind's exit code when it found something; no test program exits so.
_FOUND = 99
# The case that branches on a secret, to prove that such a thing is seen.
_LEAK = "leak"


def constant_time(session: Session) -> None:
    """Build all, then run valgrind on a few at a time."""
    # Building uses every processor already; valgrind uses one.
    builds = selected(session, _builds(session))
    built = [build for build in builds if make(session, build)]
    session.in_parallel(lambda build: _check(session, build), built)


def _builds(session: Session) -> list[Build]:
    levels: tuple[str, ...] = ("-O2", "-O3")
    machines: tuple[str, ...] = ("native",)
    if session.options.thorough:
        levels = ("-O0", "-O1", "-Os", "-O2", "-O3")
        machines = ("native", "portable64", "portable32")
    options = ("-DSAMARA_CONSTANT_TIME_CHECK=ON",)
    builds = matrix(COMPILERS, levels, machines, "ct", options)
    # With the lines of the sources, for what valgrind says.
    return [replace(build, debug=True) for build in builds]


def _check(session: Session, build: Build) -> None:
    _check_cases(session, build)
    _check_leak(session, build)


def _under_valgrind(session: Session, build: Build, *case: str) -> Outcome:
    program: Path = build.folder(session) / "tests" / "c" / "constant_time"
    valgrind = ["valgrind", "--quiet", "--num-callers=30", f"--error-exitcode={_FOUND}"]
    what = " ".join(("valgrind", build.name, *case))
    return session.command(what, [*valgrind, program, *case])


def _check_cases(session: Session, build: Build) -> None:
    """Run every case; the program counts those that valgrind complained about."""
    outcome = _under_valgrind(session, build)
    tally = last_line_tally(outcome.output)
    if tally is None or tally.total == 0:
        session.fail_with(build.name, outcome)
        return
    if tally.passed:
        detail = f"{tally.passed} cases, {outcome.seconds:.1f} s"
        session.passed(build.name, detail, count=tally.passed)
    if tally.failed or not outcome.ok:
        session.fail_with(build.name, outcome, count=max(tally.failed, 1))


def _check_leak(session: Session, build: Build) -> None:
    what = f"{build.name}: a deliberate leak is found"
    outcome = _under_valgrind(session, build, _LEAK)
    if outcome.exit_code == _FOUND:
        session.passed(what)
    else:
        session.failed(what, f"valgrind saw nothing: {outcome.why()}", outcome.output)


STAGE = Stage(
    "constant-time",
    "every public call under valgrind with its secrets undefined",
    constant_time,
    selects="a build: 'ct-gcc-O2'",
)
