# SPDX-License-Identifier: Apache-2.0
"""Faults planted one at a time in a copy of the project: each must be found.

The faults are the rows of tests/mutations/*.toml; its README.md has the format.
"""

from __future__ import annotations

import filecmp
import re
import shutil
import tomllib
from collections import Counter
from dataclasses import dataclass, fields
from typing import TYPE_CHECKING

from testing import files
from testing.session import ROOT, Command, Session, Stage

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from pathlib import Path

    from testing.process import Outcome

_ROWS = ROOT / "tests" / "mutations"
# Files of the project's root that are not found as sources are.
_DOT_FILES = (
    ".clang-format",
    ".clang-tidy",
    ".gitignore",
    ".pre-commit-config.yaml",
)
# Sources that tools/setup compiles, so that it must run after a change.
_COMPILED = re.compile(r"^(core|cmake|gr-samara)/|/native/|CMakeLists")
# These stages compile what they test themselves.
_SELF_BUILT = {"c", "sanitizers", "constant-time", "fuzz", "vectors", "amalgamation"}
# What ./test prints for a fault that no test ever saw.
_DOES_NOT_BUILD = re.compile(
    r"^(FAILED   [\w-]+: (build|configure) |setup: .*(does not build|configure))",
    re.MULTILINE,
)
_CHECKS_FAILED = 1


class RowError(Exception):
    """A row that cannot be planted; the message is the reason."""


@dataclass(frozen=True, order=True)
class Mutation:
    """One fault, and the test that must find it."""

    stage: str
    only: str
    file: str
    find: str
    replace: str
    name: str

    def planted(self, source: str) -> str:
        """Return the source with the fault in it."""
        count = source.count(self.find)
        if count != 1:
            message = f"its text occurs {count} times in {self.file}, not once"
            raise RowError(message)
        text = source.replace(self.find, self.replace)
        if text == source:
            message = "it changes nothing"
            raise RowError(message)
        if self.file.endswith(".py"):
            _check_syntax(text, self.file)
        return text


def read_rows(folder: Path = _ROWS) -> list[Mutation]:
    """Read all rows, in the order in which tests have to be started least often."""
    return sorted(
        _row(path, entry)
        for path in sorted(folder.glob("*.toml"))
        for entry in tomllib.loads(path.read_text())["mutation"]
    )


def _row(path: Path, entry: dict[str, object]) -> Mutation:
    expected = {field.name for field in fields(Mutation)}
    texts = {key: value for key, value in entry.items() if isinstance(value, str)}
    if set(entry) != expected or set(texts) != expected:
        message = f"{path.name}: a row needs the texts {', '.join(sorted(expected))}"
        raise RowError(message)
    return Mutation(**texts)


def stage_for(stages: Sequence[Stage]) -> Stage:
    """Make the stage that tests these stages."""
    return Stage(
        "mutations",
        "planted faults: each fits the sources; with --all each is found",
        lambda session: mutations(session, stages),
        selects="part of a fault's name",
    )


def mutations(session: Session, stages: Sequence[Stage]) -> None:
    """Check that the rows fit the sources; plant them when everything is asked for."""
    rows = [row for row in read_rows() if session.options.only in row.name]
    good = [row for row in rows if _fits(session, row, stages)]
    _check_names(session, rows)
    if not session.options.thorough:
        if good:
            detail = "each fits the sources; --all plants them"
            session.passed("planted faults", detail, count=len(good))
        return
    tree = Tree(session)
    for row in good:
        tree.plant(row)


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


def _check_syntax(text: str, file: str) -> None:
    try:
        compile(text, file, "exec")
    except SyntaxError as error:
        message = f"it is not Python any more: {error}"
        raise RowError(message) from None


class Tree:
    """A copy of the project with its own setup, to plant faults in."""

    def __init__(self, session: Session) -> None:
        self._session = session
        self._folder = session.build / "mutations" / "tree"
        self._passes: dict[tuple[str, str], bool] = {}
        _copy_project(self._folder)
        # Whether what tools/setup compiles differs from what it compiled last.
        self._stale = True

    def plant(self, row: Mutation) -> None:
        """Plant one fault, see it found, take it out again."""
        if not self._passes_without(row):
            return
        path = self._folder / row.file
        source = path.read_text()
        self._write(path, row.planted(source))
        try:
            self._judge(row)
        finally:
            self._write(path, source)

    def _passes_without(self, row: Mutation) -> bool:
        """Run the row's test without a fault; once for all rows with that test."""
        key = (row.stage, row.only)
        if key not in self._passes:
            outcome = self._run(row, f"without {row.name}")
            self._passes[key] = outcome.ok
            if not outcome.ok:
                self._session.fail_with(f"{_test_of(row)}, without a fault", outcome)
        return self._passes[key]

    def _judge(self, row: Mutation) -> None:
        outcome = self._run(row, row.name)
        if outcome.ok:
            reason = f"not found by {_test_of(row)}"
            self._session.failed(row.name, reason, outcome.output)
        elif _DOES_NOT_BUILD.search(outcome.output):
            self._session.failed(row.name, "does not build", outcome.output)
        elif outcome.exit_code != _CHECKS_FAILED:
            self._session.fail_with(row.name, outcome)
        else:
            detail = f"found by {_test_of(row)}, {outcome.seconds:.0f} s"
            self._session.passed(row.name, detail)

    def _run(self, row: Mutation, what: str) -> Outcome:
        """Compile what the stage does not compile itself, then run its test."""
        python = self._folder / ".venv" / "bin" / "python"
        if not python.exists() or (self._stale and row.stage not in _SELF_BUILT):
            outcome = self._set_up(what)
            if not outcome.ok:
                return outcome
        command: Command = [python, "-m", "testing", row.stage, "-k", row.only]
        return self._session.command(
            what,
            command,
            folder=self._folder,
            extra={"PYTHONPATH": str(self._folder / "tools")},
        )

    def _set_up(self, what: str) -> Outcome:
        self._stale = False
        return self._session.command(
            f"setup {what}",
            [self._folder / "tools" / "setup"],
            folder=self._folder,
            extra={"SAMARA_SKIP_PACKAGES": "1"},
        )

    def _write(self, path: Path, text: str) -> None:
        """Write a source so that nothing compiled before is taken for it."""
        path.write_text(text)
        # Python compares whole seconds and the size.
        for compiled in (path.parent / "__pycache__").glob(f"{path.stem}.*.pyc"):
            compiled.unlink()
        name = path.relative_to(self._folder).as_posix()
        self._stale = self._stale or _COMPILED.search(name) is not None


def _test_of(row: Mutation) -> str:
    return f"{row.stage} -k {row.only!r}"


def _copy_project(folder: Path) -> None:
    """Make the folder hold the project's files and no other sources."""
    wanted = [*files.all_files(), *(ROOT / name for name in _DOT_FILES)]
    names = {path.relative_to(ROOT) for path in wanted}
    for name in sorted(names):
        target = folder / name
        target.parent.mkdir(parents=True, exist_ok=True)
        if not target.exists() or not filecmp.cmp(ROOT / name, target, shallow=False):
            shutil.copy(ROOT / name, target)
    for path in files.walk(folder):
        if path.relative_to(folder) not in names:
            path.unlink()
