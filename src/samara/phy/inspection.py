# SPDX-License-Identifier: Apache-2.0
"""Analysis of a recording of samples: facts, spectrum, bursts and constellation.

The signal is not known. Only the constellation needs the number of samples per symbol:
timing, carrier offset and phase are estimated blindly, for a linear modulation with
root-raised-cosine pulses.
"""

from __future__ import annotations

import bisect
import itertools
import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, Any

import numpy as np
from numpy.typing import NDArray

from samara.records import Field, Record, record_class

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from samara.phy.channel import Samples
    from samara.phy.recordings import Recording

Reals = NDArray[np.float64]
Counts = NDArray[np.int64]

MOST_SAMPLES = 1 << 22
"""Samples that are read, from the beginning of a recording."""

# Power is averaged over this many samples to find bursts.
_AVERAGED = 64
# Logarithm of the likelihood ratio from which two stretches differ in power, for
# independent samples of complex Gaussian noise. Signals have fewer independent
# values than samples; where that cuts one, its parts are put together again.
_DIFFERENT = 20.0
# Averages of the stretch that the others are compared with, at least: a signal's
# envelope is not so long without power.
_FLOOR_AVERAGES = 4
_WINDOW_GROWTH = 1.5
_FFT_SIZE = 512
_OCCUPIED = 0.99

_ROLL_OFF = 0.35
_PULSE_SYMBOLS = 6
_MOST_SYMBOLS = 4000
_TIMINGS = 8
_PHASE_BLOCK = 48
# Symbols at either end of a burst, which may be beside it.
_EDGE = 20


@record_class
class Burst:
    """A range of samples with more power than the noise."""

    start: Annotated[int, Field("Its first sample.")]
    count: Annotated[int, Field("Number of samples.")]
    power_db: Annotated[
        float, Field("Mean, over that of a sample of magnitude 1.", unit="dB")
    ]


@record_class
class Facts(Record):
    """Facts about a recording."""

    TYPE = "recording"

    samples: Annotated[int, Field("Number of samples.")]
    looked_at: Annotated[int, Field("Number of samples that were read.")]
    sample_rate: Annotated[float, Field("Sample rate.", unit="Hz")]
    duration_s: Annotated[float, Field("Duration.", unit="s")]
    power_db: Annotated[
        float | None,
        Field(
            "Mean, over that of a sample of magnitude 1; `null` for silence.", unit="dB"
        ),
    ]
    noise_db: Annotated[
        float | None,
        Field("Power of the quietest tenth; `null` for silence.", unit="dB"),
    ]
    peak: Annotated[float, Field("Largest magnitude.")]
    offset: Annotated[
        float, Field("Magnitude of the mean: the DC offset of a receiver.")
    ]
    not_finite: Annotated[
        int, Field("Samples that are not finite numbers; they are taken as zeros.")
    ]
    occupied_hz: Annotated[
        tuple[float, float],
        Field("Band with 99 % of the power, relative to the carrier.", unit="Hz"),
    ]
    bursts: Annotated[tuple[Burst, ...], Field("Bursts.")]


@dataclass(frozen=True, slots=True)
class Spectrum:
    """Power over frequency and time."""

    frequencies: Reals
    """In Hz from the carrier."""
    power: Reals
    """Mean over the recording, for each bin."""
    times: Reals
    """In seconds."""
    waterfall: Reals
    """Rows are times, columns frequencies."""


def load(recording: Recording) -> tuple[Samples, int]:
    """Return the first samples, and how many of them are not finite numbers.

    Raises
    ------
    samara.phy.recordings.RecordingError
        If the file cannot be read.
    """
    samples = recording.samples(0, min(recording.count, MOST_SAMPLES))
    finite = np.isfinite(samples)
    # Products of what is larger are beyond the numbers that are computed with.
    sound = finite & (np.abs(np.where(finite, samples, 0)) < 1e9)  # noqa: PLR2004
    return np.where(sound, samples, 0).astype(np.complex64), int((~sound).sum())


def facts(recording: Recording, samples: Samples, not_finite: int) -> Facts:
    """Return the facts about these samples of a recording."""
    power = _power(samples)
    averages = _averages(power)
    floor = float(np.quantile(averages, 0.1)) if len(averages) else 0.0
    rate = recording.sample_rate
    return Facts(
        recording.count,
        len(samples),
        rate,
        recording.count / rate,
        decibels(float(power.mean()) if len(power) else 0.0),
        decibels(floor),
        float(np.sqrt(power.max(initial=0.0))),
        float(np.abs(samples.mean(dtype=np.complex128))) if len(samples) else 0.0,
        not_finite,
        _occupied(spectrum(samples, rate)),
        bursts(samples),
    )


def decibels(power: float) -> float | None:
    """Return a power in dB; None if it is 0."""
    return 10 * math.log10(power) if power > 0 else None


