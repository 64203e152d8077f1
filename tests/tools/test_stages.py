# SPDX-License-Identifier: Apache-2.0
import io
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from testing.command_line import main
from testing.process import NOT_FOUND, TIMED_OUT, Children, CommandResult
from testing.report import Report
from testing.run import run_stages
from testing.session import Options, Session, Stage
from testing.stages import STAGES

PASSING = [sys.executable, "-c", "print('fine')"]
FAILING = [sys.executable, "-c", "print('what is wrong'); raise SystemExit(3)"]


def run(*bodies: Callable[[Session], None]) -> tuple[int, list[str]]:
    """Run stages with these bodies; return exit code and lines."""
    sink = io.StringIO()
    stages = [Stage(f"stage-{i}", "a summary", body) for i, body in enumerate(bodies)]
    exit_code = run_stages(stages, Options(jobs=2), Report(sink))
    return exit_code, sink.getvalue().splitlines()


def run_beside(
    in_front: Callable[[Session], None],
    *aside: Callable[[Session], None],
    jobs: int = 2,
) -> tuple[int, list[str]]:
    """Run stages beside one that comes first in the order."""
    sink = io.StringIO()
    stages = [
        Stage("in-front", "a summary", in_front),
        *(
            Stage(f"aside-{i}", "a summary", body, beside="in-front")
            for i, body in enumerate(aside)
        ),
    ]
    exit_code = run_stages(stages, Options(jobs=jobs), Report(sink))
    return exit_code, sink.getvalue().splitlines()


def result_of(folder: Path, command: list[str], timeout_s: float = 30) -> CommandResult:
    return Children().run(
        command,
        log=folder / "log",
        folder=folder,
        environment={},
        timeout_s=timeout_s,
    )


def test_a_passing_command_is_one_check() -> None:
    exit_code, lines = run(lambda session: _check(session, PASSING))
    assert exit_code == 0
    assert lines[-1] == "1 passed, 0 failed"


def test_a_failing_command_shows_its_output_and_is_repeated_at_the_end() -> None:
    exit_code, lines = run(lambda session: _check(session, FAILING))
    assert exit_code == 1
    assert "    | what is wrong" in lines
    assert lines[-2].startswith("FAILED   stage-0: a command: exit code 3")
    assert lines[-1] == "0 passed, 1 failed"


def test_a_stage_that_runs_nothing_has_failed() -> None:
    exit_code, lines = run(lambda session: session.passed("one"), lambda _: None)
    assert exit_code == 1
    assert lines[-1] == "1 passed, 1 failed"
    assert any("ran nothing" in line for line in lines)


def test_a_stage_that_only_skips_has_failed() -> None:
    exit_code, lines = run(lambda session: session.skipped("one", "no device"))
    assert exit_code == 1
    assert lines[-1] == "0 passed, 1 failed, 1 skipped"


def test_no_stage_at_all_is_a_failure() -> None:
    assert run()[0] == 1


def test_a_broken_stage_does_not_stop_the_next() -> None:
    def broken(_session: Session) -> None:
        raise ZeroDivisionError

    exit_code, lines = run(broken, lambda session: session.passed("one"))
    assert exit_code == 1
    assert lines[-1] == "1 passed, 1 failed"


def test_an_interrupted_stage_is_the_last() -> None:
    def interrupted(_session: Session) -> None:
        raise KeyboardInterrupt

    exit_code, lines = run(interrupted, lambda session: session.passed("one"))
    assert exit_code == 130
    assert lines[-1] == "0 passed, 1 failed"


