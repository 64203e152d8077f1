# SPDX-License-Identifier: Apache-2.0
"""What the sniffer knows of a physical layer: how to receive it, and to write it."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

    from samara.phy.receivers.streaming import Packet, PacketReceiver


class Protocol(ABC):
    """A physical layer."""

    name: str
    """Value of --protocol."""
    title: str
    sample_rate: float
    """That the receiver takes, in Hz."""
    link_type: int
    """Of packets in a capture file."""
    channels: Mapping[int, float]
    """Carrier frequencies in Hz; empty: there are no numbers of channels."""

    @abstractmethod
    def receiver(self) -> PacketReceiver[Packet]:
        """Return a receiver for one channel."""

    @abstractmethod
    def captured(self, packet: Packet, channel: int | None) -> bytes:
        """Return a packet as it stands in a capture file."""

    def zep(
        self, packet: Packet, channel: int | None, number: int, time_s: float
    ) -> bytes | None:
        """Return the datagram of a packet by ZEP; None if it has none."""
        del packet, channel, number, time_s
        return None
