# SPDX-License-Identifier: GPL-3.0-or-later
"""Frames under interference that is stronger than their bursts."""

from __future__ import annotations

import air
import numpy as np
import pytest
from flowgraphs import KEY
from gnuradio import samara

BPSK, QPSK, QAM16, DSSS = samara.burst_modulation.__members__.values()
MODULATIONS = (BPSK, QPSK, QAM16, DSSS)
# Samples have unit power; white noise of so much leaves no frame lost.
QUIET = {BPSK: 0.6, QPSK: 0.4, QAM16: 0.15, DSSS: 1.2}
MESSAGE = 100
FRAMES = 5
CODEC = samara.frame_codec(
    samara.frame_code.CONVOLUTIONAL,
    samara.frame_check.TAG,
    KEY,
    cipher=samara.frame_cipher.PLE,
)


class Frame:
    """A frame with the samples of its burst.

    Parameters
    ----------
    modulation: of the burst
    rng: source of message, carrier frequency and phase
    counter: of the frame; below it are those of other frames
    """

    def __init__(
        self,
        modulation: samara.burst_modulation,
        rng: np.random.Generator,
        counter: int,
    ) -> None:
        self.counter = counter
        self.message = rng.integers(0, 256, (1, MESSAGE), dtype=np.uint8)
        bits = CODEC.encode(self.message, counter)[0]
        self.maker = samara.burst_modulator(modulation, len(bits), 1.0)
        self.bits = len(bits)
        burst = self.maker.modulate(bits)
        turns = rng.uniform(-0.1, 0.1) / air.SAMPLES_PER_SYMBOL
        phase = turns * np.arange(len(burst)) + rng.uniform()
        self.samples = burst * np.exp(2j * np.pi * phase)

    @property
    def payload(self) -> int:
        """Samples before the payload, and some more."""
        elements = self.maker.elements_per_burst
        return len(self.samples) * self.maker.preamble_elements // elements + 100

    def is_in(self, bursts: list[samara.burst_reception]) -> bool:
        """Whether one of the bursts brings the message."""
        counters = np.array([self.counter], np.uint64)
        return any(
            good[0] and np.array_equal(message, self.message)
            for message, good in (
                CODEC.decode(burst.soft[None, :], counters) for burst in bursts
            )
        )


def hear(
    modulation: samara.burst_modulation, bits: int, samples: np.ndarray
) -> list[samara.burst_reception]:
    receiver = samara.burst_receiver(modulation, bits)
    return [*receiver.feed(samples.astype(np.complex64)), *receiver.finish()]


def pulse(kind: str, size: int, rng: np.random.Generator) -> np.ndarray:
    if kind == "noise":
        return (rng.normal(size=size) + 1j * rng.normal(size=size)) / np.sqrt(2)
    turns = rng.uniform(-0.1, 0.1) / air.SAMPLES_PER_SYMBOL
    return np.exp(2j * np.pi * (turns * np.arange(size) + rng.uniform()))


@pytest.mark.parametrize("kind", ["tone", "noise"])
@pytest.mark.parametrize("above_db", [0, 20, 40])
@pytest.mark.parametrize("modulation", MODULATIONS)
def test_a_pulse_costs_no_frame(
    modulation: samara.burst_modulation, above_db: float, kind: str
) -> None:
    """A twentieth of each burst is under a pulse, anywhere in its payload."""
    for number in range(FRAMES):
        rng = np.random.default_rng(number)
        frame = Frame(modulation, rng, number)
        samples = np.pad(frame.samples, 5000)
        size = len(frame.samples) // 20
        start = 5000 + int(rng.integers(frame.payload, len(frame.samples) - size))
        samples[start : start + size] += 10 ** (above_db / 20) * pulse(kind, size, rng)
        heard = hear(modulation, frame.bits, air.noisy(samples, QUIET[modulation]))
        assert frame.is_in(heard)


@pytest.mark.parametrize("above_db", [3, 12, 30])
@pytest.mark.parametrize("modulation", MODULATIONS)
def test_a_stronger_burst_over_the_end_costs_no_frame(
    modulation: samara.burst_modulation, above_db: float
) -> None:
    """The second burst covers the last tenth of the first."""
    for number in range(FRAMES):
        rng = np.random.default_rng(number)
        weak, strong = (Frame(modulation, rng, 2 * number + i) for i in (0, 1))
        start = 5000 + len(weak.samples) * 9 // 10
        samples = np.pad(weak.samples, (5000, len(weak.samples) + 5000))
        samples[start : start + len(strong.samples)] += (
            10 ** (above_db / 20) * strong.samples
        )
        heard = hear(modulation, weak.bits, air.noisy(samples, QUIET[modulation]))
        assert weak.is_in(heard)
        assert strong.is_in(heard)


@pytest.mark.parametrize("share", [0.15, 0.5, 0.85])
@pytest.mark.parametrize("modulation", MODULATIONS)
def test_of_two_bursts_that_collide_both_are_received(
    modulation: samara.burst_modulation, share: float
) -> None:
    """The later one is stronger: it is taken out before the other is received."""
    above_db = 26 if modulation == QAM16 else 14
    for number in range(FRAMES):
        rng = np.random.default_rng(number)
        weak, strong = (Frame(modulation, rng, 2 * number + i) for i in (0, 1))
        size = len(weak.samples)
        start = 5000 + max(round(size * (1 - share)), weak.payload)
        samples = np.pad(weak.samples, (5000, size + 5000))
        samples[start : start + size] += 10 ** (above_db / 20) * strong.samples
        heard = hear(modulation, weak.bits, air.noisy(samples, QUIET[modulation] / 2))
        assert weak.is_in(heard)
        assert strong.is_in(heard)


@pytest.mark.parametrize("modulation", [BPSK, QPSK, DSSS])
def test_a_weaker_burst_that_begins_later_is_received(
    modulation: samara.burst_modulation,
) -> None:
    """Its preamble is below the first burst, which is taken out."""
    for number in range(FRAMES):
        rng = np.random.default_rng(number)
        strong, weak = (Frame(modulation, rng, 2 * number + i) for i in (0, 1))
        size = len(weak.samples)
        samples = np.pad(10 ** (14 / 20) * strong.samples, (5000, size + 5000))
        start = 5000 + size // 2
        samples[start : start + size] += weak.samples
        heard = hear(modulation, weak.bits, air.noisy(samples, QUIET[modulation] / 4))
        assert strong.is_in(heard)
        assert weak.is_in(heard)
