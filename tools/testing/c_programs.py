# SPDX-License-Identifier: Apache-2.0
"""Running the C test programs of a build through ctest and counting their checks."""

import time
from collections.abc import Sequence
from pathlib import Path

from testing.builds import Build, make
from testing.junit import Case, read_cases
from testing.process import Outcome
from testing.session import Command, Session
from testing.tally import Tally, last_line_tally

# ctest cuts longer outputs, and with them the line that counts.
_OUTPUT_LIMIT = 100_000_000


SELECTS = "BUILD PROGRAM, or one of them: 'gcc-O2 test_aead'"


def selected(session: Session, builds: Sequence[Build]) -> list[Build]:
    """List the builds that -k names, all when it names none."""
    words = session.options.only.split()
    return [build for build in builds if build.name in words] or list(builds)


def _program(session: Session) -> str:
    """Return the program that -k names, as a pattern; all when it names none."""
    words = session.options.only.split()
    return next((word for word in reversed(words) if "-" not in word), ".")


def build_and_run(session: Session, build: Build) -> None:
    """Build without a warning, run every program, report the build as one line."""
    start = time.monotonic()
    if not make(session, build):
        return
    built_s = time.monotonic() - start
    results = build.folder(session) / "ctest.xml"
    results.unlink(missing_ok=True)
    outcome = session.command(f"ctest {build.name}", _ctest(session, build, results))
    if not results.exists():
        session.fail_with(f"ctest {build.name}", outcome)
        return
    _report(session, build, results, outcome, built_s)


def _ctest(session: Session, build: Build, results: Path) -> Command:
    return [
        "ctest",
        "--test-dir",
        build.folder(session),
        "--parallel",
        str(session.options.jobs),
        "--no-tests=error",
        f"--tests-regex={_program(session)}",
        "--output-on-failure",
        "--output-junit",
        results,
        f"--test-output-size-passed={_OUTPUT_LIMIT}",
        f"--test-output-size-failed={_OUTPUT_LIMIT}",
    ]


def _report(
    session: Session, build: Build, results: Path, outcome: Outcome, built_s: float
) -> None:
    cases = list(read_cases(results))
    tallies = [_report_failure(session, build, case) for case in cases]
    good = sum((tally.passed for tally in tallies), 0)
    failed = sum((tally.failed for tally in tallies), 0)
    if failed == 0 and not outcome.ok:
        session.fail_with(f"ctest {build.name}", outcome)
    if good:
        detail = (
            f"{good} checks of {len(cases)} programs, "
            f"built in {built_s:.1f} s, ran in {outcome.seconds:.1f} s"
        )
        session.passed(build.name, detail, count=good)


def _report_failure(session: Session, build: Build, case: Case) -> Tally:
    """Count one program's checks; those that failed are reported here."""
    tally = count_program(case)
    what = f"{build.name} {case.name}"
    if tally.failed:
        session.failed(what, str(tally), case.output, count=tally.failed)
    if tally.skipped:
        session.skipped(what, _last_line(case.output), tally.skipped)
    return tally


def count_program(case: Case) -> Tally:
    """Count what a test program did, by its last line and how it ended.

    A program without a line of the form `N passed, N failed` is one check. One
    that counts no check, or no failure and yet ends badly, has failed.
    """
    if case.skipped:
        return Tally(skipped=1)
    tally = last_line_tally(case.output)
    if tally is None:
        return Tally(failed=1) if case.failed else Tally(passed=1)
    if tally.total == 0 or (tally.failed == 0 and case.failed):
        return tally + Tally(failed=1)
    return tally


def _last_line(output: str) -> str:
    lines = output.rstrip().splitlines()
    return lines[-1] if lines else "it did not say why"
