# SPDX-License-Identifier: Apache-2.0
"""An interface in the loop of a node that stays up."""

from __future__ import annotations

import select
from typing import TYPE_CHECKING

from samara.link.node.events import Lost, Received, Refused
from samara.net.refusals import Refusals

if TYPE_CHECKING:
    from collections.abc import Callable

    from samara.link.node.events import Event
    from samara.net.interface import Interface, Port


class Attached:
    """Brings packets of a port to the link, one payload at a time, and the reverse.

    Parameters
    ----------
    report
        Called with sentences about what the node refused.
    """

    def __init__(
        self, interface: Interface, port: Port, report: Callable[[str], None]
    ) -> None:
        self._interface, self._port = interface, port
        self._refusals = Refusals(report)
        self._may_send = False

    @property
    def due_s(self) -> float | None:
        """Now, while payloads of a packet wait."""
        return 0.0 if self._interface.is_sending else None

    def fileno(self) -> int:
        """Return the descriptor of the port."""
        return self._port.fileno()

    def wanted(self, *, may_send: bool) -> int:
        """Ask for a packet, if it could be sent: others wait in the kernel."""
        self._may_send = may_send
        return select.POLLIN if may_send and not self._interface.is_sending else 0

    def work(self, ready: int) -> None:
        """Send the next payload of a packet, or the first one of the next packet."""
        if ready:
            self._interface.begin_packet()
        if self._may_send:
            self._interface.send_payload()

    def take(self, event: Event) -> bool:
        """Take payloads."""
        if isinstance(event, Refused):
            self._refusals.add(event.reason)
        if isinstance(event, Lost):
            self._interface.statistics.payloads_lost += event.transmissions
        if not isinstance(event, Received):
            return False
        self._interface.take(event)
        return True

    def close(self) -> None:
        """Tell what is left to tell; who made the port closes it."""
        self._refusals.tell_rest()
