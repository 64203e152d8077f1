# SPDX-License-Identifier: Apache-2.0
"""Low-power listening as in Altolini et al.: a frame is repeated for a whole interval.

With ``tf`` the frame, ``g`` the gap after it, ``Tw`` the wake-up interval:

| | time |
|---|---|
| send | ``n = ceil((Tw + tf) / (tf + g))`` times: frame, then listen for ``g`` |
| receive | listen for ``(tf + g) / 2`` on average, a frame, then acknowledge |
| idle | start the radio and listen, once every ``Tw`` |

The sender does not stop when it is acknowledged. As the number of frames is whole,
a longer frame may take less energy: one frame fewer fills the interval. Who wakes up
within the last ``g`` of the interval may miss the last frame; that is not counted.

Source: Altolini et al., "Low Power Link Layer Security for IoT", section II-A: "repeats
the transmission of the packet for the whole duration of the sleep period".
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from samara.energy.medium_access import Hop, Sampling, acknowledged

if TYPE_CHECKING:
    from samara.energy.quantity import Value
    from samara.energy.transceiver import RadioTimes


@dataclass(frozen=True, slots=True)
class LowPowerListening(Sampling):
    """The frame fills the whole wake-up interval."""

    title = "low-power listening: the frame is repeated for a whole interval"
    links = ("ieee802154",)

    def send(self, hop: Hop) -> RadioTimes:
        """Repeat the frame for an interval."""
        return self.train(hop)

    def receive(self, hop: Hop) -> RadioTimes:
        """Receive the next whole frame, acknowledge it."""
        return acknowledged(self.part_of_train(hop), hop)

    def overhear(self, hop: Hop) -> RadioTimes:
        """Receive the next whole frame: each neighbour wakes up during the train."""
        return self.part_of_train(hop)

    def broadcast(self, hop: Hop) -> RadioTimes:
        """Repeat the frame for an interval."""
        return self.train(hop)

    def latency_s(self, hop: Hop) -> Value:
        """Return the mean time until the receiver wakes up and has a whole frame."""
        return self.wake_interval_s / 2 + hop.period_s / 2 + hop.frame_s


MAC = LowPowerListening
