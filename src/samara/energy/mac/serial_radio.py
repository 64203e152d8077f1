# SPDX-License-Identifier: Apache-2.0
"""A serial radio: a modem that sends the bytes of a serial line in packets.

A message of ``b`` bytes on the line, in packets of at most ``packet_bytes``:

| | time |
|---|---|
| send | each packet, with what the radio puts in front of it |
| receive, overhear | the same |
| idle | listen all the time |

The last packet waits for ``timeout_s`` when it is not full. The modems acknowledge
nothing. What the controller draws while it feeds the line is not counted.

Source: the SRF's settings ATPK (12 bytes), ATRO (16 ms; 100 ms before firmware 0.41)
and ATBD; what the radio puts around a packet is assumed.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from samara.energy.medium_access import Hop, MediumAccess, setting
from samara.energy.transceiver import RadioTimes

if TYPE_CHECKING:
    from samara.energy.quantity import Value

_BITS_PER_BYTE = 10
"""Of a serial line: a start bit, eight of data, a stop bit."""


@dataclass(frozen=True, slots=True)
class SerialRadio(MediumAccess):
    """Modems that join two serial lines."""

    title = "serial radio: a modem that always listens"
    acknowledges = False
    links = ("rf-serial",)
    relays = False

    packet_bytes: Value = setting(12, "Packet size of the modem.")
    timeout_s: Value = setting(
        0.016,
        "How long the modem waits for more before it sends a packet that is not full.",
    )
    baud: Value = setting(115_200, "Serial baud rate.")

    def _packets(self, hop: Hop) -> Value:
        packets: Value = np.ceil(hop.frame_bytes / self.packet_bytes)
        return packets

    def _air_s(self, hop: Hop) -> Value:
        overhead = self._packets(hop) * hop.radio.overhead_bytes
        return (hop.frame_bytes + overhead) * hop.radio.byte_s

    def send(self, hop: Hop) -> RadioTimes:
        """Send the packets."""
        return RadioTimes(data_s=self._air_s(hop), copies=1)

    def receive(self, hop: Hop) -> RadioTimes:
        """Receive the packets."""
        return RadioTimes(receive_s=self._air_s(hop))

    def overhear(self, hop: Hop) -> RadioTimes:
        """Receive the packets."""
        return self.receive(hop)

    def broadcast(self, hop: Hop) -> RadioTimes:
        """Send the packets."""
        return self.send(hop)

    def idle(self, hop: Hop) -> RadioTimes:  # noqa: ARG002 - the same for all frames
        """Listen."""
        return RadioTimes(listen_s=1.0)

    def latency_s(self, hop: Hop) -> Value:
        """Return the time of the lines, the time-out, and the last packet.

        The line is taken to be slower than the radio, as it is up to 115,200 baud.
        """
        byte_s = _BITS_PER_BYTE / self.baud
        last_bytes = hop.frame_bytes - (self._packets(hop) - 1) * self.packet_bytes
        waits = self.timeout_s * (last_bytes < self.packet_bytes)
        return (
            (hop.frame_bytes + last_bytes) * byte_s
            + waits
            + hop.radio.air_s(last_bytes)
        )

    def service_s(self, hop: Hop) -> Value:
        """Return how long the line of the sender is busy, and the time-out."""
        return hop.frame_bytes * _BITS_PER_BYTE / self.baud + self.timeout_s


MAC = SerialRadio