def test_parallel_work_ends_when_a_part_of_it_breaks() -> None:
    done: list[int] = []

    def work(number: int) -> None:
        if number == 0:
            raise ZeroDivisionError
        time.sleep(0.2)
        done.append(number)

    exit_code, lines = run(
        lambda session: session.in_parallel(work, range(20)),
        lambda session: _check(session, PASSING),
    )
    assert exit_code == 1
    assert len(done) < 10
    assert lines[-1] == "1 passed, 1 failed"


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_an_interrupt_ends_parallel_commands(number: signal.Signals) -> None:
    # In a process of its own, where a signal reaches nobody else.
    program = """if True:
        import os, signal, threading
        from testing.command_line import interrupt_on_signals
        from testing.report import Report
        from testing.run import run_stages
        from testing.session import Options, Stage

        def sleep(session):
            threading.Timer(0.5, os.kill, (os.getpid(), NUMBER)).start()
            session.in_parallel(lambda i: session.command(i, ["sleep", "60"]), "ab")

        interrupt_on_signals()
        stage = Stage("sleep", "", sleep)
        raise SystemExit(run_stages([stage], Options(jobs=2), Report()))
    """
    start = time.monotonic()
    process = subprocess.run(
        [sys.executable, "-c", program.replace("NUMBER", str(int(number)))],
        env={"PYTHONPATH": "tools"},
        stdout=subprocess.PIPE,
        text=True,
        check=False,
    )
    assert process.returncode == 130
    assert process.stdout.splitlines()[-1] == "0 passed, 1 failed"
    assert time.monotonic() - start < 20


def test_a_missing_program_is_an_outcome(tmp_path: Path) -> None:
    result = result_of(tmp_path, ["no-such-program"])
    assert result.exit_code == NOT_FOUND
    assert "no-such-program" in result.output


def test_a_command_that_hangs_is_ended_with_its_children(tmp_path: Path) -> None:
    result = result_of(tmp_path, ["sh", "-c", "sleep 60 & wait"], timeout_s=0.3)
    assert result.exit_code == TIMED_OUT
    assert result.seconds < 10


