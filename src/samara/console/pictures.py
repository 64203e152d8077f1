# SPDX-License-Identifier: Apache-2.0
"""Spectrum, waterfall and constellation of a burst, as few bytes as a page shows."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np

from samara.console.conversation_records import BurstHeard
from samara.phy import inspection

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from samara.phy.channel import Samples

BINS: Final = 128
ROWS_MAX: Final = 24
SYMBOLS_MAX: Final = 400
ONE: Final = 64
"""What a symbol of magnitude 1 is in the constellation."""

_STEP_DB = 0.25
_RANGE_DB = 60.0
_SAMPLES_PER_SYMBOL = 4
_LINEAR = ("bpsk", "qpsk", "16-qam")


def burst_heard(
    sender: str,
    samples: Samples,
    sample_rate: float,
    modulation: str,
    *,
    is_encrypted: bool,
) -> BurstHeard:
    """Return the record of a burst, with its pictures."""
    found = inspection.spectrum(samples, sample_rate)
    mean = _levels(_binned(found.power[np.newaxis])[0])
    rows = _levels(_binned(_thinned(found.waterfall)))
    lowest = float(mean.max(initial=-_RANGE_DB)) - _RANGE_DB
    per_symbol = _SAMPLES_PER_SYMBOL if modulation in _LINEAR else 1
    symbols = inspection.constellation(samples, per_symbol)[:SYMBOLS_MAX]
    power = float(np.mean(np.abs(samples) ** 2)) if len(samples) else 0.0
    return BurstHeard(
        sender,
        is_encrypted,
        len(samples),
        len(samples) / sample_rate,
        round(inspection.decibels(power) or -100.0, 2),
        sample_rate,
        round(lowest, 2),
        _STEP_DB,
        _steps(mean, lowest),
        _steps(rows, lowest),
        _points(symbols),
    )


def _binned(power: NDArray[np.float64]) -> NDArray[np.float64]:
    rows, bins = power.shape
    means: NDArray[np.float64] = power.reshape(rows, BINS, bins // BINS).mean(axis=2)
    return means


def _thinned(waterfall: NDArray[np.float64]) -> NDArray[np.float64]:
    group = -(-len(waterfall) // ROWS_MAX)
    whole = waterfall[: len(waterfall) // group * group]
    means: NDArray[np.float64] = whole.reshape(-1, group, whole.shape[1]).mean(axis=1)
    return means


def _levels(power: NDArray[np.float64]) -> NDArray[np.float64]:
    level: NDArray[np.float64] = 10 * np.log10(np.maximum(power, 1e-12))
    return level


def _steps(level: NDArray[np.float64], lowest: float) -> bytes:
    steps = np.clip(np.round((level - lowest) / _STEP_DB), 0, 255)
    return bytes(steps.astype(np.uint8))


def _points(symbols: Samples) -> bytes:
    parts = symbols.astype(np.complex64).view(np.float32)
    steps = np.clip(np.round(parts * ONE), -127, 127)
    return bytes(steps.astype(np.int8))
