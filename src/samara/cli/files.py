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

from samara.cli.outcome import MisuseError
from samara.drafts import MODE_OF_OWNER, replacing

if TYPE_CHECKING:
    from collections.abc import Iterator

MIB = 1 << 20
PIECE_SIZE = MIB
"""Bytes that are read and processed at a time."""
MEMORY_LIMIT = 256 * MIB
"""The longest message, in bytes, that is held in memory as a whole."""
STANDARD_STREAM = Path("-")


@contextlib.contextmanager
def reading(path: Path) -> Iterator[IO[bytes]]:
    """Open a file for reading; ``-`` is stdin."""
    if path != STANDARD_STREAM:
        with path.open("rb") as file:
            yield file
    elif sys.stdin is not None:
        yield sys.stdin.buffer
    else:
        message = "stdin is closed; name a file instead of -"
        raise MisuseError(message)


def pieces_of(file: IO[bytes]) -> Iterator[bytes]:
    """Yield the rest of `file` in pieces; show progress if stderr is a terminal."""
    status = os.fstat(file.fileno())
    total = status.st_size if stat.S_ISREG(status.st_mode) else None
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
        task = progress.add_task("", total=total)
        while piece := file.read(PIECE_SIZE):
            yield piece
            progress.advance(task, len(piece))


def whole(file: IO[bytes]) -> bytes:
    """Return the rest of `file`.

    Raises
    ------
    MisuseError
        When it is longer than `MEMORY_LIMIT`.
    """
    status = os.fstat(file.fileno())
    too_long = stat.S_ISREG(status.st_mode) and status.st_size > MEMORY_LIMIT
    content = b"" if too_long else file.read(MEMORY_LIMIT + 1)
    if too_long or len(content) > MEMORY_LIMIT:
        message = f"the input is longer than {MEMORY_LIMIT // MIB} MiB"
        raise MisuseError(message)
    return content


def refuse_screen(path: Path) -> None:
    """Raise MisuseError when stdout is a terminal, or closed, and `path` is ``-``."""
    if path != STANDARD_STREAM:
        return
    if sys.stdout is None:
        message = "stdout is closed; name an output file"
        raise MisuseError(message)
    if sys.stdout.isatty():
        message = (
            "the output is binary and stdout is a terminal; name an output file, or "
            "redirect stdout"
        )
        raise MisuseError(message)


@contextlib.contextmanager
def writing(path: Path, *, hold: bool) -> Iterator[IO[bytes]]:
    """Open a file for writing; ``-`` is stdout.

    A regular file appears under its name, and replaces an older one, when the
    block ends without an exception; otherwise nothing changes. Bytes written to
    stdout, a device or a pipe cannot be taken back: with `hold`, they are written
    only when the block has ended without an exception.
    """
    if path == STANDARD_STREAM:
        target: contextlib.AbstractContextManager[IO[bytes]] = _standard_output()
    elif path.exists() and not path.is_file():
        target = path.open("wb")
    else:
        # Replace the file that a symbolic link points to, not the link.
        path = Path(os.path.realpath(path))
        with replacing(path, exclusive=False, mode=_mode_of(path)) as file:
            yield file
        return
    with target as file:
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
