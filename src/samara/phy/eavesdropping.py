# SPDX-License-Identifier: Apache-2.0
"""What a listener without the key gets from bursts: everything but the content.

It knows the modulation, the channel code and the frame's layout, as anybody may
who bought such a radio, and does with the soft bits what the receiver does, but
for the keystream.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from samara.phy import frames
from samara.phy.station import Station

if TYPE_CHECKING:
    from collections.abc import Iterator

    from samara.phy.radio import Radio, Tuning


@dataclass(frozen=True, slots=True)
class Overheard:
    """One burst, as far as it can be told without the key."""

    content: bytes
    """The most likely payload, if nothing were encrypted."""
    snr_db: float
    offset: float
    """Of the carrier, in cycles per symbol."""


class Eavesdropper:
    """Listens to a link, without its key.

    Parameters
    ----------
    radio, tuning, number, modulation
        As for `samara.phy.station.Station`.
    frame_size
        Bytes of a frame's payload.

    Raises
    ------
    RadioError
        When GNU Radio or the radio is not there.
    """

    def __init__(
        self,
        radio: Radio,
        tuning: Tuning,
        number: int,
        *,
        modulation: str,
        frame_size: int,
    ) -> None:
        self.heard = 0
        """Bursts so far."""
        self._decoder = frames.Unencrypted()
        self._station = Station(
            radio,
            tuning,
            number,
            modulation=modulation,
            payload_bits=self._decoder.coded_bits(frame_size),
        )

    def start(self) -> None:
        """Begin to listen.

        Raises
        ------
        RadioError
            When the radio is not there.
        """
        self._station.start()

    def listen(self, timeout_s: float) -> Iterator[Overheard]:
        """Wait for bursts, and return what they seem to say."""
        for heard in self._station.receive(timeout_s, most=64):
            content = self._decoder.decode_unverified(heard.soft)
            self.heard += 1
            yield Overheard(content, heard.snr_db, heard.offset)

    @property
    def dropped(self) -> int:
        """Bursts so far that came faster than they were decoded."""
        return self._station.dropped

    def close(self) -> None:
        """Let go of the radio."""
        self._station.close()
