# SPDX-License-Identifier: Apache-2.0
"""What a stage is given: options, a way to run commands, a way to report."""

from __future__ import annotations

import os
import re
import threading
from collections.abc import Callable, Iterable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, TypeAlias, TypeVar

from testing.tally import Tally

if TYPE_CHECKING:
    from testing.process import Children, CommandResult
    from testing.report import Report

ROOT = Path(__file__).resolve().parent.parent.parent
VENV = ROOT / ".venv" / "bin"

# Longest that one command may take, in seconds.
_TIMEOUT_S = 1800.0

#: A program and its arguments.
Command: TypeAlias = Sequence[str | Path]

_Item = TypeVar("_Item")


@dataclass(frozen=True)
class Options:
    """What the person who typed ./test asked for."""

    thorough: bool = False
    #: Whether what is on record as passed runs again.
    again: bool = False
    #: Files in which faults are made by rule, in place of those planted by hand.
    made: tuple[str, ...] = ()
    #: What a developer runs before each commit.
    quick: bool = False
    #: Whether slow checks of what does not differ from main are left to .ci/run.
    leaves_slow: bool = False
    fuzz_seconds: int = 2
    jobs: int = os.cpu_count() or 1
    #: Which checks of a stage; each stage says what it takes (Stage.selects).
    only: str = ""


@dataclass
class Session:
    """One stage's run: every report is counted."""

    stage: str
    options: Options
    children: Children
    report: Report
    build: Path = ROOT / "build" / "test"
    tally: Tally = field(default_factory=Tally)
    #: CPU time of all its commands, in seconds.
    busy_s: float = 0.0
    #: Whether nothing was taken from a record.
    is_whole: bool = True
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def passed(self, what: str, detail: str = "", count: int = 1) -> None:
        """Count and print checks that passed."""
        self._count(Tally(passed=count))
        self.report.passed(what, detail)

    def on_record(self, what: str, detail: str, count: int = 1) -> None:
        """Count and print checks that passed before, and do not run again."""
        self.is_whole = False
        self.passed(what, detail, count)

    def failed(self, what: str, reason: str, output: str = "", count: int = 1) -> None:
        """Count and print checks that failed, with the end of their output."""
        self._count(Tally(failed=count))
        self.report.failed(self.stage, what, reason, output)

    def skipped(self, what: str, reason: str, count: int = 1) -> None:
        """Count and print checks that could not be made, and why."""
        self._count(Tally(skipped=count))
        self.report.skipped(self.stage, what, reason)

    def left(self, what: str, reason: str) -> None:
        """Print checks that are left to another run, and to which."""
        self.is_whole = False
        self.report.left(f"{self.stage}: {what}", reason)

    def _count(self, tally: Tally) -> None:
        with self._lock:
            self.tally += tally

    def command(
        self,
        what: str,
        command: Command,
        *,
        folder: Path = ROOT,
        extra: Mapping[str, str] | None = None,
        timeout_s: float = _TIMEOUT_S,
    ) -> CommandResult:
        """Run a command without counting it.

        Parameters
        ----------
        what
            Names its log, under build/test/log/.
        extra
            Environment variables to set for it.
        """
        name = re.sub(r"[^\w.+-]+", "-", what).strip("-")
        result = self.children.run(
            [str(word) for word in command],
            log=self.build / "log" / self.stage / f"{name}.log",
            folder=folder,
            environment={**os.environ, **(extra or {})},
            timeout_s=timeout_s,
        )
        with self._lock:
            self.busy_s += result.busy_s
        return result

    def check(
        self,
        what: str,
        command: Command,
        *,
        detail: str = "",
        folder: Path = ROOT,
        extra: Mapping[str, str] | None = None,
    ) -> bool:
        """Run a command that is one check: it passes by exiting with 0."""
        result = self.command(what, command, folder=folder, extra=extra)
        if result.ok:
            time_taken = f"{result.seconds:.1f} s"
            self.passed(what, f"{detail}, {time_taken}" if detail else time_taken)
        else:
            self.fail_with(what, result)
        return result.ok

    def fail_with(self, what: str, result: CommandResult, count: int = 1) -> None:
        """Report a failed command: how it ended, its output, where all of it is."""
        where = result.log.relative_to(ROOT)
        self.failed(what, f"{result.why()}; {where}", result.output, count)

    def in_parallel(
        self,
        work: Callable[[_Item], None],
        items: Iterable[_Item],
        *,
        workers: int | None = None,
    ) -> None:
        """Do `work` on every item, a few at a time."""
        with ThreadPoolExecutor(workers or self.options.jobs) as pool:
            futures = [pool.submit(work, item) for item in items]
            try:
                for future in as_completed(futures):
                    future.result()
            except BaseException as error:
                pool.shutdown(wait=False, cancel_futures=True)
                if isinstance(error, KeyboardInterrupt):
                    self.children.stop()
                raise


@dataclass(frozen=True)
class Stage:
    """One part of ./test: `run` makes its checks and reports each to the session."""

    name: str
    summary: str
    run: Callable[[Session], None]
    #: What `-k` takes there; without it the stage runs as a whole.
    selects: str = ""
    #: Whether --quick runs it.
    quick: bool = False
    #: Whether it takes 50 s of CPU time or more, and looks at what few changes touch.
    #: ./test runs it only where something that it reads differs from main
    #: (`testing.slow_stages`).
    slow: bool = False
    #: Paths of all files that it reads. A stage that passed with the same ones is taken
    #: from the record (`testing.stage_record`); without any the stage always runs.
    reads: tuple[str, ...] = ()
    #: Files of tests and modules with which its Python begins, where it does not read
    #: all Python under these paths: only these, and what they import.
    begins: tuple[str, ...] = ()
    #: Whether of a Python file that main has, too, it is enough to run a slow stage
    #: where its imports differ: for a stage about what a package brings along.
    by_imports: bool = False
    #: The stage with which it begins, in a second row of stages, where there are two
    #: processors or more: for a stage that keeps one busy at most. It may last longer.
    #: Without that stage it runs in its turn.
    beside: str = ""
    #: Whether it needs the machine for itself, because it keeps to the clock.
    alone: bool = False
