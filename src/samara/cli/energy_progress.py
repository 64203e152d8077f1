# SPDX-License-Identifier: Apache-2.0
"""The progress bar of commands that compute for longer than a second."""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING

from rich.console import Console
from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator


@contextmanager
def progress(text: str) -> Iterator[Callable[[float], None]]:
    """Show a bar on stderr while the block runs; nothing if that is no terminal.

    Yields
    ------
    What is told which share is done. Until then the bar has no length.
    """
    screen = Console(stderr=True)
    columns = (TextColumn("{task.description}"), BarColumn(), TimeElapsedColumn())
    with Progress(
        *columns, console=screen, transient=True, disable=not screen.is_terminal
    ) as bars:
        bar = bars.add_task(text, total=None)
        yield lambda share: bars.update(bar, total=1.0, completed=share)
