# SPDX-License-Identifier: Apache-2.0
"""B-MAC: a preamble as long as the interval, then the frame.

With ``tf`` the frame, ``Tw`` the wake-up interval:

| | time |
|---|---|
| send | a preamble of ``Tw``, the frame; then listen for ``g`` |
| receive | listen for ``Tw / 2`` on average, the frame, then acknowledge |
| overhear | the same without acknowledging: whom it is for is in the frame |
| idle | start the radio and listen, once every ``Tw`` |

Source: Polastre, Hill, Culler, "Versatile Low Power Media Access for Wireless Sensor
Networks", SenSys 2004.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from samara.energy.medium_access import Hop, Sampling, acknowledged
from samara.energy.transceiver import RadioTimes

if TYPE_CHECKING:
    from samara.energy.quantity import Value


@dataclass(frozen=True, slots=True)
class BMac(Sampling):
    """One long preamble wakes all neighbours."""

    title = "B-MAC: a preamble as long as the interval"
    links = ("ieee802154",)

    def send(self, hop: Hop) -> RadioTimes:
        """Send preamble and frame, wait for the acknowledgement."""
        return RadioTimes(
            data_s=hop.frame_s,
            control_s=self.wake_interval_s,
            listen_s=hop.gap_s,
            starts=1,
            copies=1,
        )

    def receive(self, hop: Hop) -> RadioTimes:
        """Listen to the rest of the preamble, receive the frame, acknowledge it."""
        return acknowledged(self.overhear(hop), hop)

    def overhear(self, hop: Hop) -> RadioTimes:
        """Listen to the rest of the preamble, receive the frame."""
        return RadioTimes(listen_s=self.wake_interval_s / 2, receive_s=hop.frame_s)

    def broadcast(self, hop: Hop) -> RadioTimes:
        """Send preamble and frame."""
        return RadioTimes(
            data_s=hop.frame_s, control_s=self.wake_interval_s, starts=1, copies=1
        )

    def latency_s(self, hop: Hop) -> Value:
        """Return the time of preamble and frame."""
        return self.wake_interval_s + hop.frame_s


MAC = BMac
