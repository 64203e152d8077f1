# SPDX-License-Identifier: Apache-2.0
"""Speck of all sizes (ePrint 2013/404), and ModSpeck (samara/modspeck.h)."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

import numpy as np

from samara.randomness.rounds.model import Model, WordSize

if TYPE_CHECKING:
    from collections.abc import Iterator

    from samara.randomness.rounds.model import Bytes, Words

_ROUNDS = {
    (32, 64): 22,
    (48, 72): 22,
    (48, 96): 23,
    (64, 96): 26,
    (64, 128): 27,
    (96, 96): 28,
    (96, 144): 29,
    (128, 128): 32,
    (128, 192): 33,
    (128, 256): 34,
}
"""By the bits of block and key (table 4.1)."""
_PARTS = 4
_ETA = 7


def _round(
    word: WordSize, x: Words, y: Words, key: Words | np.uint64
) -> tuple[Words, Words]:
    alpha, beta = (7, 2) if word.bits == 16 else (8, 3)  # noqa: PLR2004 - table 4.1
    x = (word.right(x, alpha) + y & word.mask) ^ key
    return x, word.left(y, beta) ^ x


def _states(word: WordSize, rounds: int, keys: Bytes, blocks: Bytes) -> Iterator[Bytes]:
    key, *rest = word.load(keys)
    y, x = word.load(blocks)
    for i in range(rounds):
        x, y = _round(word, x, y, key)
        yield word.store([y, x])
        place = i % len(rest)
        rest[place], key = _round(word, rest[place], key, np.uint64(i))


def derived(keys: Bytes) -> Bytes:
    """Return the keys that ModSpeck gives to Speck: four parts, added and rotated."""
    size = keys.shape[1] // _PARTS
    part = WordSize(8 * size)
    parts = part.load(keys)
    for i in range(_PARTS):
        parts[i] = parts[i] ^ parts[(i + 1) % _PARTS]
    turned = [part.right(each, _ETA * i) if i else each for i, each in enumerate(parts)]
    return part.store(turned)


def _states_modified(
    word: WordSize, rounds: int, keys: Bytes, blocks: Bytes
) -> Iterator[Bytes]:
    return _states(word, rounds, derived(keys), blocks)


def _models() -> Iterator[Model]:
    for (block, key), rounds in _ROUNDS.items():
        sizes = key // 8, block // 8, rounds
        states = partial(_states, WordSize(block // 2), rounds)
        yield Model(f"speck{block}-{key}", *sizes, states)
        if block == 128:  # noqa: PLR2004 - the only size of ModSpeck
            modified = partial(_states_modified, WordSize(block // 2), rounds)
            yield Model(f"modspeck{block}-{key}", *sizes, modified)


MODELS = tuple(_models())
