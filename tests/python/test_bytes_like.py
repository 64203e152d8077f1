# SPDX-License-Identifier: Apache-2.0
"""A view of bytes: of any buffer, in place, counted in bytes."""

from __future__ import annotations

import array
from typing import TYPE_CHECKING

import numpy as np
import pytest

from samara import crypto
from samara.crypto import grain128ple
from samara.crypto.bytes_like import view_of

if TYPE_CHECKING:
    from samara.crypto.bytes_like import BytesLike


@pytest.mark.parametrize(
    "data",
    [
        b"\1\2\3\4",
        bytearray(b"\1\2\3\4"),
        memoryview(b"\1\2\3\4"),
        array.array("H", b"\1\2\3\4"),
        np.frombuffer(b"\1\2\3\4", np.int16),
        np.frombuffer(b"\1\2\3\4", np.uint8).reshape(2, 2),
    ],
)
def test_a_view_has_the_bytes(data: BytesLike) -> None:
    view = view_of(data)
    assert (view.format, view.ndim, len(view)) == ("B", 1, 4)
    assert view.tobytes() == b"\1\2\3\4"


def test_a_view_is_not_a_copy() -> None:
    data = bytearray(4)
    view_of(data)[3] = 7
    assert data == b"\0\0\0\7"
    assert view_of(bytes(4)).readonly


@pytest.mark.parametrize("wrong", ["text", 5, None, [1, 2]])
def test_other_objects_are_refused(wrong: object) -> None:
    with pytest.raises(TypeError):
        view_of(wrong)  # type: ignore[arg-type]


def test_bytes_with_gaps_are_refused() -> None:
    with pytest.raises(TypeError):
        view_of(memoryview(bytes(8))[::2])
    with pytest.raises(TypeError):
        view_of(np.zeros((4, 4), np.uint8)[:, :2])


def test_sizes_are_counted_in_bytes() -> None:
    """Buffers of larger items are taken whole where a size follows from them."""
    key, nonce = bytes(16), bytes(12)
    words = array.array("H", bytes(10))
    grain128ple.Keystream(key, nonce).xor(words)
    assert words.tobytes() == grain128ple.keystream(key, nonce, 80).tobytes()
    suite = crypto.suite("grain128aead")
    sealed = suite.seal(key, nonce, b"message")
    opener = suite.unverified_opener(key, nonce)
    data = opener.update(array.array("B", sealed)) + opener.finish()
    assert data == b"message"
