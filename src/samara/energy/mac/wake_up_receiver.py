# SPDX-License-Identifier: Apache-2.0
"""Wake-up receivers: a second receiver of some µW wakes the radio when it is called.

With ``tw`` the signal that wakes the receiver, ``ts`` the start of its radio, ``tf``
the frame, ``g`` the gap after it:

| | time |
|---|---|
| send | ``tw``, listen for ``ts``, the frame, then listen for ``g`` |
| receive | start the radio, the frame, then acknowledge |
| overhear | nothing: the signal has an address |
| broadcast | ``tw`` with an address for all, listen for ``ts``, the frame |
| idle | the second receiver, at ``wake_receiver_power_w`` at all times |

The signal is sent by the radio itself, as on-off keying at its power. False wake-ups
are not counted. What a wake-up receiver hears reaches less far than the radio: the
network has to be one of its own range.

Source: "An Improved Wake-Up Receiver Based on the Optimization of Low-Frequency Pattern
Matchers", Sensors 2023, 23(19), 8188: 868 MHz, 5.71 µW, 9.02 ms.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from samara.energy.medium_access import Hop, MediumAccess, acknowledged, setting
from samara.energy.transceiver import RadioTimes

if TYPE_CHECKING:
    from samara.energy.quantity import Value


@dataclass(frozen=True, slots=True)
class WakeUpReceiver(MediumAccess):
    """The radio is off until somebody calls."""

    title = "wake-up receiver: a second receiver wakes the radio"
    links = ("ieee802154",)

    wake_signal_s: Value = setting(
        9.02e-3, "How long the signal is that wakes a receiver."
    )
    wake_receiver_power_w: Value = setting(
        5.71e-6, "Power of the receiver that waits for that signal."
    )

    def send(self, hop: Hop) -> RadioTimes:
        """Wake the receiver, send the frame, wait for the acknowledgement."""
        return self.broadcast(hop) + RadioTimes(listen_s=hop.gap_s)

    def receive(self, hop: Hop) -> RadioTimes:
        """Start the radio, receive the frame, acknowledge it."""
        return acknowledged(self.receive_broadcast(hop), hop)

    def receive_broadcast(self, hop: Hop) -> RadioTimes:
        """Start the radio, receive the frame."""
        return RadioTimes(receive_s=hop.frame_s, starts=1)

    def overhear(self, hop: Hop) -> RadioTimes:  # noqa: ARG002 - nothing
        """Sleep: the signal is for somebody else."""
        return RadioTimes()

    def broadcast(self, hop: Hop) -> RadioTimes:
        """Wake all neighbours, send the frame."""
        return RadioTimes(
            data_s=hop.frame_s,
            control_s=self.wake_signal_s,
            listen_s=hop.radio.start_s,
            starts=1,
            copies=1,
        )

    def idle(self, hop: Hop) -> RadioTimes:  # noqa: ARG002 - the radio is off
        """Leave the radio off."""
        return RadioTimes()

    @property
    def beside_w(self) -> Value:
        """What the second receiver draws."""
        return self.wake_receiver_power_w

    def latency_s(self, hop: Hop) -> Value:
        """Return the time of the signal, of the start, and of the frame."""
        return self.wake_signal_s + hop.radio.start_s + hop.frame_s


MAC = WakeUpReceiver
