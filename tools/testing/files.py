# SPDX-License-Identifier: Apache-2.0
"""Finding the project's own files, in a clone or in a plain copy of one."""

import os
import re
from collections.abc import Iterable, Iterator
from functools import cache
from pathlib import Path

from testing.session import ROOT

C_SUFFIXES = (".c", ".h", ".def")
CXX_SUFFIXES = (".cc", ".cpp", ".hpp")

# What is made here and not written here.
_NOT_OURS = {"build", "dist", "node_modules", "__pycache__", "corpus"}
# Folders with a dot in front are the tools' own, but for these.
_DOTTED = {".ci"}

_PYTHON = re.compile(r"(src/samara|tests/(python|tools|system)|tools)/.*\.py")
_DOCUMENT = re.compile(r"(docs/)?[\w/-]+\.md")


def is_python(name: str) -> bool:
    """Tell whether a file is Python that tests import."""
    return _PYTHON.fullmatch(name) is not None


def is_document(name: str) -> bool:
    """Tell whether a file is a page for people."""
    return _DOCUMENT.fullmatch(name) is not None


@cache
def all_files() -> tuple[Path, ...]:
    """List every file of the repository, in a stable order."""
    return tuple(walk(ROOT))


def with_suffix(*suffixes: str, under: Iterable[str] = ("",)) -> list[Path]:
    """List the files whose names end so, in the given folders."""
    folders = [ROOT / folder for folder in under]
    return [
        path
        for path in all_files()
        if path.suffix in suffixes
        and any(path.is_relative_to(folder) for folder in folders)
    ]


def with_interpreter(*names: str) -> list[Path]:
    """List the programs without a suffix whose first line names an interpreter."""
    return [
        path for path in all_files() if not path.suffix and _interpreter(path) in names
    ]


def shell_scripts() -> list[Path]:
    """List the shell scripts, with or without a suffix."""
    return with_suffix(".sh") + with_interpreter("sh", "bash")


def python_scripts() -> list[Path]:
    """List the Python programs that only their first line gives away."""
    return with_interpreter("python3")


def walk(folder: Path) -> Iterator[Path]:
    """Walk over the files of a copy of the project, what is made there left out."""
    for entry in sorted(os.scandir(folder), key=lambda entry: entry.name):
        path = Path(entry.path)
        if entry.is_dir(follow_symlinks=False):
            dotted = entry.name.startswith(".") and entry.name not in _DOTTED
            if not dotted and entry.name not in _NOT_OURS:
                yield from walk(path)
        elif entry.is_file(follow_symlinks=False):
            yield path


def _interpreter(path: Path) -> str:
    """Name the program of a `#!` line: "bash", "python3"; "" without one."""
    with path.open("rb") as file:
        first = file.readline(200)
    if not first.startswith(b"#!"):
        return ""
    words = first[2:].decode(errors="replace").split()
    return words[-1].rsplit("/", 1)[-1] if words else ""
