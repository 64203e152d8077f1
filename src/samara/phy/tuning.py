# SPDX-License-Identifier: Apache-2.0
"""Settings of a radio, and the errors of radios."""

from __future__ import annotations

from dataclasses import dataclass

from samara.errors import MisuseError


class RadioError(MisuseError):
    """A radio that is not available, or a setting that it does not support."""


class NoSamplesError(RadioError):
    """The radio takes no samples, for now."""


class DamagedBurstError(NoSamplesError):
    """A burst was not sent as it should have been."""


class RadioLostError(NoSamplesError):
    """The radio has gone: it was unplugged, or its driver failed."""


class RecordingEndedError(RadioError):
    """A recording was read to its end."""


@dataclass(frozen=True, slots=True)
class Tuning:
    """Settings of a radio; a channel and a recording use only the sample rate."""

    sample_rate: float
    """In Hz."""
    frequency: float = 868.3e6
    """Carrier frequency in Hz."""
    gain_db: float = 30.0
    ppm: float = 0.0
    """Error of the crystal of the radio, in millionths."""

    @property
    def corrected_frequency(self) -> float:
        """What a radio with this crystal is to be set to, in Hz."""
        return self.frequency / (1 + self.ppm * 1e-6)
