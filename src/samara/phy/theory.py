# SPDX-License-Identifier: Apache-2.0
"""Bit error rates as theory has them, to be drawn beside measured ones.

Proakis and Salehi, Digital Communications, 5th edition (2008): chapter 4 for
modulations, section 8.2 for the union bound of convolutional codes, 13.3 for
Rayleigh fading, which is the mean of the rate in noise over the fading.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from samara.phy.coded import Code
from samara.phy.modulation import OqpskDsss
from samara.phy.trial import Fading

if TYPE_CHECKING:
    from collections.abc import Callable

    from samara.phy.trial import Case

Curve = NDArray[np.float64]

# Information bits in all words of each weight from 10 on, in steps of 2, of the
# code with generators 171 and 133 (octal): Proakis, table 8.3-2; Conan, IEEE
# Transactions on Communications 32(9), 1984.
_WEIGHTS = {10: 36, 12: 211, 14: 1404, 16: 11633, 18: 77433, 20: 502690}
_CODE_RATE = 0.5


def label(case: Case) -> str | None:
    """Return what the theory for a case is, if there is one."""
    if case.code is Code.NONE:
        bound = "union bound" if case.modulation == OqpskDsss.name else "theory"
        return f"{bound}, uncoded"
    if case.code is Code.CONV and case.modulation in ("bpsk", "qpsk"):
        return "union bound of the code"
    return None


def bit_error_rate(case: Case, ebn0_db: Curve) -> Curve:
    """Return the curve that `label` names."""
    ratio = 10 ** (np.asarray(ebn0_db, np.float64) / 10)
    rate: Callable[[Curve], Curve] = (
        _MODULATIONS[case.modulation] if case.code is Code.NONE else _union_bound
    )
    return rate(ratio) if case.fading is Fading.NONE else _faded(rate, ratio)


def _q(x: Curve) -> Curve:
    # It takes half a second to load.
    from scipy.special import ndtr  # type: ignore[import-untyped]  # noqa: PLC0415

    tail: Curve = ndtr(-x)
    return tail


def _antipodal(ratio: Curve) -> Curve:
    return _q(np.sqrt(2 * ratio))


def _qam16(ratio: Curve) -> Curve:
    """Gray-coded, exact: Cho and Yoon, IEEE Trans. Communications 50(7), 2002."""
    step = np.sqrt(0.8 * ratio)
    return (3 * _q(step) + 2 * _q(3 * step) - _q(5 * step)) / 4


def _dsss(ratio: Curve) -> Curve:
    """Union bound over the pairs of sequences, whose correlations differ."""
    scheme = OqpskDsss()
    numbers = np.arange(16, dtype=np.uint8)
    bits = numbers[:, np.newaxis] >> np.arange(scheme.bits_per_symbol) & 1
    symbols = scheme.modulate(bits.astype(np.uint8))
    rate = np.zeros_like(ratio)
    for one, symbol in enumerate(symbols):
        squares = (np.abs(symbols - symbol) ** 2).sum(axis=1) / len(symbol)
        for other in np.flatnonzero(numbers != one):
            energy = squares[other] * scheme.bits_per_symbol * ratio
            rate += (bits[one] != bits[other]).mean() * _q(np.sqrt(energy / 2))
    bound: Curve = np.minimum(rate / len(symbols), 0.5)
    return bound


def _union_bound(ratio: Curve) -> Curve:
    """Above the truth, and close to it where it is below 1e-3."""
    terms = [
        bits * _q(np.sqrt(2 * weight * _CODE_RATE * ratio))
        for weight, bits in _WEIGHTS.items()
    ]
    bound: Curve = np.minimum(np.sum(terms, axis=0), 0.5)
    return bound


def _faded(rate: Callable[[Curve], Curve], ratio: Curve) -> Curve:
    """Return the mean over an exponentially distributed power gain."""
    shares = (np.arange(2000) + 0.5) / 2000
    gains = -np.log1p(-shares)
    means = [rate(gains * one).mean() for one in ratio]
    return np.array(means)


_MODULATIONS = {
    "bpsk": _antipodal,
    "qpsk": _antipodal,
    "16-qam": _qam16,
    "o-qpsk-dsss": _dsss,
}
