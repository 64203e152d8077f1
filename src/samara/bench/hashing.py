# SPDX-License-Identifier: Apache-2.0
"""Hashes of files."""

from __future__ import annotations

import hashlib
import os
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

_DIGITS = 16


def hash_of(words: Iterable[str]) -> str:
    """Return a hash of texts, which differs if their division differs."""
    digest = hashlib.sha256()
    for word in words:
        digest.update(word.encode() + b"\0")
    return digest.hexdigest()[:_DIGITS]


def hash_of_files(folders: Sequence[Path]) -> str:
    """Return a hash of all files in directories, and of their names."""
    digest = hashlib.sha256()
    for folder in folders:
        for path in sorted(folder.rglob("*")):
            if path.is_file() and "__pycache__" not in path.parts:
                digest.update(str(path.relative_to(folder)).encode() + b"\0")
                digest.update(hashlib.sha256(path.read_bytes()).digest())
    return digest.hexdigest()[:_DIGITS]


def content(path: str | Path) -> bytes:
    """Return a digest of a file, which is read again only after it has changed.

    Raises
    ------
    FileNotFoundError
        If there is no such file.
    """
    status = os.stat(path)  # noqa: PTH116 - a thousand times: a Path takes longer
    return _content(path, status.st_mtime_ns, status.st_size, status.st_ino)


@cache
def _content(path: str | Path, *_status: int) -> bytes:
    return hashlib.sha256(Path(path).read_bytes()).digest()
