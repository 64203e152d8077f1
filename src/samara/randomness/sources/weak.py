# SPDX-License-Identifier: Apache-2.0
"""Sources that are bad on purpose: a battery that misses one of them shows nothing."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from samara.errors import MisuseError
from samara.randomness.rounds import grain
from samara.randomness.sources.ciphers import counter_blocks
from samara.randomness.sources.computed import Computed, contiguous, of_units
from samara.randomness.sources.keys import drawn

if TYPE_CHECKING:
    from samara.randomness.rounds.model import Bytes

_LANES = 4096
"""RC4 keys that are set up at once; their states fit into a processor's cache."""
_HEAD = 2
_GRAIN_HEAD = 8


def linear_congruential(seed: int) -> Computed:
    """Return the states of x -> 1664525 x + 1013904223 modulo 2^32, whole."""
    factor, summand = np.uint32(1664525), np.uint32(1013904223)

    def sequence(index: int, size: int) -> bytes:
        first = np.frombuffer(drawn(4, seed, "lcg", index), "<u4")[0]
        count = -(-size // 4)
        powers = np.cumprod(np.full(count, factor), dtype=np.uint32)
        sums = np.cumsum(np.append(np.uint32(1), powers[:-1]), dtype=np.uint32)
        states = (powers * first + sums * summand).astype(">u4")
        return bytes(states.tobytes()[:size])

    return Computed(sequence)


def shift_register(seed: int) -> Computed:
    """Return the output of an LFSR of 89 bits, x^89 + x^38 + 1."""
    degree, tap = 89, 38

    def sequence(index: int, size: int) -> bytes:
        bits = np.zeros(8 * size, np.uint8)
        state = np.frombuffer(drawn(12, seed, "lfsr", index), np.uint8)
        bits[:degree] = np.unpackbits(state)[:degree]
        known, scale = degree, 1
        while known < len(bits):
            # The polynomial's powers of two relate places that are farther apart.
            while 2 * scale * degree <= known:
                scale *= 2
            back, front = scale * degree, scale * (degree - tap)
            more = min(front, len(bits) - known)
            start = known - back
            far, near = bits[start : start + more], known - front
            bits[known : known + more] = far ^ bits[near : near + more]
            known += more
        return np.packbits(bits).tobytes()

    return Computed(sequence)


def plain_counter(seed: int) -> Computed:
    """Return numbers of 32 bits, counted up."""
    del seed
    return Computed(
        contiguous(of_units(4, lambda i, n: counter_blocks(4, i, n).tobytes()))
    )


def biased(seed: int) -> Computed:
    """Return bits of which 50.5 % are ones."""

    def sequence(index: int, size: int) -> bytes:
        random = np.random.default_rng([seed, index])
        return np.packbits(random.random(8 * size) < 0.505).tobytes()  # noqa: PLR2004 - as stated

    return Computed(sequence)


def rc4_heads(seed: int) -> Computed:
    """Return the first two bytes of RC4 under random keys of 16 bytes.

    The second one is zero twice as often as it should be (Mantin and Shamir, 2001).
    """

    def sequence(index: int, size: int) -> bytes:
        count = -(-size // _HEAD)
        keys = np.frombuffer(drawn(16 * count, seed, "rc4", index), np.uint8)
        rows = keys.reshape(count, 16)
        heads = [_rc4(rows[i : i + _LANES]) for i in range(0, count, _LANES)]
        return np.concatenate(heads).tobytes()[:size]

    return Computed(sequence)


def _rc4(keys: Bytes) -> Bytes:
    """Return the first two bytes of RC4 for rows of keys."""
    count, size = keys.shape
    lanes = np.arange(count)
    state = np.tile(np.arange(256, dtype=np.uint8), (count, 1))
    j = np.zeros(count, np.uint8)
    for i in range(256):
        own = state[:, i].copy()
        j += own + keys[:, i % size]
        state[:, i] = state[lanes, j]
        state[lanes, j] = own
    out = np.empty((count, _HEAD), np.uint8)
    j[:] = 0
    for i in range(_HEAD):
        own = state[:, i + 1].copy()
        j += own
        other = state[lanes, j]
        state[:, i + 1], state[lanes, j] = other, own
        out[:, i] = state[lanes, own + other]
    return out


def started_grain(clocks: str, seed: int) -> Computed:
    """Return heads of Grain-128PLE's keystream after fewer start-up clocks.

    The first eight bytes under each nonce; the nonces are counted up.
    """
    number = int(clocks) if clocks.isdigit() else -1
    if not 0 <= number <= grain.FULL:
        message = f"Grain-128PLE has 0 to {grain.FULL} start-up clocks, not {clocks!r}"
        raise MisuseError(message)
    key = np.frombuffer(drawn(grain.KEY_SIZE, seed, "key", "grain"), np.uint8)

    def heads(first: int, count: int) -> bytes:
        nonces = counter_blocks(grain.NONCE_SIZE, first, count)
        keys = np.broadcast_to(key, (count, grain.KEY_SIZE))
        return grain.keystream(keys, nonces, 8 * _GRAIN_HEAD, number).tobytes()

    facts = {"key": key.tobytes().hex(), "clocks": str(number)}
    return Computed(contiguous(of_units(_GRAIN_HEAD, heads)), facts)


def mersenne_twister(seed: int) -> Computed:
    """Return the output of MT19937, which anyone predicts from 624 of its numbers."""

    def sequence(index: int, size: int) -> bytes:
        bits = np.random.MT19937(np.random.SeedSequence([seed, index]))
        return np.random.Generator(bits).bytes(size)

    return Computed(sequence)
