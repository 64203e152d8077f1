# SPDX-License-Identifier: Apache-2.0
"""Stages of Python tests, through pytest in several processes."""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from testing import data_needs
from testing.counts import report_case
from testing.file_record import FileRecord
from testing.green_record import record_of
from testing.import_graph import SEARCHED
from testing.junit import Case, read_cases
from testing.quick_tests import files_with_slow, quick_tests
from testing.session import ROOT, VENV, Command, Options, Session, Stage
from testing.shared_caches import TEXTS
from testing.stage_record import is_usual
from testing.tally import Tally

# pytest's exit code when it found no test.
_NO_TESTS = 5
# Those when it ran all tests, of which some may have failed.
_ENDED = (0, 1)
#: CPU time from which a test is to be marked slow.
SLOW_S = 1.0
# Longest that all tests of a part may take: 25 minutes on two processors that do
# nothing else, an hour on two slow ones beside other stages.
_TIMEOUT_S = 2 * 3600.0
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
    #: Whether --quick runs only the files that need something that changed, and
    #: ./test slow tests only of these.
    by_change: bool = False
    #: The files of which slow tests run, too; None for all.
    slow_in: tuple[str, ...] | None = None


def python_stage(
    name: str,
    summary: str,
    *tests: Tests,
    quick: bool = False,
    beside: str = "",
    alone: bool = False,
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
        alone=alone,
        reads=reads,
    )


def _run(session: Session, tests: Sequence[Tests]) -> None:
    """Run each part; -k may leave some of them without a test, but not all."""
    for part in tests:
        if part.by_change and is_usual(replace(session.options, quick=False)):
            _with_record(session, part)
        else:
            run_pytest(session, part)
    if session.options.only and session.tally.total == 0:
        session.failed(session.stage, f"no test is named {session.options.only!r}")


def _with_record(session: Session, tests: Tests) -> None:
    """Run the files of tests that are not on record as passed.

    With --quick, these are the files that need something that changed since main.
    """
    TEXTS.bring(ROOT)
    chosen = quick_tests() if session.options.quick else None
    if chosen is not None:
        detail = "those that need something that changed since main"
        session.report.line(f"  files    {len(chosen)}  ({detail})")
        tests = replace(tests, paths=(*chosen,))
    tests = replace(tests, slow_in=_slow_in(session.options))
    record = FileRecord(record_of("python-files"), whole=tests.slow_in, among=chosen)
    count = 0 if session.options.again else record.passed()
    left = 0
    if count:
        detail = "the same files, tools and machine; --again runs them"
        session.on_record(f"as on record: {count} tests", detail, count)
        tests = replace(tests, paths=(*record.left(),))
        left = record.slow_left()
    if tests.paths:
        cases = run_pytest(session, tests)
        slow = _slow_left(session)
        record.put(cases, slow)
        left += len(slow)
        tell_unmarked(session, cases)
        check_data(session, cases)
    _tell_slow(session, left)
    if not session.tally.failed:
        TEXTS.keep(ROOT)


def tell_unmarked(session: Session, cases: Iterable[Case]) -> None:
    """Tell which tests are slow and not marked so: nothing fails by a time."""
    found = sorted((one for one in cases if one.busy_s >= SLOW_S), key=_busy_s)
    if found:
        names = ", ".join(f"{one.name} {one.busy_s:.1f} s" for one in reversed(found))
        detail = f"{SLOW_S:g} s of CPU time or more: {names}"
        session.report.line(f"  slow     {len(found)} not marked slow  ({detail})")


def check_data(session: Session, cases: Iterable[Case]) -> None:
    """Check that tests read only data that they are known to need."""
    found = defaultdict[str, set[str]](set)
    for case in cases:
        found[case.file].update(case.reads)
    for file, folders in found.items():
        if areas := data_needs.unexpected(ROOT / file, folders):
            reason = f"it reads {', '.join(areas)}, which it does not name: "
            reason += "a change there would not run it (tools/testing/data_needs.py)"
            session.failed(file, reason)


def _busy_s(case: Case) -> float:
    return case.busy_s


def _slow_in(options: Options) -> tuple[str, ...] | None:
    """Return the files of which slow tests run, too; None for all."""
    if options.quick:
        return ()
    found = files_with_slow() if options.leaves_slow else None
    return None if found is None else (*found,)


def _tell_slow(session: Session, count: int) -> None:
    if session.options.quick and count:
        session.report.line(f"  left out {count} slow tests  (./test runs them)")
    elif count:
        session.left(
            f"{count} slow tests",
            "nothing that they need differs from main; .ci/run runs them, or "
            "./test python",
        )


def _choice_of_slow(session: Session, tests: Tests) -> Command:
    """Write down which slow tests run; return the option of pytest for it."""
    _left_list(session).unlink(missing_ok=True)
    files = () if session.options.quick else tests.slow_in
    if files is None:
        return ()
    path = _slow_list(session)
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("".join(f"{name}\n" for name in files))
    return ("--slow-in", path)


def _slow_list(session: Session) -> Path:
    """Return the list of the files of which slow tests run: see tests/conftest.py."""
    return session.build / "pytest" / "slow-in.txt"


def _left_list(session: Session) -> Path:
    return Path(f"{_slow_list(session)}.left")


def _slow_left(session: Session) -> list[str]:
    """Return the slow tests that were left out of the last run of pytest."""
    path = _left_list(session)
    return path.read_text().splitlines() if path.exists() else []


def run_pytest(session: Session, tests: Tests) -> list[Case]:
    """Run tests and report them; return those of a run that went to its end."""
    few = len(tests.paths) < _MANY_PATHS
    what = " ".join(tests.paths) if few else f"{len(tests.paths)} files"
    name = f"{session.stage}-{tests.paths[0].replace('/', '-')}.xml"
    results = session.build / "pytest" / name
    results.unlink(missing_ok=True)
    result = session.command(
        what,
        [*_command(session, tests), f"--junit-xml={results}"],
        timeout_s=_TIMEOUT_S,
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
        detail = f"{total.passed} tests, {result.seconds:.1f} s"
        session.passed(what, detail, total.passed)
    is_empty = result.exit_code == _NO_TESTS and bool(session.options.only)
    if total.failed:
        session.report.excerpt(result.output)
    elif not result.ok and not is_empty:
        session.fail_with(what, result)
    return cases if result.exit_code in _ENDED else []


def _command(session: Session, tests: Tests) -> Command:
    options = session.options
    # One process is enough for a named test, and ready sooner.
    alone = tests.serial or bool(options.only)
    # Tests that wait, for air time and silence, are slow, and not part of --quick.
    processes = (
        options.jobs if options.quick else round(options.jobs * tests.per_processor)
    )
    # Which these are: tests/conftest.py.
    choice: Command = (
        ("--all",) if options.thorough else _choice_of_slow(session, tests)
    )
    return [
        *(VENV / "python", "-m", "pytest", "-q", "-o", "junit_logging=system-out"),
        *("-o", f"pythonpath={' '.join(tests.search)}"),
        *("-o", f"python_files={tests.files}"),
        *(() if alone else ("-n", str(processes), "--dist", "loadgroup")),
        *(choice if tests.paths[0].startswith("tests") else ()),
        *(("-k", options.only) if options.only else ()),
        *(ROOT / path for path in tests.paths),
    ]
