# SPDX-License-Identifier: Apache-2.0
"""Which Python files of the project a file imports, read from their sources.

Imports inside functions count as well. A module may also be named by a text: the texts
`samara.phy.mappers` and `samara.link.`, which is the beginning of several, are imports
of it and of all below it. A module that reads the `__path__` or the `__file__` of a
package imports all that is in it, and one of src/ that reads its own `__file__` all
that is beside and below: of a directory below that it names, what is there, and nothing
where it goes up from there (`.parents`), as who looks for data of the project does.
"""

from __future__ import annotations

import ast
import re
import sys
from dataclasses import astuple, dataclass
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from testing import fingerprint
from testing.green_record import cache_folder
from testing.session import ROOT
from testing.text_cache import TextCache

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Mapping

#: Directories that tests import from, beside the package.
SEARCHED = ("tests/python", "tests/system", "tools")
_IMPORT = re.compile(r"\b(?:from|import) +(samara[\w.]*)(?: +import +([\w, ]+))?")
_OWN = {"__path__", "__file__"}
# A directory below that of a file, and one above it.
_HERE = r"Path\(__file__\)(?:\.resolve\(\))?"
_BELOW = re.compile(rf"{_HERE}\.parent / '([^']+)'")
_ABOVE = re.compile(rf"{_HERE}\.parents\[[1-9]\]")
_MODULE = re.compile(r"samara(\.\w+)+\.?")


@dataclass(frozen=True)
class Source:
    """What one file names."""

    #: Modules that it imports, and what may be one; a relative one begins with a dot.
    modules: frozenset[str]
    #: All texts in it, with the constant parts of those that are put together.
    texts: frozenset[str]
    #: Those of them that are only keys, as in `row["key"]`.
    keys: frozenset[str]
    #: Names of the arguments of its functions.
    arguments: frozenset[str]
    #: Names of the packages whose `__path__` or `__file__` it reads; one of these two
    #: if it reads its own.
    scanned: frozenset[str]
    #: The directories where it may look for modules by its own, relative to its own;
    #: one of no name is that itself.
    places: frozenset[str]


class ImportGraph:
    """The Python files of a copy of the project, and what each imports.

    Parameters
    ----------
    cut
        Files whose texts name no modules here, and which scan none.
    """

    def __init__(self, root: Path = ROOT, cut: Collection[Path] = ()) -> None:
        self._cut = cut
        self._src = root / "src"
        self._files: dict[str, Path] = {}
        for folder in ("src", *SEARCHED):
            for path in sorted((root / folder).rglob("*.py")):
                self._files.setdefault(_module(path.relative_to(root / folder)), path)
        self._direct = cache(self._imports_of)

    def needs(self, *paths: Path) -> set[Path]:
        """Return files with all that they import, directly or through others."""
        found: set[Path] = set()
        left = list(paths)
        while left:
            path = left.pop()
            if path not in found:
                found.add(path)
                left += self._direct(path)
        return found

    def named(self, modules: Iterable[str]) -> set[Path]:
        """Return the files of modules, and of the packages that they are in."""
        return {path for name in modules for path in self._named(name)}

    def _imports_of(self, path: Path) -> set[Path]:
        source = read(path)
        found = {one for name in source.modules for one in self._named(name, path)}
        if path not in self._cut:
            for text in filter(_MODULE.fullmatch, source.texts):
                found |= self._named(text.rstrip("."))
                found |= self._below(text) if text.endswith(".") else set()
            scanned = self._folders_scanned(path, found)
            found |= {one for folder in scanned for one in folder.rglob("*.py")}
        return {one for one in found if one.exists()} - {path}

    def _folders_scanned(self, path: Path, imported: Iterable[Path]) -> set[Path]:
        """Return the directories where a file may look for modules."""
        source = read(path)
        packages = {one.parent for one in imported if one.name == "__init__.py"}
        found = {one for one in packages if one.name in source.scanned}
        if path.is_relative_to(self._src):
            found |= {path.parent / name for name in source.places}
            known = {one.stem for one in imported} | {one.name for one in packages}
            # A package that it is given is beside it.
            found |= {path.parent} if source.scanned - known - _OWN else set()
        return found

    def _named(self, name: str, importer: Path | None = None) -> set[Path]:
        """Return the file of a module, and those of the packages that it is in."""
        if importer and name.startswith("."):
            return {importer.parent / f"{name.strip('.').replace('.', '/')}.py"}
        parts = name.split(".")
        names = (".".join(parts[:end]) for end in range(1, len(parts) + 1))
        return {self._files[each] for each in names if each in self._files}

    def _below(self, prefix: str) -> set[Path]:
        return {path for name, path in self._files.items() if name.startswith(prefix)}


