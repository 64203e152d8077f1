# SPDX-License-Identifier: Apache-2.0
"""The Python tests, through pytest."""

from pathlib import Path

from testing.junit import read_cases
from testing.session import ROOT, VENV, Command, Session, Stage
from testing.tally import Tally

_FOLDERS = ("tests/python", "tests/tools")


def python_tests(session: Session) -> None:
    """Run pytest on each folder of tests and on the doctests."""
    if session.options.only:
        everything = [*(ROOT / folder for folder in _FOLDERS), ROOT / "src" / "samara"]
        pytest(session, "selected", *everything, "-k", session.options.only)
        return
    for folder in _FOLDERS:
        pytest(session, folder, ROOT / folder)
    pytest(session, "doctests", ROOT / "src" / "samara", "--doctest-modules")


def pytest(
    session: Session,
    what: str,
    *arguments: str | Path,
    search: str = "tests/python tools",
) -> None:
    """Run pytest; each of its tests counts.

    Parameters
    ----------
    search
        Folders that the tests import from.
    """
    results = session.build / "pytest" / f"{what.replace('/', '-')}.xml"
    results.unlink(missing_ok=True)
    command: Command = [
        *(VENV / "python", "-m", "pytest", "-q", f"--junit-xml={results}"),
        *("-o", f"pythonpath={search}"),
        *arguments,
    ]
    outcome = session.command(what, command)
    tally = junit_tally(results) if results.exists() else Tally()
    if tally.passed:
        detail = f"{tally.passed} tests, {outcome.seconds:.1f} s"
        session.passed(what, detail, count=tally.passed)
    if tally.skipped:
        session.skipped(what, f"see {outcome.log.relative_to(ROOT)}", tally.skipped)
    # pytest also ends badly when it finds no test.
    if tally.failed or not outcome.ok:
        session.fail_with(what, outcome, count=max(tally.failed, 1))


def junit_tally(results: Path) -> Tally:
    """Count the test cases of a JUnit file."""
    cases = list(read_cases(results))
    failed = sum(case.failed for case in cases)
    skipped = sum(case.skipped for case in cases)
    return Tally(len(cases) - failed - skipped, failed, skipped)


STAGE = Stage(
    "python",
    "pytest on the package, its doctests and these tools",
    python_tests,
    selects="an expression for pytest -k",
)
