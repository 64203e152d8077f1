# SPDX-License-Identifier: Apache-2.0
"""Frames of IEEE 802.15.4, as the sniffer receives and writes them."""

from __future__ import annotations

import struct
from typing import TYPE_CHECKING

from samara.link.ieee802154.air import zep
from samara.link.ieee802154.captures.pcap import LinkType
from samara.link.ieee802154.frames.fcs import is_intact
from samara.sniffer.protocol import Protocol

if TYPE_CHECKING:
    from samara.phy.receivers.dsss_table import Spreading
    from samara.phy.receivers.streaming import Packet, PacketReceiver

# Fields of the TAP header: an FCS of 16 bits; channel and page, padded.
_TAP_START, _TAP_FCS = struct.Struct("<BxH"), struct.Struct("<HHB3x")
_TAP_CHANNEL = struct.Struct("<HHHBx")
_FCS_TYPE, _FCS_16, _CHANNEL = 0, 1, 3


class SpreadFrames(Protocol):
    """Frames of one of the physical layers that spread."""

    link_type = LinkType.TAP

    def __init__(self, spreading: Spreading) -> None:
        self._spreading = spreading
        self.name, self.title = spreading.name, f"IEEE 802.15.4 {spreading.title}"
        self.sample_rate = spreading.sample_rate
        self.channels = {each: spreading.frequency(each) for each in spreading.channels}

    def receiver(self) -> PacketReceiver[Packet]:
        """Return a receiver for one channel."""
        from samara.phy.receivers.dsss import DsssReceiver  # noqa: PLC0415 - SciPy

        return DsssReceiver(self._spreading, is_intact)

    def captured(self, packet: Packet, channel: int | None) -> bytes:
        """Return a frame behind a TAP header with its channel."""
        fields = _TAP_FCS.pack(_FCS_TYPE, 1, _FCS_16)
        if channel is not None:
            fields += _TAP_CHANNEL.pack(_CHANNEL, 3, channel, self._spreading.page)
        return (
            _TAP_START.pack(0, _TAP_START.size + len(fields)) + fields + packet.content
        )

    def zep(
        self, packet: Packet, channel: int | None, number: int, time_s: float
    ) -> bytes:
        """Return the datagram of a frame."""
        return zep.build(zep.data_now(packet.content, number, channel or 0, time_s))
