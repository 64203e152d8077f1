# SPDX-License-Identifier: Apache-2.0
"""Reading and writing files so that no half-written one is ever seen."""

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
"""Bytes handled at a time."""
MEMORY_LIMIT = 256 * MIB
"""Bytes that a message may have when it must be in memory as a whole."""
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
        message = "stdin is closed; give -i FILE"
        raise MisuseError(message)


def pieces_of(file: IO[bytes]) -> Iterator[bytes]:
    """Yield the rest of `file` in pieces; on a terminal, show how far it is."""
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
        message = f"the input has more than {MEMORY_LIMIT // MIB} MiB"
        raise MisuseError(message)
    return content


def refuse_screen(path: Path) -> None:
    """Raise MisuseError when bytes would be written to a terminal, or nowhere."""
    if path != STANDARD_STREAM:
        return
    if sys.stdout is None:
        message = "stdout is closed; give -o FILE"
        raise MisuseError(message)
    if sys.stdout.isatty():
        message = "bytes are not written to a terminal; give -o FILE, or a pipe"
        raise MisuseError(message)


@contextlib.contextmanager
def writing(path: Path, *, hold: bool) -> Iterator[IO[bytes]]:
    """Open a file for writing; ``-`` is stdout.

    A regular file appears under its name, in place of an older one, when the
    block is left without an exception, and not at all otherwise. Bytes for
    stdout, a device or a pipe cannot be taken back: with `hold`, they are kept
    until then.
    """
    if path == STANDARD_STREAM:
        target: contextlib.AbstractContextManager[IO[bytes]] = _standard_output()
    elif path.exists() and not path.is_file():
        target = path.open("wb")
    else:
        # Through a link: what is replaced is the file, not the link.
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
    """Write a file that only its owner can read.

    Raises
    ------
    MisuseError
        When there is such a file already, unless `force` says to replace it.
    """
    try:
        with replacing(path, exclusive=not force, mode=MODE_OF_OWNER) as file:
            file.write(content)
    except FileExistsError:
        message = f"{path} exists; --force replaces it"
        raise MisuseError(message) from None


@contextlib.contextmanager
def _standard_output() -> Iterator[IO[bytes]]:
    yield sys.stdout.buffer
    sys.stdout.buffer.flush()


@contextlib.contextmanager
def _holding(file: IO[bytes]) -> Iterator[IO[bytes]]:
    # What does not fit into memory goes to a file without a name.
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
