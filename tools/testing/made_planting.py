# SPDX-License-Identifier: Apache-2.0
"""Planting faults that are made by rule: those that no test finds are told."""

from __future__ import annotations

import queue
import time
from typing import TYPE_CHECKING

from testing.made_faults import made_in
from testing.planted_rows import Mutation, RowError
from testing.planted_tree import Tree

if TYPE_CHECKING:
    from collections.abc import Sequence

    from testing.session import Session

# How long faults are planted without --all.
LIMIT_S = 600.0


def plant(session: Session, names: Sequence[str]) -> None:
    """Plant the faults of files, in as many trees as there are processes."""
    trees: queue.Queue[Tree] = queue.Queue()
    for number in range(session.options.jobs):
        trees.put(Tree(session, number))
    end_s = float("inf") if session.options.thorough else time.monotonic() + LIMIT_S
    for name in names:
        try:
            rows = made_in(name)
        except (OSError, RowError) as error:
            session.failed(name, str(error))
            continue
        _File(session, name, trees, end_s).plant(rows)


class _File:
    """The faults of one file."""

    def __init__(
        self, session: Session, name: str, trees: queue.Queue[Tree], end_s: float
    ) -> None:
        self._session, self._name = session, name
        self._trees, self._end_s = trees, end_s
        self._found = self._left = 0

    def plant(self, rows: Sequence[Mutation]) -> None:
        """Plant them until the time is over; what was found is one line."""
        if not rows:
            self._session.failed(self._name, "no fault can be made in it")
            return
        tree = self._trees.get()
        result = tree.run(rows[:1], f"{self._name} without a fault")
        self._trees.put(tree)
        if not result.ok:
            what = f"{rows[0].test}, without a fault in {self._name}"
            self._session.fail_with(what, result)
            return
        self._session.in_parallel(self._plant, rows)
        if self._found:
            detail = f"{self._found} of {len(rows)} faults found by {rows[0].test}"
            self._session.passed(self._name, detail, self._found)
        if self._left:
            reason = f"not planted within {LIMIT_S:.0f} s: --all has no limit"
            self._session.skipped(self._name, reason, self._left)

    def _plant(self, row: Mutation) -> None:
        if time.monotonic() >= self._end_s:
            self._left += 1
            return
        tree = self._trees.get()
        try:
            result = tree.run_with(row)
        except RowError:
            # It is not Python any more.
            return
        finally:
            self._trees.put(tree)
        if result.ok:
            self._session.failed(f"{self._name} {row.name}", f"not found by {row.test}")
        else:
            self._found += 1
