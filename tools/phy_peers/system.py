# SPDX-License-Identifier: Apache-2.0
"""What is compared: frames of one code, or whole bursts."""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from enum import StrEnum
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

SHARE = 0.99
"""Of the energy of a burst that lies within its bandwidth."""


class Kind(StrEnum):
    """What of a system is measured."""

    CODE = "code"
    """Coded bits as BPSK in white noise, at known times."""
    BURST = "burst"
    """Samples with preamble and all the rest, which the receiver finds."""


class NotTriedError(Exception):
    """A library that a system needs is not there."""


class System(ABC):
    """A way to send a payload. All energy that is sent counts."""

    name: str
    kind: Kind

    @abstractmethod
    def prepare(self, payload_bytes: int) -> None:
        """Get ready for payloads of this size.

        Raises
        ------
        NotTriedError
            If a library is not there.
        """

    @abstractmethod
    def lost(self, ebn0_db: float, frames: int, random: np.random.Generator) -> int:
        """Send frames, and return how many did not arrive.

        Parameters
        ----------
        ebn0_db
            Energy of all that is sent for a frame, by bits of its payload, over the
            noise density.
        frames
            How many.
        random
            Source of payloads and noise.
        """

    def waveform(self) -> NDArray[np.complex64] | None:
        """Return the samples of a frame; None for a code alone."""
        return None


def db(ratio: float) -> float:
    """Return a ratio of powers in decibels."""
    return 10 * math.log10(ratio)


def energy(samples: NDArray[Any]) -> float:
    """Return the energy of samples."""
    return float(np.sum(np.abs(samples.astype(np.complex128)) ** 2))


def bandwidth_times_time(
    samples: NDArray[Any], payload_bytes: int, parts: int = 32
) -> float:
    """Return bandwidth times duration of a burst by bits of its payload.

    The spectrum is the mean over pieces of the burst, as a spectrum analyser has it.
    """
    length = max(len(samples) // parts, 64)
    pieces = samples[: len(samples) // length * length].reshape(-1, length)
    window = np.hanning(length)
    powers = (np.abs(np.fft.fft(pieces * window, axis=1)) ** 2).mean(axis=0)
    powers = np.cumsum(np.sort(powers)[::-1])
    inside = int(np.searchsorted(powers, SHARE * powers[-1])) + 1
    return inside / length * len(samples) / (8 * payload_bytes)
