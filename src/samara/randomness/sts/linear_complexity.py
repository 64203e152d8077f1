# SPDX-License-Identifier: Apache-2.0
"""Linear complexity: the shortest LFSR of each block. SP 800-22 rev. 1a, 2.10."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeAlias

import numpy as np

from samara.randomness.functions import chi_square, igamc
from samara.randomness.sts.declaring import Test
from samara.randomness.sts.sequence import NOT_APPLICABLE

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from samara.randomness.sts.sequence import Bits, Sequence

    Planes: TypeAlias = NDArray[np.uint64]

BLOCK = 500
_LEAST_BLOCKS = 200
_WORD = 8
# NIST's program has 0.01047 where the text has 0.010417; the values that SP 800-22
# publishes are the program's.
_PROBABILITIES = np.array([0.01047, 0.03125, 0.125, 0.5, 0.25, 0.0625, 0.020833])
_EDGES = np.array([-2.5, -1.5, -0.5, 0.5, 1.5, 2.5])


def p_values(sequence: Sequence, block: int = BLOCK) -> list[float]:
    """Return the p-value of the linear complexities of blocks of `block` bits."""
    count = sequence.n // block
    if count < _LEAST_BLOCKS:
        return [NOT_APPLICABLE]
    found = complexities(sequence.bits[: count * block].reshape(count, block))
    sign = 1 - 2 * (block % 2)
    mean = block / 2 + (9 - sign) / 36 - (block / 3 + 2 / 9) / 2.0**block
    distances = sign * (found - mean) + 2 / 9
    classes = len(_PROBABILITIES)
    observed = np.bincount(
        np.searchsorted(_EDGES, distances, side="left"), minlength=classes
    )
    statistic = chi_square(observed, count * _PROBABILITIES)
    return [float(igamc((classes - 1) / 2, statistic / 2))]


def complexities(blocks: Bits) -> NDArray[np.int64]:
    """Return the linear complexity of each row: Berlekamp-Massey on all rows at once.

    A plane is one coefficient, or one bit, of all rows, packed into words. Products
    with x are then a change of index, and which rows change in a step is a mask.
    """
    count, size = blocks.shape
    # Plane i from the end is bit i; zeros stand in front of the first bit.
    latest = np.concatenate([_planes(blocks)[::-1], _zeros(size + 1, count)])
    current = _zeros(size + 1, count)
    current[0] = ~np.uint64(0)
    # The connection polynomial from before the last change of length, times x for
    # each step since: plane j of it is at before[start + j].
    before = _zeros(2 * size + 2, count)
    before[size] = ~np.uint64(0)
    lengths = np.zeros(count, np.int64)
    for step in range(size):
        start = size - step - 1
        # Neither polynomial has a degree above the lengths of its rows.
        used = int(lengths.max()) + 1
        heard = latest[start : start + used]
        odd = np.bitwise_xor.reduce(current[:used] & heard, axis=0)
        grows = _rows(odd, count) & (2 * lengths <= step)
        lengths[grows] = step + 1 - lengths[grows]
        used = int(lengths.max()) + 1
        shifted = before[start : start + used]
        changed = shifted & odd
        # What grows keeps the polynomial that it had.
        shifted ^= (shifted ^ current[:used]) & _mask(grows, odd.size)
        current[:used] ^= changed
    return lengths


def _zeros(planes: int, count: int) -> Planes:
    words = -(-count // (8 * _WORD))
    return np.zeros((planes, words), np.uint64)


def _planes(blocks: Bits) -> Planes:
    """Return the columns as planes."""
    packed = np.packbits(blocks.T, axis=1)
    planes = _zeros(blocks.shape[1], blocks.shape[0])
    planes.view(np.uint8)[:, : packed.shape[1]] = packed
    return planes


def _rows(plane: Planes, count: int) -> NDArray[np.bool_]:
    """Return the bits of a plane, one a row."""
    return np.unpackbits(plane.view(np.uint8), count=count).view(np.bool_)


def _mask(rows: NDArray[np.bool_], words: int) -> Planes:
    """Return a plane with these bits."""
    mask = np.zeros(words * _WORD, np.uint8)
    packed = np.packbits(rows)
    mask[: len(packed)] = packed
    return mask.view(np.uint64)


TEST = Test("linear complexity", "2.10", p_values, place=15)