def test_an_unknown_stage_is_misuse(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as refusal:
        main(["no-such-stage"])
    assert refusal.value.code == 2
    assert "no such stage: no-such-stage" in capsys.readouterr().err


def _check(session: Session, command: list[str]) -> None:
    session.check("a command", command)


def test_a_name_needs_its_stage(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as refusal:
        main(["-k", "test_aead"])
    assert refusal.value.code == 2
    assert "./test STAGE -k NAME" in capsys.readouterr().err


def test_each_stage_has_a_line_in_the_table_of_times() -> None:
    _, lines = run(lambda session: session.passed("one"), lambda _: None)
    table = lines[lines.index(next(line for line in lines if "CPU time" in line)) :]
    assert table[1].startswith("stage-0")
    assert table[1].endswith("1 passed, 0 failed")
    assert table[2].startswith("stage-1")
    assert table[3].startswith("all")


def test_each_stage_says_what_a_name_selects() -> None:
    assert all(stage.selects for stage in STAGES)


def test_the_quick_form_is_part_of_the_stages() -> None:
    quick = {stage.name for stage in STAGES if stage.quick}
    assert {"lint", "c", "python"} <= quick < {stage.name for stage in STAGES}


def test_stages_beside_another_run_at_the_same_time() -> None:
    """Each waits for the other: one after the other they would never end."""
    first, second = threading.Event(), threading.Event()

    def in_front(session: Session) -> None:
        first.set()
        assert second.wait(20)
        session.passed("the one in front")

    def aside(session: Session) -> None:
        assert first.wait(20)
        session.passed("the one aside")
        second.set()

    exit_code, lines = run_beside(in_front, aside)
    assert exit_code == 0
    assert lines[-1] == "2 passed, 0 failed"
    # Each stage is printed whole.
    shown = [line for line in lines if line.startswith(("==", "  ok", "   "))]
    assert [line.split()[1] for line in shown[::3]] == ["in-front:", "aside-0:"]
    assert shown[1].endswith("the one in front")
    assert shown[4].endswith("the one aside")


@pytest.mark.parametrize("jobs", [1, 2])
def test_a_failure_beside_another_stage_counts(jobs: int) -> None:
    exit_code, lines = run_beside(
        lambda session: session.passed("one"),
        lambda session: _check(session, FAILING),
        lambda _: None,
        jobs=jobs,
    )
    assert exit_code == 1
    assert lines[-1] == "1 passed, 2 failed"
    assert lines[-3].startswith("FAILED   aside-0: a command: exit code 3")
    assert lines[-2].startswith("FAILED   aside-1: ran nothing")
    table = lines[lines.index(next(line for line in lines if "CPU time" in line)) :]
    assert [line.split()[0] for line in table[1:5]] == [
        *("in-front", "aside-0", "aside-1", "all")
    ]


def test_one_processor_runs_one_stage_at_a_time() -> None:
    order: list[int] = []

    def body(number: int) -> Callable[[Session], None]:
        def work(session: Session) -> None:
            order.append(number)
            time.sleep(0.05)
            order.append(number)
            session.passed("one")

        return work

    assert run_beside(body(0), body(1), body(2), jobs=1)[0] == 0
    assert order == [0, 0, 1, 1, 2, 2]


def test_a_stage_runs_alone_when_the_one_beside_it_is_not_wanted() -> None:
    sink = io.StringIO()
    stage = Stage("aside", "", lambda s: s.passed("one"), beside="not-wanted")
    assert run_stages([stage], Options(jobs=2), Report(sink)) == 0
    assert sink.getvalue().splitlines()[-1] == "1 passed, 0 failed"


def test_an_interrupt_ends_the_stages_on_both_sides() -> None:
    def interrupted(_session: Session) -> None:
        time.sleep(0.3)
        raise KeyboardInterrupt

    start = time.monotonic()
    exit_code, lines = run_beside(
        interrupted,
        lambda session: _check(session, ["sleep", "60"]),
        lambda session: session.passed("one"),
    )
    assert exit_code == 130
    assert lines[-1] == "0 passed, 2 failed"
    assert time.monotonic() - start < 30


def test_the_cpu_time_of_a_stage_is_that_of_its_own_commands() -> None:
    busy = "import time\nwhile time.process_time() < 0.4: pass"
    nested = ["sh", "-c", f'{sys.executable} -c "{busy}"; true']
    _, lines = run_beside(
        lambda session: _check(session, nested),
        lambda session: _check(session, ["sleep", "0.5"]),
    )
    table = lines[lines.index(next(line for line in lines if "CPU time" in line)) :]
    in_front, aside = (float(line.split()[3]) for line in table[1:3])
    assert in_front >= 0.4
    assert aside < 0.3


def test_a_stage_beside_another_goes_on_beside_the_next() -> None:
    """It waits for the next: if that one waited for it, they would never end."""
    next_runs = threading.Event()

    def aside(session: Session) -> None:
        assert next_runs.wait(20)
        session.passed("the one aside")

    def follows(session: Session) -> None:
        next_runs.set()
        session.passed("the one that follows")

    sink = io.StringIO()
    stages = [
        Stage("in-front", "", lambda session: session.passed("the one in front")),
        Stage("aside", "", aside, beside="in-front"),
        Stage("follows", "", follows),
    ]
    assert run_stages(stages, Options(jobs=2), Report(sink)) == 0
    lines = sink.getvalue().splitlines()
    assert lines[-1] == "3 passed, 0 failed"
    shown = [line for line in lines if line.startswith(("==", "  ok", "   "))]
    names = [line.split()[1].rstrip(":") for line in shown[::3]]
    assert names == ["in-front", "follows", "aside"]


def test_a_stage_that_needs_the_machine_for_itself_has_it() -> None:
    order: list[str] = []

    def slow(session: Session) -> None:
        time.sleep(0.3)
        order.append("aside")
        session.passed("one")

    def alone(session: Session) -> None:
        order.append("alone")
        session.passed("one")

    stages = [
        Stage("in-front", "", lambda session: session.passed("one")),
        Stage("aside", "", slow, beside="in-front"),
        Stage("alone", "", alone, alone=True),
    ]
    assert run_stages(stages, Options(jobs=2), Report(io.StringIO())) == 0
    assert order == ["aside", "alone"]


def test_nothing_begins_beside_a_stage_that_needs_the_machine_for_itself() -> None:
    alone = {stage.name for stage in STAGES if stage.alone}
    assert {"real-time", "mutations"} == alone
    assert not alone & {stage.beside for stage in STAGES}
    # Those that were set aside would end before it, and leave processors idle.
    assert {stage.name for stage in STAGES[-len(alone) :]} == alone


def test_every_stage_beside_another_names_one_that_is_in_front() -> None:
    in_front = {stage.name for stage in STAGES if not stage.beside}
    assert {stage.beside for stage in STAGES if stage.beside} <= in_front
