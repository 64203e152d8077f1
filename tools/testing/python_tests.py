# SPDX-License-Identifier: Apache-2.0
"""Stages of Python tests, through pytest in several processes."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from testing.counts import report_case
from testing.file_record import FileRecord
from testing.green_record import record_of
from testing.import_graph import SEARCHED
from testing.junit import Case, read_cases
from testing.quick_tests import quick_tests
from testing.session import ROOT, VENV, Command, Session, Stage
from testing.shared_caches import TEXTS
from testing.stage_record import is_usual
from testing.tally import Tally

# pytest's exit code when it found no test.
_NO_TESTS = 5
# Those when it ran all tests, of which some may have failed.
_ENDED = (0, 1)
# Paths that are too many for one line of what is printed.
_MANY_PATHS = 4


@dataclass(frozen=True)
class Tests:
    """What pytest runs, and how."""

    paths: tuple[str, ...]
    #: One after the other: for tests that need the machine for themselves.
    serial: bool = False
    #: Processes for each processor: more than one for tests that often wait.
    per_processor: float = 1
    #: Each test has a line of its own, and counts the checks of its last line.
    each: bool = False
    #: Names of the files with tests, when other than pytest's.
    files: str = "test_*.py"
    #: Directories that the tests import from.
    search: tuple[str, ...] = SEARCHED
    #: Whether --quick runs only the files that need something that changed.
    by_change: bool = False


def python_stage(
    name: str,
    summary: str,
    *tests: Tests,
    quick: bool = False,
    beside: str = "",
    reads: tuple[str, ...] = (),
) -> Stage:
    """Make a stage that runs pytest; its -k is pytest's."""
    return Stage(
        name,
        summary,
        lambda session: _run(session, tests),
        selects="NAME of a test, or another expression for pytest -k",
        quick=quick,
        beside=beside,
        reads=reads,
    )


def _run(session: Session, tests: Sequence[Tests]) -> None:
    """Run each part; -k may leave some of them without a test, but not all."""
    for part in tests:
        if part.by_change and is_usual(replace(session.options, quick=False)):
            _with_record(session, part)
        else:
            _pytest(session, part)
    if session.options.only and session.tally.total == 0:
        session.failed(session.stage, f"no test is named {session.options.only!r}")


def _with_record(session: Session, tests: Tests) -> None:
    """Run the files of tests that are not on record as passed.

    With --quick, these are the files that need something that changed since main.
    """
    TEXTS.bring(ROOT)
    is_quick = session.options.quick
    chosen = quick_tests() if is_quick else None
    if chosen is not None:
        detail = "those that need something that changed since main"
        session.report.line(f"  files    {len(chosen)}  ({detail})")
        tests = replace(tests, paths=(*chosen,))
    record = FileRecord(record_of("python-files"), quick=is_quick, among=chosen)
    count = 0 if session.options.again else record.passed()
    if count:
        detail = "the same files, tools and machine; --again runs them"
        session.on_record(f"as on record: {count} tests", detail, count)
        tests = replace(tests, paths=(*record.left(),))
    if tests.paths:
        record.put(_pytest(session, tests))
    if not session.tally.failed:
        TEXTS.keep(ROOT)


def _pytest(session: Session, tests: Tests) -> list[Case]:
    """Run tests and report them; return those of a run that went to its end."""
    few = len(tests.paths) < _MANY_PATHS
    what = " ".join(tests.paths) if few else f"{len(tests.paths)} files"
    name = f"{session.stage}-{tests.paths[0].replace('/', '-')}.xml"
    results = session.build / "pytest" / name
    results.unlink(missing_ok=True)
    outcome = session.command(
        what, [*_command(session, tests), f"--junit-xml={results}"]
    )
    total = Tally()
    cases = list(read_cases(results)) if results.exists() else []
    for case in cases:
        # What other tests print is no tally of theirs.
        counted = case if tests.each else replace(case, output="")
        tally = report_case(session, counted)
        total += tally
        if tests.each and tally.passed:
            last = case.output.rstrip().rpartition("\n")[2]
            detail = (
                f"{last}, {case.seconds:.1f} s" if last else f"{case.seconds:.1f} s"
            )
            session.passed(case.name, detail, tally.passed)
    if total.passed and not tests.each:
        detail = f"{total.passed} tests, {outcome.seconds:.1f} s"
        session.passed(what, detail, total.passed)
    is_empty = outcome.exit_code == _NO_TESTS and bool(session.options.only)
    if total.failed:
        session.report.excerpt(outcome.output)
    elif not outcome.ok and not is_empty:
        session.fail_with(what, outcome)
    return cases if outcome.exit_code in _ENDED else []


def _command(session: Session, tests: Tests) -> Command:
    options = session.options
    # One process is enough for a named test, and ready sooner.
    alone = tests.serial or bool(options.only)
    # Tests that wait, for air time and silence, are slow, and not part of --quick.
    processes = (
        options.jobs if options.quick else round(options.jobs * tests.per_processor)
    )
    # Which these are: tests/conftest.py.
    choice = ("--all",) if options.thorough else ("--quick",) if options.quick else ()
    return [
        *(VENV / "python", "-m", "pytest", "-q", "-o", "junit_logging=system-out"),
        *("-o", f"pythonpath={' '.join(tests.search)}"),
        *("-o", f"python_files={tests.files}"),
        *(() if alone else ("-n", str(processes), "--dist", "loadgroup")),
        *(choice if tests.paths[0].startswith("tests") else ()),
        *(("-k", options.only) if options.only else ()),
        *(ROOT / path for path in tests.paths),
    ]
