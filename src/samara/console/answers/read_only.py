# SPDX-License-Identifier: Apache-2.0
"""A process that changes nothing: whatever a question does, it only reads.

Python tells of what it is about to do (audit events). Writing files, starting programs
and connections are refused, and so is reading what the text of a request names. It is a
second fence: requests say what they change.
"""

from __future__ import annotations

import os
import sys
from typing import Any, Final

from samara.errors import MisuseError

_REFUSED: Final = frozenset(
    {
        "os.chmod",
        "os.chown",
        "os.exec",
        "os.link",
        "os.mkdir",
        "os.posix_spawn",
        "os.remove",
        "os.rename",
        "os.rmdir",
        "os.symlink",
        "os.system",
        "os.truncate",
        "samara.randomness.given",
        "socket.bind",
        "socket.connect",
        "subprocess.Popen",
    }
)
_WRITES: Final = os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_TRUNC


class ChangeRefusedError(MisuseError, PermissionError):
    """Something would have been changed.

    Libraries take it for an error of the operating system: NumPy, for example, asks a
    program what the processor can do, and does without if there is none.
    """

    def __init__(self, event: str) -> None:
        super().__init__(
            "an answer on the page changes nothing, and reads nothing that a request"
            f" names; this would ({event}): run the command in a terminal"
        )


def refuse_changes() -> None:
    """Refuse all changes by this process, until it ends."""
    sys.dont_write_bytecode = True
    sys.addaudithook(_watch)


def _watch(event: str, arguments: tuple[Any, ...]) -> None:
    if event in _REFUSED or (event == "open" and _is_writing(*arguments)):
        raise ChangeRefusedError(event)


def _is_writing(path: object, _mode: object, flags: object) -> bool:
    return (
        path != os.devnull
        and not isinstance(path, int)
        and isinstance(flags, int)
        and bool(flags & _WRITES)
    )
