# SPDX-License-Identifier: GPL-3.0-or-later
"""What happens to bursts on their way, for the tests of the receiver."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from gnuradio import samara

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.random import Generator

SAMPLES_PER_SYMBOL = 4


@dataclass(frozen=True)
class Path:
    """How far a burst's carrier and clock are off, and what else there is.

    Parameters
    ----------
    offset: largest carrier offset, cycles a symbol
    clock: error of the clock, a ratio, fast or slow
    rays: whether there are three, 9 and 14 dB below the first
    phase_noise: deviation of the phase from symbol to symbol, radians
    """

    offset: float = 0.0
    clock: float = 0.0
    rays: bool = False
    phase_noise: float = 0.0

    def apply(self, samples: np.ndarray, rng: np.random.Generator) -> np.ndarray:
        """Return the burst as it arrives, its power kept."""
        ratio = 1 + self.clock * rng.choice([-1, 1])
        samples = resampled(np.pad(samples, 40), ratio, rng.uniform())
        if self.rays:
            gains = np.array([1, 10 ** (-9 / 20), 10 ** (-14 / 20)], complex)
            gains *= np.exp(2j * np.pi * rng.uniform(size=3))
            parts = zip(gains, (0, 2, 5), strict=True)
            samples = sum(gain * np.roll(samples, delay) for gain, delay in parts)
            samples /= np.sqrt(np.sum(np.abs(gains) ** 2))
        turns = self.offset * rng.uniform(-1, 1) / SAMPLES_PER_SYMBOL
        step = self.phase_noise / np.sqrt(SAMPLES_PER_SYMBOL)
        phase = 2 * np.pi * turns * np.arange(len(samples))
        phase += np.cumsum(rng.normal(0, step, len(samples)))
        return samples * np.exp(1j * phase)


def resampled(samples: np.ndarray, ratio: float, delay: float) -> np.ndarray:
    """Read samples at steps of `ratio`, `delay` late, by a windowed sinc."""
    times = np.arange(len(samples)) * ratio - delay
    whole = np.floor(times).astype(int)
    output = np.zeros(len(samples), complex)
    for i in range(-9, 11):
        distance = times - whole - i
        window = np.cos(np.pi * distance / 22) ** 2
        values = samples[np.clip(whole + i, 0, len(samples) - 1)]
        output += values * np.sinc(distance) * window
    return output


def train(
    modulation: samara.burst_modulation,
    payloads: np.ndarray,
    path: Path | None = None,
    seed: int = 0,
) -> tuple[np.ndarray, list[int]]:
    """Send bursts with gaps of any length.

    Returns
    -------
    the samples, and where the middle of each burst's first pulse is in them
    """
    rng = np.random.default_rng(seed)
    maker = samara.burst_modulator(modulation, payloads.shape[1], 1.0)
    parts: list[np.ndarray] = []
    starts = []
    position = 0
    for bits in payloads:
        burst = maker.modulate(bits)
        margin = 0
        if path:
            burst = path.apply(burst, rng)
            margin = 40
        gap = np.zeros(rng.integers(0, 3000))
        starts.append(position + len(gap) + margin + maker.half_span)
        parts += [gap, burst]
        position += len(gap) + len(burst)
    return np.concatenate(parts), starts


def noisy(samples: np.ndarray, deviation: float, seed: int = 0) -> np.ndarray:
    """Add white noise; `deviation` is that of the noise behind a matched filter
    over the magnitude of a symbol there, when the bursts' amplitude is 1."""
    rng = np.random.default_rng(seed)
    scale = deviation * np.sqrt(SAMPLES_PER_SYMBOL / 2)
    noise = np.array([1, 1j]) @ rng.normal(0, scale, (2, len(samples)))
    return (samples + noise).astype(np.complex64)


def mirrored(noise: np.ndarray, bare: np.ndarray, secret: np.ndarray) -> np.ndarray:
    """Mirror noise along with each symbol: on either axis, where its sign turns."""
    real = np.where(bare.real * secret.real < 0, -1, 1)
    imaginary = np.where(bare.imag * secret.imag < 0, -1, 1)
    return noise.real * real + 1j * noise.imag * imaginary


def tone(count: int, frequency: float) -> np.ndarray:
    """A carrier, its frequency in cycles a sample."""
    return np.exp(2j * np.pi * (frequency * np.arange(count) % 1))


def shift_keyed(count: int, samples: int, turns: float, rng: Generator) -> np.ndarray:
    """A carrier that turns by half of `turns` a symbol, to either side."""
    signs = rng.choice([-1, 1], count // samples + 1)
    steps = np.repeat(signs, samples)[:count] * turns / 2 / samples
    return np.exp(2j * np.pi * np.cumsum(steps))


def chirps(count: int, length: int, rng: Generator) -> np.ndarray:
    """Chirps over half of the band, each from one of 128 frequencies on."""
    starts = rng.integers(0, 128, count // length + 1) / 128
    place = (starts[:, None] + np.arange(length) / length) % 1
    return np.exp(2j * np.pi * np.cumsum(place.ravel()[:count] / 2 - 0.25))


def narrow_noise(count: int, width: int, rng: Generator) -> np.ndarray:
    """Noise in a band of about 1/width of the sample rate."""
    sums = np.cumsum(rng.normal(0, 1, (count + width, 2)), axis=0)
    values = (sums[width:] - sums[:-width]) / np.sqrt(2 * width)
    return values @ np.array([1, 1j])


def payload_of(
    modulation: samara.burst_modulation, count: int, rng: Generator
) -> np.ndarray:
    """The payload of a burst, as long as it takes."""
    bits = rng.integers(0, 2, 4 * (count // 4 // 4 + 1) * 4, dtype=np.uint8)
    maker = samara.burst_modulator(modulation, len(bits), 1.0)
    elements = maker.elements(bits)[maker.preamble_elements :]
    return maker.shape(elements)[:count]


INTERFERENCE: dict[str, Callable[[int, Generator], np.ndarray]] = {
    "constant": lambda count, _: np.ones(count),
    # The lines of a symbol of 64 samples that is repeated.
    "tone on a line": lambda count, _: tone(count, 1 / 64),
    "tone on another line": lambda count, _: tone(count, -3 / 64),
    "tone": lambda count, _: tone(count, 0.0271),
    "two tones": lambda count, _: tone(count, 1 / 64) + tone(count, -1 / 64),
    "keyed tone": lambda count, rng: (
        tone(count, 1 / 64) * np.repeat(rng.integers(0, 2, count // 500), 500)
    ),
    "two keyed tones": lambda count, rng: shift_keyed(count, 400, 12.5, rng),
    "fast keyed tones": lambda count, rng: shift_keyed(count, 64, 1.0, rng),
    "MSK": lambda count, rng: shift_keyed(count, 4, 0.5, rng),
    "chirps": lambda count, rng: chirps(count, 256, rng),
    "narrow noise": lambda count, rng: narrow_noise(count, 100, rng),
    "BPSK": lambda count, rng: payload_of(samara.burst_modulation.BPSK, count, rng),
    "16-QAM": lambda count, rng: payload_of(samara.burst_modulation.QAM16, count, rng),
}
"""Signals with a power of about 1: of so many samples, from a generator."""
