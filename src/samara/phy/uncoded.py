# SPDX-License-Identifier: Apache-2.0
"""Error rates of uncoded modulations in white Gaussian noise, from theory.

Each function takes Eb/N0 as a ratio, not in dB, and returns a probability for each
value. Source: Proakis and Salehi, Digital Communications, 5th edition (2008),
chapter 4.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from samara.extras import need
from samara.phy.mappers import OqpskDsss

Curve = NDArray[np.float64]


def q(x: Curve) -> Curve:
    """Return the probability that a standard normal variable is above x."""
    # Loaded here because it takes half a second.
    tail: Curve = need("scipy.special", "phy").ndtr(-x)
    return tail


def antipodal(ratio: Curve) -> Curve:
    """Return the error rate of bits that are +1 or -1 on an axis of their own."""
    return q(np.sqrt(2 * ratio))


def qam16(ratio: Curve) -> Curve:
    """Return the exact bit error rate of Gray-coded 16-QAM.

    Source: Cho and Yoon, IEEE Transactions on Communications 50(7), 2002.
    """
    step = np.sqrt(0.8 * ratio)
    return (3 * q(step) + 2 * q(3 * step) - q(5 * step)) / 4


def qam16_axis(ratio: Curve) -> Curve:
    """Return the error rate of the levels of one axis of 16-QAM.

    An outer level has one neighbour, an inner level has two.
    """
    return 1.5 * q(np.sqrt(0.8 * ratio))


def dsss(ratio: Curve) -> Curve:
    """Return the union bound of the bit error rate of O-QPSK with DSSS."""
    return np.minimum(_dsss_pairs(ratio)[0], 0.5)


def dsss_symbol(ratio: Curve) -> Curve:
    """Return the union bound of the symbol error rate of O-QPSK with DSSS."""
    return np.minimum(_dsss_pairs(ratio)[1], 1)


def _dsss_pairs(ratio: Curve) -> tuple[Curve, Curve]:
    """Return the union bounds of bits and of symbols.

    The correlation of two chip sequences depends on the pair, so all are added up.
    """
    scheme = OqpskDsss()
    numbers = np.arange(16, dtype=np.uint8)
    bits = numbers[:, np.newaxis] >> np.arange(scheme.bits_per_symbol) & 1
    symbols = scheme.modulate(bits.astype(np.uint8))
    wrong_bits, wrong_symbols = np.zeros_like(ratio), np.zeros_like(ratio)
    for one, symbol in enumerate(symbols):
        squares = (np.abs(symbols - symbol) ** 2).sum(axis=1) / len(symbol)
        for other in np.flatnonzero(numbers != one):
            energy = squares[other] * scheme.bits_per_symbol * ratio
            mistaken = q(np.sqrt(energy / 2)) / len(symbols)
            wrong_bits += (bits[one] != bits[other]).mean() * mistaken
            wrong_symbols += mistaken
    return wrong_bits, wrong_symbols
