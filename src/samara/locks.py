# SPDX-License-Identifier: Apache-2.0
"""Locks: a path that one process of this machine has at a time."""

from __future__ import annotations

import fcntl
import os
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path


class PathLock:
    """Reserves a path for this process, by a locked file beside it.

    The file has the path's name with ``.lock`` added. The lock ends with the
    process, however that ends; a file that is left over reserves nothing.

    Parameters
    ----------
    path
        What is reserved. It need not exist.
    waits
        Whether to wait while another process has it.

    Raises
    ------
    BlockingIOError
        If another process has it, and this one does not wait.
    OSError
        If the file cannot be made.
    """

    def __init__(self, path: Path, *, waits: bool = False) -> None:
        self._path = path.with_name(path.name + ".lock")
        self._file = _locked(self._path, fcntl.LOCK_EX | fcntl.LOCK_NB * (not waits))

    def close(self) -> None:
        """Release the path."""
        if self._file >= 0:
            self._path.unlink(missing_ok=True)
            os.close(self._file)
            self._file = -1


def is_held(path: Path) -> bool:
    """Tell whether a process has a path by a `PathLock` that this user can see."""
    try:
        file = os.open(path.with_name(path.name + ".lock"), os.O_RDWR | os.O_CLOEXEC)
    except OSError:
        return False
    try:
        fcntl.flock(file, fcntl.LOCK_SH | fcntl.LOCK_NB)
    except BlockingIOError:
        return True
    finally:
        os.close(file)
    return False


def _locked(path: Path, how: int) -> int:
    while True:
        file = os.open(path, os.O_CREAT | os.O_RDWR | os.O_CLOEXEC, 0o600)
        try:
            fcntl.flock(file, how)
            # The previous owner may have removed it meanwhile.
            if _is_at(path, file):
                return file
        except BaseException:
            os.close(file)
            raise
        os.close(file)


def _is_at(path: Path, file: int) -> bool:
    try:
        return path.stat().st_ino == os.fstat(file).st_ino
    except FileNotFoundError:
        return False
