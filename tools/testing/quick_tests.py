# SPDX-License-Identifier: Apache-2.0
"""Which files of Python tests --quick runs: those that need something that changed.

A test needs what it imports, directly or through others (`testing.import_graph`), and
what the fixtures that it names import. One that starts `samara` needs the commands that
its texts name, or all if it names none. Tests that read sources themselves always run.
A change of anything but Python and documents, such as data, calls for all tests.
"""

from __future__ import annotations

import ast
import re
from functools import cache
from typing import TYPE_CHECKING

from testing.changed import changed
from testing.import_graph import ImportGraph, read
from testing.session import ROOT

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator
    from pathlib import Path

_PYTHON = re.compile(r"(src/samara|tests/(python|tools|system)|tools)/.*\.py")
_DOCUMENT = re.compile(r"(docs/)?[\w/-]+\.md")
# What the texts of tests name that read sources of Python, or documents.
_SOURCES = re.compile(r"src|src/.*|\*.*\.py")
_DOCUMENTS = re.compile(r".*\.md|(.*/)?docs")
_TESTS = ROOT / "tests"
_FOLDERS = ("tests/python", "tests/tools")
_COMMANDS = ROOT / "src" / "samara" / "cli"
# The files that start `samara`.
_STARTERS = {_TESTS / "python" / "fork_server.py", _TESTS / "python" / "forks.py"}


def quick_tests() -> list[str] | None:
    """Return the files that need something that changed since main; None for all."""
    names = changed()
    if not names or not all(map(_is_known, names)):
        return None
    return [path.relative_to(ROOT).as_posix() for path in _needing(names)]


def _is_known(name: str) -> bool:
    """Tell whether it can be told which tests need a file; not for one that is gone."""
    is_known = _PYTHON.fullmatch(name) or _DOCUMENT.fullmatch(name)
    return bool(is_known) and (ROOT / name).exists()


def _needing(names: Collection[str]) -> Iterator[Path]:
    files = {ROOT / name for name in names}
    has_documents = any(map(_DOCUMENT.fullmatch, names))
    for path in _tests():
        texts = read(path).texts
        if (
            any(map(_SOURCES.fullmatch, texts))
            or (has_documents and any(map(_DOCUMENTS.fullmatch, texts)))
            or not files.isdisjoint(_needed(path))
        ):
            yield path


def _tests() -> Iterator[Path]:
    """Return the files with tests, those with examples in docstrings included."""
    for folder in _FOLDERS:
        yield from sorted((ROOT / folder).rglob("test_*.py"))
    for path in sorted((ROOT / "src" / "samara").rglob("*.py")):
        if ">>> " in path.read_text():
            yield path


def _needed(test: Path) -> set[Path]:
    """Return the Python files that a test needs."""
    found = _graph().needs(test)
    helpers = [path for path in found if path.is_relative_to(_TESTS)]
    fixtures = list(_fixture_files(test))
    found |= {*fixtures, *_graph().needs(*_imports_of_fixtures(fixtures, helpers))}
    if not found.isdisjoint(_STARTERS):
        texts = (text for path in helpers for text in read(path).texts)
        words = {word for text in texts for word in text.split()}
        found |= _graph().needs(*_commands(words))
    return found


@cache
def _graph() -> ImportGraph:
    # These name all commands.
    return ImportGraph(cut={*_STARTERS, _COMMANDS / "running.py"})


def _fixture_files(test: Path) -> Iterator[Path]:
    for folder in test.parents:
        path = folder / "conftest.py"
        if folder.is_relative_to(_TESTS) and path.exists():
            yield path


def _imports_of_fixtures(
    fixtures: Iterable[Path], helpers: Iterable[Path]
) -> Iterator[Path]:
    """Return what files of fixtures import for a test with its helpers.

    What a fixture imports is needed where one of these names the fixture.
    """
    names = {name for path in helpers for name in read(path).arguments}
    for path in fixtures:
        source = read(path)
        lazy = frozenset[str]().union(*source.importing.values())
        wanted = (source.importing[name] for name in names & set(source.importing))
        yield from _graph().named((source.modules - lazy).union(*wanted))


def _commands(words: Collection[str]) -> set[Path]:
    """Return the files of the commands that words name; of all if they name none."""
    places = command_places()
    named = [place for name, place in places.items() if name in words]
    found = {_COMMANDS / "running.py", _COMMANDS / "__main__.py"}
    for place in named or places.values():
        path = _COMMANDS / place
        found |= set(path.rglob("*.py")) if path.is_dir() else {path.with_suffix(".py")}
    return found


@cache
def command_places() -> dict[str, str]:
    """Return the module or folder of each command, from the table of commands."""
    tree = ast.parse((_COMMANDS / "commands.py").read_text())
    calls = (node for node in ast.walk(tree) if isinstance(node, ast.Call))
    rows = (node.args for node in calls if getattr(node.func, "id", "") == "Command")
    texts = ([getattr(each, "value", "") for each in row] for row in rows)
    return {
        row[0]: row[1].partition(":")[0]
        for row in texts
        if all(isinstance(each, str) and each for each in row)
    }
