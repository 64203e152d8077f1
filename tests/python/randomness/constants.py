# SPDX-License-Identifier: Apache-2.0
"""The first million bits of pi, e and square roots, integer part included.

SP 800-22 prints p-values of them (appendix B). They are computed with integers alone.
Python divides in quadratic time; Newton's iteration needs products only, which it
computes by Karatsuba's method.
"""

from __future__ import annotations

import math
from functools import cache

import numpy as np

from samara.randomness.sts import Sequence

COUNT = 1_000_000
_PRECISION = COUNT + 64
_SMALL = 1000


def _reciprocal(number: int, precision: int) -> int:
    """Return 2^(bits of number + precision) / number, to some units."""
    size = number.bit_length()
    if precision <= _SMALL:
        kept = number >> max(size - precision - 16, 0)
        return (1 << kept.bit_length() + precision) // kept
    half = precision // 2 + 8
    found = _reciprocal(number, half)
    kept = number >> max(size - precision - 16, 0)
    size = kept.bit_length()
    off = (1 << size + half) - found * kept
    return (found << precision - half) + (found * off >> size + 2 * half - precision)


def _quotient(above: int, below: int) -> int:
    """Return bits of above / below: `_PRECISION` of them, and some more."""
    above >>= max(above.bit_length() - _PRECISION - 16, 0)
    return above * _reciprocal(below, _PRECISION)


def _inverse_root(number: int, precision: int) -> int:
    """Return 2^precision / sqrt(number), to some units."""
    if precision <= _SMALL:
        return math.isqrt((1 << 2 * precision) // number)
    half = precision // 2 + 8
    found = _inverse_root(number, half)
    off = (1 << 2 * half) - number * found * found
    return (found << precision - half) + (found * off >> 3 * half + 1 - precision)


def _e() -> int:
    """Return bits of e: the sum of 1 / k!."""

    def split(first: int, end: int) -> tuple[int, int]:
        if end - first == 1:
            return 1, end
        middle = (first + end) // 2
        p, q = split(first, middle)
        r, s = split(middle, end)
        return p * s + r, q * s

    terms = 10
    while math.lgamma(terms + 1) / math.log(2) < _PRECISION:
        terms += terms // 10
    p, q = split(0, terms)
    return _quotient(p + q, q)


def _pi() -> int:
    """Return bits of pi: the series of the Chudnovskys."""

    def split(first: int, end: int) -> tuple[int, int, int]:
        if end - first == 1:
            p = (6 * first - 5) * (2 * first - 1) * (6 * first - 1)
            q = 10_939_058_860_032_000 * first**3
            a = p * (13_591_409 + 545_140_134 * first)
            return p, q, -a if first % 2 else a
        middle = (first + end) // 2
        p, q, a = split(first, middle)
        r, s, b = split(middle, end)
        return p * r, q * s, a * s + p * b

    _, q, a = split(1, _PRECISION // 47 + 2)
    whole = _quotient(q, 13_591_409 * q + a)
    root = 10_005 * _inverse_root(10_005, _PRECISION)
    return (whole >> whole.bit_length() - _PRECISION) * root * 426_880


@cache
def bits(name: str) -> Sequence:
    """Return the bits of pi, e, sqrt2 or sqrt3."""
    if name.startswith("sqrt"):
        number = int(name[4:]) * _inverse_root(int(name[4:]), _PRECISION)
    else:
        number = {"pi": _pi, "e": _e}[name]()
    number >>= number.bit_length() - COUNT
    return Sequence(
        np.unpackbits(np.frombuffer(number.to_bytes(COUNT // 8, "big"), np.uint8))
    )
