# SPDX-License-Identifier: Apache-2.0
"""Sending received frames by ZEP, to Wireshark or another program."""

from __future__ import annotations

import socket
from typing import TYPE_CHECKING

from samara.errors import MisuseError

if TYPE_CHECKING:
    from samara.phy.receivers.streaming import Packet
    from samara.sniffer.protocol import Protocol

_NS_PER_S = 1_000_000_000
_PORTS = range(1, 1 << 16)


class ZepSender:
    """Sends frames to one address.

    Raises
    ------
    MisuseError
        If the address is none, or the protocol has no frames for ZEP.
    """

    def __init__(self, address: str, protocol: Protocol) -> None:
        host, _, port = address.rpartition(":")
        if not host or not port.isdecimal() or int(port) not in _PORTS:
            message = f"--zep {address!r} is not an address: expected HOST:PORT"
            raise MisuseError(message)
        self._protocol, self._number = protocol, 0
        family = socket.AF_INET6 if ":" in host else socket.AF_INET
        self._socket = socket.socket(family, socket.SOCK_DGRAM)
        self._to = (host.strip("[]"), int(port))

    def send(self, packet: Packet, channel: int | None, time_ns: int) -> None:
        """Send a frame."""
        datagram = self._protocol.zep(
            packet, channel, self._number, time_ns / _NS_PER_S
        )
        if datagram is None:
            message = (
                f"ZEP carries frames of IEEE 802.15.4, not of {self._protocol.name}"
            )
            raise MisuseError(message)
        self._number += 1
        try:
            self._socket.sendto(datagram, self._to)
        except ConnectionRefusedError:
            # Nobody listens there yet.
            return
        except OSError as error:
            reason = error.strerror or error
            message = f"no frame can be sent to {self._to[0]}:{self._to[1]}: {reason}"
            raise MisuseError(message) from None
