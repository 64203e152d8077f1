# SPDX-License-Identifier: Apache-2.0
"""Tidying up after a process, however it ends.

A watcher is a process that does nothing but wait. When the process that started it is
gone, also by SIGKILL, it does what was left to do, and ends.
"""

from __future__ import annotations

import contextlib
import os
import select
import signal
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

_IGNORED = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGPIPE)
_FILES_MAX = 4096


@contextlib.contextmanager
def tidied(tidy: Callable[[], None]) -> Iterator[None]:
    """Call a function at the end of the block, or when this process was killed.

    Parameters
    ----------
    tidy
        It may be called in another process, a copy of this one from before the block.
    """
    watcher = _started(tidy)
    try:
        yield
    finally:
        try:
            tidy()
        finally:
            with contextlib.suppress(ProcessLookupError):
                os.kill(watcher, signal.SIGKILL)
            os.waitpid(watcher, 0)


def _started(tidy: Callable[[], None]) -> int:
    watched = os.pidfd_open(os.getpid())
    watcher = os.fork()
    if watcher:
        os.close(watched)
        return watcher
    try:
        # What ends a group of processes, or a terminal's, must not end this one.
        os.setsid()
        for number in _IGNORED:
            signal.signal(number, signal.SIG_IGN)
        _close_all_but(watched)
        select.select([watched], [], [])
        tidy()
    finally:
        os._exit(0)


def _close_all_but(kept: int) -> None:
    """Let go of files: others wait for the end of a pipe that this process has."""
    nothing = os.open(os.devnull, os.O_RDWR)
    for standard in range(3):
        os.dup2(nothing, standard)
    os.closerange(3, kept)
    os.closerange(kept + 1, _FILES_MAX)
