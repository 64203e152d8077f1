# SPDX-License-Identifier: Apache-2.0
"""The generator of Grain-128AEADv2 with fewer start-up clocks (samara/grain128.h).

Bits of all lanes are packed: a plane is one bit of every lane.
"""

from __future__ import annotations

from functools import reduce
from operator import xor
from typing import TYPE_CHECKING, TypeAlias

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from samara.randomness.rounds.model import Bytes

    Plane: TypeAlias = NDArray[np.uint8]

KEY_SIZE = 16
NONCE_SIZE = 12
FULL = 512
"""Clocks before the first bit of keystream."""
_FED_BACK = 320
"""Clocks in which the output goes back into both registers."""
_KEYED = 384
"""Clocks until the key has come in once more."""
_SIZE = 128

_LINEAR = (0, 7, 38, 70, 81, 96)
_SINGLES = (0, 26, 56, 91, 96)
_PRODUCTS = (
    (3, 67), (11, 13), (17, 18), (27, 59), (40, 48), (61, 65), (68, 84),
    (22, 24, 25), (70, 78, 82), (88, 92, 93, 95),
)  # fmt: skip
_OUTPUT = (2, 15, 36, 45, 64, 73, 89)


def keystream(keys: Bytes, nonces: Bytes, bits: int, clocks: int = FULL) -> Bytes:
    """Return the first bits of keystream of each lane.

    Parameters
    ----------
    keys, nonces
        Rows of 16 and 12 bytes, one row a lane.
    bits
        Bits of each lane, a multiple of 8.
    clocks
        Start-up clocks; the cipher has 512. Fewer leave out the last ones.

    Returns
    -------
    array of uint8
        Rows of bytes; the first bit is the least significant one.
    """
    key = _planes(keys)
    ones = np.full_like(key[0], 0xFF)
    b = list(key)
    s = [*_planes(nonces), *[ones] * 31, np.zeros_like(ones)]
    out = []
    for clock in range(clocks + bits):
        y = _output(b, s)
        into_s, into_b = _linear(s), s[0] ^ _nonlinear(b)
        if clock < min(clocks, _KEYED):
            into_s, into_b = into_s ^ y, into_b ^ y
            if clock >= _FED_BACK:
                into_s = into_s ^ key[clock - _FED_BACK + 64]
                into_b = into_b ^ key[clock - _FED_BACK]
        b, s = [*b[1:], into_b], [*s[1:], into_s]
        if clock >= clocks:
            out.append(y)
    lanes = np.unpackbits(np.stack(out), axis=1, count=len(nonces))
    return np.packbits(lanes.T, axis=1, bitorder="little")


def _planes(rows: Bytes) -> list[Plane]:
    bits = np.unpackbits(rows, axis=1, bitorder="little")
    return list(np.packbits(bits.T, axis=1))


def _linear(s: list[Plane]) -> Plane:
    return reduce(xor, (s[i] for i in _LINEAR))


def _nonlinear(b: list[Plane]) -> Plane:
    products = (reduce(np.bitwise_and, [b[i] for i in each]) for each in _PRODUCTS)
    return reduce(xor, products, reduce(xor, (b[i] for i in _SINGLES)))


def _output(b: list[Plane], s: list[Plane]) -> Plane:
    """Return the pre-output y: h of section 2.1, and what is added to it."""
    h = (
        (b[12] & s[8])
        ^ (s[13] & s[20])
        ^ (b[95] & s[42])
        ^ (s[60] & s[79])
        ^ (b[12] & b[95] & s[94])
    )
    return reduce(xor, (b[i] for i in _OUTPUT), h ^ s[93])
