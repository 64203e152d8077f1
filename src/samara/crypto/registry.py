# SPDX-License-Identifier: Apache-2.0
"""Suites by name: a cipher in a mode with its tag length.

All sizes are in bytes. Any object with a C-contiguous buffer may be given where
bytes are wanted; no other thread is to change it during the call.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple

from samara import _core
from samara.crypto.names import Catalogue, Standing
from samara.crypto.stream import Sealer, UnverifiedOpener

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from samara.crypto.bytes_like import BytesLike


class Message(NamedTuple):
    """One message of a batch: a plain tuple of three or four will do as well."""

    key: BytesLike
    nonce: BytesLike
    data: BytesLike
    """What is to be sealed, or opened."""
    associated_data: BytesLike = b""


@dataclass(frozen=True, slots=True)
class Suite:
    """A way to seal and open messages.

    >>> from samara import crypto
    >>> suite = crypto.suite("aes128-ccm-8")
    >>> key, nonce = bytes(range(16)), bytes(13)
    >>> sealed = suite.seal(key, nonce, b"21.5 C", b"node 7")
    >>> sealed.hex()
    '4dd7c9cf4b44a704222145ee8b67'
    >>> suite.open(key, nonce, sealed, b"node 7")
    b'21.5 C'
    >>> suite.open(key, nonce, sealed, b"node 8")
    Traceback (most recent call last):
        ...
    samara.crypto.AuthenticationError: the message is not genuine, or the key is another
    """

    slug: str
    standing: Standing
    source: str
    """Where the suite is defined."""
    note: str
    """What its user must know; empty when nothing."""
    key_size: int
    nonce_size: int
    """The size to choose."""
    nonce_sizes: tuple[int, int]
    """The least and the greatest size that the mode takes."""
    tag_size: int
    """0 when the suite does not authenticate."""
    padding_size: int
    """0, or the multiple that a ciphertext is padded to."""
    streams: bool
    """Whether messages may come in pieces."""
    _row: _core.SuiteRow = field(repr=False, compare=False)

    @property
    def authenticates(self) -> bool:
        """Whether a changed message is noticed."""
        return self.tag_size > 0

    def sealed_size(self, message_size: int) -> int:
        """Return the size of a sealed message: ciphertext and tag.

        Raises
        ------
        ValueError
            When no message can be that long.
        """
        return self._row.sealed_size(message_size)

    def seal(
        self,
        key: BytesLike,
        nonce: BytesLike,
        message: BytesLike,
        associated_data: BytesLike = b"",
    ) -> bytes:
        """Encrypt and authenticate a message.

        Parameters
        ----------
        key
            `key_size` bytes, random and secret.
        nonce
            Of a size within `nonce_sizes`; never twice under one key.
        message
            What is to be kept secret.
        associated_data
            What is to be authenticated but stays readable, such as a header.
            Empty for suites that do not authenticate.

        Returns
        -------
        bytes
            The ciphertext, then the tag.

        Raises
        ------
        ValueError
            When a size is not one that the suite takes.
        """
        return self._row.seal(key, nonce, message, associated_data)

    def open(
        self,
        key: BytesLike,
        nonce: BytesLike,
        sealed: BytesLike,
        associated_data: BytesLike = b"",
    ) -> bytes:
        """Verify and decrypt what `seal` returned.

        Raises
        ------
        AuthenticationError
            When the message is not genuine. Suites that do not authenticate
            notice no more than wrong padding.
        ValueError
            When the size of the key, nonce or associated data is not one that
            the suite takes.
        """
        return self._row.open(key, nonce, sealed, associated_data)

    def seal_into(
        self,
        output: BytesLike,
        key: BytesLike,
        nonce: BytesLike,
        message: BytesLike,
        associated_data: BytesLike = b"",
    ) -> int:
        """Seal into a buffer that is already there.

        Parameters
        ----------
        output
            A writable buffer with room for ``sealed_size(len(message))`` bytes.
            It may begin at the same byte as `message`, which is then overwritten,
            and may not overlap it, or any other argument, in another way.

        Returns
        -------
        int
            How many bytes of `output` were written, from its beginning.

        Raises
        ------
        ValueError
            As `seal`, and when the output is too small, read-only, or overlaps.
        """
        return self._row.seal_into(output, key, nonce, message, associated_data)

    def open_into(
        self,
        output: BytesLike,
        key: BytesLike,
        nonce: BytesLike,
        sealed: BytesLike,
        associated_data: BytesLike = b"",
    ) -> int:
        """Open into a buffer that is already there.

        Parameters
        ----------
        output
            A writable buffer with room for ``len(sealed) - tag_size`` bytes. It
            may begin at the same byte as `sealed`, and may not overlap it, or any
            other argument, in another way.

        Returns
        -------
        int
            How many bytes the message has, from the beginning of `output`.

        Raises
        ------
        AuthenticationError
            When the message is not genuine: those bytes of `output` are then
            zeros, or untouched when `sealed` is shorter than a tag.
        ValueError
            As `open`, and when the output is too small, read-only, or overlaps.
        """
        return self._row.open_into(output, key, nonce, sealed, associated_data)

    def seal_batch(
        self, messages: Iterable[Message | tuple[BytesLike, ...]]
    ) -> list[bytes]:
        """Seal many messages in one call, each with a key and nonce of its own.

        Raises
        ------
        ValueError
            When any message cannot be sealed; none is then returned.
        """
        return self._row.seal_batch([Message(*message) for message in messages])

    def open_batch(
        self, messages: Iterable[Message | tuple[BytesLike, ...]]
    ) -> list[bytes | None]:
        """Open many messages in one call.

        Returns
        -------
        list of bytes or None
            In the order of `messages`; None for each that is not genuine.

        Raises
        ------
        ValueError
            When the size of any key, nonce or associated data is not one that
            the suite takes.
        """
        return self._row.open_batch([Message(*message) for message in messages])

    def sealer(
        self, key: BytesLike, nonce: BytesLike, associated_data: BytesLike = b""
    ) -> Sealer:
        """Begin to seal a message that comes in pieces.

        Raises
        ------
        ValueError
            When the suite cannot do that (`streams`), or as `seal`.
        """
        stream = _core.Stream(self._row, key, nonce, associated_data, opening=False)
        return Sealer(stream)

    def unverified_opener(
        self, key: BytesLike, nonce: BytesLike, associated_data: BytesLike = b""
    ) -> UnverifiedOpener:
        """Begin to open a message that comes in pieces.

        What it returns is NOT VERIFIED before its end: see `UnverifiedOpener`.

        Raises
        ------
        ValueError
            When the suite cannot do that (`streams`), or as `open`.
        """
        stream = _core.Stream(self._row, key, nonce, associated_data, opening=True)
        return UnverifiedOpener(stream, self.tag_size)

    def time_seal(self, message_size: int, repetitions: int) -> _core.Timing:
        """Seal messages of zeros in C, where no call from Python counts.

        Parameters
        ----------
        message_size
            Bytes of each message.
        repetitions
            Messages, each with its own key set-up.

        Returns
        -------
        Timing
            How long they took together: `nanoseconds` of the steady clock, and
            `ticks` of the processor's time stamp counter (0 where there is none).

        Raises
        ------
        ValueError
            When the suite does not take so long a message.
        """
        return self._row.time_seal(message_size, repetitions)

    def __reduce__(self) -> tuple[Callable[[str], Suite], tuple[str]]:
        """Pickle the name: the row lives in the C library."""
        return suite, (self.slug,)


def _from_row(row: _core.SuiteRow) -> Suite:
    return Suite(
        slug=row.slug,
        standing=Standing(row.standing),
        source=row.source,
        note=row.note,
        key_size=row.key_size,
        nonce_size=row.nonce_size,
        nonce_sizes=(row.nonce_size_min, row.nonce_size_max),
        tag_size=row.tag_size,
        padding_size=row.padding_size,
        streams=row.streams,
        _row=row,
    )


_CATALOGUE = Catalogue("suite", lambda: map(_from_row, _core.suite_rows()))


def suite(slug: str) -> Suite:
    """Return the suite of this name, such as ``"aes128-ccm-8"``.

    Raises
    ------
    UnknownNameError
        When there is none; the text tells the nearest names.
    """
    return _CATALOGUE.find(slug)


def suites() -> list[Suite]:
    """Return all suites, in the order of the registry."""
    return _CATALOGUE.all()
