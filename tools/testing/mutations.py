# SPDX-License-Identifier: Apache-2.0
"""Faults planted one at a time in copies of the project: each must be found.

./test plants those whose sources or tests changed since they were found last
(`testing.planted_record`), within a limit of time. --all has no limit: after an
interrupt it goes on where it was. --again plants those on record, too. --made plants
faults that are made by rule (`testing.made_faults`).
"""

from __future__ import annotations

import queue
import re
import threading
import time
from collections import Counter
from itertools import groupby
from typing import TYPE_CHECKING

from testing import made_planting, planted_rows
from testing.planted_record import Record
from testing.planted_rows import Mutation, RowError, read_rows
from testing.planted_tree import Tree, needs_setup
from testing.process import TIMED_OUT
from testing.session import ROOT, Session, Stage

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from testing.process import Outcome

RECORD = planted_rows.FOLDER / "found.txt"
# How long ./test plants faults, without --all and without -k.
_LIMIT_S = 120.0
# Many of the tests wait, for air time and silence.
_TREES_PER_PROCESSOR = 1.5
# What ./test prints for a fault that no test ever saw.
_DOES_NOT_BUILD = re.compile(
    r"^(FAILED   [\w-]+: (build|configure) |setup: .*(does not build|configure))",
    re.MULTILINE,
)
# Exit codes of ./test, and of pytest, whose checks failed; and of a test that a fault
# keeps from ending.
_FOUND = (1, TIMED_OUT)
# Stages that take longest for a fault: those come last, in this order.
_SLOW = ("c", "residue", "sanitizers", "constant-time", "fuzz", "machines")
_SLOWEST = ("gnuradio", "rtl", "formal")
_LAST = {name: number for number, name in enumerate((*_SLOW, *_SLOWEST), 1)}


def stage_for(stages: Sequence[Stage]) -> Stage:
    """Make the stage that tests these stages."""
    return Stage(
        "mutations",
        "planted faults that changed: each is found by its test; --again: all",
        lambda session: _plant(session, stages),
        selects="part of a fault's name",
    )


def _plant(session: Session, stages: Sequence[Stage]) -> None:
    if session.options.made:
        made_planting.plant(session, session.options.made)
    else:
        mutations(session, stages)


def mutations(
    session: Session, stages: Sequence[Stage], record: Record | None = None
) -> None:
    """Check that the rows fit the sources, and plant those that are asked for."""
    every = read_rows()
    rows = [row for row in every if session.options.only in row.name]
    good = [row for row in rows if _fits(session, row, stages)]
    _check_names(session, rows)
    record = record or Record(RECORD)
    record.keep_only(every)
    due = [row for row in good if session.options.again or not record.has(row)]
    if found := len(good) - len(due):
        detail = f"{found} were found; sources and tests are as they were then"
        session.passed("planted faults", detail, count=found)
    if due:
        _Planting(session, record).plant(due)


def _fits(session: Session, row: Mutation, stages: Sequence[Stage]) -> bool:
    """Tell whether a row names what exists; what is wrong is reported."""
    if not any(stage.name == row.stage and stage.selects for stage in stages):
        session.failed(row.name, f"no stage {row.stage!r} that takes -k")
        return False
    try:
        row.planted((ROOT / row.file).read_text())
    except (OSError, RowError) as error:
        session.failed(row.name, str(error))
        return False
    return True


def _check_names(session: Session, rows: Iterable[Mutation]) -> None:
    for name, count in Counter(row.name for row in rows).items():
        if count > 1:
            session.failed(name, f"{count} rows have this name")


class _Planting:
    """One run of planting, in as many trees as there are processes."""

    def __init__(self, session: Session, record: Record) -> None:
        self._session, self._record = session, record
        options = session.options
        is_limited = not (options.thorough or options.again or options.only)
        self._end_s = time.monotonic() + _LIMIT_S if is_limited else float("inf")
        self._trees: queue.Queue[Tree] = queue.Queue()
        self._states: dict[Mutation, str] = {}
        self._left = 0
        self._lock = threading.Lock()

    def plant(self, rows: Sequence[Mutation]) -> None:
        """Plant faults; those with the same tests are planted in the same tree."""
        # The sources may change before all are planted; the trees do not.
        self._states = {row: self._record.state(row) for row in rows}
        self._left = len(rows)
        in_order = sorted(rows, key=slowness)
        groups = [list(group) for _, group in groupby(in_order, _tests_of)]
        workers = round(self._session.options.jobs * _TREES_PER_PROCESSOR)
        workers = min(workers, len(groups))
        for number in range(workers):
            self._trees.put(Tree(self._session, number))
        self._session.in_parallel(self._plant_group, groups, workers=workers)

    def _plant_group(self, rows: Sequence[Mutation]) -> None:
        tree = self._trees.get()
        try:
            self._plant_in(tree, rows)
        finally:
            self._trees.put(tree)

    def _plant_in(self, tree: Tree, rows: Sequence[Mutation]) -> None:
        if self._is_over(rows):
            return
        outcome = tree.run(rows, f"without {rows[0].name}")
        if not outcome.ok:
            what = f"{rows[0].test}, without a fault"
            self._session.fail_with(what, outcome)
            return
        for number, row in enumerate(rows):
            if self._is_over(rows[number:]):
                return
            self._judge(row, tree.run_with(row))

    def _is_over(self, rows: Sequence[Mutation]) -> bool:
        """Whether there is no time left; the rows are then reported as skipped."""
        if time.monotonic() < self._end_s:
            return False
        reason = f"not planted within {_LIMIT_S:.0f} s: ./test mutations --all"
        what = f"{rows[0].name} and {len(rows) - 1} more with {rows[0].test}"
        self._session.skipped(what, reason, len(rows))
        return True

    def _judge(self, row: Mutation, outcome: Outcome) -> None:
        self._record.drop(row)
        with self._lock:
            self._left -= 1
        if outcome.ok:
            self._session.failed(row.name, f"not found by {row.test}", outcome.output)
        elif _DOES_NOT_BUILD.search(outcome.output):
            self._session.failed(row.name, "does not build", outcome.output)
        elif outcome.exit_code not in _FOUND:
            self._session.fail_with(row.name, outcome)
        else:
            self._record.add(row, self._states[row])
            detail = f"found by {row.test}, {outcome.seconds:.0f} s"
            self._session.passed(row.name, f"{detail}; {self._left} left")


def slowness(row: Mutation) -> tuple[int, bool, bool]:
    """Order rows so that those that take least are planted first."""
    collects_all = not row.modules()
    return _LAST.get(row.stage, 0), collects_all, needs_setup(row)


def _tests_of(row: Mutation) -> tuple[str, ...]:
    """Return what rows have in common whose tests can pass in one run."""
    if modules := row.modules():
        return row.stage, *map(str, modules)
    return row.stage, row.only
