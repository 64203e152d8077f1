# SPDX-License-Identifier: Apache-2.0
"""Why a serial port cannot be opened, in words for those who have to change it."""

from __future__ import annotations

import errno
import os
import termios
from pathlib import Path

_IN_USE = {errno.EAGAIN, errno.EBUSY}
_FORBIDDEN = {errno.EACCES, errno.EPERM}
# pyserial tells this by its text alone, or as an error of the terminal.
_NOT_CONFIGURED = "Could not configure port"


def not_opened(path: str, error: Exception) -> str:
    """Return the sentence that says that a port cannot be opened, and why.

    Parameters
    ----------
    error
        What pyserial raised.

    >>> not_opened("/dev/ttyACM0", BlockingIOError(errno.EAGAIN, ""))
    'the serial port /dev/ttyACM0 cannot be opened: another program uses it'
    """
    return f"the serial port {path} cannot be opened: {_reason(path, error)}"


def _reason(path: str, error: Exception) -> str:
    number = getattr(error, "errno", None)
    if number in _IN_USE:
        return "another program uses it"
    if number in _FORBIDDEN:
        return f"you may not use it; {_group_of(path)} may"
    if isinstance(error, termios.error) or _NOT_CONFIGURED in str(error):
        return "it is no serial port"
    return os.strerror(number) if number else str(error)


def _group_of(path: str) -> str:
    """Return who may use a port, such as "members of the group dialout"."""
    try:
        name = Path(path).group()
    except (OSError, KeyError):
        name = "dialout"
    return f"members of the group {name}"
