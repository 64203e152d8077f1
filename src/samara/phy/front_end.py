# SPDX-License-Identifier: Apache-2.0
"""What a cheap receiver does to all that it hears, and the noise that it adds.

`FrontEnd` describes a receiver, `Reception` is one with its state. In this order:
noise and interference are added, the gain steps, the quadrature mixer is out of
balance and leaks its own carrier (DC), and a converter rounds to its bits.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np

from samara.errors import ArgumentError
from samara.phy.channel import Impairments, Noise

if TYPE_CHECKING:
    from samara.phy.channel import Samples
    from samara.phy.interference import Neighbours, Pulses, Tone

_MOST_BITS = 16


@dataclass(frozen=True, slots=True, kw_only=True)
class FrontEnd:
    """A receiver and its surroundings. Default: an ideal one, alone.

    Raises
    ------
    ArgumentError
        If a value is not possible; the text says which.
    """

    heard: tuple[Tone | Pulses | Neighbours, ...] = ()
    """Interference at the antenna."""
    constant: float = 0.0
    """Magnitude of a constant that is added (DC)."""
    iq_gain_db: float = 0.0
    """By how much the imaginary part is too large."""
    iq_phase: float = 0.0
    """By how many radians its axis is off."""
    gain_rate: float = 0.0
    """Mean number of changes of the gain per sample."""
    gain_step_db: float = 0.0
    """The gain is the usual one, or so much above or below it."""
    bits: int | None = None
    """Bits of each part; the range is -1 to 1. None: no rounding."""

    def __post_init__(self) -> None:
        if self.bits is not None and not 1 <= self.bits <= _MOST_BITS:
            message = f"a converter has 1 to {_MOST_BITS} bits, not {self.bits}"
            raise ArgumentError(message)
        if not 0 <= self.gain_rate <= 1:
            message = f"the gain steps 0 to 1 times a sample, not {self.gain_rate:g}"
            raise ArgumentError(message)
        if not abs(self.iq_phase) < math.pi / 2:
            message = (
                "the phase between both axes must be within pi/2 radians, not "
                f"{self.iq_phase:g}"
            )
            raise ArgumentError(message)


@dataclass(frozen=True, slots=True)
class Surroundings:
    """What bursts go through, and who receives them."""

    path: Impairments = field(default_factory=Impairments)
    front_end: FrontEnd = field(default_factory=FrontEnd)


class Reception:
    """One receiver.

    Parameters
    ----------
    front_end
        What it is like.
    noise_power
        Variance of a complex sample of its noise.
    seed
        Random seed of all that is random in it.
    """

    def __init__(
        self, front_end: FrontEnd, noise_power: float, seed: int | None = None
    ) -> None:
        self._front_end = front_end
        self._noise = Noise(noise_power, seed)
        random = np.random.SeedSequence(seed).spawn(len(front_end.heard) + 2)
        *places, own, steps = map(np.random.default_rng, random)
        self._sources = [
            each.source(place)
            for each, place in zip(front_end.heard, places, strict=True)
        ]
        self._constant = np.complex64(
            front_end.constant * np.exp(2j * np.pi * own.uniform())
        )
        self._gain = _Gain(front_end.gain_rate, front_end.gain_step_db, steps)

    def change(self, noise_power: float) -> None:
        """Have another variance of a complex sample of noise from now on."""
        self._noise.change(noise_power)

    def draw(self, count: int) -> Samples:
        """Return the next samples of noise and interference."""
        heard = self._noise.draw(count)
        for source in self._sources:
            source.add(heard)
        return heard

    def convert(self, heard: Samples) -> Samples:
        """Return what the receiver makes of the samples at its antenna."""
        front_end = self._front_end
        if front_end.gain_rate:
            heard = heard * self._gain.take(len(heard))
        if front_end.iq_gain_db or front_end.iq_phase:
            heard = _unbalanced(heard, front_end.iq_gain_db, front_end.iq_phase)
        if front_end.constant:
            heard = heard + self._constant
        return heard if front_end.bits is None else _rounded(heard, front_end.bits)


class _Gain:
    def __init__(
        self, rate: float, step_db: float, random: np.random.Generator
    ) -> None:
        self._rate = rate
        self._levels = 10 ** (step_db * np.array([-1.0, 0.0, 1.0]) / 20)
        self._random = random
        self._level = 1.0
        self._left = self._wait() if rate else 0

    def _wait(self) -> int:
        return 1 + int(min(self._random.exponential(1 / self._rate), 2.0**60))

    def take(self, count: int) -> Samples:
        gains = np.ones(count, np.float32)
        place = 0
        while place < count:
            lasts = min(self._left, count - place)
            gains[place : place + lasts] = self._level
            place += lasts
            self._left -= lasts
            if not self._left:
                self._level = float(self._random.choice(self._levels))
                self._left = self._wait()
        return gains.astype(np.complex64)


def _unbalanced(samples: Samples, gain_db: float, phase: float) -> Samples:
    gain = 10 ** (gain_db / 20)
    real, imaginary = samples.real, samples.imag
    wrong = gain * (imaginary * math.cos(phase) + real * math.sin(phase))
    out: Samples = (real + 1j * wrong).astype(np.complex64)
    return out


def _rounded(samples: Samples, bits: int) -> Samples:
    steps = 2 ** (bits - 1)
    parts = np.ascontiguousarray(samples).view(np.float32)
    # The steps are beside zero, as those of a converter with one bit are.
    rounded = np.floor(parts * np.float32(steps)) + np.float32(0.5)
    limit = steps - 0.5
    kept = np.clip(rounded, -limit, limit) / np.float32(steps)
    out: Samples = kept.astype(np.float32).view(np.complex64)
    return out
