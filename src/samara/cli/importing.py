# SPDX-License-Identifier: Apache-2.0
"""What SIGINT and SIGTERM do: end the process at once, until a command has begun.

Before that modules are imported and options are read, and nothing has to be removed.
As exceptions they may get lost there: in the C++ of an extension, in a callback of
Python's import, or in another exception that pydantic makes of them. A command that
has begun gets them as exceptions, so that unfinished output files are removed.
"""

import functools
import signal
import sys
from collections.abc import Callable
from types import FrameType
from typing import Any, NoReturn


def _exit(number: int, _: FrameType | None) -> NoReturn:
    sys.exit(128 + number)


_RAISING = {signal.SIGINT: signal.default_int_handler, signal.SIGTERM: _exit}
_held: list[signal.Signals] = []


def hold_signals() -> None:
    """Let both signals end the process. One that the parent ignores stays ignored."""
    for number in _RAISING:
        if signal.getsignal(number) is not signal.SIG_IGN:
            signal.signal(number, signal.SIG_DFL)
            _held.append(number)


def raising_signals(callback: Callable[..., Any]) -> Callable[..., Any]:
    """Return a function that lets held signals raise exceptions from its call on."""

    @functools.wraps(callback)
    def called(*arguments: Any, **options: Any) -> Any:  # noqa: ANN401 - those of any command
        while _held:
            number = _held.pop()
            signal.signal(number, _RAISING[number])
        return callback(*arguments, **options)

    return called
