# SPDX-License-Identifier: Apache-2.0
"""A radio channel for streams of complex samples, in pieces of any length.

A `Path` has the impairments of the signal of one transmitter: loss of whole bursts,
echoes, fading, clock error, carrier frequency offset and phase noise. `Noise` is the
noise of a receiver; `samara.phy.front_end` has the rest of one. Both keep their state
between calls, so that the result does not depend on how a stream is divided.

Sources: the tapped delay line, Jakes, Microwave Mobile Communications (1974),
section 1.5; the Lagrange interpolator, Laakso et al., Splitting the Unit Delay,
IEEE Signal Processing Magazine 13(1), 1996; phase noise as a Wiener process,
Demir et al., IEEE Transactions on Circuits and Systems I 47(5), 2000.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias

import numpy as np
from numpy.typing import NDArray

from samara.errors import ArgumentError
from samara.phy.fading import MOST_DOPPLER, FadingRays

if TYPE_CHECKING:
    from collections.abc import Sequence

Samples: TypeAlias = NDArray[np.complex64]

BURST_AMPLITUDE = 0.25
"""Root mean square of a burst, as nodes send them."""

# Zeros that separate bursts, in samples: no modulation sends so many within a burst.
_BURST_GAP = 32
# Taps on either side of a delay that is not a whole number of samples.
_SINC_TAPS = 6


@dataclass(frozen=True, slots=True)
class Ray:
    """One propagation path from transmitter to receiver."""

    delay: float
    """In samples, 0 or more."""
    gain_db: float
    phase: float = 0.0
    """In radians."""


def _is_possible(ray: Ray) -> bool:
    return 0 <= ray.delay <= 64 and abs(ray.gain_db) <= 100  # noqa: PLR2004


#: Three rays as in a room: the direct one and two echoes.
THREE_RAYS = (Ray(0, 0), Ray(1.6, -9, 1.9), Ray(4.3, -14, -2.4))


@dataclass(frozen=True, slots=True, kw_only=True)
class Impairments:
    """The impairments of a path. Default: none.

    Raises
    ------
    ArgumentError
        If a value is not possible; the text says which.
    """

    offset: float = 0.0
    """Carrier frequency offset in cycles per sample."""
    clock_ppm: float = 0.0
    """Clock error in parts per million; positive if the transmitter is faster."""
    rays: Sequence[Ray] = (Ray(0, 0),)
    doppler: float = 0.0
    """Highest Doppler shift in cycles per sample: each ray has Rayleigh fading."""
    phase_noise: float = 0.0
    """Standard deviation of the phase step per sample, in radians."""
    loss: float = 0.0
    """Probability that a burst is lost."""

    def __post_init__(self) -> None:
        if not 0 <= self.loss <= 1:
            message = f"loss must be between 0 and 1, not {self.loss}"
            raise ArgumentError(message)
        if not abs(self.offset) <= 0.5:  # noqa: PLR2004 - Nyquist's limit
            message = f"offset must be at most 0.5 cycles per sample, not {self.offset}"
            raise ArgumentError(message)
        if not abs(self.clock_ppm) <= 10_000:  # noqa: PLR2004 - 1 in 100
            message = f"clock error must be at most 10000 ppm, not {self.clock_ppm}"
            raise ArgumentError(message)
        if not self.rays or not all(map(_is_possible, self.rays)):
            message = (
                "rays must have delays between 0 and 64 samples, and gains between "
                "-100 and 100 dB"
            )
            raise ArgumentError(message)
        if not 0 <= self.doppler <= MOST_DOPPLER:
            message = (
                f"Doppler must be 0 to {MOST_DOPPLER:g} of the sample rate, not "
                f"{self.doppler:g} of it"
            )
            raise ArgumentError(message)
        if not 0 <= self.phase_noise <= math.pi:
            message = f"phase noise must be between 0 and pi, not {self.phase_noise}"
            raise ArgumentError(message)


def noise_power(
    ebn0_db: float, bits_per_sample: float, signal_power: float = 1.0
) -> float:
    """Return the variance of a complex noise sample.

    Parameters
    ----------
    ebn0_db
        Energy of an information bit over noise density, in dB.
    bits_per_sample
        Information bits in a sample: code rate times bits of a symbol, over the
        samples of a symbol.
    signal_power
        Mean of a burst's squared magnitude.
    """
    return signal_power / (bits_per_sample * 10 ** (ebn0_db / 10))


def impulse_response(rays: Sequence[Ray]) -> Samples:
    """Return the taps of a delay line with these rays, for unit power together."""
    taps = np.sum(_lines_of(rays), axis=0)
    unit: Samples = (taps / np.linalg.norm(taps)).astype(np.complex64)
    return unit


def _lines_of(rays: Sequence[Ray]) -> NDArray[np.complex128]:
    """Return the taps of each ray, as rows."""
    longest = math.ceil(max(ray.delay for ray in rays))
    whole = all(float(ray.delay).is_integer() for ray in rays)
    # A delay between two samples needs taps before the first ray, too.
    lead = 0 if whole else _SINC_TAPS
    times = np.arange(longest + 1 + 2 * lead) - lead
    lines = np.zeros((len(rays), len(times)), np.complex128)
    for line, ray in zip(lines, rays, strict=True):
        distance = times - ray.delay
        window = np.cos(np.clip(distance / (_SINC_TAPS + 1), -1, 1) * np.pi / 2) ** 2
        gain = 10 ** (ray.gain_db / 20) * np.exp(1j * ray.phase)
        line[:] = gain * np.sinc(distance) * (window if lead else 1)
    return lines


def _fading(
    rays: Sequence[Ray], doppler: float, random: np.random.Generator
) -> FadingRays:
    lines = _lines_of(rays)
    unit = (lines / np.linalg.norm(lines)).astype(np.complex64)
    return FadingRays(list(unit), doppler, random)


class _Gate:
    """Passes or drops whole bursts."""

    def __init__(self, loss: float, random: np.random.Generator) -> None:
        self._loss = loss
        self._random = random
        self._silence = _BURST_GAP
        self._open = True
        self._to_lose = 0
        self.bursts = 0
        self.lost = 0

    def change(self, loss: float) -> None:
        self._loss = loss

    def lose(self, count: int) -> None:
        self._to_lose = count

    def process(self, samples: Samples) -> Samples:
        present = np.flatnonzero(samples)
        if not len(present):
            self._silence += len(samples)
            return samples
        starts = np.flatnonzero(np.diff(present) > _BURST_GAP) + 1
        if self._silence + present[0] >= _BURST_GAP:
            starts = np.concatenate(([0], starts))
        passed = samples
        begin = 0
        for start in starts:
            passed = self._shut(passed, begin, present[start])
            begin = present[start]
            self._decide()
        self._silence = len(samples) - 1 - int(present[-1])
        return self._shut(passed, begin, len(samples))

    def _decide(self) -> None:
        is_next = self._to_lose > 0
        self._to_lose -= is_next
        self._open = not is_next and bool(self._random.random() >= self._loss)
        self.bursts += 1
        self.lost += not self._open

    def _shut(self, samples: Samples, begin: int, end: int) -> Samples:
        if self._open or begin == end:
            return samples
        quiet = samples.copy()
        quiet[begin:end] = 0
        return quiet


class _Echoes:
    """A tapped delay line."""

    def __init__(self, rays: Sequence[Ray]) -> None:
        self._taps = impulse_response(rays)
        self._past = np.zeros(len(self._taps) - 1, np.complex64)

    def process(self, samples: Samples) -> Samples:
        if not len(samples):
            return samples
        joined = np.concatenate((self._past, samples))
        self._past = joined[len(samples) :]
        echoed: Samples = np.convolve(joined, self._taps, "valid").astype(np.complex64)
        return echoed


class _Clock:
    """Resamples a stream for a clock error, by cubic interpolation."""

    def __init__(self, ppm: float) -> None:
        self._step = 1 + ppm * 1e-6
        # What an output needs: one sample before it and two behind it.
        self._past = np.zeros(4, np.complex64)
        self._position = 2.0  # of the next output, in samples behind _past's start

    def process(self, samples: Samples) -> Samples:
        if self._step == 1:
            return samples
        joined = np.concatenate((self._past, samples))
        count = max(0, math.floor((len(joined) - 3 - self._position) / self._step) + 1)
        places = self._position + self._step * np.arange(count)
        whole = places.astype(np.int64)
        t = (places - whole).astype(np.float32)
        before, at, after, beyond = (joined[whole + k] for k in (-1, 0, 1, 2))
        kept = len(joined) - 4
        self._past = joined[kept:]
        self._position += self._step * count - kept
        arrived: Samples = (
            before * (-t * (t - 1) * (t - 2) / 6)
            + at * ((t + 1) * (t - 1) * (t - 2) / 2)
            + after * (-(t + 1) * t * (t - 2) / 2)
            + beyond * ((t + 1) * t * (t - 1) / 6)
        ).astype(np.complex64)
        return arrived


class _Carrier:
    """Rotates the phase: by a frequency offset and by phase noise."""

    def __init__(
        self, offset: float, phase_noise: float, random: np.random.Generator
    ) -> None:
        self._offset = offset
        self._phase_noise = phase_noise
        self._random = random
        self._phase = float(random.uniform(0, 2 * np.pi))
        self._wander = 0.0
        self._turns = np.zeros(0, np.complex64)

    def process(self, samples: Samples) -> Samples:
        turns = 2 * np.pi * self._offset
        turned = (
            samples
            * self._even_turns(len(samples))
            * np.complex64(np.exp(1j * self._phase))
        )
        self._phase = (self._phase + turns * len(samples)) % (2 * np.pi)
        if self._phase_noise and len(samples):
            steps = self._random.standard_normal(len(samples)) * self._phase_noise
            wander = self._wander + np.cumsum(steps)
            self._wander = float(wander[-1] % (2 * np.pi))
            turned *= np.exp(1j * wander).astype(np.complex64)
        return turned

    def _even_turns(self, count: int) -> Samples:
        # Kept: portions mostly have one length, and exp() is what costs here.
        if len(self._turns) < count:
            phase = 2 * np.pi * self._offset * np.arange(count)
            self._turns = np.exp(1j * phase).astype(np.complex64)
        return self._turns[:count]


class Path:
    """The path of one transmitter's samples, with its state.

    Parameters
    ----------
    impairments
        Impairments of the path.
    seed
        Random seed of losses, phase and fading.
    """

    def __init__(self, impairments: Impairments, seed: int | None = None) -> None:
        random = [
            np.random.default_rng(s) for s in np.random.SeedSequence(seed).spawn(3)
        ]
        self._gate = _Gate(impairments.loss, random[0])
        self._stages = (
            self._gate,
            _fading(impairments.rays, impairments.doppler, random[2])
            if impairments.doppler
            else _Echoes(impairments.rays),
            _Clock(impairments.clock_ppm),
            _Carrier(impairments.offset, impairments.phase_noise, random[1]),
        )

    def process(self, samples: Samples) -> Samples:
        """Return the received samples; with a clock error, some more or fewer."""
        for stage in self._stages:
            samples = stage.process(samples)
        return samples

    def change(self, loss: float) -> None:
        """Lose bursts with another probability from now on."""
        self._gate.change(loss)

    def lose(self, count: int) -> None:
        """Lose the next bursts, whatever their probability is."""
        self._gate.lose(count)

    @property
    def bursts(self) -> int:
        """Number of bursts sent."""
        return self._gate.bursts

    @property
    def lost(self) -> int:
        """Number of bursts lost."""
        return self._gate.lost


class Noise:
    """White Gaussian noise of a receiver.

    Parameters
    ----------
    power
        Variance of a complex sample.
    """

    def __init__(self, power: float, seed: int | None = None) -> None:
        self._random = np.random.default_rng(seed)
        self.change(power)

    def change(self, power: float) -> None:
        """Have another variance of a complex sample from now on."""
        self._scale = np.float32(math.sqrt(power / 2))

    def draw(self, count: int) -> Samples:
        """Return the next samples."""
        parts = self._random.standard_normal(2 * count, np.float32)
        parts *= self._scale
        return parts.view(np.complex64)
