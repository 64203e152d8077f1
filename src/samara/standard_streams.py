# SPDX-License-Identifier: Apache-2.0
"""Stdin and stdout where a file is named: `-` stands for them."""

from __future__ import annotations

import contextlib
import os
import sys
from pathlib import Path
from typing import IO, TYPE_CHECKING

from samara.errors import MisuseError

if TYPE_CHECKING:
    from collections.abc import Iterator

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


def refuse_closed() -> None:
    """Raise MisuseError when stdout is closed: what is printed would be lost."""
    if sys.stdout is None:
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
