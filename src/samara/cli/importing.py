# SPDX-License-Identifier: Apache-2.0
"""What SIGINT and SIGTERM do: end the process at once, but while a command runs.

Before that modules are imported and options are read, and nothing has to be removed.
As exceptions they may get lost there: in the C++ of an extension, in a callback of
Python's import, or in another exception that pydantic makes of them. A command that
has begun gets the first of them as an exception, so that unfinished output files are
removed. Another one ends the process at once, as does one after the command.
"""

import functools
import os
import signal
import sys
import threading
from collections.abc import Callable
from types import FrameType
from typing import Any, NoReturn, ParamSpec, TypeVar

_P = ParamSpec("_P")
_T = TypeVar("_T")
_AGAIN_S = 0.01


def _interrupt(number: int, _: FrameType | None) -> NoReturn:
    signal.signal(number, signal.SIG_DFL)
    raise KeyboardInterrupt


def _exit(number: int, _: FrameType | None) -> NoReturn:
    signal.signal(number, signal.SIG_DFL)
    sys.exit(128 + number)


_RAISING = {signal.SIGINT: _interrupt, signal.SIGTERM: _exit}
_held: list[signal.Signals] = []


def hold_signals() -> None:
    """Let both signals end the process. One that the parent ignores stays ignored."""
    for number in _RAISING:
        if signal.getsignal(number) is not signal.SIG_IGN:
            signal.signal(number, signal.SIG_DFL)
            _held.append(number)


def raising_signals(callback: Callable[..., Any]) -> Callable[..., Any]:
    """Return a function that lets held signals raise exceptions while it runs."""

    @functools.wraps(callback)
    def called(*arguments: Any, **options: Any) -> Any:  # noqa: ANN401 - those of any command
        if not _held:
            return callback(*arguments, **options)
        sys.unraisablehook = _send_again
        try:
            _set({number: _RAISING[number] for number in _held})
            return callback(*arguments, **options)
        finally:
            _set(dict.fromkeys(_held, signal.SIG_DFL))

    return called


def restoring_signals(function: Callable[_P, _T]) -> Callable[_P, _T]:
    """Return a function that leaves handlers of signals as it found them.

    Commands that run until a signal stops them set their own, in the main thread.
    """

    @functools.wraps(function)
    def called(*arguments: _P.args, **options: _P.kwargs) -> _T:
        before = {each: signal.getsignal(each) for each in signal.valid_signals()}
        try:
            return function(*arguments, **options)
        finally:
            _set({n: h for n, h in before.items() if h is not signal.getsignal(n)})

    return called


def _set(handlers: dict[signal.Signals, Any]) -> None:
    for number, handler in handlers.items():
        signal.signal(number, handler)


def _send_again(lost: Any) -> None:  # noqa: ANN401 - Python does not name the type
    """Send a signal again whose exception was lost, such as in a callback of import.

    Python would print a traceback, and the command would go on.
    """
    numbers = {KeyboardInterrupt: signal.SIGINT, SystemExit: signal.SIGTERM}
    number = numbers.get(lost.exc_type)
    if number is None:
        sys.__unraisablehook__(lost)
        return
    signal.signal(number, _RAISING[number])
    # Not now: it would be lost in the same place.
    again = threading.Timer(_AGAIN_S, os.kill, (os.getpid(), number))
    again.daemon = True
    again.start()
