# SPDX-License-Identifier: Apache-2.0
"""Which Python files a file of tests needs.

It needs what it imports, directly or through others (`testing.import_graph`), and what
the fixtures that it names import. One that starts `samara`, or runs commands in its own
process, needs the commands that its texts name, or all if it names none or has the
table of them. Of the questions that the console can be asked it needs those that its
texts name; where they name a view of the page, those of the view.
"""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from testing.import_graph import ImportGraph, imports_of_functions, read
from testing.session import ROOT

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator

# What the texts of tests name that read sources of Python, or documents.
_SOURCES = re.compile(r"src|src/.*|\*.*\.py")
_ROOT = re.compile(r"\bROOT$|\bplaces$")
_DOCUMENTS = re.compile(r".*\.md|(.*/)?docs")
_TESTS = ROOT / "tests"
_FOLDERS = ("tests/python", "tests/tools")
_COMMANDS = ROOT / "src" / "samara" / "cli"
# It walks over all files of the project.
_ALL_FILES = ROOT / "tools" / "testing" / "files.py"
# The table of all commands; what starts `samara` with some of them; and what starts
# `samara console`.
_TABLE = _COMMANDS / "commands.py"
_RUNNING = _COMMANDS / "running.py"
_STARTERS = {_TESTS / "python" / name for name in ("fork_server.py", "forks.py")}
_CONSOLE_STARTER = _TESTS / "python" / "browsing.py"
# The file that finds the questions of all rooms, and what asks some of them.
_CONSOLE = ROOT / "src" / "samara" / "console"
_QUESTIONS = _CONSOLE / "answers" / "questions.py"
# Rooms that start commands, which their texts name, by what is needed where they do.
_STARTING_ROOMS = {
    _QUESTIONS: _CONSOLE,
    _COMMANDS / "demo.py": _CONSOLE.parent / "demo",
}
_VIEWS = ROOT / "page" / "src" / "views"
_IN_PAGE = re.compile(r'from "(\.[^"]+)"')
_DOTTED = re.compile(r"\b[a-z]\w*(?:\.\w+)+")
# What a command line begins with that a text has within.
_CALL = re.compile(r"\bsamara(?:\.cli)? ")


def all_tests() -> Iterator[Path]:
    """Return the files with tests, those with examples in docstrings included."""
    for folder in _FOLDERS:
        yield from sorted((ROOT / folder).rglob("test_*.py"))
    for path in sorted((ROOT / "src" / "samara").rglob("*.py")):
        if ">>> " in path.read_text():
            yield path


@cache
def needed(test: Path) -> set[Path]:
    """Return the Python files that a test needs."""
    found = _graph().needs(test)
    helpers = found & _files_of_tests()
    fixtures = list(_fixture_files(test))
    found |= {*fixtures, *_graph().needs(*_imports_of_fixtures(fixtures, helpers))}
    direct = _graph().named({name for path in helpers for name in read(path).modules})
    if _TABLE in direct:
        found |= _graph().needs(*_commands(()))
    if _QUESTIONS in found:
        found |= _graph().needs(*_CONSOLE.parent.rglob("*.py"))
    if _RUNNING in direct or not found.isdisjoint(_STARTERS):
        found |= _graph().needs(*_commands(_words(helpers)))
    if _CONSOLE_STARTER in found:
        found |= _graph().needs(*_commands({_CONSOLE.name}))
    for path in _STARTING_ROOMS.keys() & found:
        room = _STARTING_ROOMS[path].rglob("*.py")
        found |= _graph().needs(*_commands(_words(room)))
    if _QUESTIONS in found:
        texts = {text for path in helpers for text in read(path).texts}
        found |= _graph().needs(*_graph().named(_questions(texts)))
    return found


def _words(paths: Iterable[Path]) -> set[str]:
    """Return what may be the name of a command in files.

    It is the first word of each line of a text that is more than a key.
    """
    sources = map(read, paths)
    texts = {text for source in sources for text in source.texts - source.keys}
    lines = (line for text in texts for line in text.splitlines())
    parts = (part.split() for line in lines for part in (line, *_CALL.split(line)))
    return {words[0] for words in parts if words}


def _questions(texts: Collection[str]) -> Iterator[str]:
    """Return modules whose functions texts name, or views of the page that these do."""
    words = {word for text in texts for word in text.split()}
    views = (path for path in _VIEWS.glob("*.svelte") if path.stem in words)
    for text in (*texts, *_with_imports(views)):
        yield from (f"samara.{name}" for name in _DOTTED.findall(text))


def _with_imports(files: Iterable[Path]) -> Iterator[str]:
    """Return the texts of files of the page, and of those that they import."""
    found, left = set[Path](), list(files)
    while left:
        path = left.pop()
        if path.is_file() and path not in found:
            found.add(path)
            text = path.read_text()
            names = (path.parent / name for name in _IN_PAGE.findall(text))
            left += [Path(f"{name}{end}") for name in names for end in ("", ".ts")]
            yield text


def imports(*beginnings: str) -> set[Path]:
    """Return the Python files that paths of the project and modules need.

    Of a file of tests this is what it needs as one: the commands that it starts, too.
    """
    paths = {ROOT / name for name in beginnings if "/" in name}
    inside = {path for folder in paths for path in folder.rglob("*.py")}
    modules = (name for name in beginnings if "/" not in name)
    files = {*inside, *filter(Path.is_file, paths)}
    tests = {path for path in files if path.name.startswith("test_")}
    found = _graph().needs(*(files - tests), *_graph().named(modules))
    return found.union(*map(needed, tests))


def reads_sources(test: Path) -> bool:
    """Tell whether a file of tests, or a helper, may read any source as a text."""
    helpers = needed(test) & _files_of_tests()
    return _ALL_FILES in needed(test) or any(map(_names_sources, helpers))


@cache
def _files_of_tests() -> frozenset[Path]:
    return frozenset(_TESTS.rglob("*.py"))


@cache
def _names_sources(path: Path) -> bool:
    source = read(path)
    knows_root = "__file__" in source.scanned or any(map(_ROOT.search, source.modules))
    return knows_root and any(map(_SOURCES.fullmatch, source.texts))


def reads_documents(test: Path) -> bool:
    """Tell whether a file of tests may read documents."""
    return any(map(_DOCUMENTS.fullmatch, read(test).texts))


@cache
def _graph() -> ImportGraph:
    # These name all commands, or all questions.
    return ImportGraph(cut={*_STARTERS, _CONSOLE_STARTER, _RUNNING, _TABLE, _QUESTIONS})


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
        by_function = imports_of_functions(path)
        lazy = frozenset[str]().union(*by_function.values())
        wanted = (by_function[name] for name in names & set(by_function))
        yield from _graph().named((read(path).modules - lazy).union(*wanted))


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
    """Return the module or folder of each command, as the command line finds it."""
    places = (path for path in _COMMANDS.iterdir() if any(map(_is_command, _in(path))))
    return {path.stem: path.stem for path in sorted(places)}


def _in(path: Path) -> Iterator[Path]:
    yield from path.rglob("*.py") if path.is_dir() else (path,)


def _is_command(path: Path) -> bool:
    return path.suffix == ".py" and "\ncommand = " in path.read_text("utf-8")
