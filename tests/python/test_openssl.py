# SPDX-License-Identifier: Apache-2.0
"""AES in all its modes and ChaCha20-Poly1305 answer as OpenSSL does."""

from __future__ import annotations

import pytest
from cryptography.hazmat.primitives import padding
from cryptography.hazmat.primitives.ciphers import Cipher, algorithms, modes
from cryptography.hazmat.primitives.ciphers.aead import AESCCM, AESGCM, ChaCha20Poly1305
from hypothesis import given
from hypothesis import strategies as st

from samara import crypto

KEYS = st.sampled_from([16, 24, 32]).flatmap(
    lambda size: st.binary(min_size=size, max_size=size)
)
MESSAGES = st.binary(max_size=600)
DATA = st.binary(max_size=100)


def suite_for(key: bytes, mode: str) -> crypto.Suite:
    return crypto.suite(f"aes{8 * len(key)}-{mode}")


@given(KEYS, st.binary(min_size=8, max_size=64), MESSAGES, DATA)
def test_gcm(key: bytes, nonce: bytes, message: bytes, ad: bytes) -> None:
    theirs = AESGCM(key).encrypt(nonce, message, ad)
    assert suite_for(key, "gcm").seal(key, nonce, message, ad) == theirs


@given(
    KEYS,
    st.binary(min_size=7, max_size=13),
    MESSAGES,
    DATA,
    st.sampled_from([4, 6, 8, 10, 12, 14, 16]),
)
def test_ccm(
    key: bytes, nonce: bytes, message: bytes, ad: bytes, tag_size: int
) -> None:
    theirs = AESCCM(key, tag_length=tag_size).encrypt(nonce, message, ad)
    ours = suite_for(key, f"ccm-{tag_size}").seal(key, nonce, message, ad)
    assert ours == theirs


@given(KEYS, st.binary(min_size=16, max_size=16), MESSAGES)
def test_ctr(key: bytes, nonce: bytes, message: bytes) -> None:
    theirs = Cipher(algorithms.AES(key), modes.CTR(nonce)).encryptor().update(message)
    assert suite_for(key, "ctr").seal(key, nonce, message) == theirs


@given(KEYS, st.binary(min_size=16, max_size=16), MESSAGES)
def test_cbc(key: bytes, nonce: bytes, message: bytes) -> None:
    padder = padding.PKCS7(128).padder()
    padded = padder.update(message) + padder.finalize()
    theirs = Cipher(algorithms.AES(key), modes.CBC(nonce)).encryptor().update(padded)
    assert suite_for(key, "cbc").seal(key, nonce, message) == theirs


@pytest.mark.parametrize("low", [b"\xff" * 16, b"\0" * 12 + b"\xff" * 4])
def test_the_counter_carries(low: bytes) -> None:
    test_ctr.hypothesis.inner_test(bytes(16), low, bytes(100))  # type: ignore[attr-defined]


@pytest.mark.parametrize("ad_size", [0xFEFF, 0xFF00, 0x10001])
def test_long_associated_data_in_ccm(ad_size: int) -> None:
    key, nonce, ad = bytes(16), bytes(13), bytes(ad_size)
    theirs = AESCCM(key, tag_length=8).encrypt(nonce, b"message", ad)
    assert suite_for(key, "ccm-8").seal(key, nonce, b"message", ad) == theirs


@given(
    st.binary(min_size=32, max_size=32),
    st.binary(min_size=12, max_size=12),
    MESSAGES,
    DATA,
)
def test_chacha20_poly1305(key: bytes, nonce: bytes, message: bytes, ad: bytes) -> None:
    theirs = ChaCha20Poly1305(key).encrypt(nonce, message, ad)
    suite = crypto.suite("chacha20-poly1305")
    assert suite.seal(key, nonce, message, ad) == theirs
    assert suite.open(key, nonce, theirs, ad) == message


@pytest.mark.parametrize(
    ("size", "ad_size"), [(3, 0xFFFF), (0, 0x10001), (100_000, 70_003), (1 << 20, 0)]
)
def test_long_texts_in_chacha20_poly1305(size: int, ad_size: int) -> None:
    # All bits are set: sums of the authenticator are as large as they can be.
    key, nonce, ad, message = bytes(32), b"\xff" * 12, b"\xff" * ad_size, bytes(size)
    theirs = ChaCha20Poly1305(key).encrypt(nonce, message, ad)
    suite = crypto.suite("chacha20-poly1305")
    assert suite.seal(key, nonce, message, ad) == theirs
    assert suite.open(key, nonce, theirs, ad) == message
