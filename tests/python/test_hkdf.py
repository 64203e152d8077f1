# SPDX-License-Identifier: Apache-2.0
"""HKDF gives the known answers of RFC 5869, appendix A, and keeps its bounds."""

from __future__ import annotations

import pytest

from samara import hkdf


def numbers(first: int, count: int) -> bytes:
    return bytes(range(first, first + count))


@pytest.mark.parametrize(
    ("secret", "salt", "info", "output"),
    [
        (
            b"\x0b" * 22,
            numbers(0, 13),
            numbers(0xF0, 10),
            """3cb25f25faacd57a90434f64d0362f2a2d2d0a90cf1a5a4c5db02d56ecc4c5bf
            34007208d5b887185865""",
        ),
        (
            numbers(0, 80),
            numbers(0x60, 80),
            numbers(0xB0, 80),
            """b11e398dc80327a1c8e7f78c596a49344f012eda2d4efad8a050cc4c19afa97c
            59045a99cac7827271cb41c65e590e09da3275600c2f09b8367793a9aca3db71
            cc30c58179ec3e87c14c01d5c1f3434f1d87""",
        ),
        (
            b"\x0b" * 22,
            b"",
            b"",
            """8da4e775a563c18f715f802a063c5a31b8a11f5c5ee1879ec3454e5f3c738d2d
            9d201395faa4b61a96c8""",
        ),
    ],
)
def test_known_answers(secret: bytes, salt: bytes, info: bytes, output: str) -> None:
    whole = bytes.fromhex(output)
    for size in range(len(whole) + 1):
        derived = hkdf.derived(secret, salt=salt, info=info, size=size)
        assert derived == whole[:size]


def test_no_more_is_derived_than_the_standard_allows() -> None:
    longest = hkdf.expanded(bytes(32), b"", hkdf.SIZE_MAX)
    blocks = {longest[at : at + 32] for at in range(0, hkdf.SIZE_MAX, 32)}
    assert (len(longest), len(blocks)) == (8160, 255)
    with pytest.raises(ValueError, match="at most 8160 bytes, not 8161"):
        hkdf.expanded(bytes(32), b"", hkdf.SIZE_MAX + 1)
