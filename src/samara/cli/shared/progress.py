# SPDX-License-Identifier: Apache-2.0
"""The progress bar of commands that compute for longer than a second."""

from __future__ import annotations

import sys
from contextlib import contextmanager
from typing import TYPE_CHECKING, Protocol

from rich.console import Console

if TYPE_CHECKING:
    from collections.abc import Iterator


class TellProgress(Protocol):
    """What is told how far a command is."""

    def __call__(self, share: float | None, doing: str = ...) -> None:
        """Show this share of the whole; None while it is not known."""
        ...


@contextmanager
def progress(text: str) -> Iterator[TellProgress]:
    """Show a bar on stderr while the block runs; nothing if that is no terminal.

    Parameters
    ----------
    text
        What is being done; empty: there is no bar.

    Yields
    ------
    What is told which share is done, and what is being done if that is something else
    than before. Until it knows a share the bar has no length.
    """
    screen = Console(stderr=True)
    if not (text and screen.is_terminal):
        yield lambda *_: None
        return
    # It takes long to import, for a short command whose output is no terminal.
    from rich.progress import (  # noqa: PLC0415
        BarColumn,
        Progress,
        TextColumn,
        TimeElapsedColumn,
        TimeRemainingColumn,
    )

    columns = (
        TextColumn("{task.description}"),
        BarColumn(),
        TimeElapsedColumn(),
        TextColumn("left:"),
        TimeRemainingColumn(),
    )
    with Progress(
        *columns,
        console=screen,
        transient=True,
        # Rich would send a file's or a pipe's lines to the terminal, too.
        redirect_stdout=sys.stdout is not None and sys.stdout.isatty(),
    ) as bars:
        bar = bars.add_task(text, total=None)

        def tell(share: float | None, doing: str = text) -> None:
            total = None if share is None else 1.0
            bars.update(bar, total=total, completed=share or 0.0, description=doing)

        yield tell
