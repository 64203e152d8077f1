# SPDX-License-Identifier: Apache-2.0
"""Finding the project's own files, in a clone or in a plain copy of one."""

import os
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

from testing.session import ROOT

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
