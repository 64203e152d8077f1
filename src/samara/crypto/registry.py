# SPDX-License-Identifier: Apache-2.0
"""Suites by name: a cipher in a mode with its tag length.

All sizes are in bytes. A bytes-like argument may be any object with a C-contiguous
buffer. No other thread may change it during the call.
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
    """One message of a batch; a plain tuple of three or four items is accepted too."""

    key: BytesLike
    nonce: BytesLike
    data: BytesLike
    """Message to seal, or sealed message to open."""
    associated_data: BytesLike = b""


@dataclass(frozen=True, slots=True)
class Suite:
    """Cipher, mode and tag length: seals and opens messages.

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
    samara.crypto.AuthenticationError: the message is not genuine, or the key is wrong
    """

    slug: str
    standing: Standing
    source: str
    """Where the suite is defined."""
    note: str
    """Warning or remark for the user; may be empty."""
    key_size: int
    nonce_size: int
    """Recommended size."""
    nonce_sizes: tuple[int, int]
    """Smallest and largest size that the mode accepts."""
    tag_size: int
    """0 when the suite does not authenticate."""
    padding_size: int
    """Multiple that messages are padded to; 0 without padding."""
    streams: bool
    """Whether a message can be processed in pieces."""
    _row: _core.SuiteRow = field(repr=False, compare=False)

    @property
    def authenticates(self) -> bool:
        """Whether modified messages are detected."""
        return self.tag_size > 0

    def sealed_size(self, message_size: int) -> int:
        """Return the size of a sealed message: ciphertext and tag.

        Raises
        ------
        ValueError
            When the suite does not accept so long a message.
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
            Of a size within `nonce_sizes`. Never use a nonce twice with one key.
        message
            Plaintext.
        associated_data
            Data that is authenticated but not encrypted. Must be empty for suites
            that do not authenticate.

        Returns
        -------
        bytes
            The ciphertext, then the tag.

        Raises
        ------
        ValueError
            When the suite does not accept the size of an argument.
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
            detect wrong padding only.
        ValueError
            When the suite does not accept the size of the key, nonce or associated
            data.
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
        """Seal into an existing buffer.

        Parameters
        ----------
        output
            A writable buffer with room for ``sealed_size(len(message))`` bytes.
            It may begin at the same byte as `message`, which is then overwritten.
            It must not overlap `message`, or any other argument, in another way.

        Returns
        -------
        int
            Number of bytes written, from the beginning of `output`.

        Raises
        ------
        ValueError
            As for `seal`, and when the output is too small, read-only, or overlaps.
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
        """Open into an existing buffer.

        Parameters
        ----------
        output
            A writable buffer with room for ``len(sealed) - tag_size`` bytes. It
            may begin at the same byte as `sealed`. It must not overlap `sealed`, or
            any other argument, in another way.

        Returns
        -------
        int
            Size of the message, from the beginning of `output`.

        Raises
        ------
        AuthenticationError
            When the message is not genuine. The bytes of `output` are then zeros,
            or unchanged when `sealed` is shorter than a tag.
        ValueError
            As for `open`, and when the output is too small, read-only, or overlaps.
        """
        return self._row.open_into(output, key, nonce, sealed, associated_data)

    def seal_batch(
        self, messages: Iterable[Message | tuple[BytesLike, ...]]
    ) -> list[bytes]:
        """Seal many messages in one call, each with a key and nonce of its own.

        Raises
        ------
        ValueError
            When a message cannot be sealed. Nothing is returned then.
        """
        return self._row.seal_batch([Message(*message) for message in messages])

    def open_batch(
        self, messages: Iterable[Message | tuple[BytesLike, ...]]
    ) -> list[bytes | None]:
        """Open many messages in one call.

        Returns
        -------
        list of bytes or None
            In the order of `messages`; None for a message that is not genuine.

        Raises
        ------
        ValueError
            When the suite does not accept the size of a key, nonce or associated
            data.
        """
        return self._row.open_batch([Message(*message) for message in messages])

    def sealer(
        self, key: BytesLike, nonce: BytesLike, associated_data: BytesLike = b""
    ) -> Sealer:
        """Begin to seal a message in pieces.

        Raises
        ------
        ValueError
            When the suite cannot do that (`streams`), or as for `seal`.
        """
        stream = _core.Stream(self._row, key, nonce, associated_data, opening=False)
        return Sealer(stream)

    def unverified_opener(
        self, key: BytesLike, nonce: BytesLike, associated_data: BytesLike = b""
    ) -> UnverifiedOpener:
        """Begin to open a message in pieces.

        The plaintext is NOT VERIFIED before the end: see `UnverifiedOpener`.

        Raises
        ------
        ValueError
            When the suite cannot do that (`streams`), or as for `open`.
        """
        stream = _core.Stream(self._row, key, nonce, associated_data, opening=True)
        return UnverifiedOpener(stream, self.tag_size)

    def time_seal(self, message_size: int, repetitions: int) -> _core.Timing:
        """Measure how long sealing takes in C, without the cost of calls from Python.

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
            When the suite does not accept so long a message.
        """
        return self._row.time_seal(message_size, repetitions)

    def time_seal_batch(
        self, message_size: int, count: int, repetitions: int
    ) -> _core.Timing:
        """Measure how long a batch call takes in C: see `time_seal`.

        Parameters
        ----------
        message_size
            Bytes of each message.
        count
            Messages in a batch, each with its own key; at most 65,536.
        repetitions
            Batches.

        Raises
        ------
        ValueError
            When the suite does not accept so long a message, or the batch is too large.
        """
        return self._row.time_seal_batch(message_size, count, repetitions)

    def __reduce__(self) -> tuple[Callable[[str], Suite], tuple[str]]:
        """Pickle the name only: the row belongs to the C library."""
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
    """Return the suite with this name, such as ``"aes128-ccm-8"``.

    Raises
    ------
    UnknownNameError
        When there is no such name. The text suggests the nearest names.

    >>> suite("aes128-ccm-8").tag_size
    8
    """
    return _CATALOGUE.find(slug)


def suites() -> list[Suite]:
    """Return all suites, in the order of the registry.

    >>> [each.slug for each in suites() if each.slug.startswith("ascon")][0]
    'ascon-aead128'
    """
    return _CATALOGUE.all()
