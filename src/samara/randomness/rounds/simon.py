# SPDX-License-Identifier: Apache-2.0
"""Simon of all sizes (ePrint 2013/404)."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from samara.randomness.rounds.model import Model, WordSize

if TYPE_CHECKING:
    from collections.abc import Iterator

    from samara.randomness.rounds.model import Bytes, Words


class _Size(NamedTuple):
    block: int
    key: int
    rounds: int
    sequence: int


_SIZES = (
    _Size(32, 64, 32, 0),
    _Size(48, 72, 36, 0),
    _Size(48, 96, 36, 1),
    _Size(64, 96, 42, 2),
    _Size(64, 128, 44, 3),
    _Size(96, 96, 52, 2),
    _Size(96, 144, 54, 3),
    _Size(128, 128, 68, 2),
    _Size(128, 192, 69, 3),
    _Size(128, 256, 72, 4),
)
"""Table 3.1, with the number of the sequence z."""

# u, v and w of section 3.3 with a period of 31; z0 and z1 are u and v, the others
# alternate with t of period 2.
_SEQUENCES = (
    "11111010001001010110000111001101111101000100101011000011100110",
    "10001110111110010011000010110101000111011111001001100001011010",
    "10101111011100000011010010011000101000010001111110010110110011",
    "11011011101011000110010111100000010010001010011100110100001111",
    "11010001111001101011011000100000010111000011001010010011101111",
)


def _round_keys(word: WordSize, size: _Size, keys: Bytes) -> Iterator[Words]:
    known = word.load(keys)
    count = len(known)
    constant = word.mask ^ np.uint64(3)
    sequence = _SEQUENCES[size.sequence]
    for i in range(size.rounds):
        yield known[i]
        turned = word.right(known[i + count - 1], 3)
        if count == 4:  # noqa: PLR2004 - section 3.3
            turned = turned ^ known[i + 1]
        turned = turned ^ word.right(turned, 1)
        bit = np.uint64(int(sequence[i % len(sequence)]))
        known.append(known[i] ^ turned ^ constant ^ bit)


def _states(size: _Size, keys: Bytes, blocks: Bytes) -> Iterator[Bytes]:
    word = WordSize(size.block // 2)
    y, x = word.load(blocks)
    for key in _round_keys(word, size, keys):
        mixed = (word.left(x, 1) & word.left(x, 8)) ^ word.left(x, 2)
        x, y = y ^ mixed ^ key, x
        yield word.store([y, x])


MODELS = tuple(
    Model(
        f"simon{size.block}-{size.key}",
        size.key // 8,
        size.block // 8,
        size.rounds,
        partial(_states, size),
    )
    for size in _SIZES
)
