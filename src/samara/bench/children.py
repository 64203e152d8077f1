# SPDX-License-Identifier: Apache-2.0
"""Processes that must not outlive those that started them.

A simulator may run for minutes before it looks whether anybody waits for it, and
a process that measures does not look at all.
"""

from __future__ import annotations

import ctypes
import multiprocessing
import signal

_PR_SET_PDEATHSIG = 1
_LIBC = ctypes.CDLL(None)


def die_with_parent() -> None:
    """Have the kernel end this process when the one that started it ends."""
    _LIBC.prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)


def begin_worker() -> None:
    """Prepare a process that measures.

    A Ctrl-C at a terminal is for the one that started it, which ends this one.
    """
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    die_with_parent()


def end_workers() -> None:
    """End this process's workers, and with them their simulators and compilers."""
    for worker in multiprocessing.active_children():
        worker.kill()
