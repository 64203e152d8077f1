# SPDX-License-Identifier: Apache-2.0
"""The lock of a state: one process at a time uses it."""

from __future__ import annotations

import contextlib
import fcntl
import os
import time
from typing import TYPE_CHECKING

from samara.link.node.state_file import StateError

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

LOCK = "lock"
"""The file that is locked, in the directory of the node."""
_LOCK_ATTEMPTS, _LOCK_PAUSE_S = 5, 0.01


def locked(folder: Path) -> contextlib.AbstractContextManager[None]:
    """Lock the state of a node without opening it.

    Raises
    ------
    StateError
        When another process uses it.
    """

    @contextlib.contextmanager
    def holding() -> Iterator[None]:
        os.close(os.open(folder / LOCK, os.O_CREAT | os.O_RDWR, 0o600))
        lock = lock_of(folder)
        try:
            yield
        finally:
            os.close(lock)

    return holding()


def is_in_use(folder: Path) -> bool:
    """Return whether a process uses the state."""
    try:
        os.close(lock_of(folder))
    except StateError:
        return True
    return False


def lock_of(folder: Path) -> int:
    """Lock a state; return the descriptor that holds the lock until it is closed.

    Raises
    ------
    StateError
        When another process uses it.
    """
    lock = os.open(folder / LOCK, os.O_RDWR | os.O_CLOEXEC)
    # Repeated, because `is_in_use` holds the lock for a moment.
    for _ in range(_LOCK_ATTEMPTS):
        with contextlib.suppress(BlockingIOError):
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            return lock
        time.sleep(_LOCK_PAUSE_S)
    os.close(lock)
    message = (
        f"another process is using the node {folder}: stop it first; only `samara node "
        "up` does things for other commands while it runs"
    )
    raise StateError(message)
