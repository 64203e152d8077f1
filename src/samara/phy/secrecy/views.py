# SPDX-License-Identifier: Apache-2.0
"""Views of frames: numbers that tell two chosen messages apart if anything does.

Each is blind to one kind of secret: `templates` to one angle for a frame, `clouds` to
the order of symbols, `sizes` to order and angles, `lags` to a keystream that repeats.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from samara.phy.reuse import failing_checks

if TYPE_CHECKING:
    from samara.phy.mappers import Symbols
    from samara.phy.secrecy.classifying import Features
    from samara.phy.secrecy.link import Link

_BINS = 16
_LARGEST = 2.0
_FRAMES_AT_A_TIME = 64


def views_of(link: Link, rows: Symbols, expected: Symbols) -> dict[str, Features]:
    """Return all views of rows of symbols.

    Parameters
    ----------
    expected
        Symbols of the two messages without encryption.
    """
    data = rows[:, len(link.pilots) :]
    soft = link.soft(rows)
    return {
        "samples": np.concatenate([rows.real, rows.imag], axis=1).astype(np.float64),
        "templates": _templates(rows, expected),
        "sizes": _histograms(np.abs(rows), _LARGEST),
        "clouds": _clouds(data),
        "checks": failing_checks((soft < 0).astype(np.uint8))[:, np.newaxis],
        "lags": _lags(soft[:, link.places].astype(np.float64)),
    }


def _templates(rows: Symbols, expected: Symbols) -> Features:
    products = rows @ expected.conj().T
    both: Features = np.concatenate([products.real, np.abs(products)], axis=1)
    return both


def _histograms(values: Features, largest: float) -> Features:
    """Return how many values of each row are in each of equal bins."""
    bins = np.clip(values / largest * _BINS, 0, _BINS - 1).astype(np.int64)
    flat = (bins + _BINS * np.arange(len(bins))[:, np.newaxis]).ravel()
    counts = np.bincount(flat, minlength=_BINS * len(bins))
    return counts.reshape(len(bins), _BINS).astype(np.float64)


def _clouds(data: Symbols) -> Features:
    """Return how symbols lie in the plane: by angle, and moments up to the fourth."""
    angles = np.angle(data) + np.pi
    moments = np.stack([(data**power).mean(axis=1) for power in (1, 2, 4)], axis=1)
    parts = [moments.real, moments.imag, np.abs(moments)]
    return np.concatenate([_histograms(angles, 2 * np.pi + 1e-6), *parts], axis=1)


def _lags(soft: Features) -> Features:
    """Return the correlation of a frame's bits with themselves, by distance."""
    # The spectra of all frames at a time would take gigabytes.
    pieces = range(0, len(soft), _FRAMES_AT_A_TIME)
    return np.concatenate(
        [_lags_of_some(soft[at : at + _FRAMES_AT_A_TIME]) for at in pieces]
    )


def _lags_of_some(soft: Features) -> Features:
    count = soft.shape[1]
    spectra = np.fft.rfft(np.sign(soft), 2 * count, axis=1)
    found = np.fft.irfft(np.abs(spectra) ** 2, axis=1)[:, 1 : count // 2]
    overlap = count - np.arange(1, count // 2)
    shares: Features = found / np.sqrt(overlap)
    return shares