def bursts(samples: Samples) -> tuple[Burst, ...]:
    """Return the bursts; if there are none, the whole recording as one burst.

    The recording is divided into segments of constant power. Segments with more power
    than the quietest one are bursts; adjacent ones are one burst. A weak burst is found
    if it is long enough.
    """
    power = _power(samples)
    averages = _averages(power)
    if not len(averages) or not averages.max() > 0:
        return ()
    stretches = _stretches_of_one_power(averages)
    loud = np.zeros(len(averages) + 2, np.int8)
    for begin, end in _above_the_quietest(averages, stretches):
        loud[begin + 1 : end + 1] = 1
    edges = np.diff(loud)
    starts, ends = np.flatnonzero(edges == 1), np.flatnonzero(edges == -1)
    found = []
    for begin, end in zip(starts * _AVERAGED, ends * _AVERAGED, strict=True):
        level = decibels(float(power[begin:end].mean()))
        found.append(Burst(int(begin), int(end - begin), level or 0.0))
    whole = Burst(0, len(samples), decibels(float(power.mean())) or 0.0)
    return tuple(found) or (whole,)


def spectrum(samples: Samples, sample_rate: float) -> Spectrum:
    """Return the power of windows of samples over frequency."""
    size = _FFT_SIZE
    # What is left over would be a row of less power; it is one if it is all.
    left_over = len(samples) % size
    whole = samples[: len(samples) - left_over]
    if not len(whole):
        whole = np.pad(samples, (0, -len(samples) % size))
    rows = whole.reshape(-1, size) * np.hanning(size)
    lines = np.fft.fftshift(np.fft.fft(rows, axis=1), axes=1)
    power = _power(lines)
    frequencies = np.fft.fftshift(np.fft.fftfreq(size, 1 / sample_rate))
    times = np.arange(len(rows), dtype=np.float64) * size / sample_rate
    mean = power.mean(axis=0) if len(power) else np.zeros(size)
    return Spectrum(frequencies, mean, times, power)


def constellation(samples: Samples, samples_per_symbol: int) -> Samples:
    """Return symbols from the middle of the longest burst, of unit power.

    With one sample a symbol, the samples themselves.
    """
    found = bursts(samples)
    if not found:
        return np.zeros(0, np.complex64)
    longest = max(found, key=lambda burst: burst.count)
    span = min(longest.count, _MOST_SYMBOLS * samples_per_symbol)
    begin = longest.start + (longest.count - span) // 2
    part = samples[begin : begin + span]
    symbols = part if samples_per_symbol == 1 else _timed(part, samples_per_symbol)
    if len(symbols) > 4 * _EDGE:
        symbols = symbols[_EDGE:-_EDGE]
    power = float(_power(symbols).mean()) if len(symbols) else 0.0
    if power <= 0:
        return np.zeros(0, np.complex64)
    symbols = symbols / np.float32(math.sqrt(power))
    return symbols if samples_per_symbol == 1 else _turned(symbols)


def _power(values: NDArray[np.complexfloating[Any, Any]]) -> Reals:
    wide = values.astype(np.complex128)
    power: Reals = wide.real**2 + wide.imag**2
    return power


