# SPDX-License-Identifier: Apache-2.0
"""Running stages: one after the other, and a second row of stages beside them.

A stage that keeps one processor busy, or waits most of the time, is in the second row:
from the beginning of the stage that it names (`Stage.beside`) it runs beside that one
and those that follow. What it prints is kept until one of these has ended.
"""

import io
import threading
import time
from collections.abc import Iterable, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass, field
from traceback import format_exc

from testing import stage_record
from testing.green_record import GreenRecord
from testing.process import Children, StoppedError
from testing.report import Report, Spent
from testing.session import Options, Session, Stage
from testing.tally import Tally

_INTERRUPTED = 130


def run_stages(
    stages: Sequence[Stage],
    options: Options,
    report: Report,
    record: GreenRecord | None = None,
) -> int:
    """Run stages and print the tally of all; the result is the exit code."""
    start = time.monotonic()
    run = _Run(options, report, record or GreenRecord(None))
    beside = _beside(stages, options)
    aside = {stage.name for group in beside.values() for stage in group}
    for stage in stages:
        if stage.name not in aside and not run.interrupted:
            if stage.alone:
                run.wait_for_those_aside()
            run.begin_aside(beside.get(stage.name, []))
            run.run(stage, report)
            run.report_those_aside()
    run.wait_for_those_aside()
    report.end(run.total, time.monotonic() - start)
    if run.interrupted:
        return _INTERRUPTED
    return int(run.total.failed > 0 or run.total.total == 0)


def _beside(stages: Sequence[Stage], options: Options) -> dict[str, list[Stage]]:
    """Return the stages of the second row, by the name of the one they begin with."""
    found: dict[str, list[Stage]] = {}
    if options.jobs > 1:
        in_front = {stage.name for stage in stages if not stage.beside}
        for stage in stages:
            if stage.beside in in_front:
                found.setdefault(stage.beside, []).append(stage)
    return found


@dataclass
class _Run:
    """What the stages of one run have in common."""

    options: Options
    report: Report
    record: GreenRecord
    total: Tally = field(default_factory=Tally)
    interrupted: bool = False
    _children: Children = field(default_factory=Children)
    _lock: threading.Lock = field(default_factory=threading.Lock)
    _row: ThreadPoolExecutor = field(default_factory=lambda: ThreadPoolExecutor(1))
    _aside: list[Future[Report | None]] = field(default_factory=list)

    def run(self, stage: Stage, report: Report) -> None:
        """Run one stage; an interrupt ends everything that runs."""
        start = time.monotonic()
        session = Session(stage.name, self.options, self._children, report)
        report.heading(stage.name, stage.summary)
        try:
            self._check(stage, session)
        except (KeyboardInterrupt, StoppedError):
            self._interrupt()
            session.failed(stage.name, "interrupted")
        except Exception:  # noqa: BLE001 - the other stages still run
            session.failed(stage.name, "the stage itself is broken", format_exc())
        spent = Spent(time.monotonic() - start, session.busy_s, session.is_whole)
        report.end_of_stage(stage.name, session.tally, spent)
        with self._lock:
            self.total += session.tally

    def _check(self, stage: Stage, session: Session) -> None:
        """Run a stage, or take it from the record."""
        state = stage_record.state_of(stage, self.options)
        if stage_record.take(session, self.record, state):
            return
        stage.run(session)
        if session.tally.total == 0:
            session.failed(stage.name, "ran nothing, and that is a failure")
        # What changed while it ran is not what passed.
        if state == stage_record.state_of(stage, self.options):
            stage_record.put(self.record, state, session.tally)

    def begin_aside(self, stages: Iterable[Stage]) -> None:
        """Put stages at the end of the second row."""
        self._aside += [self._row.submit(self._run_aside, stage) for stage in stages]

    def report_those_aside(self) -> None:
        """Print what the stages of the second row have reported that have ended."""
        while self._aside and self._aside[0].done():
            if report := self._aside.pop(0).result():
                self.report.take(report)

    def wait_for_those_aside(self) -> None:
        """Wait until the second row is empty; an interrupt ends what runs there."""
        while self._aside:
            try:
                self._aside[0].result()
            except KeyboardInterrupt:
                self._interrupt()
            self.report_those_aside()

    def _run_aside(self, stage: Stage) -> Report | None:
        """Run a stage of the second row; None after an interrupt."""
        if self.interrupted:
            return None
        report = Report(io.StringIO())
        self.run(stage, report)
        return report

    def _interrupt(self) -> None:
        self.interrupted = True
        self._children.stop()
