# SPDX-License-Identifier: Apache-2.0
"""BoX-MAC-2: the frame itself is repeated until the receiver acknowledges it.

With ``tf`` the frame, ``g`` the gap after it, ``p = tf + g``, ``Tw`` the wake-up
interval:

| | time |
|---|---|
| send | ``n = Tw / (2 p) + 1.5`` times on average: frame, then listen for ``g`` |
| receive | listen for ``p / 2`` on average, a frame, then acknowledge |
| overhear | the same without acknowledging, when it wakes up meanwhile |
| broadcast | the frame for a whole interval |
| idle | start the radio and listen, once every ``Tw`` |

The receiver wakes up ``Tw / 2`` after the sender began, on average; the 1.5 are half a
frame, since it waits for a whole one, and the one that it acknowledges. Exact when
``Tw`` is a multiple of ``p``; else short of it by at most ``(p / Tw)² / 4``.

Source: Moss, Levis, "BoX-MACs: Exploiting Physical and Link Layer Boundaries in
Low-Power Networking", Stanford SING-08-00, 2008.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from samara.energy.medium_access import Hop, Sampling, acknowledged
from samara.energy.transceiver import RadioTimes

if TYPE_CHECKING:
    from samara.energy.quantity import Value


@dataclass(frozen=True, slots=True)
class BoxMac2(Sampling):
    """The frame is its own preamble, and ends with the acknowledgement."""

    title = "BoX-MAC-2: the frame is repeated until it is acknowledged"
    links = ("ieee802154",)

    def _copies(self, hop: Hop) -> Value:
        return self.wake_interval_s / (2 * hop.period_s) + 1.5

    def send(self, hop: Hop) -> RadioTimes:
        """Repeat the frame until it is acknowledged."""
        copies = self._copies(hop)
        return RadioTimes(
            data_s=copies * hop.frame_s,
            listen_s=copies * hop.gap_s,
            starts=1,
            copies=copies,
        )

    def receive(self, hop: Hop) -> RadioTimes:
        """Receive the next whole frame, acknowledge it."""
        return acknowledged(self.part_of_train(hop), hop)

    def overhear(self, hop: Hop) -> RadioTimes:
        """Receive a frame when waking up before the train ends."""
        return self.overheard(hop, self._copies(hop))

    def broadcast(self, hop: Hop) -> RadioTimes:
        """Repeat the frame for a whole interval."""
        return self.train(hop)

    def receive_broadcast(self, hop: Hop) -> RadioTimes:
        """Receive the next whole frame."""
        return self.part_of_train(hop)

    def latency_s(self, hop: Hop) -> Value:
        """Return the mean time until the receiver wakes up and has a whole frame."""
        return self.wake_interval_s / 2 + hop.period_s / 2 + hop.frame_s


MAC = BoxMac2
