# SPDX-License-Identifier: Apache-2.0
"""Grain-128PLE: its keystream, and what is done with it."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from samara import crypto
from samara.crypto import grain128ple

KEYS = st.binary(min_size=16, max_size=16)
NONCES = st.binary(min_size=12, max_size=12)
KEY, NONCE = bytes(range(16)), bytes(range(12))
Bits = npt.NDArray[np.uint8]


def unpacked(data: npt.NDArray[np.uint8] | bytes, count: int | None = None) -> Bits:
    packed = np.frombuffer(data, dtype=np.uint8)
    return np.unpackbits(packed, count=count, bitorder="little")


def keystream_bits(count: int, skip: int = 0) -> Bits:
    return unpacked(grain128ple.keystream(KEY, NONCE, skip + count))[skip:][:count]


def size_of_length(ad_size: int) -> int:
    """Return how many bytes the DER length of the associated data has."""
    return 1 if ad_size < 128 else 1 + (ad_size.bit_length() + 7) // 8


def test_the_sizes_are_those_of_the_suite() -> None:
    suite = crypto.suite("grain128ple")
    assert (suite.key_size, suite.nonce_size) == (16, 12)
    assert (grain128ple.KEY_SIZE, grain128ple.NONCE_SIZE) == (16, 12)


@settings(max_examples=300)
@given(KEYS, NONCES, st.binary(max_size=60), st.binary(max_size=300))
def test_even_bits_are_the_encryption_bits_of_the_aead(
    key: bytes, nonce: bytes, message: bytes, ad: bytes
) -> None:
    sealed = crypto.suite("grain128aead").seal(key, nonce, message, ad)
    ciphertext = np.frombuffer(sealed[: len(message)], dtype=np.uint8)
    used = unpacked(ciphertext ^ np.frombuffer(message, dtype=np.uint8))
    before = 8 * (size_of_length(len(ad)) + len(ad))
    stream = unpacked(
        grain128ple.keystream(key, nonce, 2 * (before + 8 * len(message)))
    )
    np.testing.assert_array_equal(stream[0::2][before:][: len(used)], used)


@given(st.integers(0, 300), st.integers(0, 300))
def test_skipping_is_throwing_away(bits: int, skip: int) -> None:
    got = grain128ple.keystream(KEY, NONCE, bits, skip=skip)
    assert got.dtype == np.uint8
    assert got.size == (bits + 7) // 8
    np.testing.assert_array_equal(unpacked(got, bits), keystream_bits(bits, skip))
    assert not unpacked(got)[bits:].any()


@given(st.lists(st.integers(0, 100), max_size=8))
def test_pieces_of_any_length_are_one_keystream(counts: list[int]) -> None:
    position = grain128ple.Keystream(KEY, NONCE)
    pieces = [unpacked(position.keystream(count), count) for count in counts]
    joined = np.concatenate([np.zeros(0, np.uint8), *pieces])
    np.testing.assert_array_equal(joined, keystream_bits(sum(counts)))


@given(st.data())
def test_xor_changes_the_bits_it_is_given(data: st.DataObject) -> None:
    size = data.draw(st.integers(0, 40))
    offset = data.draw(st.integers(0, 8 * size))
    count = data.draw(st.one_of(st.none(), st.integers(0, 8 * size - offset)))
    skip = data.draw(st.integers(0, 70))
    raw = data.draw(st.binary(min_size=size, max_size=size))
    before: Bits = np.frombuffer(raw, dtype=np.uint8)
    bits = before.copy()
    position = grain128ple.Keystream(KEY, NONCE)
    position.skip(skip)
    position.xor(bits, offset, count)
    done = 8 * size - offset if count is None else count
    expected = unpacked(before).copy()
    expected[offset : offset + done] ^= keystream_bits(done, skip)
    np.testing.assert_array_equal(unpacked(bits), expected)
    np.testing.assert_array_equal(
        unpacked(position.keystream(9), 9), keystream_bits(9, skip + done)
    )


def test_xor_takes_a_bytearray() -> None:
    bits = bytearray(5)
    grain128ple.Keystream(KEY, NONCE).xor(bits)
    assert bits == grain128ple.keystream(KEY, NONCE, 40).tobytes()


def negated(values: npt.NDArray[Any]) -> npt.NDArray[Any]:
    if values.dtype.kind == "f":
        return -values
    lowest, highest = np.iinfo(values.dtype).min, np.iinfo(values.dtype).max
    return np.where(values == lowest, highest, -values).astype(values.dtype)


@pytest.mark.parametrize("dtype", [np.int8, np.int16, np.float32])
@given(data=st.data())
def test_flip_is_a_change_of_sign(dtype: type, data: st.DataObject) -> None:
    size = data.draw(st.integers(0, 100))
    raw = data.draw(st.binary(min_size=4 * size, max_size=4 * size))
    before: npt.NDArray[Any] = np.frombuffer(raw, dtype=dtype)[:size]
    skip = data.draw(st.integers(0, 70))
    position = grain128ple.Keystream(KEY, NONCE)
    position.skip(skip)
    values = before.copy()
    position.flip(values)
    with np.errstate(over="ignore"):
        expected = np.where(keystream_bits(size, skip), negated(before), before)
    # Bytes, so that zeros and NaNs count with their sign.
    assert values.tobytes() == expected.astype(dtype).tobytes()


def test_soft_decryption_gives_back_what_was_sent() -> None:
    sent = np.random.default_rng(1).integers(0, 256, 500, dtype=np.uint8)
    channel = sent.copy()
    grain128ple.Keystream(KEY, NONCE).xor(channel)
    soft = (1.0 - 2.0 * unpacked(channel)).astype(np.float32).reshape(40, 100)
    grain128ple.Keystream(KEY, NONCE).flip(soft)
    np.testing.assert_array_equal(soft.ravel() < 0, unpacked(sent))


@pytest.mark.parametrize(
    ("values", "error", "text"),
    [
        (np.zeros(8), TypeError, "int8 or int16 or float32, not of float64"),
        (np.zeros(8, np.uint8), TypeError, "not of uint8"),
        (np.zeros(8, ">i2"), TypeError, "not of >i2"),
        ([1, 2], TypeError, "not list"),
        (np.zeros(8, np.int8)[::2], ValueError, r"shape \(4,\) with strides \(2,\)"),
        (np.frombuffer(bytes(8), np.int8), ValueError, "read-only"),
        (
            np.frombuffer(bytearray(9), np.int16, count=4, offset=1),
            ValueError,
            "unaligned",
        ),
    ],
)
def test_flip_names_what_it_does_not_take(
    values: npt.NDArray[Any], error: type[Exception], text: str
) -> None:
    position = grain128ple.Keystream(KEY, NONCE)
    with pytest.raises(error, match=text):
        position.flip(values)


def test_xor_names_what_it_does_not_take() -> None:
    position = grain128ple.Keystream(KEY, NONCE)
    with pytest.raises(TypeError, match="array of uint8, not of int8"):
        position.xor(np.zeros(8, np.int8))
    with pytest.raises(ValueError, match="writable"):
        position.xor(bytes(8))
    for offset, count in ((65, None), (0, 65), (60, 5), (65, 0)):
        with pytest.raises(ValueError, match="are not in 8 bytes"):
            position.xor(bytearray(8), offset, count)
    for offset, count in ((-1, 1), (1, -1)):
        with pytest.raises(ValueError, match="must not be negative"):
            position.xor(bytearray(8), offset, count)
    # Nothing of this moved the position.
    np.testing.assert_array_equal(
        position.keystream(64), grain128ple.keystream(KEY, NONCE, 64)
    )


def test_sizes_are_named() -> None:
    with pytest.raises(ValueError, match="grain128ple takes a key of 16 bytes, not 15"):
        grain128ple.Keystream(bytes(15), NONCE)
    with pytest.raises(ValueError, match="takes a nonce of 12 bytes, not 13"):
        grain128ple.keystream(KEY, bytes(13), 8)
    with pytest.raises(ValueError, match="must not be negative, and is -1"):
        grain128ple.keystream(KEY, NONCE, -1)


@given(st.lists(st.tuples(KEYS, NONCES, st.integers(0, 200)), max_size=6))
def test_a_batch_is_its_keystreams(streams: list[tuple[bytes, bytes, int]]) -> None:
    batch = grain128ple.keystream_batch(streams)
    assert len(batch) == len(streams)
    for got, (key, nonce, bits) in zip(batch, streams, strict=True):
        np.testing.assert_array_equal(got, grain128ple.keystream(key, nonce, bits))


def test_a_batch_takes_rows_of_arrays() -> None:
    keys = np.arange(48, dtype=np.uint8).reshape(3, 16)
    nonces = np.arange(36, dtype=np.uint8).reshape(3, 12)
    streams = grain128ple.keystream_batch(
        (key, nonce, 77) for key, nonce in zip(keys, nonces, strict=True)
    )
    for got, key, nonce in zip(streams, keys, nonces, strict=True):
        np.testing.assert_array_equal(got, grain128ple.keystream(key, nonce, 77))


def test_the_suite_is_the_keystream() -> None:
    message = bytes(range(100))
    bits = bytearray(message)
    grain128ple.Keystream(KEY, NONCE).xor(bits)
    assert crypto.suite("grain128ple").seal(KEY, NONCE, message) == bits
