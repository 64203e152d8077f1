# SPDX-License-Identifier: Apache-2.0
"""What a model of a block cipher is, and words of its size."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias

import numpy as np
from numpy.typing import NDArray

from samara.errors import ArgumentError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

Bytes: TypeAlias = NDArray[np.uint8]
Words: TypeAlias = NDArray[np.uint64]

_LARGEST = 8


@dataclass(frozen=True, slots=True)
class Model:
    """A block cipher, round by round. Sizes are in bytes."""

    slug: str
    key_size: int
    block_size: int
    rounds: int
    states: Callable[[Bytes, Bytes], Iterator[Bytes]]
    """Takes keys and blocks, one a row, and yields the blocks after each round. One
    row of keys serves all blocks."""

    def encrypt(self, keys: Bytes, blocks: Bytes, rounds: int | None = None) -> Bytes:
        """Return blocks after some rounds; after all of them by default."""
        wanted = self.rounds if rounds is None else rounds
        for done, state in enumerate(self.states(keys, blocks), start=1):
            if done == wanted:
                return state
        message = f"{self.slug} has {self.rounds} rounds, not {wanted}"
        raise ArgumentError(message)


@dataclass(frozen=True, slots=True)
class WordSize:
    """Words of 16 to 64 bits, each in 64."""

    bits: int

    @property
    def size(self) -> int:
        """Bytes."""
        return self.bits // 8

    @property
    def mask(self) -> np.uint64:
        """All bits."""
        return np.uint64((1 << self.bits) - 1)

    def load(self, rows: Bytes) -> list[Words]:
        """Return the little-endian words of each row: an array for each place."""
        count = rows.shape[1] // self.size
        wide = np.zeros((len(rows), count, _LARGEST), np.uint8)
        wide[:, :, : self.size] = rows.reshape(len(rows), count, self.size)
        words = wide.view("<u8")[:, :, 0].astype(np.uint64)
        return [words[:, place] for place in range(count)]

    def store(self, words: list[Words]) -> Bytes:
        """Return rows of bytes; the reverse of `load`."""
        joined = np.stack(np.broadcast_arrays(*words), axis=1).astype("<u8")
        wide = joined.view(np.uint8).reshape(*joined.shape, _LARGEST)
        return np.ascontiguousarray(wide[:, :, : self.size]).reshape(len(joined), -1)

    def left(self, x: Words, count: int) -> Words:
        """Rotate to the left."""
        turned = x << np.uint64(count) | x >> np.uint64(self.bits - count)
        return turned & self.mask

    def right(self, x: Words, count: int) -> Words:
        """Rotate to the right."""
        return self.left(x, self.bits - count)
