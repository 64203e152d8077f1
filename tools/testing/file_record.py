# SPDX-License-Identifier: Apache-2.0
"""Taking files of Python tests from the record, each if nothing that it needs changed.

A file needs the Python files that `testing.python_needs` finds, documents if it names
any, and other files of the project, such as C: all that `testing.data_needs` does not
tell to be for others. One that reads sources of Python as texts needs all files.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from functools import cache
from typing import TYPE_CHECKING

from testing import data_needs, files, fingerprint, python_needs
from testing.session import ROOT
from testing.stage_record import note

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Mapping
    from pathlib import Path

    from testing.green_record import GreenRecord
    from testing.junit import Case

_SLOW_LEFT = re.compile(r", (\d+) slow ones left out$")


class FileRecord:
    """The files of tests of one run, and which of them are on record.

    Parameters
    ----------
    whole
        The files of which slow tests run, too; None for all. What passes of another
        one without its slow tests is on record for such runs alone; what passed as a
        whole is on record for these, too.
    among
        The files of the run, if these are not all.
    """

    def __init__(
        self,
        record: GreenRecord,
        *,
        whole: Collection[str] | None = None,
        among: Collection[str] | None = None,
    ) -> None:
        self._record = record
        self._whole = whole
        self._states = {
            name: state
            for name, state in _states().items()
            if among is None or name in among
        }

    def left(self) -> list[str]:
        """Return the files that have to run."""
        return [name for name in self._states if not self._note(name)]

    def passed(self) -> int:
        """Return how many tests are on record as passed."""
        notes = map(self._note, self._states)
        return sum(int(text.split()[0]) for text in notes if text)

    def slow_left(self) -> int:
        """Return how many slow tests were left out of what is on record."""
        notes = map(self._note, self._states)
        found = (_SLOW_LEFT.search(text) for text in notes if text)
        return sum(int(match[1]) for match in found if match)

    def _note(self, name: str) -> str | None:
        state = self._states[name]
        is_whole = self._whole is None or name in self._whole
        part = None if is_whole else self._record.note(_without_slow(state))
        return self._record.note(state) or part

    def put(self, cases: Iterable[Case], slow_left: Iterable[str] = ()) -> None:
        """Put the files on record of which all tests passed and none was skipped.

        Parameters
        ----------
        slow_left
            The slow tests that were left out, as pytest names them.
        """
        counts, bad = Counter[str](), set()
        left = Counter(test.partition("::")[0] for test in slow_left)
        for case in cases:
            counts[case.file] += 1
            if case.failed or case.skipped:
                bad.add(case.file)
        # What changed while it ran is not what passed.
        now = _states()
        for name, state in self._states.items():
            if state and counts[name] and name not in bad and state == now[name]:
                key = _without_slow(state) if left[name] else state
                more = f", {left[name]} slow ones left out" if left[name] else ""
                self._record.add(key, note(counts[name]) + more)


def _without_slow(state: str) -> str:
    """Return the state of a file of which only the other tests passed."""
    return fingerprint.of_texts(["quick", state]) if state else ""


def _states() -> dict[str, str]:
    """Return the hash of what each file of tests needs; empty if it has to run."""
    machine = fingerprint.of_machine()
    settings = (path for path in ROOT.glob(".*") if path.is_file())
    paths = [*files.walk(ROOT), *settings]
    names = {path: path.relative_to(ROOT).as_posix() for path in paths}
    data = _data(names)
    pages = [path for path, name in names.items() if files.is_document(name)]
    documents = [fingerprint.of_files(pages)]
    sources = [path for path, name in names.items() if files.is_python(name)]
    states = {}
    # Most files are needed by many tests.
    content = cache(fingerprint.of_content)
    for test in python_needs.all_tests():
        reads_all = python_needs.reads_sources(test)
        needed = {*python_needs.needed(test), *(sources if reads_all else ())}
        more = documents if reads_all or python_needs.reads_documents(test) else []
        more = [*more, *(data[area] for area in data if data_needs.needs(test, area))]
        texts = [names[test], machine, *more, fingerprint.of_files(needed, content)]
        states[names[test]] = fingerprint.of_texts(texts) if machine else ""
    return states


def _data(names: Mapping[Path, str]) -> dict[str, str]:
    """Return the hashes of the directories of data; of what all need for no name."""
    found: dict[str, list[Path]] = defaultdict(list)
    for path, name in names.items():
        if not files.is_python(name) and not files.is_document(name):
            found[data_needs.area_of(name)].append(path)
    return {area: fingerprint.of_files(paths) for area, paths in found.items()}
