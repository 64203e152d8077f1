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

from rich.console import Console
from rich.progress import (
    BarColumn,
    DownloadColumn,
    Progress,
    TimeRemainingColumn,
    TransferSpeedColumn,
)

from samara.atomic_files import MODE_OF_OWNER, naming, replacing
from samara.cli.shared.diagnostics import MisuseError
from samara.standard_streams import STANDARD_STREAM, reading, refuse_screen

if TYPE_CHECKING:
    from collections.abc import Iterator

__all__ = [
    "MEMORY_LIMIT",
    "MIB",
    "PIECE_SIZE",
    "STANDARD_STREAM",
    "can_be_undone",
    "copied",
    "pieces_of",
    "reading",
    "refuse_screen",
    "whole",
    "write_secret",
    "writing",
]

MIB = 1 << 20
PIECE_SIZE = MIB
"""Bytes that are read and processed at a time."""
MEMORY_LIMIT = 256 * MIB
"""The longest message, in bytes, that is held in memory as a whole."""


def pieces_of(file: IO[bytes]) -> Iterator[bytes]:
    """Yield the rest of `file` in pieces; show progress if stderr is a terminal."""
    console = Console(stderr=True)
    columns = (
        BarColumn(),
        DownloadColumn(binary_units=True),
        TransferSpeedColumn(),
        TimeRemainingColumn(),
    )
    with Progress(
        *columns, console=console, transient=True, disable=not console.is_terminal
    ) as progress:
        task = progress.add_task("", total=_rest_of(file))
        while piece := file.read(PIECE_SIZE):
            yield piece
            progress.advance(task, len(piece))


def _rest_of(file: IO[bytes]) -> int | None:
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
    if (_rest_of(file) or 0) > limit:
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


def write_secret(path: Path, content: bytes, *, force: bool) -> None:
    """Write a file that only its owner can read or write.

    Raises
    ------
    MisuseError
        When the file exists and `force` is false.
    """
    try:
        with replacing(path, exclusive=not force, mode=MODE_OF_OWNER) as file:
            file.write(content)
    except FileExistsError:
        message = f"{path} exists; give --force to replace it"
        raise MisuseError(message) from None


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
