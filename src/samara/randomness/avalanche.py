# SPDX-License-Identifier: Apache-2.0
"""Avalanche: how many bits a flip of one bit changes, round by round.

In a good cipher a flip of any bit of key or plaintext changes half of all bits, long
before the last round. For Grain-128PLE rounds are start-up clocks, the plaintext is
the nonce, and what changes is the head of the keystream.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from samara.crypto.names import find
from samara.randomness import rounds
from samara.randomness.rounds import grain
from samara.randomness.sources.keys import drawn

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from numpy.typing import NDArray

    from samara.randomness.rounds.model import Bytes, Model

SAMPLES = 100
_DEVIATIONS = 6
"""So many standard deviations around one half are taken for one half."""
_GRAIN = "grain128ple"
_CLOCKS = range(0, grain.FULL + 1, 32)
_HEAD_BITS = 64


@dataclass(frozen=True, slots=True)
class Cipher:
    """What bits are flipped in, and what is looked at."""

    slug: str
    key_size: int
    text_size: int
    """Bytes of plaintext or nonce."""
    text: str
    """What they are called."""
    unit: str
    """What the steps are."""
    steps: tuple[int, ...]
    seen_bits: int
    states: Callable[[Bytes, Bytes], Iterator[Bytes]]
    """Takes keys and texts, and yields what is seen after each step."""


@dataclass(frozen=True, slots=True)
class Avalanche:
    """What flips of one input change."""

    cipher: Cipher
    flipped: str
    samples: int
    shares: NDArray[np.float64]
    """Of the bits that change, on average: shape (steps, bits of the input)."""

    @property
    def spread(self) -> float:
        """Deviation of a share from one half where bits change at random."""
        return math.sqrt(0.25 / (self.samples * self.cipher.seen_bits))

    @property
    def complete(self) -> int | None:
        """The step from which on a flip of any bit changes half; None: never."""
        limit = _DEVIATIONS * self.spread
        good = (np.abs(self.shares - 0.5) < limit).all(axis=1)
        # All bits together show what one of them does not.
        off = np.abs(self.shares.mean(axis=1) - 0.5)
        good &= off < limit / math.sqrt(self.shares.shape[1])
        first = len(good) - int(np.argmin(good[::-1])) if not good.all() else 0
        return self.cipher.steps[first] if first < len(good) else None


def cipher(slug: str) -> Cipher:
    """Return a block cipher, or Grain-128PLE.

    Raises
    ------
    samara.crypto.UnknownNameError
        When there is none.
    """
    return find("cipher", slug, _ciphers())


def names() -> list[str]:
    """Return the names of all ciphers."""
    return list(_ciphers())


def _ciphers() -> Mapping[str, Cipher]:
    found = {slug: _of_model(model) for slug, model in rounds.MODELS.items()}
    found[_GRAIN] = Cipher(
        _GRAIN,
        grain.KEY_SIZE,
        grain.NONCE_SIZE,
        "nonce",
        "clock",
        tuple(_CLOCKS),
        _HEAD_BITS,
        _heads,
    )
    return found


def _of_model(model: Model) -> Cipher:
    return Cipher(
        model.slug,
        model.key_size,
        model.block_size,
        "plaintext",
        "round",
        tuple(range(1, model.rounds + 1)),
        8 * model.block_size,
        model.states,
    )


def _heads(keys: Bytes, nonces: Bytes) -> Iterator[Bytes]:
    for clocks in _CLOCKS:
        yield grain.keystream(keys, nonces, _HEAD_BITS, clocks)


def of_key(cipher: Cipher, samples: int, seed: int) -> Avalanche:
    """Return what flips of each bit of random keys change."""
    keys, texts = _drawn(cipher, samples, seed)
    shares = _shares(cipher, keys, texts, flips_key=True)
    return Avalanche(cipher, "key", samples, shares)


def of_text(cipher: Cipher, samples: int, seed: int) -> Avalanche:
    """Return what flips of each bit of random plaintexts, or nonces, change."""
    keys, texts = _drawn(cipher, samples, seed)
    shares = _shares(cipher, keys, texts, flips_key=False)
    return Avalanche(cipher, cipher.text, samples, shares)


def _drawn(cipher: Cipher, samples: int, seed: int) -> tuple[Bytes, Bytes]:
    keys = drawn(samples * cipher.key_size, seed, "avalanche keys", cipher.slug)
    texts = drawn(samples * cipher.text_size, seed, "avalanche texts", cipher.slug)
    return (
        np.frombuffer(keys, np.uint8).reshape(samples, -1),
        np.frombuffer(texts, np.uint8).reshape(samples, -1),
    )


def _shares(
    cipher: Cipher, keys: Bytes, texts: Bytes, *, flips_key: bool
) -> NDArray[np.float64]:
    given = keys if flips_key else texts
    bits = 8 * given.shape[1]
    flipped = _flipped(given).reshape(-1, given.shape[1])
    others = np.tile(texts if flips_key else keys, (bits, 1))
    changed = (flipped, others) if flips_key else (others, flipped)
    both = zip(cipher.states(keys, texts), cipher.states(*changed), strict=True)
    return np.array([_differences(whole, one, bits) for whole, one in both])


def _flipped(given: Bytes) -> Bytes:
    """Return the rows with each bit flipped, the first bit in all rows first.

    Bit i is bit i mod 8, from the most significant one, of byte i div 8.
    """
    size = given.shape[1]
    masks = np.packbits(np.eye(8 * size, dtype=np.uint8), axis=1)
    flipped: Bytes = given[None, :, :] ^ masks[:, None, :]
    return flipped


def _differences(whole: Bytes, flipped: Bytes, bits: int) -> NDArray[np.float64]:
    changed = flipped.reshape(bits, *whole.shape) ^ whole
    ones = np.unpackbits(changed, axis=2)
    shares: NDArray[np.float64] = ones.mean(axis=(1, 2))
    return shares
