# SPDX-License-Identifier: Apache-2.0
"""AES of all sizes (FIPS 197)."""

from __future__ import annotations

from functools import cache, partial
from typing import TYPE_CHECKING

import numpy as np

from samara.randomness.rounds.model import Model

if TYPE_CHECKING:
    from collections.abc import Iterator

    from samara.randomness.rounds.model import Bytes

_BLOCK = 16
_WORD = 4
_ROUNDS = {128: 10, 192: 12, 256: 14}
_POLYNOMIAL = 0x1B
# Byte i of a block is row i mod 4 of column i div 4; row r moves r columns left.
_SHIFTED = np.array([(i + _WORD * (i % _WORD)) % _BLOCK for i in range(_BLOCK)])


def _doubled(x: Bytes) -> Bytes:
    """Multiply by x in the field of AES."""
    doubled: Bytes = (x << 1) ^ np.where(x >> 7, np.uint8(_POLYNOMIAL), np.uint8(0))
    return doubled


@cache
def _box() -> Bytes:
    """Return the S-box, computed: inverses from powers of 3, then the affine map."""
    powers = np.zeros(255, np.uint8)
    one = np.array([1], np.uint8)
    for i in range(255):
        powers[i] = one[0]
        one = one ^ _doubled(one)
    inverses = np.zeros(256, np.uint8)
    inverses[powers] = powers[(255 - np.arange(255)) % 255]
    found = inverses.copy()
    for shift in range(1, 5):
        turned: Bytes = inverses << np.uint8(shift) | inverses >> np.uint8(8 - shift)
        found ^= turned
    return found ^ np.uint8(0x63)


def _round_keys(keys: Bytes, rounds: int) -> Iterator[Bytes]:
    """Yield the round keys, rounds + 1 of them (section 5.2)."""
    count = keys.shape[1] // _WORD
    words = [keys[:, _WORD * i : _WORD * (i + 1)] for i in range(count)]
    constant = np.array([[1, 0, 0, 0]], np.uint8)
    while len(words) < _WORD * (rounds + 1):
        last = words[-1]
        place = len(words) % count
        if place == 0:
            last = _box()[np.roll(last, -1, axis=1)] ^ constant
            constant = _doubled(constant)
        elif count > 6 and place == 4:  # noqa: PLR2004 - Nk of section 5.2
            last = _box()[last]
        words.append(words[-count] ^ last)
    for i in range(0, _WORD * (rounds + 1), _WORD):
        yield np.concatenate(words[i : i + _WORD], axis=1)


def _mixed(state: Bytes) -> Bytes:
    columns = state.reshape(-1, _WORD, _WORD)
    following = np.roll(columns, -1, axis=2)
    whole = np.bitwise_xor.reduce(columns, axis=2, keepdims=True)
    mixed: Bytes = columns ^ whole ^ _doubled(columns ^ following)
    return mixed.reshape(state.shape)


def _states(rounds: int, keys: Bytes, blocks: Bytes) -> Iterator[Bytes]:
    first, *rest = _round_keys(keys, rounds)
    state = blocks ^ first
    for i, key in enumerate(rest, start=1):
        state = _box()[state][:, _SHIFTED]
        if i < rounds:
            state = _mixed(state)
        state = state ^ key
        yield state


MODELS = tuple(
    Model(f"aes{key}", key // 8, _BLOCK, rounds, partial(_states, rounds))
    for key, rounds in _ROUNDS.items()
)
