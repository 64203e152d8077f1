# SPDX-License-Identifier: Apache-2.0
"""Taking files of Python tests from the record, each if nothing that it needs changed.

A file needs the Python files that `testing.python_needs` finds, documents if it names
any, and all other files of the project, such as data and C. One that reads sources of
Python as texts always runs.
"""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from testing import files, fingerprint, python_needs
from testing.session import ROOT
from testing.stage_record import note

if TYPE_CHECKING:
    from collections.abc import Iterable

    from testing.green_record import GreenRecord
    from testing.junit import Case


class FileRecord:
    """The files of tests of one run, and which of them are on record."""

    def __init__(self, record: GreenRecord) -> None:
        self._record = record
        self._states = _states()

    def left(self) -> list[str]:
        """Return the files that have to run."""
        known = self._record.note
        return [name for name, state in self._states.items() if not known(state)]

    def passed(self) -> int:
        """Return how many tests are on record as passed."""
        notes = (self._record.note(state) for state in self._states.values())
        return sum(int(text.split()[0]) for text in notes if text)

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
                self._record.add(state, note(counts[name]))


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
    for test in python_needs.all_tests():
        needed = fingerprint.of_files(python_needs.needed(test))
        more = documents if python_needs.reads_documents(test) else []
        is_known = machine and not python_needs.reads_sources(test)
        texts = [names[test], *always, *more, needed]
        states[names[test]] = fingerprint.of_texts(texts) if is_known else ""
    return states
