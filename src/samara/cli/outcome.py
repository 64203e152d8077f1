# SPDX-License-Identifier: Apache-2.0
"""How a command ends, and what it says when it does.

Misuse is answered with one sentence on stderr, and with nothing else: warnings
are therefore kept until it is known that there was none.
"""

from __future__ import annotations

import sys
from enum import IntEnum

from samara.cli.printable import printable_text
from samara.errors import MisuseError

__all__ = ["ExitCode", "MisuseError", "say", "say_warnings", "warn"]

_warnings: list[str] = []


class ExitCode(IntEnum):
    """The exit codes that scripts may rely on."""

    DONE = 0
    REFUSED = 1
    """The cipher refused: the message is not genuine."""
    MISUSE = 2
    """The call was wrong, or a file could not be read or written."""


def warn(text: str) -> None:
    """Say `text` on stderr, once, when the command has ended without misuse."""
    if text not in _warnings:
        _warnings.append(text)


def say_warnings() -> None:
    """Write what was warned about."""
    for text in _warnings:
        say(f"warning: {text}")
    _warnings.clear()


def say(text: str) -> None:
    """Write `text` as one sentence to stderr; what does not print is escaped."""
    sentence = printable_text(" ".join(text.split()))
    if not sentence.endswith((".", "?", "!")):
        sentence += "."
    print(f"samara: {sentence}", file=sys.stderr)
