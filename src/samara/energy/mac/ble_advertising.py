# SPDX-License-Identifier: Apache-2.0
"""Bluetooth Low Energy advertising: a beacon that sends each message to all around.

With ``tp`` the packet, ``c`` the ``channels``, ``e`` the ``events``:

| | time |
|---|---|
| send | ``e`` times: start the radio, then ``c`` times ``tp`` and ``request_wait_s`` |
| receive | the packet |
| overhear, idle | nothing: it sleeps |

The message is the data of ADV_NONCONN_IND: 16 bytes around the data on the air, 4 of
the data to say whose they are. A longer message takes several. Each message is told in
``events`` events, ``advertising_interval_s`` apart; each sends on all channels. Whoever
listens does so on one of them, each as likely, at all times. With ``request_wait_s``
above 0 the node can be asked or connected to.

Source: Bluetooth Core Specification 5.3, volume 6, part B, 2.3.1.3 and 4.4.2; company
data as in its supplement, part A, 1.4.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from samara.energy import ble
from samara.energy.aloha import Aloha
from samara.energy.copies import Copies
from samara.energy.medium_access import Hop, OwnFrame, setting
from samara.energy.transceiver import RadioTimes

if TYPE_CHECKING:
    from samara.energy.quantity import Value

_DATA_MOST = 31
_ABOUT_DATA = 4
"""In the data: their length, their type, and the company whose they are."""
_FRAME = OwnFrame(
    ble.HEADER_BYTES + ble.ADDRESS_BYTES + ble.CHECK_BYTES + _ABOUT_DATA,
    _DATA_MOST - _ABOUT_DATA,
)


@dataclass(frozen=True, slots=True)
class BleAdvertising(Aloha):
    """Nobody answers; who scans hears it."""

    title = "BLE advertising: each message on the advertising channels"
    standard = "Bluetooth"
    acknowledges = False
    usual_radio: ClassVar[str] = "nrf52832"

    channels: int = setting(
        3, "Advertising channels that each packet is sent on: 1 to 3."
    )
    events: int = setting(1, "How often each message is advertised.")
    advertising_interval_s: Value = setting(
        0.1, "Time from one advertising event of a message to the next."
    )
    channel_gap_s: Value = setting(
        150e-6,
        "Time from a packet to that on the next channel; the radio is idle, which "
        "is not counted.",
    )
    request_wait_s: Value = setting(
        0.0,
        "How long the node listens after each packet for requests; 0: it cannot "
        "be asked.",
    )

    @property
    def needs(self) -> str:
        """The waveform that its radio has to send."""
        return "ble"

    @property
    def own_frame(self) -> OwnFrame:
        """An advertising packet."""
        return _FRAME

    def air_s(self, hop: Hop) -> Value:
        """Return the time of a packet."""
        return ble.packet_s(hop.frame_bytes)

    def send(self, hop: Hop) -> RadioTimes:
        """Send the packet on each channel, in each event."""
        count = self.channels * self.events
        return RadioTimes(
            data_s=count * self.air_s(hop),
            listen_s=count * self.request_wait_s,
            starts=self.events,
            copies=count,
        )

    def _packet_s(self, hop: Hop) -> Value:
        """Return the time from one channel to the next."""
        return self.air_s(hop) + self.request_wait_s + self.channel_gap_s

    def latency_s(self, hop: Hop) -> Value:
        """Return the mean time until the packet on the receiver's channel."""
        return (self.channels - 1) / 2 * self._packet_s(hop) + self.air_s(hop)

    def sent_blind(self, hop: Hop) -> Copies:
        """Return the packets at the channel that the receiver listens to."""
        return Copies(self.air_s(hop), int(self.events), self.advertising_interval_s)

    def service_s(self, hop: Hop) -> Value:
        """Return the time from the first packet to the end of the last."""
        event_s = self.channels * self._packet_s(hop)
        return (self.events - 1) * self.advertising_interval_s + event_s


MAC = BleAdvertising
