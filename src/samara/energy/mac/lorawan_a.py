# SPDX-License-Identifier: Apache-2.0
"""LoRaWAN class A: a frame to the gateways, then two windows for an answer.

With ``ta`` the frame on the air (`samara.energy.lora`), ``Ts`` a symbol:

| | time |
|---|---|
| send | ``ta``; a window of ``rx1_symbols Ts``; one of ``rx2_symbols`` |
| receive | the frame: an answer, in the first window |
| overhear, idle | nothing: it sleeps |
| next message | ``ta / duty_cycle`` after the one before: the law allows no more |

The first window opens ``receive_delay_s`` after the frame, the second, with the
spreading factor ``rx2_spreading_factor``, one second later. The radio sleeps before
each, and starts. LoRaWAN's own header and its code of 4 bytes, 13 in all, are around
the message; what is given as security comes on top. The longest message depends on the
spreading factor: 51, 115 or 222 bytes. With ``distance_m`` above 0, the spreading
factor is the least that reaches a gateway so far away. It sends without listening
first: frames that collide on a channel are lost (`samara.energy.copies`). No answer is
acknowledged or asked for.

Sources: LoRaWAN 1.0.4; RP002-1.0.3, 2.2 (EU863-870: lengths, windows, RX2 with SF12);
Semtech AN1200.13.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from samara.energy.aloha import Aloha
from samara.energy.lora import RAMP_S, Lora, spreading_factor_at
from samara.energy.medium_access import Hop, OwnFrame, setting
from samara.energy.transceiver import RadioTimes
from samara.errors import MisuseError

if TYPE_CHECKING:
    from samara.energy.quantity import Value

_HEADER_BYTES = 13
"""MAC header 1, frame header 7, port 1, code 4."""
_LONGEST = {7: 222, 8: 222, 9: 115, 10: 51, 11: 51, 12: 51}
_BETWEEN_WINDOWS_S = 1.0


@dataclass(frozen=True, slots=True)
class LorawanA(Aloha):
    """The node decides when, and hears only after it has sent."""

    title = "LoRaWAN class A: a frame, then two windows to receive"
    standard = "LoRaWAN"
    acknowledges = False
    usual_radio: ClassVar[str] = "rfm95"

    spreading_factor: int = setting(
        7,
        "Spreading factor of LoRa, 5 to 12; 0 for frames at the radio's bit rate "
        "(send-only).",
    )
    distance_m: float = setting(
        0.0,
        "Distance to the gateway, which gives the spreading factor; 0: it is as "
        "it is set.",
    )
    power_dbm: float = setting(
        14.0,
        "Power that the node radiates; it changes the distance that is reached, "
        "not the energy.",
        least=-30,
    )
    bandwidth_hz: float = setting(125e3, "Bandwidth of LoRa.")
    coding_rate: int = setting(1, "Coding rate of LoRa: 1 to 4 for 4/5 to 4/8.")
    preamble_symbols: int = setting(8, "Symbols of LoRa's preamble.")
    receive_delay_s: Value = setting(
        1.0,
        "Time from the end of a frame to receive window RX1; RX2 is 1 s later.",
    )
    rx1_symbols: Value = setting(8, "Symbols that receive window RX1 is open for.")
    rx2_symbols: Value = setting(8, "Symbols that receive window RX2 is open for.")
    rx2_spreading_factor: int = setting(12, "Spreading factor of receive window RX2.")
    uplink_channels: int = setting(
        3, "Channels that frames are spread over: 3 that all gateways have, often 8."
    )
    duty_cycle: Value = setting(0.01, "Share of time that the node may send; 1: all.")

    def __post_init__(self) -> None:
        """Refuse settings that cannot be."""
        if self._factor not in _LONGEST:
            message = f"LoRaWAN has SF7 to SF12, not {self._factor:g}"
            raise MisuseError(message)
        if not 0 < np.min(self.duty_cycle) <= np.max(self.duty_cycle) <= 1:
            message = f"a duty cycle is above 0, and at most 1: {self.duty_cycle}"
            raise MisuseError(message)

    @property
    def _factor(self) -> int:
        if self.distance_m > 0:
            return spreading_factor_at(self.distance_m, self.power_dbm)
        return int(self.spreading_factor)

    def _lora(self, factor: int) -> Lora:
        return Lora(
            factor,
            self.bandwidth_hz,
            int(self.coding_rate),
            int(self.preamble_symbols),
        )

    @property
    def needs(self) -> str:
        """The waveform that its radio has to send."""
        return "lora"

    @property
    def own_frame(self) -> OwnFrame:
        """A frame of LoRaWAN."""
        return OwnFrame(_HEADER_BYTES, _LONGEST[self._factor])

    @property
    def frequencies(self) -> Value:
        """The channels, all of which a gateway receives at once."""
        return self.uplink_channels

    @property
    def _windows_s(self) -> tuple[Value, Value]:
        """How long the first and the second window are."""
        first_s = self.rx1_symbols * self._lora(self._factor).symbol_s
        second = self._lora(int(self.rx2_spreading_factor))
        return first_s, self.rx2_symbols * second.symbol_s

    def air_s(self, hop: Hop) -> Value:
        """Return the time of a frame, with the ramps of the amplifier."""
        return self._lora(self._factor).air_s(hop.frame_bytes) + RAMP_S

    def send(self, hop: Hop) -> RadioTimes:
        """Send the frame, listen in both windows."""
        return RadioTimes(
            data_s=self.air_s(hop),
            listen_s=sum(self._windows_s),
            starts=3,
            copies=1,
        )

    def service_s(self, hop: Hop) -> Value:
        """Return the time until the law and the windows allow another message."""
        air_s = self.air_s(hop)
        answered_s = self.receive_delay_s + _BETWEEN_WINDOWS_S + self._windows_s[1]
        return np.maximum(air_s / self.duty_cycle, air_s + answered_s)


MAC = LorawanA
