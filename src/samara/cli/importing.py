# SPDX-License-Identifier: Apache-2.0
"""What an interrupt does while modules are imported."""

import signal
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def ended_by_interrupt() -> Iterator[None]:
    """Let SIGINT end the process at once: for imports, when nothing has to be removed.

    As an exception it may get lost in the C++ of an extension, or abort that. If the
    parent ignores SIGINT, it stays ignored.
    """
    if signal.getsignal(signal.SIGINT) is not signal.default_int_handler:
        yield
        return
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, signal.default_int_handler)
