# SPDX-License-Identifier: Apache-2.0
"""Programs that end when the process that started them ends.

A simulator may run for minutes before it notices that its output is closed. setpriv,
of util-linux, asks the kernel for that, and becomes the program. To ask between fork
and exec would have a process of many megabytes copied first, for each program.
"""

from __future__ import annotations

import shutil
import subprocess
from functools import cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence


def tied(
    command: Sequence[str],
    sent: str = "KILL",
    environment: Mapping[str, str] | None = None,
) -> list[str]:
    """Return a command whose program ends with the thread that starts it.

    Where setpriv is not, or cannot do that, this is the command itself.

    Parameters
    ----------
    sent
        The signal that the program gets.
    environment
        What the program gets: its PATH is searched. None: that of this process.

    Raises
    ------
    FileNotFoundError
        If there is no such program; setpriv would find that out too late.
    """
    path = None if environment is None else environment.get("PATH")
    if shutil.which(command[0], path=path) is None:
        raise FileNotFoundError(command[0])
    helper = _helper()
    tie = [] if helper is None else [helper, "--pdeathsig", sent, "--"]
    return [*tie, *command]


def untied(command: list[str]) -> list[str]:
    """Return the command that `tied` was given, for what it returned."""
    return command[_TIE_WORDS:] if command[:1] == [_helper()] else command


_TIE_WORDS = 4


@cache
def _helper() -> str | None:
    """Return setpriv, if it can send a signal: that of BusyBox cannot."""
    helper = shutil.which("setpriv")
    if helper is None:
        return None
    tried = subprocess.run(  # noqa: S603 - found as a shell finds it
        [helper, "--pdeathsig", "KILL", "--", helper, "--version"],
        stdin=subprocess.DEVNULL,
        capture_output=True,
        check=False,
    )
    return helper if tried.returncode == 0 else None
