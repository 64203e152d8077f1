# SPDX-License-Identifier: Apache-2.0
"""Slow checks: .ci/run makes all, ./test those of what changed; it tells the rest."""

from __future__ import annotations

import contextlib
import io
import os
import shutil
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from testing import (
    command_line,
    python_needs,
    python_tests,
    quick_tests,
    slow_stages,
    times,
)
from testing.green_record import GreenRecord
from testing.junit import Case, read_cases
from testing.process import Children
from testing.python_tests import SLOW_S
from testing.report import Report
from testing.session import Options, Session
from testing.shared_caches import SharedCache
from testing.stages import STAGES

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    from testing.session import Stage

# The graph of imports is read once, which takes seconds, and not in each process.
pytestmark = pytest.mark.xdist_group("graph of imports")

ROOT = Path(__file__).resolve().parents[2]
SLOW = [
    *("amalgamation", "package", "arduino", "pip", "gnuradio"),
    *("formal", "bench", "rtl", "residue"),
]
TESTS = """
import time

import pytest


def test_short():
    end = time.process_time() + 0.1
    while time.process_time() < end:
        pass


@pytest.mark.slow
@pytest.mark.parametrize("number", [1, 2])
def test_long(number):
    pass


@pytest.mark.thorough
@pytest.mark.slow
def test_longest():
    pass


@pytest.mark.parametrize(
    "core", ["rounds", pytest.param("random", marks=pytest.mark.thorough)]
)
def test_core(core):
    pass
"""


def let_differ(monkeypatch: pytest.MonkeyPatch, names: Collection[str] | None) -> None:
    found = None if names is None else set(names)
    for module in (slow_stages, quick_tests):
        monkeypatch.setattr(module, "differing", lambda: found)
    monkeypatch.setattr(quick_tests, "changed", lambda: found or set())
    monkeypatch.setattr(slow_stages, "of_main", lambda name: (ROOT / name).read_text())


