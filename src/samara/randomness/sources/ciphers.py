# SPDX-License-Identifier: Apache-2.0
"""Sources made of ciphers: keystreams, counter mode, CBC, avalanche.

Avalanche and CBC are as in NIST's evaluation of the AES candidates (Soto and Bassham,
NISTIR 6483): key avalanche flips each bit of random keys over a plaintext of zeros,
plaintext avalanche each bit of random plaintexts under a key of zeros; CBC encrypts
zeros under a random key, beginning with zeros, another key for each sequence.
"""

from __future__ import annotations

import itertools
from typing import TYPE_CHECKING

import numpy as np

from samara import crypto
from samara.crypto import keystreams
from samara.errors import MisuseError
from samara.randomness import rounds
from samara.randomness.sources.computed import Computed, contiguous, of_units
from samara.randomness.sources.keys import drawn

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from samara.crypto import BlockCipher
    from samara.randomness.rounds.model import Bytes


def keystream(slug: str, seed: int) -> Computed:
    """Return the keystream of a suite, as `samara keystream SUITE --raw` prints it."""
    suite = crypto.suite_named(slug)
    key = drawn(suite.key_size, seed, "key", suite.slug)
    nonce = bytes(suite.nonce_size)
    stream = keystreams.Stream(suite, key, nonce)
    facts = {"suite": suite.slug, "key": key.hex(), "nonce": nonce.hex()}
    return Computed(contiguous(stream.read), facts)


def counter(name: str, seed: int) -> Computed:
    """Return a block cipher in counter mode: of all rounds, or CIPHER@ROUNDS."""
    slug, weakened_by, reduced = name.partition("@")
    cipher = crypto.block_cipher(slug)
    key = drawn(cipher.key_size, seed, "key", cipher.slug)
    facts = {"cipher": slug, "key": key.hex(), "counter": "0, big-endian"}
    if not weakened_by:
        read = of_units(
            cipher.block_size, lambda first, count: _counted(cipher, key, first, count)
        )
        return Computed(contiguous(read), facts)
    model = rounds.model(slug)
    number = int(reduced) if reduced.isdigit() else 0
    if not 1 <= number <= model.rounds:
        message = f"{slug} has 1 to {model.rounds} rounds, not {reduced!r}"
        raise MisuseError(message)
    keys = np.frombuffer(key, np.uint8)[None, :]

    def weakened(first: int, count: int) -> bytes:
        blocks = counter_blocks(model.block_size, first, count)
        return model.encrypt(keys, blocks, number).tobytes()

    read = of_units(model.block_size, weakened)
    return Computed(contiguous(read), {**facts, "rounds": str(number)})


def counter_blocks(size: int, first: int, count: int) -> Bytes:
    """Return the numbers from `first` on as rows of `size` bytes, big-endian."""
    numbers = np.arange(first, first + count, dtype=np.uint64).astype(">u8")
    rows = numbers.view(np.uint8).reshape(count, 8)
    if size <= rows.shape[1]:
        return rows[:, rows.shape[1] - size :]
    return np.pad(rows, ((0, 0), (size - rows.shape[1], 0)))


def _counted(cipher: BlockCipher, key: bytes, first: int, count: int) -> bytes:
    blocks = counter_blocks(cipher.block_size, first, count)
    return b"".join(cipher.encrypt(key, block.tobytes()) for block in blocks)


def chained(slug: str, seed: int) -> Computed:
    """Return CBC of zeros, each sequence under a key of its own."""
    cipher = crypto.block_cipher(slug)

    def sequence(index: int, size: int) -> bytes:
        key = drawn(cipher.key_size, seed, "key", cipher.slug, index)
        blocks = itertools.islice(_chain(cipher, key), -(-size // cipher.block_size))
        return b"".join(blocks)[:size]

    return Computed(sequence, {"cipher": slug, "keys": "a new one for each sequence"})


def _chain(cipher: BlockCipher, key: bytes) -> Iterator[bytes]:
    block = bytes(cipher.block_size)
    while True:
        block = cipher.encrypt(key, block)
        yield block


def key_avalanche(slug: str, seed: int) -> Computed:
    """Return what flips of single key bits change in the encryption of zeros."""
    cipher = crypto.block_cipher(slug)
    zeros = bytes(cipher.block_size)
    read = _avalanche(
        lambda index, number: drawn(
            cipher.key_size, seed, "key", cipher.slug, index, number
        ),
        lambda key: cipher.encrypt(key, zeros),
    )
    return Computed(read, {"cipher": slug, "keys": "drawn", "plaintext": "zeros"})


def plaintext_avalanche(slug: str, seed: int) -> Computed:
    """Return what flips of single plaintext bits change under a key of zeros."""
    cipher = crypto.block_cipher(slug)
    key = bytes(cipher.key_size)
    read = _avalanche(
        lambda index, number: drawn(
            cipher.block_size, seed, "text", cipher.slug, index, number
        ),
        lambda text: cipher.encrypt(key, text),
    )
    return Computed(read, {"cipher": slug, "key": "zeros", "plaintexts": "drawn"})


def _avalanche(
    draw: Callable[[int, int], bytes], encrypt: Callable[[bytes], bytes]
) -> Callable[[int, int], bytes]:
    """Return what yields the changes by flips of single bits of random inputs.

    Parameters
    ----------
    draw
        Takes the number of a sequence and of an input in it.
    encrypt
        Takes the input.
    """

    def changes(sequence: int) -> Iterator[bytes]:
        for number in itertools.count():
            given = draw(sequence, number)
            whole = encrypt(given)
            for flipped in flips(given):
                yield added(whole, encrypt(flipped))

    return lambda sequence, size: _first_bytes(changes(sequence), size)


def flips(data: bytes) -> Iterator[bytes]:
    """Yield the data with each of its bits flipped, the most significant one first."""
    size = len(data)
    number = int.from_bytes(data, "big")
    for bit in reversed(range(8 * size)):
        yield (number ^ 1 << bit).to_bytes(size, "big")


def added(one: bytes, other: bytes) -> bytes:
    """Return the bitwise sum."""
    total = int.from_bytes(one, "big") ^ int.from_bytes(other, "big")
    return total.to_bytes(len(one), "big")


def _first_bytes(blocks: Iterator[bytes], size: int) -> bytes:
    found = bytearray()
    for block in blocks:
        found += block
        if len(found) >= size:
            break
    return bytes(found[:size])
