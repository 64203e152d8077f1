# SPDX-License-Identifier: Apache-2.0
"""Hashes of files."""

from __future__ import annotations

import contextlib
import hashlib
import os
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

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
    if _looked_at is None:
        return _content_now(path)
    if path not in _looked_at:
        _looked_at[path] = _content_now(path)
    return _looked_at[path]


def _content_now(path: str | Path) -> bytes:
    status = os.stat(path)  # noqa: PTH116 - a thousand times: a Path takes longer
    return _content(path, status.st_mtime_ns, status.st_size, status.st_ino)


@cache
def _content(path: str | Path, *_status: int) -> bytes:
    return hashlib.sha256(Path(path).read_bytes()).digest()


# Digests of the files that were looked at since `looking_once` began.
_looked_at: dict[str | Path, bytes] | None = None


@contextlib.contextmanager
def looking_once() -> Iterator[None]:
    """Let `content` look once at each file, however often it is asked.

    The programs of an answer have most of their header files in common: to ask the
    system for each of them again took a third of the time of the answer.
    """
    global _looked_at  # noqa: PLW0603 - one process, one answer after the other
    before = _looked_at
    _looked_at = {} if before is None else before
    try:
        yield
    finally:
        _looked_at = before
