# SPDX-License-Identifier: Apache-2.0
"""Faults planted one at a time in copies of the project: each must be found.

./test plants those that differ from main and a sample of the others
(`testing.planted_choice`), within a limit of time. --all plants all: after an interrupt
it goes on where it was. What was found on this machine in the same state is not planted
again (`testing.planted_record`), except with --again. --made plants faults that are
made by rule (`testing.made_faults`).
"""

from __future__ import annotations

import queue
import re
import threading
import time
from collections import Counter
from itertools import groupby
from typing import TYPE_CHECKING

from testing import made_planting, processor
from testing.green_record import GreenRecord, record_of
from testing.planted_choice import chosen
from testing.planted_record import state
from testing.planted_rows import Mutation, RowError, read_rows
from testing.planted_tree import Tree, needs_setup
from testing.process import TIMED_OUT
from testing.session import ROOT, Options, Session, Stage

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from testing.process import CommandResult

# How long ./test plants faults, without --all and without -k.
_LIMIT_S = 30.0
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
        "planted faults that changed, and a sample: each is found by its test",
        lambda session: _plant(session, stages),
        selects="part of a fault's name",
        # It plants as many as it can in half a minute.
        alone=True,
    )


def _plant(session: Session, stages: Sequence[Stage]) -> None:
    if session.options.made:
        made_planting.plant(session, session.options.made)
    else:
        mutations(session, stages)


def mutations(
    session: Session, stages: Sequence[Stage], record: GreenRecord | None = None
) -> None:
    """Check that the rows fit the sources, and plant those that are asked for."""
    rows = [row for row in read_rows() if session.options.only in row.name]
    good = [row for row in rows if _fits(session, row, stages)]
    _check_names(session, rows)
    if good:
        detail = "each changes one place of its file"
        session.passed("rows of planted faults", detail, count=len(good))
    options = session.options
    due = good if _is_unlimited(options) else chosen(good)
    record = record or record_of("planted-faults")
    able = [row for row in due if _can_run(session, row)]
    left = [row for row in able if options.again or record.note(state(row)) is None]
    if found := len(able) - len(left):
        detail = f"as on record: {found} were found in the same state"
        session.on_record("planted faults", detail, found)
    if left:
        _Planting(session, record).plant(left)


def _is_unlimited(options: Options) -> bool:
    """Whether all rows that are named are planted, however long it takes."""
    return bool(options.thorough or options.again or options.only)


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


def _can_run(session: Session, row: Mutation) -> bool:
    """Tell whether this processor runs what a row changes; if not, it is skipped."""
    if not row.processor or processor.has(row.processor):
        return True
    session.skipped(row.name, f"this processor has no {row.processor}")
    return False


def _check_names(session: Session, rows: Iterable[Mutation]) -> None:
    for name, count in Counter(row.name for row in rows).items():
        if count > 1:
            session.failed(name, f"{count} rows have this name")


class _Planting:
    """One run of planting, in as many trees as there are processes."""

    def __init__(self, session: Session, record: GreenRecord) -> None:
        self._session, self._record = session, record
        self._end_s = float("inf")
        self._trees: queue.Queue[Tree] = queue.Queue()
        self._states: dict[Mutation, str] = {}
        self._left = 0
        self._lock = threading.Lock()

    def plant(self, rows: Sequence[Mutation]) -> None:
        """Plant faults; those with the same tests are planted in the same tree."""
        # The sources may change before all are planted; the trees do not.
        self._states = {row: state(row) for row in rows}
        self._left = len(rows)
        in_order = sorted(rows, key=lambda row: (slowness(row), _tests_of(row)))
        groups = [list(group) for _, group in groupby(in_order, _tests_of)]
        workers = round(self._session.options.jobs * _TREES_PER_PROCESSOR)
        workers = min(workers, len(groups))
        for number in range(workers):
            self._trees.put(Tree(self._session, number))
        if not _is_unlimited(self._session.options):
            self._end_s = time.monotonic() + _LIMIT_S
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
        result = tree.run(rows, f"without {rows[0].name}")
        if not result.ok:
            what = f"{rows[0].test}, without a fault"
            self._session.fail_with(what, result)
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

    def _judge(self, row: Mutation, result: CommandResult) -> None:
        with self._lock:
            self._left -= 1
        if result.ok:
            self._record.drop(self._states[row])
            self._session.failed(row.name, f"not found by {row.test}", result.output)
        elif _DOES_NOT_BUILD.search(result.output):
            self._session.failed(row.name, "does not build", result.output)
        elif result.exit_code not in _FOUND:
            self._session.fail_with(row.name, result)
        else:
            self._record.add(self._states[row], row.name)
            detail = f"found by {row.test}, {result.seconds:.0f} s"
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
