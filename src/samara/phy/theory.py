# SPDX-License-Identifier: Apache-2.0
"""Error rates as theory has them, to be drawn beside measured ones.

Of bits and of frames: a frame is wrong when any bit of payload or tag is.

Proakis and Salehi, Digital Communications, 5th edition (2008): chapter 4 for
modulations, section 8.2 for the union bound of convolutional codes, 13.3 for
Rayleigh fading, which is the mean of the rate in noise over the fading.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from samara.phy.coded import CHECK_SIZE, Code
from samara.phy.modulation import OqpskDsss
from samara.phy.trial import Fading

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from samara.phy.trial import Case

Curve = NDArray[np.float64]

# Words of each weight that leave the zero path once, and the information bits in
# all of them, of the code with generators 171 and 133 (octal): Proakis, table
# 8.3-2; Conan, IEEE Transactions on Communications 32(9), 1984.
SPECTRUM = {
    10: (11, 36),
    12: (38, 211),
    14: (193, 1404),
    16: (1331, 11633),
    18: (7275, 77433),
    20: (40406, 502690),
}
_TAIL = 6
"""Bits that end a word of the code."""


def label(case: Case) -> str | None:
    """Return what the theory for a case is, if there is one."""
    if case.code is Code.NONE:
        bound = "union bound" if case.modulation == OqpskDsss.name else "theory"
        return f"{bound}, uncoded"
    if case.code is Code.CONV and case.modulation in ("bpsk", "qpsk"):
        return "union bound of the code"
    return None


def bit_error_rate(case: Case, ebn0_db: Curve) -> Curve:
    """Return the curve that `label` names, of the payload's bits."""
    ratio = _ratio_of_coded_bits(case, ebn0_db)
    rate: Callable[[Curve], Curve] = (
        _MODULATIONS[case.modulation] if case.code is Code.NONE else _wrong_bits
    )
    return rate(ratio) if case.fading is Fading.NONE else _faded(rate, ratio)


def frame_error_rate(case: Case, ebn0_db: Curve) -> Curve:
    """Return the curve that `label` names, of frames."""
    ratio = _ratio_of_coded_bits(case, ebn0_db)
    bits = _information_bits(case)

    def rate(ratio: Curve) -> Curve:
        if case.code is Code.CONV:
            # A wrong path may leave the right one at any bit.
            return np.minimum(bits * _wrong_paths(ratio), 1)
        wrong, bits_of_symbol = _SYMBOLS[case.modulation]
        right = 1 - np.minimum(wrong(ratio), 1)
        frames: Curve = 1 - right ** (bits / bits_of_symbol)
        return frames

    return rate(ratio) if case.fading is Fading.NONE else _faded(rate, ratio)


def _information_bits(case: Case) -> int:
    return 8 * (case.payload_size + CHECK_SIZE)


def _ratio_of_coded_bits(case: Case, ebn0_db: Curve) -> Curve:
    """Return the energy of a bit on the air over the density of the noise."""
    ratio: Curve = 10 ** (np.asarray(ebn0_db, np.float64) / 10)
    if case.code is Code.NONE:
        return ratio
    bits = _information_bits(case)
    return ratio * bits / (2 * (bits + _TAIL))


def _q(x: Curve) -> Curve:
    # It takes half a second to load.
    from scipy.special import ndtr  # type: ignore[import-untyped]  # noqa: PLC0415

    tail: Curve = ndtr(-x)
    return tail


def _antipodal(ratio: Curve) -> Curve:
    return _q(np.sqrt(2 * ratio))


def _qam16_axis(ratio: Curve) -> Curve:
    """Wrong levels of an axis: the outer ones have one neighbour, the inner two."""
    return 1.5 * _q(np.sqrt(0.8 * ratio))


def _qam16(ratio: Curve) -> Curve:
    """Gray-coded, exact: Cho and Yoon, IEEE Trans. Communications 50(7), 2002."""
    step = np.sqrt(0.8 * ratio)
    return (3 * _q(step) + 2 * _q(3 * step) - _q(5 * step)) / 4


def _dsss(ratio: Curve) -> Curve:
    """Union bound of bits."""
    return np.minimum(_dsss_pairs(ratio)[0], 0.5)


def _dsss_symbol(ratio: Curve) -> Curve:
    """Union bound of symbols."""
    return np.minimum(_dsss_pairs(ratio)[1], 1)


def _dsss_pairs(ratio: Curve) -> tuple[Curve, Curve]:
    """Add up the pairs of sequences, whose correlations differ: bits, symbols."""
    scheme = OqpskDsss()
    numbers = np.arange(16, dtype=np.uint8)
    bits = numbers[:, np.newaxis] >> np.arange(scheme.bits_per_symbol) & 1
    symbols = scheme.modulate(bits.astype(np.uint8))
    wrong_bits, wrong_symbols = np.zeros_like(ratio), np.zeros_like(ratio)
    for one, symbol in enumerate(symbols):
        squares = (np.abs(symbols - symbol) ** 2).sum(axis=1) / len(symbol)
        for other in np.flatnonzero(numbers != one):
            energy = squares[other] * scheme.bits_per_symbol * ratio
            mistaken = _q(np.sqrt(energy / 2)) / len(symbols)
            wrong_bits += (bits[one] != bits[other]).mean() * mistaken
            wrong_symbols += mistaken
    return wrong_bits, wrong_symbols


def _wrong_bits(ratio: Curve) -> Curve:
    """Union bound: above the truth, and close to it where it is below 1e-3."""
    return np.minimum(_union_bound(ratio, [bits for _, bits in SPECTRUM.values()]), 0.5)


def _wrong_paths(ratio: Curve) -> Curve:
    """Union bound of the paths that leave the right one at a given bit."""
    return _union_bound(ratio, [words for words, _ in SPECTRUM.values()])


def _union_bound(ratio: Curve, counts: Sequence[int]) -> Curve:
    terms = [
        count * _q(np.sqrt(2 * weight * ratio))
        for weight, count in zip(SPECTRUM, counts, strict=True)
    ]
    bound: Curve = np.sum(terms, axis=0)
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
# What is right or wrong independently of the others, and its bits.
_SYMBOLS: dict[str, tuple[Callable[[Curve], Curve], int]] = {
    "bpsk": (_antipodal, 1),
    "qpsk": (_antipodal, 1),
    "16-qam": (_qam16_axis, 2),
    "o-qpsk-dsss": (_dsss_symbol, 4),
}
