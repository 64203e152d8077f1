# SPDX-License-Identifier: Apache-2.0
"""Input of any size in pieces, and copies of it that nobody else can change."""

from __future__ import annotations

import contextlib
import os
import shutil
import tempfile
from typing import IO, TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

PIECE_SIZE = 1 << 20
"""Bytes that are read and processed at a time."""
MEMORY_LIMIT = 256 << 20
"""The longest message, in bytes, that is held in memory as a whole."""


def pieces_of(file: IO[bytes]) -> Iterator[bytes]:
    """Yield the rest of `file` in pieces."""
    while piece := file.read(PIECE_SIZE):
        yield piece


def rest_of(file: IO[bytes]) -> int | None:
    """Return how many bytes there are to read, if the file tells."""
    if not file.seekable():
        return None
    here = file.tell()
    end = file.seek(0, os.SEEK_END)
    file.seek(here)
    # Some devices end at 0, and never.
    return max(end - here, 0) or None


def whole(file: IO[bytes], limit: int) -> bytearray | None:
    """Return the rest of `file`; None when it is longer than `limit` bytes."""
    if (rest_of(file) or 0) > limit:
        return None
    content = bytearray()
    while piece := file.read(min(PIECE_SIZE, limit + 1 - len(content))):
        content += piece
    return content if len(content) <= limit else None


@contextlib.contextmanager
def copied(file: IO[bytes]) -> Iterator[IO[bytes]]:
    """Give a copy of the rest of `file`, at its beginning, that nobody else can open.

    What does not fit into a piece goes to a temporary file without a name, which only
    its owner could read. It is gone when the block, or the process, ends.
    """
    with tempfile.SpooledTemporaryFile(max_size=PIECE_SIZE) as copy:
        shutil.copyfileobj(file, copy, PIECE_SIZE)
        copy.seek(0)
        yield copy
