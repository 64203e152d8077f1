# SPDX-License-Identifier: Apache-2.0
"""One descriptor for a socket and for what was taken from it and waits in memory."""

from __future__ import annotations

import contextlib
import os
import select


class ReadyEvent:
    """Readable when another descriptor is, or while it is set.

    Parameters
    ----------
    other
        The descriptor that is watched, too.
    """

    def __init__(self, other: int) -> None:
        self._event = os.eventfd(0, os.EFD_NONBLOCK | os.EFD_CLOEXEC)
        self._epoll = select.epoll()
        self._other = other
        for each in (self._event, other):
            self._epoll.register(each, select.EPOLLIN)

    def watch(self, other: int) -> None:
        """Watch this descriptor in place of the other one, which may be closed.

        The number may be the same: one that was closed is watched no more.
        """
        with contextlib.suppress(OSError):
            self._epoll.unregister(self._other)
        self._epoll.register(other, select.EPOLLIN)
        self._other = other

    def fileno(self) -> int:
        """Return the descriptor."""
        return self._epoll.fileno()

    def set(self) -> None:
        """Be readable until cleared."""
        os.eventfd_write(self._event, 1)

    def clear(self) -> None:
        """Be readable only when the other descriptor is."""
        # It may not have been set.
        with contextlib.suppress(BlockingIOError):
            os.eventfd_read(self._event)

    def close(self) -> None:
        """Let go of the descriptors; the other one stays open."""
        self._epoll.close()
        os.close(self._event)
