# SPDX-License-Identifier: Apache-2.0
"""Taking linters from the record, each if nothing that it reads changed.

clang-tidy reads what C tests read, the others any file of the project.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from testing import files, fingerprint
from testing.changed import is_of_c
from testing.session import ROOT
from testing.stage_record import note

if TYPE_CHECKING:
    from collections.abc import Iterable

    from testing.green_record import GreenRecord

TIDY = {"clang-tidy", "clang-tidy-tests", "clang-analyzer-tests"}


class LintRecord:
    """The hooks of one run, and which of them are on record."""

    def __init__(self, record: GreenRecord) -> None:
        self._record = record
        self._states = _states()

    def note(self, hook: str) -> str | None:
        """Return the note on a hook that passed in this state."""
        return self._record.note(_of(hook, self._states))

    def put(self, hooks: Iterable[str]) -> None:
        """Put hooks on record that passed."""
        # What changed while they ran is not what passed.
        if self._states and self._states == _states():
            for hook in hooks:
                self._record.add(_of(hook, self._states), note(1))


def _states() -> list[str]:
    """Return hashes of what is read of C, and of all; none if tools are not known."""
    machine = fingerprint.of_machine()
    paths = list(files.walk(ROOT))
    of_c = [path for path in paths if is_of_c(path.relative_to(ROOT).as_posix())]
    read = [fingerprint.of_files(each) for each in (of_c, paths)]
    return [fingerprint.of_texts([machine, each]) for each in read] if machine else []


def _of(hook: str, states: list[str]) -> str:
    """Return the state of a hook; empty if it is not known."""
    return fingerprint.of_texts([hook, states[hook not in TIDY]]) if states else ""
