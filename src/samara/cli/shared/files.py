# SPDX-License-Identifier: Apache-2.0
"""Reading and writing files. An output file appears complete or not at all."""

from __future__ import annotations

import contextlib
import os
import shutil
import stat
import sys
import tempfile
from pathlib import Path
from typing import IO, TYPE_CHECKING

from samara.atomic_files import naming, replacing
from samara.crypto.pieces import MEMORY_LIMIT, PIECE_SIZE
from samara.standard_streams import STANDARD_STREAM, reading, refuse_screen

if TYPE_CHECKING:
    from collections.abc import Iterator

__all__ = [
    "STANDARD_STREAM",
    "can_be_undone",
    "reading",
    "refuse_screen",
    "writing",
]


def can_be_undone(path: Path) -> bool:
    """Tell whether `writing` changes nothing when its block fails.

    Bytes that are written to stdout, a device or a pipe cannot be taken back.
    """
    return path != STANDARD_STREAM and (path.is_file() or not path.exists())


@contextlib.contextmanager
def writing(path: Path, *, hold: bool) -> Iterator[IO[bytes]]:
    """Open a file for writing; ``-`` is stdout.

    A regular file appears under its name, and replaces an older one, when the
    block ends without an exception; otherwise nothing changes. For other files, with
    `hold`, bytes are written only when the block has ended without an exception.
    """
    if can_be_undone(path):
        # Replace the file that a symbolic link points to, not the link.
        path = Path(os.path.realpath(path))
        with replacing(path, exclusive=False, mode=_mode_of(path)) as file:
            yield file
        return
    standard = path == STANDARD_STREAM
    target = _standard_output() if standard else path.open("wb")
    with naming("stdout" if standard else path), target as file:
        if hold:
            with _holding(file) as held:
                yield held
        else:
            yield file


@contextlib.contextmanager
def _standard_output() -> Iterator[IO[bytes]]:
    yield sys.stdout.buffer
    sys.stdout.buffer.flush()


@contextlib.contextmanager
def _holding(file: IO[bytes]) -> Iterator[IO[bytes]]:
    # What does not fit into memory goes to a temporary file without a name.
    with tempfile.SpooledTemporaryFile(max_size=MEMORY_LIMIT) as held:
        yield held
        held.seek(0)
        shutil.copyfileobj(held, file, PIECE_SIZE)


def _mode_of(path: Path) -> int:
    if path.exists():
        return stat.S_IMODE(path.stat().st_mode)
    mask = os.umask(0)
    os.umask(mask)
    return 0o666 & ~mask
