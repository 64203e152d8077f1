# SPDX-License-Identifier: Apache-2.0
"""Messages that come in pieces, for suites that can stream.

However a message is cut, its ciphertext and tag are those of one call.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from samara.crypto.bytes_like import view_of

if TYPE_CHECKING:
    from samara import _core
    from samara.crypto.bytes_like import BytesLike


class Sealer:
    """Seals a message piece by piece; made by `Suite.sealer`.

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
            As many bytes as were given, give or take a block held back.

        Raises
        ------
        ValueError
            After `finish`, or when the message grows too long.
        """
        return self._stream.update(piece)

    def finish(self) -> bytes:
        """Return what was held back, and the tag. The key is forgotten.

        Raises
        ------
        ValueError
            When called a second time.
        """
        return self._stream.finish_sealing()


class UnverifiedOpener:
    """Opens a message piece by piece, RELEASING BYTES BEFORE THEY ARE VERIFIED.

    Made by `Suite.unverified_opener`. What `update` returns is not to be acted
    upon, shown or stored as genuine before `finish` has returned, and is to be
    thrown away when that raises.
    """

    __slots__ = ("_held", "_stream", "_tag_size")

    def __init__(self, stream: _core.Stream, tag_size: int) -> None:
        self._stream = stream
        self._tag_size = tag_size
        self._held = b""

    def update(self, piece: BytesLike) -> bytes:
        """Decrypt the next piece of a sealed message, of any length.

        The tag is the end of the sealed message; where the end is shows only in
        `finish`, so as many bytes as a tag has are held back.

        Raises
        ------
        ValueError
            After `finish`, or when the message grows too long.
        """
        data = self._held + view_of(piece)
        cut = max(len(data) - self._tag_size, 0)
        unverified = self._stream.update(memoryview(data)[:cut])
        self._held = data[cut:]
        return unverified

    def finish(self) -> bytes:
        """Check the tag; return what was held back. The key is forgotten.

        Raises
        ------
        AuthenticationError
            When what `update` returned is not genuine.
        ValueError
            When called a second time.
        """
        return self._stream.finish_opening(self._held)
