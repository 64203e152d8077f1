# SPDX-License-Identifier: Apache-2.0
"""The planted faults: rows of tests/mutations/*.toml; its README.md has the format."""

from __future__ import annotations

import re
import tomllib
from dataclasses import MISSING, dataclass, fields
from functools import cache
from typing import TYPE_CHECKING

from testing import files
from testing.session import ROOT

if TYPE_CHECKING:
    from pathlib import Path

FOLDER = ROOT / "tests" / "mutations"
# Where tests are: their files are named by the first words of `only`.
_TESTS = ("tests/", "gr-samara/")
_ROWS = "tests/mutations/"


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
    processor: str = ""

    @property
    def test(self) -> str:
        """The test that must find it, as for ./test."""
        return f"{self.stage} -k {self.only!r}"

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

    def modules(self) -> tuple[Path, ...]:
        """Return the files that pytest needs to read, if `only` names them."""
        if self.stage != "python":
            return ()
        words = self._words()
        named = (path for path in self.test_files() if path.stem in words)
        # A word may name a test bench, too, which pytest cannot read.
        return tuple(path for path in named if path.suffix == ".py")

    def test_files(self) -> tuple[Path, ...]:
        """Return the files that `only` names, or else those of the stage's folder."""
        tests = _tests_by_stem()
        named = [path for word in self._words() for path in tests.get(word, ())]
        return tuple(
            sorted(named) or sorted((ROOT / "tests" / self.stage).glob("*.py"))
        )

    def _words(self) -> set[str]:
        return set(re.findall(r"\w+", self.only))


@cache
def _tests_by_stem() -> dict[str, list[Path]]:
    found: dict[str, list[Path]] = {}
    for path in files.all_files():
        name = path.relative_to(ROOT).as_posix()
        if name.startswith(_TESTS) and not name.startswith(_ROWS):
            found.setdefault(path.stem, []).append(path)
    return found


def read_rows(folder: Path = FOLDER) -> list[Mutation]:
    """Read all rows, in the order in which tests have to be started least often."""
    return sorted(
        row
        for path in sorted(folder.glob("*.toml"))
        for row in rows_in(path.read_text(), path.name)
    )


def rows_in(text: str, name: str) -> list[Mutation]:
    """Return the rows of the text of a file."""
    return [_row(name, entry) for entry in tomllib.loads(text).get("mutation", ())]


def _row(name: str, entry: dict[str, object]) -> Mutation:
    known = {field.name for field in fields(Mutation)}
    needed = {field.name for field in fields(Mutation) if field.default is MISSING}
    texts = {key: value for key, value in entry.items() if isinstance(value, str)}
    if not needed <= set(texts) == set(entry) <= known:
        message = f"{name}: a row needs the texts {', '.join(sorted(needed))}"
        raise RowError(message)
    return Mutation(**texts)


def _check_syntax(text: str, file: str) -> None:
    try:
        compile(text, file, "exec")
    except SyntaxError as error:
        message = f"it is not Python any more: {error}"
        raise RowError(message) from None
