# SPDX-License-Identifier: Apache-2.0
"""Leaving out a C program that ran already: in another build, or when it passed before.

Builds that differ in their ciphers have programs in common, byte for byte: `test_store`
has no cipher in it. What a program does follows from its bytes, its arguments and the
files that these name. Where all of that is the same, it runs once.
"""

from __future__ import annotations

import json
import threading
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from testing import fingerprint
from testing.session import ROOT
from testing.stage_record import note

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from testing.green_record import GreenRecord
    from testing.tally import Tally


@dataclass(frozen=True)
class Program:
    """A test of ctest."""

    name: str
    #: Hash of all that it depends on; empty for one that always runs.
    state: str


@dataclass
class LeftOut:
    """The programs that a build need not run."""

    #: The build that runs the same program, by its name.
    same: dict[str, str] = field(default_factory=dict)
    #: How many checks are on record, by the name of the program.
    on_record: dict[str, int] = field(default_factory=dict)

    @property
    def names(self) -> set[str]:
        """Names of all of them."""
        return {*self.same, *self.on_record}


class ProgramRecord:
    """The programs of one run of a stage.

    Parameters
    ----------
    record
        What passed before.
    """

    def __init__(self, record: GreenRecord) -> None:
        self._record = record
        self._builds: dict[str, str] = {}
        self._lock = threading.Lock()

    def left_out(self, build: str, programs: Sequence[Program]) -> LeftOut:
        """Return which programs a build need not run; it is to run the others."""
        found = LeftOut()
        for program in programs:
            if not program.state:
                continue
            with self._lock:
                first = self._builds.setdefault(program.state, build)
            if first != build:
                found.same[program.name] = first
            elif note := self._record.note(program.state):
                found.on_record[program.name] = int(note.split()[0])
        return found

    def put(self, programs: Sequence[Program], tallies: Mapping[str, Tally]) -> None:
        """Put programs on record that passed, without anything skipped."""
        for program in programs:
            tally = tallies.get(program.name)
            is_good = tally and tally.passed and not tally.failed and not tally.skipped
            if program.state and tally and is_good:
                self._record.add(program.state, note(tally.passed))


def programs_of(described: str, folder: Path, root: Path = ROOT) -> list[Program]:
    """Return the tests of a build.

    Parameters
    ----------
    described
        What `ctest --show-only=json-v1` prints.
    folder
        Directory of the build.
    """
    machine = fingerprint.of_machine()
    tests = json.loads(described[described.find("{") :])["tests"]
    return [
        Program(test["name"], _state(test, machine, folder, root)) for test in tests
    ]


def _state(test: Mapping[str, Any], machine: str, folder: Path, root: Path) -> str:
    command: list[str] = test.get("command", [])
    # Other programs, such as scripts and emulators, may read what is not named here.
    if not machine or not command or not Path(command[0]).is_relative_to(folder):
        return ""
    properties = [
        each for each in test["properties"] if each["name"] != "WORKING_DIRECTORY"
    ]
    settled = json.dumps(properties).replace(str(root), "")
    return fingerprint.of_texts([machine, settled, *_read(command)])


def _read(command: Sequence[str]) -> Iterator[str]:
    """Return hashes of the program and the files that a command names."""
    for word in command:
        path = Path(word)
        yield fingerprint.of_content(path) if path.is_file() else word
