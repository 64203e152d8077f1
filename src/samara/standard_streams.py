# SPDX-License-Identifier: Apache-2.0
"""Stdin and stdout where a file is named: `-` stands for them."""

from __future__ import annotations

import contextlib
import errno
import io
import os
import sys
from pathlib import Path
from typing import IO, TYPE_CHECKING

from samara.errors import MisuseError

if TYPE_CHECKING:
    from collections.abc import Iterator

STANDARD_STREAM = Path("-")


class _Closed(io.RawIOBase):
    """A stdout that was closed before the process began: writing to it is an error."""

    _is_told = False

    def writable(self) -> bool:
        return True

    def write(self, data: object) -> int:
        """Raise OSError, and discard what comes afterwards, such as by Python's end."""
        if not self._is_told:
            self._is_told = True
            text = "it is closed; redirect it, or name an output file"
            raise OSError(errno.EBADF, text, "stdout")
        return memoryview(data).nbytes  # type: ignore[arg-type] # as of RawIOBase


def hold_closed() -> None:
    """Take the numbers of standard streams that are closed, before a file gets them.

    What another program or a library prints would go into that file. What this process
    prints to a closed stdout is an error, as it would be lost.
    """
    for number in range(3):
        try:
            os.fstat(number)
        except OSError:
            # The least number that is free.
            os.set_inheritable(os.open(os.devnull, os.O_RDWR), True)  # noqa: FBT003 - by position only
    if sys.stdout is None:
        sys.stdout = io.TextIOWrapper(io.BufferedWriter(_Closed()), encoding="utf-8")


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


def refuse_closed() -> None:
    """Raise MisuseError when stdout is closed: what is printed would be lost."""
    raw = getattr(getattr(sys.stdout, "buffer", None), "raw", None)
    # None where another program calls `run`, and has held nothing.
    if sys.stdout is None or isinstance(raw, _Closed):
        message = "stdout is closed; name an output file"
        raise MisuseError(message)


def refuse_screen(path: Path) -> None:
    """Raise MisuseError when stdout is a terminal, or closed, and `path` is ``-``."""
    if path != STANDARD_STREAM:
        return
    refuse_closed()
    if sys.stdout.isatty():
        message = (
            "the output is binary and stdout is a terminal; name an output file, or "
            "redirect stdout"
        )
        raise MisuseError(message)


def forget_stdout() -> None:
    """Discard what is still buffered for stdout.

    When writing has failed, Python's flush at exit would report the same error again.
    """
    with contextlib.suppress(OSError, ValueError, AttributeError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
