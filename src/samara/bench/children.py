# SPDX-License-Identifier: Apache-2.0
"""Processes that end when the process that started them ends.

A simulator may run for minutes before it notices that its output is closed, and a
process that measures never notices.
"""

from __future__ import annotations

import ctypes
import multiprocessing
import signal
from concurrent.futures import ProcessPoolExecutor
from contextlib import contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator
    from concurrent.futures import Executor

_PR_SET_PDEATHSIG = 1
_LIBC = ctypes.CDLL(None)


def die_with_parent() -> None:
    """Make the kernel kill this process when the one that started it ends."""
    _LIBC.prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)


@contextmanager
def executor(jobs: int) -> Iterator[Executor]:
    """Give an executor with so many processes, which end with this one.

    If the block is left by an exception, the processes are killed, with their
    simulators and compilers: what they do may take minutes.
    """
    pool = ProcessPoolExecutor(jobs, initializer=_begin_worker)
    try:
        yield pool
    except BaseException:
        _end_workers()
        raise
    finally:
        pool.shutdown(cancel_futures=True)


def _begin_worker() -> None:
    """Prepare a process of the pool.

    It ignores Ctrl-C at a terminal: the process that started it ends it.
    """
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    die_with_parent()


def _end_workers() -> None:
    """Kill the processes of the pool; the kernel then kills what they started."""
    for worker in multiprocessing.active_children():
        worker.kill()
