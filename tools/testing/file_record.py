# SPDX-License-Identifier: Apache-2.0
"""Taking files of Python tests from the record, each if nothing that it needs changed.

A file needs the Python files that `testing.python_needs` finds, documents if it names
any, and all other files of the project, such as data and C. One that reads sources of
Python as texts always runs.
"""

from __future__ import annotations

from collections import Counter
from functools import cache
from typing import TYPE_CHECKING

from testing import files, fingerprint, python_needs
from testing.session import ROOT
from testing.stage_record import note

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable

    from testing.green_record import GreenRecord
    from testing.junit import Case


class FileRecord:
    """The files of tests of one run, and which of them are on record.

    Parameters
    ----------
    quick
        Whether the slow tests are left out. What passes then is on record for such
        runs alone; what passed as a whole is on record for these, too.
    among
        The files of the run, if these are not all.
    """

    def __init__(
        self,
        record: GreenRecord,
        *,
        quick: bool = False,
        among: Collection[str] | None = None,
    ) -> None:
        self._record = record
        self._quick = quick
        self._states = {
            name: state
            for name, state in _states().items()
            if among is None or name in among
        }

    def left(self) -> list[str]:
        """Return the files that have to run."""
        return [name for name, state in self._states.items() if not self._note(state)]

    def passed(self) -> int:
        """Return how many tests are on record as passed."""
        notes = map(self._note, self._states.values())
        return sum(int(text.split()[0]) for text in notes if text)

    def _note(self, state: str) -> str | None:
        of_quick = self._record.note(_of_quick(state)) if self._quick else None
        return of_quick or self._record.note(state)

    def put(self, cases: Iterable[Case]) -> None:
        """Put the files on record of which all tests passed and none was skipped."""
        counts, bad = Counter[str](), set()
        for case in cases:
            counts[case.file] += 1
            if case.failed or case.skipped:
                bad.add(case.file)
        # What changed while it ran is not what passed.
        now = _states()
        for name, state in self._states.items():
            if state and counts[name] and name not in bad and state == now[name]:
                key = _of_quick(state) if self._quick else state
                self._record.add(key, note(counts[name]))


def _of_quick(state: str) -> str:
    """Return the state of a file of which the quick tests alone passed."""
    return fingerprint.of_texts(["quick", state]) if state else ""


def _states() -> dict[str, str]:
    """Return the hash of what each file of tests needs; empty if it always runs."""
    machine = fingerprint.of_machine()
    settings = (path for path in ROOT.glob(".*") if path.is_file())
    paths = [*files.walk(ROOT), *settings]
    names = {path: path.relative_to(ROOT).as_posix() for path in paths}
    data = [
        path
        for path, name in names.items()
        if not files.is_python(name) and not files.is_document(name)
    ]
    pages = [path for path, name in names.items() if files.is_document(name)]
    always = [machine, fingerprint.of_files(data)]
    documents = [fingerprint.of_files(pages)]
    states = {}
    # Most files are needed by many tests.
    content = cache(fingerprint.of_content)
    for test in python_needs.all_tests():
        needed = fingerprint.of_files(python_needs.needed(test), content)
        more = documents if python_needs.reads_documents(test) else []
        is_known = machine and not python_needs.reads_sources(test)
        texts = [names[test], *always, *more, needed]
        states[names[test]] = fingerprint.of_texts(texts) if is_known else ""
    return states
