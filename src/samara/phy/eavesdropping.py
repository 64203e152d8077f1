# SPDX-License-Identifier: Apache-2.0
"""What an eavesdropper without the key gets from bursts: all but the content.

The eavesdropper knows modulation, channel code and frame format, which are public. It
does what the receiver does, but cannot remove the keystream.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from samara.phy import frames
from samara.phy.station import Station

if TYPE_CHECKING:
    from collections.abc import Iterator

    from samara.phy.radio import Radio
    from samara.phy.tuning import Tuning


@dataclass(frozen=True, slots=True)
class Overheard:
    """A burst, received without the key."""

    content: bytes
    """The most likely payload if the frame were not encrypted."""
    snr_db: float
    offset: float
    """Carrier frequency offset in cycles per symbol."""


class Eavesdropper:
    """Receives the bursts of a link without its key.

    Parameters
    ----------
    radio, tuning, number, modulation
        As for `samara.phy.station.Station`.
    frame_size
        Payload of a frame in bytes.

    Raises
    ------
    RadioError
        If GNU Radio or the radio is not available.
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
        """Number of bursts received so far."""
        self._decoder = frames.Unencrypted()
        self._station = Station(
            radio,
            tuning,
            number,
            modulation=modulation,
            payload_bits=self._decoder.coded_bits(frame_size),
        )

    def start(self) -> None:
        """Begin to receive.

        Raises
        ------
        RadioError
            If the radio is not available.
        """
        self._station.start()

    def listen(self, timeout_s: float) -> Iterator[Overheard]:
        """Wait for bursts, and yield what is decoded without the key."""
        for heard in self._station.receive(timeout_s, most=64):
            content = self._decoder.decode_unverified(heard.soft)
            self.heard += 1
            yield Overheard(content, heard.snr_db, heard.offset)

    @property
    def dropped(self) -> int:
        """Number of bursts that were dropped because they came too fast."""
        return self._station.dropped

    def close(self) -> None:
        """Release the radio."""
        self._station.close()
