# SPDX-License-Identifier: Apache-2.0
"""The least frame error rate that any code of a length can have, estimated.

For +1 and -1 in white Gaussian noise, by the normal approximation: Polyanskiy, Poor and
Verdu, Channel Coding Rate in the Finite Blocklength Regime, IEEE Transactions on
Information Theory 56(5), 2010, with the term of half the logarithm of the length. It
is no bound in the strict sense: below some 100 bits it may be off by tenths of a dB.
"""

from __future__ import annotations

import numpy as np

from samara.phy.uncoded import Curve, q

# Points of the integral over the noise, as many standard deviations to either side.
_POINTS, _REACH = 4001, 10.0


def information(ratio: float) -> tuple[float, float]:
    """Return mean and variance of the information of a coded bit, in bits.

    Parameters
    ----------
    ratio
        Energy of a coded bit over the noise density.
    """
    places = np.linspace(-_REACH, _REACH, _POINTS)
    weights = np.exp(-(places**2) / 2)
    weights /= weights.sum()
    # Log-likelihood ratios of the bit that was sent.
    likelihoods = 4 * ratio + np.sqrt(8 * ratio) * places
    bits = 1 - np.logaddexp(0, -likelihoods) / np.log(2)
    mean = float(weights @ bits)
    return mean, float(weights @ (bits - mean) ** 2)


def frame_error_rate(information_bits: int, coded_bits: int, ebn0_db: Curve) -> Curve:
    """Return the least frame error rate.

    Parameters
    ----------
    information_bits, coded_bits
        Of a frame.
    ebn0_db
        Energy of an information bit over the noise density.

    Examples
    --------
    >>> frame_error_rate(512, 1024, np.array([0.5, 1.0])).round(4).tolist()
    [0.1283, 0.0036]
    """
    rate = information_bits / coded_bits
    rates = [
        _rate(information_bits, coded_bits, rate * 10 ** (each / 10))
        for each in np.asarray(ebn0_db, np.float64)
    ]
    return np.array(rates)


def _rate(information_bits: int, coded_bits: int, ratio: float) -> float:
    mean, variance = information(ratio)
    spare = coded_bits * mean - information_bits + np.log2(coded_bits) / 2
    deviation = np.sqrt(coded_bits * max(variance, 1e-30))
    return float(q(np.array(spare / deviation)))
