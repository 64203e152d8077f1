# SPDX-License-Identifier: Apache-2.0
"""Which Python files of the project a file imports, read from their sources.

Imports inside functions count as well. A module may also be named by a text: the texts
`samara.phy.mappers` and `samara.link.`, which is the beginning of several, are imports
of it and of all below it. A module that reads the `__path__` or the `__file__` of a
package imports all that is in it, and one of src/ that reads its own `__file__` all
that is beside and below.
"""

from __future__ import annotations

import ast
import re
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING

from testing.session import ROOT

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Mapping
    from pathlib import Path

#: Directories that tests import from, beside the package.
SEARCHED = ("tests/python", "tests/system", "tools")
_IMPORT = re.compile(r"\b(?:from|import) +(samara[\w.]*)(?: +import +([\w, ]+))?")
_OWN = {"__path__", "__file__"}
_MODULE = re.compile(r"samara(\.\w+)+\.?")


@dataclass(frozen=True)
class Source:
    """What one file names."""

    #: Modules that it imports, and what may be one; a relative one begins with a dot.
    modules: frozenset[str]
    #: All texts in it, with the constant parts of those that are put together.
    texts: frozenset[str]
    #: Names of the arguments of its functions, and what each function imports.
    arguments: frozenset[str]
    importing: Mapping[str, frozenset[str]]
    #: Names of the packages whose `__path__` or `__file__` it reads; one of these two
    #: if it reads its own.
    scanned: frozenset[str]


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
            packages = {one.parent for one in found if one.name == "__init__.py"}
            scanned = {one for one in packages if one.name in source.scanned}
            if not _OWN.isdisjoint(source.scanned) and path.is_relative_to(self._src):
                scanned.add(path.parent)
            found |= {one for package in scanned for one in package.rglob("*.py")}
        return {one for one in found if one.exists()} - {path}

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
    """Read a file."""
    return source_of(path.read_text())


def source_of(program: str) -> Source:
    """Return what a program names."""
    nodes = list(_run(ast.parse(program)))
    constants = (node.value for node in nodes if isinstance(node, ast.Constant))
    texts = frozenset(value for value in constants if isinstance(value, str))
    return Source(
        _imports_in(nodes) | {name for text in texts for name in _in_program(text)},
        texts,
        frozenset(node.arg for node in nodes if isinstance(node, ast.arg)),
        {
            node.name: _imports_in(_run(node))
            for node in nodes
            if isinstance(node, ast.FunctionDef)
        },
        frozenset(name for node in nodes for name in _scanned(node)),
    )


def _run(node: ast.AST) -> Iterator[ast.AST]:
    """Walk over a tree, without what only a type checker reads."""
    yield node
    for child in ast.iter_child_nodes(node):
        if not (isinstance(child, ast.If) and "TYPE_CHECKING" in ast.dump(child.test)):
            yield from _run(child)


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


def _module(path: Path) -> str:
    """Return the name that a file is imported by."""
    return ".".join(path.with_suffix("").parts).removesuffix(".__init__")
