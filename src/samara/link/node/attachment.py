# SPDX-License-Identifier: Apache-2.0
"""What can be attached to a node that stays up.

`samara.link.node.service.Service` is one loop in one thread. It waits for the link of
a node, and for the descriptors of its attachments: local sockets, a TUN interface.
An attachment is an object with the methods of `Attachment`::

    class Tun:
        due_s = None

        def fileno(self):
            return self._tun.fileno()

        def wanted(self, *, may_send):
            # While the link is busy nothing is read: the kernel's queue fills, and
            # senders are slowed down or packets dropped there, where this is known.
            return select.POLLIN if may_send else 0

        def work(self, ready):
            if ready:
                self._interface.carry_one()  # calls Node.send, which does not wait

        def take(self, event):
            if not isinstance(event, Received):
                return False
            self._interface.take(event)
            return True

        def close(self):
            self._tun.close()

    service.attach(Tun(...))

Everything runs in the thread of the loop: no method may wait. An attachment sends
with `Node.send`, one message each time it is called; it is called again at once.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from samara.link.node.events import Event


class Attachment(Protocol):
    """Something that the loop of a node waits for and serves."""

    @property
    def due_s(self) -> float | None:
        """When `work` is to be called at the latest, by `time.monotonic`; or None."""
        ...

    def fileno(self) -> int:
        """Return the descriptor to wait for."""
        ...

    def wanted(self, *, may_send: bool) -> int:
        """Return what to wait for: `select.POLLIN`, `select.POLLOUT`, both or 0.

        Parameters
        ----------
        may_send
            Whether a message could be sent now. What brings messages for the link
            wants no input otherwise.
        """
        ...

    def work(self, ready: int) -> None:
        """Do what can be done without waiting.

        Parameters
        ----------
        ready
            What the descriptor is ready for, as `select.poll` tells it; 0 when `due_s`
            has come.

        Raises
        ------
        samara.errors.MisuseError
            When it cannot go on; this ends the loop.
        """
        ...

    def take(self, event: Event) -> bool:
        """Take what the node received; return whether nobody else is to get it.

        A message for which true is returned is acknowledged. Attachments are asked in
        the order in which they were attached.
        """
        ...

    def close(self) -> None:
        """Release all resources. Called once: when detached, or when the loop ends."""
        ...
