# SPDX-License-Identifier: Apache-2.0
"""Send only: a node sends its frame, and sleeps; nobody acknowledges it.

| | time |
|---|---|
| send | ``copies`` times: start the radio, the frame |
| receive | the frame |
| overhear, idle | nothing: it sleeps |

With ``spreading_factor`` 0, frames are those of the link at the radio's bit rate. From
5 on they are LoRa's (`samara.energy.lora`), for radios that send it. The frame of the
link is carried as it is. It sends without listening first: a message of which each
copy meets another's is lost (`samara.energy.copies`).

Sources: EN 300 220 (non-specific short range devices without listening before talking);
for LoRa those of `samara.energy.lora`.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from samara.energy.aloha import Aloha
from samara.energy.copies import Copies
from samara.energy.lora import RAMP_S, Lora
from samara.energy.medium_access import setting
from samara.energy.transceiver import RadioTimes
from samara.errors import MisuseError

if TYPE_CHECKING:
    from samara.energy.medium_access import Hop
    from samara.energy.quantity import Value


@dataclass(frozen=True, slots=True)
class SendOnly(Aloha):
    """A node never listens, and so waits for no answer."""

    title = "send only: a frame without acknowledgement, then sleep"
    acknowledges = False

    copies: int = setting(
        1, "How often each frame is sent, since nobody asks for it again."
    )
    copy_gap_s: Value = setting(0.1, "Time between two copies, asleep.")
    spreading_factor: int = setting(
        0,
        "Spreading factor of LoRa, 5 to 12; 0 for frames at the radio's bit rate "
        "(send-only).",
    )
    bandwidth_hz: float = setting(125e3, "Bandwidth of LoRa.")
    coding_rate: int = setting(1, "Coding rate of LoRa: 1 to 4 for 4/5 to 4/8.")
    preamble_symbols: int = setting(8, "Symbols of LoRa's preamble.")
    sx127x: int = setting(0, "1: spreading factor 6 in the form of the SX127x.")

    def __post_init__(self) -> None:
        """Refuse settings that cannot be."""
        if self.copies < 1:
            message = f"send-only sends at least one copy, not {self.copies}"
            raise MisuseError(message)
        if self.spreading_factor:
            self._lora  # noqa: B018 - refuses what cannot be

    @property
    def _lora(self) -> Lora:
        return Lora(
            int(self.spreading_factor),
            self.bandwidth_hz,
            int(self.coding_rate),
            int(self.preamble_symbols),
            is_sx127x=bool(self.sx127x),
        )

    @property
    def needs(self) -> str:
        """The waveform that its radio has to send."""
        return "lora" if self.spreading_factor else ""

    def air_s(self, hop: Hop) -> Value:
        """Return the time of a frame, of LoRa with the ramps of the amplifier."""
        if not self.spreading_factor:
            return hop.frame_s
        return self._lora.air_s(hop.frame_bytes) + RAMP_S

    def send(self, hop: Hop) -> RadioTimes:
        """Send all copies of the frame."""
        return RadioTimes(
            data_s=self.copies * self.air_s(hop),
            starts=self.copies,
            copies=self.copies,
        )

    def sent_blind(self, hop: Hop) -> Copies:
        """Return all copies of the frame."""
        air_s = self.air_s(hop)
        return Copies(air_s, int(self.copies), air_s + self.copy_gap_s)

    def service_s(self, hop: Hop) -> Value:
        """Return the time of all copies, with the gaps between them."""
        return self.copies * self.air_s(hop) + (self.copies - 1) * self.copy_gap_s


MAC = SendOnly
