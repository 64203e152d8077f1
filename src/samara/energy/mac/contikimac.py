# SPDX-License-Identifier: Apache-2.0
"""ContikiMAC, its senders in phase with their receivers.

A sender knows when its receiver wakes up, to within half a period ``p = tf + g`` of the
repeated frame (``tf`` the frame, ``g`` the gap after it), and begins to send then:

| | time |
|---|---|
| send | 1.5 times on average: frame, then listen for ``g`` |
| receive | listen for ``p / 2`` on average, a frame, then acknowledge |
| overhear | the same without acknowledging, when it wakes up meanwhile |
| broadcast | the frame for a whole interval |
| idle | start the radio and sense the medium twice, once every ``Tw`` |

Who wakes up before the first frame begins receives it: one frame. Who wakes up after
receives the second: two. Both are as likely. The first message to a neighbour, which
goes without its phase, is not counted.

Source: Dunkels, "The ContikiMAC Radio Duty Cycling Protocol", SICS T2011:13.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from samara.energy.medium_access import Hop, Sampling, acknowledged, setting
from samara.energy.transceiver import RadioTimes

if TYPE_CHECKING:
    from samara.energy.quantity import Value

_COPIES = 1.5


@dataclass(frozen=True, slots=True)
class ContikiMac(Sampling):
    """The sender knows when its receiver wakes up."""

    title = "ContikiMAC: repeated from the time when the receiver wakes up"
    links = ("ieee802154",)

    wake_interval_s: Value = setting(
        0.125, "Time from one wake-up of the receiver to the next."
    )
    wake_listen_s: Value = setting(
        640e-6, "How long a receiver listens at each wake-up when the channel is quiet."
    )

    def send(self, hop: Hop) -> RadioTimes:
        """Repeat the frame until it is acknowledged."""
        return RadioTimes(
            data_s=_COPIES * hop.frame_s,
            listen_s=_COPIES * hop.gap_s,
            starts=1,
            copies=_COPIES,
        )

    def receive(self, hop: Hop) -> RadioTimes:
        """Receive the next whole frame, acknowledge it."""
        return acknowledged(self.part_of_train(hop), hop)

    def overhear(self, hop: Hop) -> RadioTimes:
        """Receive a frame when waking up before the train ends."""
        return self.overheard(hop, _COPIES)

    def broadcast(self, hop: Hop) -> RadioTimes:
        """Repeat the frame for a whole interval."""
        return self.train(hop)

    def receive_broadcast(self, hop: Hop) -> RadioTimes:
        """Receive the next whole frame."""
        return self.part_of_train(hop)

    def latency_s(self, hop: Hop) -> Value:
        """Return half an interval until the receiver wakes up, and the frames."""
        return self.wake_interval_s / 2 + (_COPIES - 1) * hop.period_s + hop.frame_s

    def service_s(self, hop: Hop) -> Value:  # noqa: ARG002 - the same for all frames
        """Return the interval: a receiver takes one message each time it wakes up."""
        return self.wake_interval_s


MAC = ContikiMac