@cache
def read(path: Path) -> Source:
    """Read a file; what it names may be known from an earlier run."""
    return Source(*map(frozenset, _known().found(path.read_text())))


@cache
def _known() -> TextCache:
    version = f"{fingerprint.of_content(Path(__file__))} {sys.version}"
    return TextCache(cache_folder() / "sources.json", _lists_of, version)


def _lists_of(program: str) -> list[list[str]]:
    return [[*each] for each in astuple(source_of(program))]


def source_of(program: str) -> Source:
    """Return what a program names."""
    nodes = list(_run(ast.parse(program)))
    looked_up = {id(node.slice) for node in nodes if isinstance(node, ast.Subscript)}
    texts = _texts(nodes)
    return Source(
        _imports_in(nodes) | {name for text in texts for name in _in_program(text)},
        texts,
        texts - _texts(node for node in nodes if id(node) not in looked_up),
        frozenset(node.arg for node in nodes if isinstance(node, ast.arg)),
        frozenset(name for node in nodes for name in _scanned(node)),
        frozenset(_places(nodes)),
    )


@cache
def imports_of_functions(path: Path) -> Mapping[str, frozenset[str]]:
    """Return what each function in a file imports."""
    nodes = _run(ast.parse(path.read_text()))
    functions = (node for node in nodes if isinstance(node, ast.FunctionDef))
    return {node.name: _imports_in(_run(node)) for node in functions}


def _run(tree: ast.AST) -> Iterator[ast.AST]:
    """Walk over a tree, without what only a type checker reads."""
    left = [tree]
    while left:
        node = left.pop()
        if not (isinstance(node, ast.If) and "TYPE_CHECKING" in ast.dump(node.test)):
            yield node
            left += ast.iter_child_nodes(node)


def _texts(nodes: Iterable[ast.AST]) -> frozenset[str]:
    constants = (node.value for node in nodes if isinstance(node, ast.Constant))
    return frozenset(value for value in constants if isinstance(value, str))


def _imports_in(nodes: Iterable[ast.AST]) -> frozenset[str]:
    return frozenset(name for node in nodes for name in _imported(node))


def _imported(node: ast.AST) -> Iterator[str]:
    if isinstance(node, ast.Import):
        yield from (one.name for one in node.names)
    elif isinstance(node, ast.ImportFrom):
        start = "." * node.level
        if node.module:
            yield f"{start}{node.module}"
        before = f"{start}{node.module}." if node.module else start
        yield from (f"{before}{one.name}" for one in node.names)


def _in_program(text: str) -> Iterator[str]:
    """Return what a text imports that is a program, or part of one."""
    for module, names in _IMPORT.findall(text):
        yield module
        yield from (f"{module}.{name}" for name in re.findall(r"\w+", names))


def _scanned(node: ast.AST) -> Iterator[str]:
    if isinstance(node, ast.Name) and node.id in _OWN:
        yield node.id
    elif isinstance(node, ast.Attribute) and node.attr in _OWN:
        yield ast.unparse(node.value).rpartition(".")[2]


def _places(nodes: Collection[ast.AST]) -> Iterator[str]:
    """Return the directories that its own `__path__` and `__file__` lead to."""
    own = [node for node in nodes if isinstance(node, ast.Name) and node.id in _OWN]
    known = set[int]()
    for node in nodes if own else ():
        found = _BELOW.fullmatch(_shown(node, ast.BinOp))
        if found or _ABOVE.fullmatch(_shown(node, ast.Subscript)):
            known |= {id(one) for one in ast.walk(node)}
        if found:
            yield found[1]
    yield from ("" for node in own if id(node) not in known)


def _shown(node: ast.AST, of: type[ast.expr]) -> str:
    return ast.unparse(node) if isinstance(node, of) else ""


def _module(path: Path) -> str:
    """Return the name that a file is imported by."""
    return ".".join(path.with_suffix("").parts).removesuffix(".__init__")
