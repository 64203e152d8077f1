# SPDX-License-Identifier: Apache-2.0
"""Questions to the user at a terminal."""

from __future__ import annotations

import sys

from samara.errors import MisuseError


def agrees(question: str) -> bool:
    """Ask a question on stderr; return whether the answer is yes.

    Raises
    ------
    MisuseError
        When nobody is there to answer.
    """
    if sys.stdin is None or not sys.stdin.isatty():
        message = "stdin is no terminal, and nobody can be asked: give --yes"
        raise MisuseError(message)
    print(f"{question} [y/N] ", end="", file=sys.stderr, flush=True)
    return sys.stdin.readline().strip().lower() in ("y", "yes")
