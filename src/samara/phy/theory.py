# SPDX-License-Identifier: Apache-2.0
"""Theoretical error rates, to be drawn beside measured ones.

The bit error rate is that of the payload. A frame is wrong if any bit of payload or
tag is wrong.

Sources: Proakis and Salehi, Digital Communications, 5th edition (2008), section 8.2
for the union bound of convolutional codes and 13.3 for Rayleigh fading: the error
rate is the mean over the fading of the rate in noise. `samara.phy.uncoded` has the
rates without a channel code.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from samara.phy import finite_length
from samara.phy.coded import CHECK_SIZE, Code, CodedFrames
from samara.phy.modulation import find
from samara.phy.trial import Fading
from samara.phy.uncoded import q

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from samara.phy.trial import Case
    from samara.phy.uncoded import Curve

# For each weight: the number of codewords that leave the zero path once, and the
# number of information bits in all of them. Code with generators 171 and 133 (octal).
# Sources: Proakis, table 8.3-2; Conan, IEEE Transactions on Communications 32(9), 1984.
SPECTRUM = {
    10: (11, 36),
    12: (38, 211),
    14: (193, 1404),
    16: (1331, 11633),
    18: (7275, 77433),
    20: (40406, 502690),
}
_TAIL = 6
"""Bits that terminate a codeword."""


def label(case: Case) -> str | None:
    """Return what the curve of a case is called; None if there is no curve."""
    if case.surroundings is not None:
        return None
    modulation = find(case.modulation)
    if case.code is Code.NONE and modulation.bit_error_rate is not None:
        return f"{'theory' if modulation.exact else 'union bound'}, uncoded"
    if case.code is Code.CONV and modulation.antipodal:
        return "union bound of the code"
    return None


def bit_error_rate(case: Case, ebn0_db: Curve) -> Curve:
    """Return the bit error rate of the payload, the curve that `label` names."""
    ratio = _ratio_of_coded_bits(case, ebn0_db)
    uncoded = find(case.modulation).bit_error_rate
    rate = _wrong_bits if case.code is not Code.NONE or uncoded is None else uncoded
    return rate(ratio) if case.fading is Fading.NONE else _faded(rate, ratio)


def frame_error_rate(case: Case, ebn0_db: Curve) -> Curve:
    """Return the frame error rate, the curve that `label` names."""
    ratio = _ratio_of_coded_bits(case, ebn0_db)
    bits = _information_bits(case)
    unit = find(case.modulation).unit

    def rate(ratio: Curve) -> Curve:
        if case.code is Code.CONV:
            # A wrong path can leave the right one at any bit.
            return np.minimum(bits * _wrong_paths(ratio), 1)
        if unit is None:
            return np.ones_like(ratio)
        right = 1 - np.minimum(unit.error_rate(ratio), 1)
        frames: Curve = 1 - right ** (bits / unit.bits)
        return frames

    return rate(ratio) if case.fading is Fading.NONE else _faded(rate, ratio)


def has_least(case: Case) -> bool:
    """Return whether the least frame error rate of a case is known."""
    is_noise = case.surroundings is None and case.fading is Fading.NONE
    return is_noise and case.code is not Code.NONE and find(case.modulation).antipodal


def least_frame_error_rate(case: Case, ebn0_db: Curve) -> Curve:
    """Return the rate of the best code with as many bits, estimated.

    `has_least` tells for which cases.
    """
    bits = CodedFrames(case.code, case.payload_size, bytes(16)).coded_bits
    return finite_length.frame_error_rate(_information_bits(case), bits, ebn0_db)


def _information_bits(case: Case) -> int:
    return 8 * (case.payload_size + CHECK_SIZE)


def _ratio_of_coded_bits(case: Case, ebn0_db: Curve) -> Curve:
    """Return the energy of a coded bit over the noise density, as a ratio."""
    ratio: Curve = 10 ** (np.asarray(ebn0_db, np.float64) / 10)
    if case.code is Code.NONE:
        return ratio
    bits = _information_bits(case)
    return ratio * bits / (2 * (bits + _TAIL))


def _wrong_bits(ratio: Curve) -> Curve:
    """Return the union bound of the bit error rate, which is tight below 1e-3."""
    return np.minimum(_union_bound(ratio, [bits for _, bits in SPECTRUM.values()]), 0.5)


def _wrong_paths(ratio: Curve) -> Curve:
    """Return the union bound of the paths that leave the right one at a given bit."""
    return _union_bound(ratio, [words for words, _ in SPECTRUM.values()])


def _union_bound(ratio: Curve, counts: Sequence[int]) -> Curve:
    terms = [
        count * q(np.sqrt(2 * weight * ratio))
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
