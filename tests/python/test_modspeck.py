# SPDX-License-Identifier: Apache-2.0
"""ModSpeck is Speck behind a derivation of the key that loses nothing.

The derivation is written here a second time, as plainly as it is described, and
turned around.
"""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from samara import crypto

ETA = 7
KEYS = st.sampled_from([16, 24, 32]).flatmap(
    lambda size: st.binary(min_size=size, max_size=size)
)
BLOCKS = st.binary(min_size=16, max_size=16)


def rotated_right(value: int, count: int, width: int) -> int:
    count %= width
    return (value >> count | value << width - count) & (1 << width) - 1


def parts_of(key: bytes) -> list[int]:
    size = len(key) // 4
    parts = [key[start : start + size] for start in range(0, len(key), size)]
    return [int.from_bytes(part, "little") for part in parts]


def joined(parts: list[int], key_size: int) -> bytes:
    return b"".join(part.to_bytes(key_size // 4, "little") for part in parts)


def derived(key: bytes) -> bytes:
    one, two, three, four = parts_of(key)
    one ^= two
    two ^= three
    three ^= four
    four ^= one
    width = 2 * len(key)
    parts = [
        rotated_right(part, place * ETA, width)
        for place, part in enumerate((one, two, three, four))
    ]
    return joined(parts, len(key))


def underived(key: bytes) -> bytes:
    width = 2 * len(key)
    one, two, three, four = (
        rotated_right(part, -place * ETA, width)
        for place, part in enumerate(parts_of(key))
    )
    four ^= one
    three ^= four
    two ^= three
    one ^= two
    return joined([one, two, three, four], len(key))


@given(KEYS)
def test_the_derivation_is_a_bijection(key: bytes) -> None:
    assert underived(derived(key)) == key
    assert derived(underived(key)) == key


@given(KEYS, BLOCKS)
def test_modspeck_is_speck_with_the_derived_key(key: bytes, block: bytes) -> None:
    modspeck = crypto.block_cipher(f"modspeck128-{8 * len(key)}")
    speck = crypto.block_cipher(f"speck128-{8 * len(key)}")
    assert modspeck.encrypt(key, block) == speck.encrypt(derived(key), block)
    assert modspeck.encrypt(underived(key), block) == speck.encrypt(key, block)
    assert modspeck.decrypt(key, modspeck.encrypt(key, block)) == block


@pytest.mark.parametrize("key_size", [16, 24, 32])
def test_every_key_bit_counts(key_size: int) -> None:
    modspeck = crypto.block_cipher(f"modspeck128-{8 * key_size}")
    keys = [(1 << bit).to_bytes(key_size, "little") for bit in range(8 * key_size)]
    assert len({modspeck.encrypt(key, bytes(16)) for key in keys}) == 8 * key_size
