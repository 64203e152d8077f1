# SPDX-License-Identifier: Apache-2.0
"""Paths that a parameter takes: of what is there, or of where something may be made."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable


@dataclass(frozen=True, slots=True)
class Paths:
    """All paths of one kind."""

    name: str
    is_one: Callable[[Path], bool]

    def __contains__(self, value: object) -> bool:
        return isinstance(value, Path) and self.is_one(value)

    def __str__(self) -> str:
        return self.name


def _may_be_directory(path: Path) -> bool:
    return path.is_dir() or not path.exists()


FILE = Paths("a file that exists", Path.is_file)
DIRECTORY = Paths("a directory that exists", Path.is_dir)
EXISTING = Paths("a file or directory that exists", Path.exists)
OUTPUT_DIRECTORY = Paths("a directory, which is made if missing", _may_be_directory)
