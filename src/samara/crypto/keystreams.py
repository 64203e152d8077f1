# SPDX-License-Identifier: Apache-2.0
"""Keystreams of suites, as one long stream of bytes at the speed of batch calls.

The stream consists of the keystreams of many messages, each of `PIECE` bytes, under
nonces that are counted up. In counter mode the nonce is the initial counter block:
there the stream is the one keystream of the first nonce.

>>> from samara.crypto import keystreams, suite
>>> stream = keystreams.Stream(suite("aes128-ctr"), bytes(16), bytes(16))
>>> stream.read(0, 16).hex()
'66e94bd4ef8a2c3b884cfa59ca342b2e'
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

from samara import _core
from samara.crypto.registry import suites
from samara.errors import MisuseError

if TYPE_CHECKING:
    from collections.abc import Iterator

    from samara.crypto.bytes_like import BytesLike
    from samara.crypto.registry import Suite

PIECE = 16_384
"""Bytes of keystream of one nonce."""
_PIECES = 512
"""Pieces of a batch call: as many as the widest call works on side by side."""
_BLOCK = 16
"""Bytes that a counter block of counter mode stands for."""
_PROBE = 160
"""Bytes that tell whether a suite has a keystream: several blocks of any cipher."""


@cache
def has_keystream(suite: Suite) -> bool:
    """Tell whether a suite adds bits to a message that do not depend on the message.

    This is tried, not listed: a message of ones is the complement of one of zeros.
    """
    if suite.padding_size:
        return False
    key, nonce = bytes(suite.key_size), bytes(suite.nonce_size)
    zeros = suite.seal(key, nonce, bytes(_PROBE))[:_PROBE]
    ones = suite.seal(key, nonce, b"\xff" * _PROBE)[:_PROBE]
    return all(a ^ b == 0xFF for a, b in zip(zeros, ones, strict=True))  # noqa: PLR2004 - all bits


def with_keystreams() -> list[Suite]:
    """Return all suites that have a keystream, in the order of the registry."""
    return [suite for suite in suites() if has_keystream(suite)]


def require(suite: Suite) -> None:
    """Raise MisuseError for a suite without a keystream."""
    if not has_keystream(suite):
        message = (
            f"{suite.slug} has no keystream: what it adds to a message depends on "
            "the message; give a suite in counter mode, CCM or GCM, Grain or ChaCha20"
        )
        raise MisuseError(message)


class Stream:
    """A stream of keystream; any part of it can be computed by itself.

    Parameters
    ----------
    suite
        A suite with a keystream.
    key
        `suite.key_size` bytes.
    nonce
        The first nonce, of a size that the suite takes.

    Raises
    ------
    MisuseError
        When the suite has no keystream.
    ValueError
        When key or nonce have another size.
    """

    def __init__(self, suite: Suite, key: BytesLike, nonce: BytesLike) -> None:
        require(suite)
        # Sealing nothing finds sizes that are wrong.
        suite.seal(key, nonce, b"")
        self._suite = suite
        self._key = bytes(key)
        self._size = len(bytes(nonce))
        self._first = int.from_bytes(bytes(nonce), "big")
        self._step = PIECE // _BLOCK if suite.slug.endswith("-ctr") else 1

    def pieces(self, size: int | None = None) -> Iterator[memoryview]:
        """Yield the stream from its beginning, in pieces.

        Parameters
        ----------
        size
            Bytes; None: without end.

        Raises
        ------
        MisuseError
            When there are no nonces left.
        """
        done = 0
        while size is None or done < size:
            count = _PIECES
            if size is not None:
                count = min(count, -(-(size - done) // PIECE))
            for piece in self._batch(done // PIECE, count):
                left = PIECE if size is None else size - done
                yield memoryview(piece)[:left]
                done += PIECE

    def read(self, offset: int, size: int) -> bytes:
        """Return a part of the stream.

        Parameters
        ----------
        offset, size
            Bytes.
        """
        first = offset // PIECE
        count = -(-(offset + size) // PIECE) - first
        start = offset - first * PIECE
        return b"".join(self._batch(first, count))[start : start + size]

    def _batch(self, first: int, count: int) -> list[bytes | memoryview]:
        """Return pieces by their numbers."""
        total = 1 << 8 * self._size
        if (first + count) * self._step > total:
            message = (
                f"nonces of {self._size} bytes are used up after "
                f"{total // self._step * PIECE} bytes of keystream: give a longer nonce"
            )
            raise MisuseError(message)
        nonces = [
            ((self._first + i * self._step) % total).to_bytes(self._size, "big")
            for i in range(first, first + count)
        ]
        if self._suite.slug == "grain128ple":
            wanted: list[tuple[BytesLike, BytesLike, int]] = [
                (self._key, nonce, 8 * PIECE) for nonce in nonces
            ]
            return list(_core.keystream_batch(wanted))
        zeros = bytes(PIECE)
        sealed = self._suite.seal_batch((self._key, nonce, zeros) for nonce in nonces)
        if self._suite.tag_size:
            return [memoryview(one)[:PIECE] for one in sealed]
        return list(sealed)
