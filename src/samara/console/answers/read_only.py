# SPDX-License-Identifier: Apache-2.0
"""A process that changes nothing: whatever a question does, it only reads.

Python tells of what it is about to do (audit events). Writing files, starting programs
and connections are refused, and so is reading what the text of a request names. It is a
second fence: requests say what they change.

Two things are let through, so that the page says the same of results as a command does:
compilers that tell their version or preprocess, and the bench's files with what was
found out before, which can be deleted at any time.
"""

from __future__ import annotations

import contextlib
import os
import re
import sys
from typing import TYPE_CHECKING, Any, Final

from samara import children
from samara.bench import places
from samara.errors import MisuseError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator
    from pathlib import Path

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
_PATHS: Final = {"open": 1, "os.mkdir": 1, "os.remove": 1, "os.rename": 2}
"""How many of an event's first arguments are the paths that it changes."""
_COMPILER: Final = re.compile(r"(.*-)?(cc|gcc|clang)(-[0-9.]+)?")
_TELLS: Final = {"--version", "-E", "-print-resource-dir"}
"""Options with which a compiler writes to its stdout only, unless there is `-o`."""


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
    # To find out how programs are tied to this one is to start a program.
    children.untied([])
    sys.addaudithook(_watcher([os.path.realpath(each) for each in _found_before()]))


def _found_before() -> Iterator[Path]:
    with contextlib.suppress(places.NoSourcesError, places.NoHomeError):
        yield places.texts()
        yield places.index()


def _watcher(own: Iterable[str]) -> Callable[[str, tuple[Any, ...]], None]:
    folders = tuple(f"{folder}{os.sep}" for folder in own)

    def watch(event: str, arguments: tuple[Any, ...]) -> None:
        changes = event in _REFUSED or (event == "open" and _is_writing(*arguments))
        if changes and not (
            _only_tells(event, arguments) or _is_in(folders, event, arguments)
        ):
            raise ChangeRefusedError(event)

    return watch


def _only_tells(event: str, arguments: tuple[Any, ...]) -> bool:
    if event != "subprocess.Popen":
        return False
    _, words, *_ = arguments
    if not isinstance(words, list):
        return False
    words = children.untied(words)
    return (
        _COMPILER.fullmatch(os.path.basename(words[0])) is not None  # noqa: PTH119 - a text
        and not _TELLS.isdisjoint(words)
        and "-o" not in words
    )


def _is_in(folders: tuple[str, ...], event: str, arguments: tuple[Any, ...]) -> bool:
    """Tell whether an event changes nothing outside of directories."""
    paths = arguments[: _PATHS.get(event, 0)]
    return bool(paths) and all(
        isinstance(each, (str, os.PathLike))
        and f"{os.path.realpath(each)}{os.sep}".startswith(folders)
        for each in paths
    )


def _is_writing(path: object, _mode: object, flags: object) -> bool:
    return (
        path != os.devnull
        and not isinstance(path, int)
        and isinstance(flags, int)
        and bool(flags & _WRITES)
    )
