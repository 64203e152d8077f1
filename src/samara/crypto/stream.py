# SPDX-License-Identifier: Apache-2.0
"""Seal and open messages in pieces, for suites that support it.

Ciphertext and tag do not depend on how a message is cut into pieces.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from samara.crypto.bytes_like import view_of

if TYPE_CHECKING:
    from samara import _core
    from samara.crypto.bytes_like import BytesLike


class Sealer:
    """Seals a message piece by piece. Call `Suite.sealer` to get one.

    >>> from samara import crypto
    >>> sealer = crypto.suite("grain128aead").sealer(bytes(16), bytes(12))
    >>> sealed = sealer.update(b"21.") + sealer.update(b"5 C") + sealer.finish()
    >>> crypto.suite("grain128aead").open(bytes(16), bytes(12), sealed)
    b'21.5 C'
    """

    __slots__ = ("_stream",)

    def __init__(self, stream: _core.Stream) -> None:
        self._stream = stream

    def update(self, piece: BytesLike) -> bytes:
        """Encrypt the next piece, of any length.

        Returns
        -------
        bytes
            Ciphertext: as many bytes as the piece has, more or less by the block that
            is held back.

        Raises
        ------
        ValueError
            After `finish`, or when the message becomes too long.
        """
        return self._stream.update(piece)

    def finish(self) -> bytes:
        """Return the rest of the ciphertext, and the tag. The key is wiped.

        Raises
        ------
        ValueError
            When called a second time.
        """
        return self._stream.finish_sealing()


class UnverifiedOpener:
    """Opens a message piece by piece, RELEASING BYTES BEFORE THEY ARE VERIFIED.

    Call `Suite.unverified_opener` to get one. Do not act on the output of `update`,
    show it, or store it as genuine before `finish` has returned. Discard it when
    `finish` raises an exception.
    """

    __slots__ = ("_held", "_stream", "_tag_size")

    def __init__(self, stream: _core.Stream, tag_size: int) -> None:
        self._stream = stream
        self._tag_size = tag_size
        self._held = b""

    def update(self, piece: BytesLike) -> bytes:
        """Decrypt the next piece of a sealed message, of any length.

        The tag is the end of the sealed message. Only `finish` tells where the end
        is, so the last bytes are held back, as many as a tag has.

        Raises
        ------
        ValueError
            After `finish`, or when the message becomes too long.
        """
        data = self._held + view_of(piece)
        cut = max(len(data) - self._tag_size, 0)
        unverified = self._stream.update(memoryview(data)[:cut])
        self._held = data[cut:]
        return unverified

    def finish(self) -> bytes:
        """Verify the tag and return the rest of the message. The key is wiped.

        Raises
        ------
        AuthenticationError
            When the output of `update` is not genuine.
        ValueError
            When called a second time.
        """
        return self._stream.finish_opening(self._held)
