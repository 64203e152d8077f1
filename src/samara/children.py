# SPDX-License-Identifier: Apache-2.0
"""Programs that end when the process that started them ends.

A simulator may run for minutes before it notices that its output is closed.
"""

from __future__ import annotations

import ctypes
import signal

_PR_SET_PDEATHSIG = 1
_LIBC = ctypes.CDLL(None)


def die_with_parent() -> None:
    """Make the kernel kill this process when the one that started it ends."""
    _LIBC.prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)
