# SPDX-License-Identifier: Apache-2.0
"""Stopping commands that run until a signal asks them to stop."""

import signal
from collections.abc import Callable

_REQUESTS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)


def stop_on_signals() -> Callable[[], bool]:
    """Return a function that tells whether the process was asked to stop.

    SIGINT (Ctrl-C), SIGTERM and SIGHUP are requests. After this call they no longer
    end the process: the command must call the function often, and end by itself.
    """
    asked = False

    def note(*_: object) -> None:
        nonlocal asked
        asked = True

    for request in _REQUESTS:
        signal.signal(request, note)
    return lambda: asked
