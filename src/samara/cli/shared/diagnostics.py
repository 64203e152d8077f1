# SPDX-License-Identifier: Apache-2.0
"""What a command tells beside its answer: exit status, warnings and errors.

An error is one sentence on stderr and nothing else. Warnings are therefore kept
until the command has ended without misuse.
"""

from __future__ import annotations

import sys
from enum import IntEnum

from samara.cli.shared.printable import printable_text
from samara.errors import MisuseError

__all__ = [
    "ExitCode",
    "MisuseError",
    "forget_warnings",
    "say",
    "say_warnings",
    "warn",
]

_warnings: list[str] = []


class ExitCode(IntEnum):
    """The exit status; scripts may rely on it."""

    DONE = 0
    REFUSED = 1
    """The command ran and something was refused: a message is not genuine, or did
    not arrive; a check failed."""
    MISUSE = 2
    """The call was wrong, or a file could not be read or written."""


def warn(text: str) -> None:
    """Keep a warning; it is printed once, when the command ends without misuse."""
    note(f"warning: {text}")


def note(text: str) -> None:
    """Keep a note; it is printed like a warning, though nothing is wrong."""
    if text not in _warnings:
        _warnings.append(text)


def say_warnings() -> None:
    """Print the warnings and notes to stderr and forget them."""
    for text in _warnings:
        say(text)
    forget_warnings()


def forget_warnings() -> None:
    """Forget the warnings and notes that were kept and not printed."""
    _warnings.clear()


def say(text: str) -> None:
    """Print `text` as one sentence to stderr; unprintable characters are escaped."""
    sentence = printable_text(" ".join(text.split()))
    if not sentence.endswith((".", "?", "!", ":")):
        sentence += "."
    print(f"samara: {sentence}", file=sys.stderr)
