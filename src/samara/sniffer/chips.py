# SPDX-License-Identifier: Apache-2.0
"""Packets of transceiver chips, as the sniffer writes them to captures."""

from __future__ import annotations

from typing import TYPE_CHECKING

from samara.sniffer.protocol import Protocol

if TYPE_CHECKING:
    from collections.abc import Mapping

    from samara.phy.receivers.streaming import Packet, PacketReceiver
    from samara.phy.transceivers.encryption import Opener
    from samara.phy.transceivers.profile import Profile

_USER_0 = 147
"""Link type of packets that only their users know."""


class ChipPackets(Protocol):
    """Packets of a chip; their payloads are unknown to Wireshark.

    Parameters
    ----------
    profile
        How the chip sends them.
    opener
        Of packets that Grain-128PLE encrypts in place of the whitening.
    """

    link_type = _USER_0
    channels: Mapping[int, float] = {}

    def __init__(self, profile: Profile, opener: Opener | None = None) -> None:
        self._profile, self._opener = profile, opener
        self.name, self.title = profile.name, profile.title
        self.sample_rate = profile.keying.sample_rate

    def receiver(self) -> PacketReceiver[Packet]:
        """Return a receiver."""
        from samara.phy.receivers.fsk import FskReceiver  # noqa: PLC0415 - SciPy

        profile = self._profile
        return FskReceiver(
            profile.keying,
            profile.preamble,
            profile.sync,
            profile.format.longest_bits,
            self._opener.parse if self._opener else profile.format.parse,
        )

    def captured(self, packet: Packet, channel: int | None) -> bytes:
        """Return a packet without its sync word and whitening."""
        del channel
        return packet.content
