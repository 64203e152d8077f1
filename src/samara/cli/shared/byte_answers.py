# SPDX-License-Identifier: Apache-2.0
"""Answers that are bytes: they go to a file or stdout, notices go to stderr."""

from __future__ import annotations

from contextlib import ExitStack, contextmanager
from functools import cached_property
from pathlib import Path
from typing import IO, TYPE_CHECKING, Annotated, Any, TypeAlias, cast

import typer
from rich.console import Console
from rich.progress import (
    BarColumn,
    DownloadColumn,
    Progress,
    TimeRemainingColumn,
    TransferSpeedColumn,
)

from samara.cli.shared import files
from samara.cli.shared.diagnostics import note, warn
from samara.crypto.pieces import rest_of
from samara.records import Notice

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

Input = Annotated[
    Path,
    typer.Option(
        "-i",
        "--input",
        metavar="FILE",
        help="Input file; - is stdin. Default: -.",
    ),
]
Output = Annotated[
    Path,
    typer.Option(
        "-o",
        "--output",
        metavar="FILE",
        help="Output file; - is stdout. Default: -.",
    ),
]
Pieces: TypeAlias = "Iterable[bytes | memoryview | Notice]"


def bytes_of(answer: Pieces) -> Iterator[bytes | memoryview]:
    """Yield the bytes of an answer; its notices are told when the command ends."""
    for each in answer:
        if isinstance(each, Notice):
            (warn if each.warns else note)(each.text)
        else:
            yield each


def convert(
    source: Path,
    target: Path,
    verified: Callable[[IO[bytes]], Pieces],
    unverified: Callable[[IO[bytes]], Pieces] | None = None,
) -> None:
    """Write what becomes of a file; ``-`` is stdin and stdout.

    Parameters
    ----------
    verified
        Takes the file, and yields bytes that are right as they come.
    unverified
        The same, faster, whose bytes must be undone if it does not come to its end.
        It is called where files can be undone.
    """
    files.refuse_screen(target)
    is_undone = unverified is not None and files.can_be_undone(target)
    answer = unverified if unverified is not None and is_undone else verified
    with ExitStack() as stack:
        pieces = bytes_of(answer(_opened_later(source, stack)))
        # What is refused at once changes nothing: not even an empty file is written.
        first = next(pieces, b"")
        with files.writing(target, hold=False) as written:
            written.write(first)
            written.writelines(pieces)


class _Later:
    """A file that is opened when it is first used: misuse is told before."""

    def __init__(self, opened: Callable[[], IO[bytes]]) -> None:
        self._opened = opened

    @cached_property
    def _file(self) -> IO[bytes]:
        return self._opened()

    def __getattr__(self, name: str) -> Any:  # noqa: ANN401 - what a file has
        return getattr(self._file, name)


def _opened_later(path: Path, stack: ExitStack) -> IO[bytes]:
    def opened() -> IO[bytes]:
        given = stack.enter_context(files.reading(path))
        return stack.enter_context(_followed(given))

    return cast("IO[bytes]", _Later(opened))


@contextmanager
def _followed(file: IO[bytes]) -> Iterator[IO[bytes]]:
    """Give a file that shows on stderr, if that is a terminal, how far it is read."""
    screen = Console(stderr=True)
    if not screen.is_terminal:
        yield file
        return
    columns = (
        BarColumn(),
        DownloadColumn(binary_units=True),
        TransferSpeedColumn(),
        TimeRemainingColumn(),
    )
    with Progress(*columns, console=screen, transient=True) as bars:
        bar = bars.add_task("", total=rest_of(file))
        yield cast("IO[bytes]", _Counted(file, lambda size: bars.advance(bar, size)))


class _Counted:
    """A file that tells how many bytes are read; Rich's own needs the length of all."""

    def __init__(self, file: IO[bytes], tell: Callable[[int], None]) -> None:
        self._file, self._tell = file, tell

    def read(self, size: int = -1) -> bytes:
        """Read as the file does."""
        piece = self._file.read(size)
        self._tell(len(piece))
        return piece