@pytest.mark.parametrize(
    ("names", "run"),
    [
        ([], []),
        (["docs/energy.md", "tests/tools/test_tally.py"], []),
        # Modules that a stage imports, or starts. The wheel has all modules, but it is
        # of its imports that a package may lack something.
        (["src/samara/energy/life.py"], []),
        (["src/samara/cli/bench/check.py"], ["bench"]),
        (["src/samara/cli/node/listen.py"], ["arduino", "gnuradio"]),
        (["src/samara/cli/phy/calibrate.py"], ["gnuradio"]),
        (["gr-samara/python/qa/air.py"], ["gnuradio"]),
        (["tests/system/arduino.py"], ["package", "arduino"]),
        (["tools/amalgamate"], SLOW),
        (["tests/rtl/messages.py"], ["rtl"]),
        (["rtl/samara_grain128.v"], ["pip", "formal", "rtl"]),
        (["results/atmega328p.jsonl"], ["pip", "bench", "residue"]),
        (["src/samara/energy/data/radios.toml"], [*SLOW[:5], *SLOW[6:]]),
        (["docs/energy.md", "tests/package/zephyr/a.c"], ["package", "arduino"]),
        # What decides how stages run; what is gone; and where nothing can be told.
        (["tools/testing/run.py"], SLOW),
        (["src/samara/no_more.py"], [name for name in SLOW if name != "formal"]),
        (None, SLOW),
    ],
)
def test_a_slow_stage_runs_where_something_that_it_reads_differs(
    names: list[str] | None, run: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    let_differ(monkeypatch, names)
    left = slow_stages.left(STAGES)
    assert [one.name for one in STAGES if one.slow and one not in left] == run
    assert all(one.slow for one in left)


@pytest.mark.parametrize(
    ("before", "after", "run"),
    [
        ("import json\n", "import json\n\nprint(1)\n", []),
        ("import json\n", "import json, cbor2\n", ["pip"]),
        ("import json\n", "def late():\n    import cbor2\nimport json\n", ["pip"]),
        ("import json\n", "", ["pip"]),
        ("print(1)\n", "print(__file__)\n", ["pip"]),
        # It is not in main.
        ("", "import json\n", ["pip"]),
    ],
)
def test_a_package_is_made_where_imports_differ(
    before: str,
    after: str,
    run: list[str],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    name = "src/samara/energy/life.py"
    (tmp_path / name).parent.mkdir(parents=True)
    (tmp_path / name).write_text(after)
    monkeypatch.setattr(slow_stages, "ROOT", tmp_path)
    monkeypatch.setattr(slow_stages, "of_main", {name: before}.get)
    made = (one for one in STAGES if one.by_imports)
    found = [one.name for one in made if slow_stages.reads(one, {name})]
    assert found == run


def test_a_slow_stage_says_what_it_reads() -> None:
    assert [one.name for one in STAGES if one.slow] == SLOW
    assert all(one.reads for one in STAGES if one.slow)


class Ran:
    """What ./test was asked to run."""

    names: Sequence[str]
    options: Options
    report: Report

    def run(
        self, stages: Sequence[Stage], options: Options, report: Report, _record: object
    ) -> int:
        self.names = [stage.name for stage in stages]
        self.options, self.report = options, report
        return 0


@pytest.fixture
def ran(monkeypatch: pytest.MonkeyPatch) -> Ran:
    """Let ./test run nothing, in a clone where nothing differs from main."""
    found = Ran()
    let_differ(monkeypatch, [])
    monkeypatch.setattr(command_line, "run_stages", found.run)
    for name in ("forget_python_settings", "interrupt_on_signals"):
        monkeypatch.setattr(command_line, name, lambda: None)
    monkeypatch.setattr(times, "keep", lambda _: None)
    # The ./test that runs this test holds the lock that another one waits for.
    monkeypatch.setattr(command_line, "_only_one", contextlib.nullcontext)
    monkeypatch.delenv("CI", raising=False)
    return found


def test_what_is_left_is_reported(ran: Ran, capsys: pytest.CaptureFixture[str]) -> None:
    command_line.main([])
    assert ran.names == [one.name for one in STAGES if one.name not in SLOW]
    assert ran.options.leaves_slow
    (line,) = ran.report.notable
    assert line.startswith(f"LEFT     9 slow stages: {', '.join(SLOW)}: nothing that ")
    assert ".ci/run" in line
    assert line in capsys.readouterr().out


@pytest.mark.parametrize(
    ("words", "builder"), [([], "true"), (["--all"], ""), ([*SLOW, "python"], "")]
)
def test_nothing_is_left_by_a_builder_by_all_or_of_a_stage_that_is_named(
    words: list[str], builder: str, ran: Ran, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CI", builder)
    command_line.main(words)
    assert {*SLOW, "python"} <= {*ran.names}
    assert not ran.options.leaves_slow
    assert not ran.report.notable


def test_the_builder_s_script_is_such_a_builder() -> None:
    lines = (ROOT / ".ci" / "run").read_text().splitlines()
    assert lines[-3:] == ["export CI=true", "exec </dev/null", 'exec ./test "$@"']


@pytest.mark.slow
@pytest.mark.parametrize("processes", ["0", "2"])
def test_slow_tests_run_in_the_files_that_are_listed(
    processes: str, tmp_path: Path
) -> None:
    shutil.copy(ROOT / "tests" / "conftest.py", tmp_path)
    (tmp_path / "pytest.ini").write_text(
        "[pytest]\nmarkers =\n  slow: a\n  thorough: b\n"
    )
    for name in ("test_one.py", "test_two.py"):
        (tmp_path / name).write_text(TESTS)
    listed = tmp_path / "listed.txt"
    listed.write_text("test_two.py\n")
    done = subprocess.run(
        [
            *(sys.executable, "-m", "pytest", "-q", "-n", processes),
            *("--slow-in", listed, "--junit-xml=cases.xml"),
            *("-o", "junit_family=xunit1", tmp_path),
        ],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=True,
    )
    assert "6 passed" in done.stdout
    assert Path(f"{listed}.left").read_text().splitlines() == [
        "test_one.py::test_long[1]",
        "test_one.py::test_long[2]",
    ]
    times = {one.name: one.busy_s for one in read_cases(tmp_path / "cases.xml")}
    assert 0.05 < times["test_short"] < SLOW_S
    # It is marked already.
    assert times["test_long[1]"] == 0


@pytest.mark.parametrize(
    ("keyword", "names"),
    [
        # A word of other tests, which is in the name of a thorough one, too.
        ("long", ["test_long[1]", "test_long[2]"]),
        ("test_longest", ["test_longest"]),
        ("test_core", ["test_core[rounds]"]),
        ("core and random", ["test_core[random]"]),
        ("short or test_longest", ["test_short", "test_longest"]),
    ],
)
def test_a_thorough_test_runs_where_it_is_named(
    keyword: str, names: list[str], tmp_path: Path
) -> None:
    (tmp_path / "pytest.ini").write_text(
        "[pytest]\nmarkers =\n  slow: a\n  thorough: b\n"
    )
    (tmp_path / "test_one.py").write_text(TESTS)
    shutil.copy(ROOT / "tests" / "conftest.py", tmp_path)
    done = subprocess.run(
        [*(sys.executable, "-m", "pytest", "-q", "--collect-only"), "-k", keyword],
        cwd=tmp_path,
        env={**os.environ, "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"},
        capture_output=True,
        text=True,
        check=True,
    )
    found = [line.partition("::")[2] for line in done.stdout.splitlines()]
    assert [name for name in found if name] == names


def test_what_is_slow_and_not_marked_is_reported() -> None:
    case = Case("test_a", failed=False, skipped=False, output="", busy_s=SLOW_S)
    longer = replace(case, name="test_b", busy_s=2.34)
    shorter = replace(case, name="test_c", busy_s=0.9)
    sink = io.StringIO()
    session = Session("python", Options(), Children(), Report(sink))
    python_tests.tell_unmarked(session, [case, shorter, longer])
    assert sink.getvalue() == (
        "  slow     2 not marked slow"
        "  (1 s of CPU time or more: test_b 2.3 s, test_a 1.0 s)\n"
    )
    python_tests.tell_unmarked(session, [shorter])
    assert sink.getvalue().count("\n") == 1


@pytest.fixture
def one_slow(monkeypatch: pytest.MonkeyPatch) -> list[python_tests.Tests]:
    """Let there be one file with a slow test; what pytest runs of it is in the list."""
    name = "tests/tools/test_tally.py"
    asked = []

    def pytest_passes(session: Session, tests: python_tests.Tests) -> list[Case]:
        asked.append(tests)
        left = session.build / "pytest" / "slow-in.txt.left"
        left.parent.mkdir(exist_ok=True)
        left.write_text(f"{name}::test_a\n" if tests.slow_in == () else "")
        session.passed("one test")
        return [Case("test_b", failed=False, skipped=False, output="", file=name)]

    let_differ(monkeypatch, [])
    record = GreenRecord(None)
    monkeypatch.setattr(python_tests, "record_of", lambda _: record)
    monkeypatch.setattr(python_tests, "run_pytest", pytest_passes)
    monkeypatch.setattr(python_tests, "TEXTS", SharedCache("none", "none"))
    monkeypatch.setattr(python_needs, "all_tests", lambda: [ROOT / name])
    return asked


def ran_with(options: Options, build: Path) -> tuple[Session, str]:
    sink = io.StringIO()
    session = Session("python", options, Children(), Report(sink), build=build)
    (stage,) = (one for one in STAGES if one.name == "python")
    stage.run(session)
    return session, sink.getvalue()


def test_slow_tests_that_are_left_are_reported_each_time(
    one_slow: list[python_tests.Tests], tmp_path: Path
) -> None:
    for _ in range(2):
        session, _ = ran_with(Options(leaves_slow=True), tmp_path)
        # The second time from the record.
        assert [one.slow_in for one in one_slow] == [()]
        (line,) = session.report.notable
        assert line.startswith("LEFT     python: 1 slow tests: nothing that they need")
        # The time is not that of the stage.
        assert not session.is_whole
    session, shown = ran_with(Options(quick=True), tmp_path)
    assert "  left out 1 slow tests  (./test runs them)\n" in shown
    assert not session.report.notable
    # A whole run takes nothing from the record that was without its slow tests.
    session, _ = ran_with(Options(), tmp_path)
    assert [one.slow_in for one in one_slow] == [(), None]
    assert not session.report.notable
    assert session.is_whole


@pytest.mark.slow
def test_what_a_stopped_run_left_is_not_told_of_a_whole_one(tmp_path: Path) -> None:
    left = tmp_path / "pytest" / "slow-in.txt.left"
    left.parent.mkdir()
    left.write_text("tests/of_before.py::test\n")
    options = Options(only="no_test_has_this_name")
    report = Report(io.StringIO())
    session = Session("python", options, Children(), report, build=tmp_path)
    tests = python_tests.Tests(("tests/tools/test_tally.py",), serial=True)
    python_tests.run_pytest(session, tests)
    assert not left.exists()


@pytest.mark.parametrize(
    ("names", "files"),
    [
        ([], []),
        (["docs/logo.svg"], None),
        (None, None),
        (["src/samara/phy/trial.py"], "tests/python/test_phy_error_rates.py"),
    ],
)
def test_slow_tests_run_of_what_changed(
    names: list[str] | None,
    files: list[str] | str | None,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    let_differ(monkeypatch, names)
    found = quick_tests.files_with_slow()
    if isinstance(files, str):
        assert found is not None
        assert files in found
        assert "tests/python/test_captures.py" not in found
    else:
        assert found == files
