# SPDX-License-Identifier: Apache-2.0
"""A serial radio: a modem that sends the bytes of a serial line in packets.

A message of ``b`` bytes on the line, in packets of at most ``packet_bytes``:

| | time |
|---|---|
| send | each packet, with what the radio puts in front of it |
| receive, overhear | the same |
| idle | listen all the time |

With ``sleeps`` 1 the modem is asleep between its messages, and hears nothing: a message
takes ``wake_s`` before and ``rest_s`` after it, and what it waits for its line, at the
current of listening; "idle" is nothing. The receiver listens at all times.

A packet goes over the line of the sender, the air, and the line of the receiver. Each
of the three takes one packet after the other, so the slowest decides: a line of 9600
bit/s, or a radio of 5 kbit/s. The last packet waits for ``timeout_s`` when it is not
full. The modems acknowledge nothing. What the controller draws while it feeds the line
is not counted.

Source: the SRF's settings ATPK (12 bytes), ATRO (16 ms; 100 ms before firmware 0.41)
and ATBD; what the radio puts around a packet is assumed. Asleep: the HC-12, whose
manual has 40 ms to begin a command and 80 ms to end it. Waking up is both; going asleep
is the first, and 18 characters of the command and its answer at 9600 baud.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from samara.energy.medium_access import Hop, MediumAccess, setting
from samara.energy.transceiver import RadioTimes
from samara.errors import MisuseError

if TYPE_CHECKING:
    from samara.energy.quantity import Value

_BITS_PER_BYTE = 10
"""Of a serial line: a start bit, eight of data, a stop bit."""


@dataclass(frozen=True, slots=True)
class _Steps:
    """What packets take: all but the last are full, and so alike.

    Of alike packets, the first waits for nothing, and the others queue where the
    slowest step is: a time is the longest of those in which one step is always busy.
    """

    full: Value
    """The number of packets before the last one."""
    line_s: Value
    """A full packet on a serial line."""
    air_s: Value
    last_line_s: Value
    last_air_s: Value
    waits_s: Value
    """The last packet, for more bytes."""

    def fed_s(self) -> Value:
        """Return when the modem has all bytes, and waits for no more."""
        return self.full * self.line_s + self.last_line_s + self.waits_s

    def _all_full_s(self, first_s: Value) -> Value:
        """Return when the last full packet is where the first one was at a time."""
        slower_s = np.maximum(self.line_s, self.air_s)
        last_s: Value = np.where(
            self.full > 0, first_s + (self.full - 1) * slower_s, 0.0
        )
        return last_s

    def sent_s(self) -> Value:
        """Return when the last packet has been sent."""
        full_s = self._all_full_s(self.line_s + self.air_s)
        return np.maximum(self.fed_s(), full_s) + self.last_air_s

    def delivered_s(self) -> Value:
        """Return when the other line is through with all bytes."""
        full_s = self._all_full_s(self.line_s + self.air_s + self.line_s)
        return np.maximum(self.sent_s(), full_s) + self.last_line_s


@dataclass(frozen=True, slots=True)
class SerialRadio(MediumAccess):
    """Modems that join two serial lines."""

    title = "serial radio: a modem that listens, or sleeps"
    acknowledges = False
    links = ("rf-serial",)
    relays = False

    packet_bytes: Value = setting(12, "Packet size of the modem.")
    timeout_s: Value = setting(
        0.016,
        "How long the modem waits for more before it sends a packet that is not full.",
    )
    baud: Value = setting(115_200, "Serial baud rate.")
    sleeps: int = setting(
        0, "1: the modem sleeps between its messages; 0: it listens at all times."
    )
    wake_s: Value = setting(
        0.12, "How long a modem that sleeps is awake before it can send.", least=0
    )
    rest_s: Value = setting(
        0.06, "How long it is awake after that until it sleeps.", least=0
    )

    def __post_init__(self) -> None:
        """Refuse what is neither."""
        if self.sleeps not in {0, 1}:
            message = f"a modem sleeps (1) or listens (0), not {self.sleeps}"
            raise MisuseError(message)

    def _packets(self, hop: Hop) -> Value:
        packets: Value = np.ceil(hop.frame_bytes / self.packet_bytes)
        return packets

    def _air_s(self, hop: Hop) -> Value:
        overhead = self._packets(hop) * hop.radio.overhead_bytes
        return (hop.frame_bytes + overhead) * hop.radio.byte_s

    def _steps(self, hop: Hop) -> _Steps:
        """Return how long each step takes a full packet, and the last one."""
        full = self._packets(hop) - 1
        last_bytes = hop.frame_bytes - full * self.packet_bytes
        byte_s = _BITS_PER_BYTE / self.baud
        return _Steps(
            full,
            self.packet_bytes * byte_s,
            hop.radio.air_s(self.packet_bytes),
            last_bytes * byte_s,
            hop.radio.air_s(last_bytes),
            self.timeout_s * (last_bytes < self.packet_bytes),
        )

    def send(self, hop: Hop) -> RadioTimes:
        """Send the packets; a modem that sleeps is woken for that."""
        air_s = self._air_s(hop)
        waits_s = self._steps(hop).sent_s() - air_s
        awake_s = self.wake_s + waits_s + self.rest_s
        return RadioTimes(data_s=air_s, listen_s=self.sleeps * awake_s, copies=1)

    def held_s(self, hop: Hop) -> Value:
        """Return the time of the packets alone."""
        return self._air_s(hop)

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
        """Listen, or sleep."""
        return RadioTimes(listen_s=1.0 - self.sleeps)

    def latency_s(self, hop: Hop) -> Value:
        """Return the time of waking up, and until the other line has the last byte."""
        return self.sleeps * self.wake_s + self._steps(hop).delivered_s()

    def service_s(self, hop: Hop) -> Value:
        """Return how long the line of the sender or its modem is busy."""
        steps = self._steps(hop)
        busy_s = np.maximum(steps.fed_s(), self._air_s(hop))
        awake_s = self.wake_s + steps.sent_s() + self.rest_s
        return np.where(self.sleeps, awake_s, busy_s)


MAC = SerialRadio
