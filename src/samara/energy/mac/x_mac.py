# SPDX-License-Identifier: Apache-2.0
"""X-MAC: short strobes with the address until the receiver answers, then the frame.

With ``ts`` a strobe, ``g`` the gap after it, ``p = ts + g``, ``tf`` the frame, ``Tw``
the wake-up interval:

| | time |
|---|---|
| send | ``Tw / (2 p) + 1.5`` times: strobe, then listen for ``g``; then the frame |
| receive | listen for ``p / 2`` on average, a strobe, answer it, the frame |
| overhear | listen for ``p / 2`` and a strobe, when it wakes up meanwhile |
| broadcast | strobes for a whole interval, then the frame |
| idle | start the radio and listen, once every ``Tw`` |

The 1.5 are half a strobe, since the receiver waits for one that is whole, and the one
that it answers; the shorter ``Tw / (2 p)`` leaves them out.

Source: Buettner, Yee, Anderson, Han, "X-MAC: a Short Preamble MAC Protocol for
Duty-Cycled Wireless Sensor Networks", SenSys 2006.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from samara.energy.medium_access import Hop, Sampling, acknowledged, setting
from samara.energy.transceiver import RadioTimes

if TYPE_CHECKING:
    from samara.energy.quantity import Value


@dataclass(frozen=True, slots=True)
class XMac(Sampling):
    """Strobes wake the receiver, and let all others sleep on."""

    title = "X-MAC: strobes until the receiver answers, then the frame"
    links = ("ieee802154",)

    strobe_bytes: Value = setting(
        11,
        "Size of a strobe with its check sequence: frame control, sequence "
        "number, short addresses.",
    )

    def _strobe(self, hop: Hop) -> Hop:
        return replace(hop, frame_bytes=self.strobe_bytes)

    def _strobes(self, hop: Hop) -> Value:
        return self.wake_interval_s / (2 * self._strobe(hop).period_s) + 1.5

    def _with_strobes(self, hop: Hop, strobes: Value) -> RadioTimes:
        strobe = self._strobe(hop)
        return RadioTimes(
            data_s=hop.frame_s,
            control_s=strobes * strobe.frame_s,
            listen_s=strobes * strobe.gap_s,
            starts=1,
            copies=1,
        )

    def send(self, hop: Hop) -> RadioTimes:
        """Send strobes until one is answered, then the frame."""
        return self._with_strobes(hop, self._strobes(hop))

    def receive(self, hop: Hop) -> RadioTimes:
        """Receive a strobe, answer it, receive the frame."""
        strobe = self.part_of_train(self._strobe(hop))
        answered = acknowledged(strobe, hop)
        return RadioTimes(
            control_s=answered.control_s,
            listen_s=answered.listen_s + hop.radio.turnaround_s,
            receive_s=answered.receive_s + hop.frame_s,
        )

    def overhear(self, hop: Hop) -> RadioTimes:
        """Wake up to a strobe for somebody else, or to the rest of the frame."""
        strobes = self.overheard(self._strobe(hop), self._strobes(hop))
        rest = hop.frame_s / self.wake_interval_s
        return RadioTimes(
            listen_s=strobes.listen_s + rest * hop.frame_s / 2,
            receive_s=strobes.receive_s,
        )

    def broadcast(self, hop: Hop) -> RadioTimes:
        """Send strobes for a whole interval, then the frame."""
        strobe = self._strobe(hop)
        count = np.ceil((self.wake_interval_s + strobe.frame_s) / strobe.period_s)
        return self._with_strobes(hop, count)

    def receive_broadcast(self, hop: Hop) -> RadioTimes:
        """Listen to the rest of the strobes, half an interval; receive the frame."""
        return RadioTimes(listen_s=self.wake_interval_s / 2, receive_s=hop.frame_s)

    def latency_s(self, hop: Hop) -> Value:
        """Return the mean time of the strobes, and of the frame."""
        return self._strobes(hop) * self._strobe(hop).period_s + hop.frame_s


MAC = XMac
