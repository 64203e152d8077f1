# SPDX-License-Identifier: Apache-2.0
"""Receivers that never sleep: a frame is sent once.

| | time |
|---|---|
| send | frame, then listen for the gap ``g`` (turnaround and acknowledgement) |
| receive | frame, then send the acknowledgement |
| idle | listen all the time |

Source: IEEE 802.15.4-2006, 7.5.6 (non-beacon mode, acknowledged).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from samara.energy.medium_access import Hop, MediumAccess, acknowledged
from samara.energy.transceiver import RadioTimes

if TYPE_CHECKING:
    from samara.energy.quantity import Value


@dataclass(frozen=True, slots=True)
class AlwaysListening(MediumAccess):
    """The radio is never off."""

    title = "always listening: a frame is sent once"
    standard = "IEEE 802.15.4"
    links = ("ieee802154",)

    def send(self, hop: Hop) -> RadioTimes:
        """Send the frame, wait for the acknowledgement."""
        return RadioTimes(data_s=hop.frame_s, listen_s=hop.gap_s, copies=1)

    def receive(self, hop: Hop) -> RadioTimes:
        """Receive the frame, acknowledge it."""
        return acknowledged(self.overhear(hop), hop)

    def overhear(self, hop: Hop) -> RadioTimes:
        """Receive the frame."""
        return RadioTimes(receive_s=hop.frame_s)

    def broadcast(self, hop: Hop) -> RadioTimes:
        """Send the frame."""
        return RadioTimes(data_s=hop.frame_s, copies=1)

    def idle(self, hop: Hop) -> RadioTimes:  # noqa: ARG002 - the same for all frames
        """Listen."""
        return RadioTimes(listen_s=1.0)

    def latency_s(self, hop: Hop) -> Value:
        """Return the frame's own time."""
        return hop.frame_s


MAC = AlwaysListening
