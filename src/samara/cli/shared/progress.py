# SPDX-License-Identifier: Apache-2.0
"""How far commands are that compute for longer than a second: a bar, or lines."""

from __future__ import annotations

import os
import sys
import time
from contextlib import contextmanager
from typing import TYPE_CHECKING, Protocol

from rich.console import Console

from samara.cli.shared.diagnostics import say

if TYPE_CHECKING:
    from collections.abc import Iterator


_FIRST_LINE_S, _EACH_LINE_S = 20.0, 60.0

#: Environment variable that switches the lines off, with the value `off`.
SWITCH = "SAMARA_PROGRESS"


class TellProgress(Protocol):
    """What is told how far a command is."""

    def __call__(self, share: float | None, doing: str = ...) -> None:
        """Show this share of the whole; None while it is not known."""
        ...


@contextmanager
def progress(text: str) -> Iterator[TellProgress]:
    """Show a bar on stderr while the block runs, or lines if that is no terminal.

    Lines are for a log, or for who waits at a pipe: the first after 20 s, then one each
    minute. There are none where the environment has SAMARA_PROGRESS=off.

    Parameters
    ----------
    text
        What is being done; empty: nothing is shown.

    Yields
    ------
    What is told which share is done, and what is being done if that is something else
    than before. Until it knows a share the bar has no length.
    """
    screen = Console(stderr=True, emoji=False)
    if not text or sys.stderr is None:
        yield lambda *_: None
        return
    if not screen.is_terminal:
        is_off = os.environ.get(SWITCH) == "off"
        yield (lambda *_: None) if is_off else _Lines(text)
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


class _Lines:
    """Says now and then how far a command is."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._begin_s = time.monotonic()
        self._next_s = self._begin_s + _FIRST_LINE_S

    def __call__(self, share: float | None, doing: str = "") -> None:
        now_s = time.monotonic()
        if now_s < self._next_s:
            return
        self._next_s = now_s + _EACH_LINE_S
        taken_s = now_s - self._begin_s
        parts = [doing or self._text, f"{taken_s:.0f} s so far"]
        if share:
            left_s = taken_s * (1 - share) / share
            parts[1:1] = [f"{share * 100:.0f} % done"]
            parts.append(f"some {left_s:.0f} s left")
        say(", ".join(parts))