def _averages(power: Reals) -> Reals:
    whole = power[: len(power) // _AVERAGED * _AVERAGED]
    means: Reals = whole.reshape(-1, _AVERAGED).mean(axis=1)
    return means


def _stretches_of_one_power(averages: Reals) -> list[tuple[int, int]]:
    """Cut where the power changes.

    Seeded binary segmentation, the narrowest first (Kovacs, Buhlmann, Li and Munk,
    Biometrika 110(1), 2023): short windows see a short gap, long ones a faint
    burst. The likelihood is that of complex Gaussian noise.
    """
    sums = np.concatenate(([0.0], np.cumsum(averages)))
    cuts: list[int] = []
    size = 2.0
    while size < len(averages) * _WINDOW_GROWTH:
        for cut, begin, end in _cuts_in_windows(sums, min(int(size), len(averages))):
            place = bisect.bisect(cuts, begin)
            if place == len(cuts) or cuts[place] >= end:
                cuts.insert(place, cut)
        size *= _WINDOW_GROWTH
    ends = [0, *cuts, len(averages)]
    # Between its neighbours, the place of each is surer.
    for i in range(1, len(ends) - 1):
        ends[i] = ends[i - 1] + _best_cut(sums[ends[i - 1] : ends[i + 1] + 1])
    return list(itertools.pairwise(ends))


def _cuts_in_windows(sums: Reals, size: int) -> Iterator[tuple[int, int, int]]:
    """Yield the cut, begin and end of each window where the power changes, in order.

    Windows of a size begin half of it apart.
    """
    last = len(sums) - 1 - size
    begins = np.unique(np.append(np.arange(0, last + 1, max(1, size // 2)), last))
    rows = sums[begins[:, np.newaxis] + np.arange(size + 1)]
    gains = _gains_of_cuts(rows)
    best = gains.argmax(axis=1)
    changed = np.flatnonzero(gains[np.arange(len(rows)), best] >= _DIFFERENT)
    for row in changed:
        begin = int(begins[row])
        yield begin + 1 + int(best[row]), begin, begin + size


def _best_cut(sums: Reals) -> int:
    return 1 + int(_gains_of_cuts(sums[np.newaxis]).argmax())


def _gains_of_cuts(sums: Reals) -> Reals:
    """Return what each cut of each row gains; rows are cumulative sums."""
    size = sums.shape[1] - 1
    counts = np.arange(1, size)
    inner, first, last = sums[:, 1:-1], sums[:, :1], sums[:, -1:]
    return _difference(counts, size - counts, inner - first, last - inner)


def _above_the_quietest(
    averages: Reals, stretches: Sequence[tuple[int, int]]
) -> list[tuple[int, int]]:
    """Return the stretches that have more power than the quietest."""
    counts = np.array([end - begin for begin, end in stretches])
    powers = np.array([averages[begin:end].sum() for begin, end in stretches])
    long = counts >= min(_FLOOR_AVERAGES, counts.max())
    quietest = int(np.where(long, powers / counts, np.inf).argmin())
    floor = powers[quietest] / counts[quietest]
    gain = _difference(counts, counts[quietest], powers, powers[quietest])
    above = (gain >= _DIFFERENT) & (powers / counts > floor)
    return [each for each, loud in zip(stretches, above, strict=True) if loud]


def _difference(
    count: Counts, other_count: Counts, power: Reals, other_power: Reals
) -> Reals:
    """Return by how much two powers are more likely than one; sums of averages."""
    # Where there is no power at all, anything is infinitely different; cumulative
    # sums leave a little there.
    least = 1e-30
    power, other_power = np.maximum(power, 0), np.maximum(other_power, 0)
    together = (power + other_power) / (count + other_count)
    gain: Reals = _AVERAGED * (
        (count + other_count) * np.log(together + least)
        - count * np.log(power / count + least)
        - other_count * np.log(other_power / other_count + least)
    )
    return gain


def _occupied(found: Spectrum) -> tuple[float, float]:
    total = found.power.sum()
    if not total > 0:
        return (0.0, 0.0)
    shares = np.cumsum(found.power) / total
    tail = (1 - _OCCUPIED) / 2
    places = np.searchsorted(shares, (tail, 1 - tail))
    low, high = found.frequencies[np.minimum(places, len(shares) - 1)]
    return (float(low), float(high))


def _timed(samples: Samples, samples_per_symbol: int) -> Samples:
    """Filter with the matched pulse, and take the samples with the most power."""
    fine = samples_per_symbol * _TIMINGS
    times = np.arange(-_PULSE_SYMBOLS * fine, _PULSE_SYMBOLS * fine + 1) / fine
    pulse = _root_raised_cosine(times)
    spread = np.zeros(len(samples) * _TIMINGS, np.complex64)
    spread[::_TIMINGS] = samples
    size = 1 << (len(spread) + len(pulse) - 1).bit_length()
    product = np.fft.fft(spread, size) * np.fft.fft(pulse, size)
    late = np.fft.ifft(product).astype(np.complex64)
    filtered = late[len(pulse) // 2 :][: len(spread)]
    rows = filtered[: len(filtered) // fine * fine].reshape(-1, fine)
    if not len(rows):
        return np.zeros(0, np.complex64)
    best = int(_power(rows).sum(axis=0).argmax())
    return rows[:, best]


def _root_raised_cosine(times: Reals) -> Reals:
    """Return the pulse at times in symbols (Proakis and Salehi, 9.2-29)."""
    a = _ROLL_OFF
    # Beside the places where it is 0 / 0, which are no multiples of a sample.
    t = times + 1e-6
    cosine = 4 * a * t * np.cos(np.pi * (1 + a) * t)
    sine = np.sin(np.pi * (1 - a) * t)
    pulse: Reals = (sine + cosine) / (np.pi * t * (1 - (4 * a * t) ** 2))
    return pulse


def _turned(symbols: Samples) -> Samples:
    """Take carrier offset and phase away, but for quarter turns."""
    fourth = symbols.astype(np.complex128) ** 4
    size = 1 << (4 * len(symbols)).bit_length()
    line = int(np.abs(np.fft.fft(fourth, size)).argmax())
    cycles = np.fft.fftfreq(size)[line] / 4
    steady = symbols * np.exp(-2j * np.pi * cycles * np.arange(len(symbols)))
    phases = _phases(steady)
    still = steady * np.exp(-1j * phases)
    # All of BPSK is on one axis; the others have their symbols beside both.
    square = (still**2).mean()
    on_an_axis = np.abs(square) > 0.5  # noqa: PLR2004
    angle = -np.angle(square) / 2 if on_an_axis else np.pi / 4
    turned: Samples = (still * np.exp(1j * angle)).astype(np.complex64)
    return turned


def _phases(symbols: NDArray[np.complex128]) -> Reals:
    """Return the phase of each symbol, as the fourth powers around it have it."""
    window = np.ones(_PHASE_BLOCK) / _PHASE_BLOCK
    fourth = np.convolve(symbols**4, window, mode="same")[: len(symbols)]
    phases: Reals = np.unwrap(np.angle(fourth)) / 4
    return phases
