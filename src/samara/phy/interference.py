# SPDX-License-Identifier: Apache-2.0
"""What a receiver hears beside bursts and noise: tones, pulses, other radios.

Each source keeps its state between calls, so that the result does not depend on how a
stream is divided. Powers are variances of complex samples.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

import numpy as np

from samara.errors import ArgumentError

if TYPE_CHECKING:
    from collections.abc import Callable

    from samara.phy.channel import Samples

_SAMPLES_PER_SYMBOL = 4
_NEIGHBOUR_SYMBOLS = 1000
# The carrier of another radio is within this of the own one, in cycles per sample.
_NEIGHBOUR_OFFSET = 0.025
_MOST_LENGTH = 1_000_000


@dataclass(frozen=True, slots=True)
class Tone:
    """A carrier that is always there."""

    frequency: float
    """From the own carrier, in cycles per sample."""
    power: float

    def __post_init__(self) -> None:
        if not abs(self.frequency) <= 0.5:  # noqa: PLR2004 - Nyquist's limit
            message = (
                "the frequency of a tone must be within half of the sample rate, not "
                f"{self.frequency:g} of it"
            )
            raise ArgumentError(message)

    def source(self, random: np.random.Generator) -> Source:
        """Return its samples."""
        return _Carrier(self, float(random.uniform()))


@dataclass(frozen=True, slots=True)
class Pulses:
    """Pulses of white noise that begin at random."""

    rate: float
    """Mean number per sample."""
    length: int
    """In samples."""
    power: float

    def __post_init__(self) -> None:
        if not 0 < self.rate <= 1:
            message = f"a sample has 0 to 1 pulses, not {self.rate:g}: give fewer"
            raise ArgumentError(message)
        if not 1 <= self.length <= _MOST_LENGTH:
            message = f"a pulse has 1 to {_MOST_LENGTH} samples, not {self.length}"
            raise ArgumentError(message)

    def source(self, random: np.random.Generator) -> Source:
        """Return its samples."""

        def make() -> Samples:
            return _white(random, self.length) * np.float32(np.sqrt(self.power))

        return _Events(self.rate, make, random)


@dataclass(frozen=True, slots=True)
class Neighbours:
    """Bursts of radios of other networks, in QPSK without a preamble."""

    rate: float
    """Mean number per sample."""
    power: float

    def __post_init__(self) -> None:
        if not 0 < self.rate <= 1:
            message = f"a sample has 0 to 1 bursts, not {self.rate:g}: give fewer"
            raise ArgumentError(message)

    def source(self, random: np.random.Generator) -> Source:
        """Return its samples."""
        return _Events(self.rate, lambda: _neighbour(random, self.power), random)


class Source(Protocol):
    """Samples that are added to what a receiver hears."""

    def add(self, samples: Samples) -> None:
        """Add the next ones in place."""


class _Carrier:
    def __init__(self, tone: Tone, phase: float) -> None:
        self._tone = tone
        self._phase = phase

    def add(self, samples: Samples) -> None:
        turns = self._phase + self._tone.frequency * np.arange(len(samples))
        samples += (
            np.sqrt(self._tone.power) * np.exp(2j * np.pi * (turns % 1))
        ).astype(np.complex64)
        self._phase = (self._phase + self._tone.frequency * len(samples)) % 1


class _Events:
    """Events one after the other, with an exponential time between them.

    One that begins while another lasts follows it.
    """

    def __init__(
        self, rate: float, make: Callable[[], Samples], random: np.random.Generator
    ) -> None:
        self._rate = rate
        self._make = make
        self._random = random
        self._quiet = 0
        self._left: Samples = np.zeros(0, np.complex64)
        self._begin()

    def _begin(self) -> None:
        # What a float of numbers of samples holds; no stream is so long.
        self._quiet = int(min(self._random.exponential(1 / self._rate), 2.0**60))
        self._left = self._make()

    def add(self, samples: Samples) -> None:
        place = 0
        while place < len(samples):
            silent = min(self._quiet, len(samples) - place)
            self._quiet -= silent
            place += silent
            count = min(len(self._left), len(samples) - place)
            samples[place : place + count] += self._left[:count]
            self._left = self._left[count:]
            place += count
            if not len(self._left):
                self._begin()


def _white(random: np.random.Generator, count: int) -> Samples:
    parts = random.standard_normal(2 * count, np.float32) * np.float32(np.sqrt(0.5))
    return parts.view(np.complex64)


def _neighbour(random: np.random.Generator, power: float) -> Samples:
    """Return a burst: QPSK with raised-cosine pulses, roll-off 1."""
    quarters = random.integers(0, 4, _NEIGHBOUR_SYMBOLS)
    symbols = np.zeros(_NEIGHBOUR_SYMBOLS * _SAMPLES_PER_SYMBOL, np.complex128)
    symbols[::_SAMPLES_PER_SYMBOL] = 1j**quarters
    # At odd samples: the pole of the formula, half a symbol away, is no sample.
    times = (np.arange(-8, 8) + 0.5) / _SAMPLES_PER_SYMBOL
    pulse = np.sinc(2 * times) / (1 - 4 * times**2)
    burst = np.convolve(symbols, pulse)
    turns = random.uniform(-_NEIGHBOUR_OFFSET, _NEIGHBOUR_OFFSET) * np.arange(
        len(burst)
    )
    burst *= np.exp(2j * np.pi * (turns + random.uniform()))
    scale = np.sqrt(power / np.mean(np.abs(burst) ** 2))
    samples: Samples = (burst * scale).astype(np.complex64)
    return samples
