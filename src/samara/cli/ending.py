# SPDX-License-Identifier: Apache-2.0
"""Commands that run until they are asked to end."""

import signal
from collections.abc import Callable

_REQUESTS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)


def when_asked() -> Callable[[], bool]:
    """Return what tells whether Ctrl-C, or another request to end, has come.

    From this call on such a request does nothing else: the command is to look,
    often, and to end in good order.
    """
    asked = False

    def note(*_: object) -> None:
        nonlocal asked
        asked = True

    for request in _REQUESTS:
        signal.signal(request, note)
    return lambda: asked
