# SPDX-License-Identifier: Apache-2.0
"""An interface in the loop of a node that stays up."""

from __future__ import annotations

import select
from typing import TYPE_CHECKING

from samara.link.node.events import Lost, Received

if TYPE_CHECKING:
    from samara.link.node.events import Event
    from samara.net.interface import Interface, Port


class Attached:
    """Brings packets of a port to the link, one payload at a time, and the reverse."""

    def __init__(self, interface: Interface, port: Port) -> None:
        self._interface, self._port = interface, port
        self._may_send = False

    @property
    def due_s(self) -> float | None:
        """Now, while a packet waits; else when routes have to be seen to."""
        one = self._interface
        if one.is_sending or one.has_packet:
            return 0.0
        return None if one.routing is None else one.routing.due_s

    def fileno(self) -> int:
        """Return the descriptor of the port."""
        return self._port.fileno()

    def wanted(self, *, may_send: bool) -> int:
        """Ask for packets at any time: the kernel would drop parts of long ones."""
        self._may_send = may_send
        return select.POLLIN

    def work(self, ready: int) -> None:
        """Send the next payload of a packet, or the first one of the next packet."""
        if ready:
            self._interface.take_packets()
        if self._interface.routing is not None:
            self._interface.routing.work()
        if not self._may_send:
            return
        if not self._interface.is_sending:
            self._interface.begin_packet()
        self._interface.send_payload()

    def take(self, event: Event) -> bool:
        """Take payloads."""
        if isinstance(event, Lost):
            self._interface.statistics.payloads_lost += event.transmissions
        if not isinstance(event, Received):
            return False
        self._interface.take(event)
        return True

    def close(self) -> None:
        """Do nothing: who made the port closes it."""
