# SPDX-License-Identifier: Apache-2.0
"""A connection of Bluetooth Low Energy: a node that meets its central at fixed times.

With ``te`` an empty packet, ``tp`` that with the message, ``Ti`` the
``connection_interval_s``, ``n`` the ``skipped_events``, ``ppm`` the accuracies of both
clocks:

| | time |
|---|---|
| send | ``tp``, in the next event |
| receive | what the central's packet is longer than an empty one |
| overhear | nothing: it sleeps |
| idle | every ``(n + 1) Ti``: start, ``early``, receive ``te``, send ``te`` |

``early`` is ``ppm (n + 1) Ti + jitter_s``: the node listens from so long before the
central's packet is due until as long after. The empty packet that one with a message
replaces is counted all the same: 80 µs too much for each message.

The central is on mains power. It is in one event at a time: those of all its
connections have to fit into its time.

A packet has 7 bytes of L2CAP and ATT in front of the message, and up to ``data_bytes``
in all: 27, or 251 with longer packets agreed.

Source: Bluetooth Core Specification 5.3, volume 6, part B, 4.5 (window widening:
4.2.4); volume 3, parts A and F.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from samara.energy import ble
from samara.energy.aloha import Aloha
from samara.energy.medium_access import Hop, OwnFrame, setting
from samara.energy.transceiver import RadioTimes
from samara.errors import MisuseError

if TYPE_CHECKING:
    from samara.energy.quantity import Value

_IN_FRONT = 7
"""L2CAP's length and channel, ATT's operation and handle."""


@dataclass(frozen=True, slots=True)
class BleConnection(Aloha):
    """Messages wait for the next event of the connection."""

    title = "BLE connection: events at a fixed interval"
    standard = "Bluetooth"
    usual_radio: ClassVar[str] = "nrf52832"

    connection_interval_s: Value = setting(
        1.0, "Time from one connection event to the next."
    )
    skipped_events: int = setting(
        0,
        "Connection events that the node may leave out while it has nothing to "
        "send (peripheral latency).",
    )
    phy: int = setting(
        0,
        "Bit rate of the connection: 0 for 1M, 1 for 2M, 2 for coded with S=2, 3 "
        "for coded with S=8.",
    )
    data_bytes: int = setting(27, "Most bytes of data in a packet.")
    own_accuracy_ppm: Value = setting(50.0, "Accuracy of the node's own sleep clock.")
    central_accuracy_ppm: Value = setting(
        50.0, "Accuracy of the central's sleep clock."
    )
    jitter_s: Value = setting(
        16e-6,
        "How long a window may begin early or late, besides the accuracy of clocks.",
    )

    def __post_init__(self) -> None:
        """Refuse packets without room."""
        if self.data_bytes <= _IN_FRONT:
            message = f"a packet of {self.data_bytes} bytes has no room for a message"
            raise MisuseError(message)

    @property
    def needs(self) -> str:
        """The waveform that its radio has to send."""
        return "ble"

    @property
    def own_frame(self) -> OwnFrame:
        """A packet with a notification."""
        return OwnFrame(ble.EMPTY_BYTES + _IN_FRONT, self.data_bytes - _IN_FRONT)

    @property
    def _empty_s(self) -> Value:
        return ble.packet_s(ble.EMPTY_BYTES, self.phy)

    @property
    def _event_interval_s(self) -> Value:
        return (self.skipped_events + 1) * self.connection_interval_s

    @property
    def _early_s(self) -> Value:
        """How long before its packet is due a central is listened to."""
        ppm = self.own_accuracy_ppm + self.central_accuracy_ppm
        return ppm * 1e-6 * self._event_interval_s + self.jitter_s

    def air_s(self, hop: Hop) -> Value:
        """Return the time of a packet."""
        return ble.packet_s(hop.frame_bytes, self.phy)

    def send(self, hop: Hop) -> RadioTimes:
        """Send the packet in the next event."""
        return RadioTimes(data_s=self.air_s(hop), copies=1)

    @property
    def cell_takes_sender(self) -> bool:
        """A node receives nothing from nodes of its own."""
        return False

    def cell_s(self, hop: Hop) -> Value:
        """Return the packet, for which the central is there."""
        return self.air_s(hop)

    def met_share(self, hop: Hop) -> Value:  # noqa: ARG002 - the same for all frames
        """Return what events without data take of the central's time."""
        return 2 * (self._empty_s + ble.BETWEEN_S) / self._event_interval_s

    def sent_blind(self, hop: Hop) -> None:
        """Return nothing: each connection has times of its own."""

    def receive(self, hop: Hop) -> RadioTimes:
        """Receive the rest of a packet that is longer than an empty one."""
        return RadioTimes(receive_s=self.air_s(hop) - self._empty_s)

    def idle(self, hop: Hop) -> RadioTimes:  # noqa: ARG002 - the same for all frames
        """Meet the central: wait for its packet, receive and answer it."""
        event = RadioTimes(
            control_s=self._empty_s,
            listen_s=self._early_s + ble.BETWEEN_S,
            receive_s=self._empty_s,
            starts=1,
            meetings=1,
        )
        return event * (1 / self._event_interval_s)

    def latency_s(self, hop: Hop) -> Value:
        """Return half an interval, the central's packet, and the node's own."""
        answered_s = self._empty_s + ble.BETWEEN_S
        return self.connection_interval_s / 2 + answered_s + self.air_s(hop)

    def service_s(self, hop: Hop) -> Value:  # noqa: ARG002 - the same for all frames
        """Return the interval: a packet goes in each event."""
        return self.connection_interval_s


MAC = BleConnection
