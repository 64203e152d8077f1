# SPDX-License-Identifier: Apache-2.0
"""Sealed files of any size: chunks, each sealed by itself, behind a header.

The construction is STREAM of Hoang, Reyhanitabar, Rogaway and Vizár, "Online
Authenticated-Encryption and its Nonce-Reuse Misuse-Resistance" (CRYPTO 2015), under a
key of the file that HKDF (RFC 5869) derives. ``docs/sealed-files.md`` has every byte.

>>> from samara import crypto
>>> from samara.crypto import sealed_file
>>> suite, key = crypto.suite("aes128-ccm-8"), bytes(16)
>>> pieces = list(sealed_file.sealed(suite, key, [b"21.5", b" C"]))
>>> b"".join(sealed_file.opened(suite, key, pieces))
b'21.5 C'
"""

from __future__ import annotations

import itertools
import secrets
import struct
from dataclasses import dataclass
from typing import TYPE_CHECKING

from samara import hkdf
from samara.crypto.bytes_like import view_of
from samara.crypto.registry import Message
from samara.errors import AuthenticationError, MisuseError

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from samara.crypto.bytes_like import BytesLike
    from samara.crypto.registry import Suite

CHUNK_SIZE = 16_384
"""Bytes of message in each chunk but the last, in files that are written."""
CHUNK_SIZE_MAX = 65_535
"""The longest message of CCM with a nonce of 13 bytes."""
CHUNKS_MAX = 1 << 32
"""Numbers that the counter in a chunk's nonce has."""
SALT_SIZE = 32
"""Bytes of salt in a header."""

_MAGIC = b"samara\x00"
_VERSION = 1
_FORGED = (
    "the file is not genuine or not whole, or the key or the associated data are wrong"
)
BEGINNING = _MAGIC + bytes([_VERSION])
"""First bytes of each file."""
# Magic, version, name of the suite, bytes of message in a chunk, salt.
_LAYOUT = struct.Struct(f">{len(_MAGIC)}sB32sH{SALT_SIZE}s")
HEADER_SIZE = _LAYOUT.size
"""Bytes in front of the first chunk."""
# What follows the prefix in a nonce: the number of the chunk, and whether it is last.
_NUMBER = struct.Struct(">I?")


@dataclass(frozen=True, slots=True)
class Header:
    """What a file says of itself. It is authenticated with each chunk."""

    suite: str
    chunk_size: int
    salt: bytes

    def __bytes__(self) -> bytes:
        """Return the header as it stands in the file."""
        name = self.suite.encode("ascii")
        return _LAYOUT.pack(_MAGIC, _VERSION, name, self.chunk_size, self.salt)


def header_of(data: bytes) -> Header:
    """Return the header that `HEADER_SIZE` bytes are.

    Nothing of it is authenticated before the first chunk has been opened.

    Raises
    ------
    AuthenticationError
        When they are not a header of this version.
    """
    if len(data) != HEADER_SIZE or not data.startswith(_MAGIC):
        message = (
            "this is not a sealed file: it does not begin with the header of one. "
            "A message that was sealed under one nonce is opened with that nonce"
        )
        raise AuthenticationError(message)
    _, version, name, chunk_size, salt = _LAYOUT.unpack(data)
    if version != _VERSION:
        message = f"the file has format {version}; this samara reads {_VERSION}"
        raise AuthenticationError(message)
    if chunk_size == 0:
        message = "the file is not genuine: its header says chunks of 0 bytes"
        raise AuthenticationError(message)
    suite = name.rstrip(b"\x00").decode("ascii", "backslashreplace")
    return Header(suite, chunk_size, salt)


def require(suite: Suite) -> None:
    """Raise MisuseError for a suite that does not authenticate."""
    if not suite.authenticates:
        message = (
            f"{suite.slug} does not authenticate, and each chunk of a sealed file is "
            "authenticated: take another suite"
        )
        raise MisuseError(message)


def sealed(
    suite: Suite,
    key: BytesLike,
    pieces: Iterable[BytesLike],
    associated_data: BytesLike = b"",
) -> Iterator[bytes]:
    """Seal a message of any size; yield the file in pieces.

    The file does not depend on how the message is cut into pieces.

    Parameters
    ----------
    key
        `suite.key_size` bytes. It may seal any number of files: each has a random
        salt, and a key of its own.
    associated_data
        Authenticated, but not in the file.

    Raises
    ------
    MisuseError
        When the suite does not authenticate, or the message is longer than
        `CHUNKS_MAX` chunks of `CHUNK_SIZE` bytes (64 TiB).
    ValueError
        When the key has another size.
    """
    header = Header(suite.slug, CHUNK_SIZE, secrets.token_bytes(SALT_SIZE))
    return sealed_behind(header, suite, key, pieces, associated_data)


def sealed_behind(
    header: Header,
    suite: Suite,
    key: BytesLike,
    pieces: Iterable[BytesLike],
    associated_data: BytesLike = b"",
) -> Iterator[bytes]:
    """Seal as `sealed` does, with a header that is given: for known answers.

    NEVER seal two messages behind one header with one key: they have the same nonces.
    """
    require(suite)
    nonces = Nonces(bytes(header), suite, bytes(key))
    data = bytes(header) + bytes(associated_data)
    yield bytes(header)
    for chunks, last in _cut(pieces, header.chunk_size):
        yield b"".join(suite.seal_batch(nonces.messages(chunks, data, last=last)))


def opened(
    suite: Suite,
    key: BytesLike,
    pieces: Iterable[BytesLike],
    associated_data: BytesLike = b"",
) -> Iterator[bytes]:
    """Verify and decrypt a sealed file; yield the message in pieces.

    What is yielded is genuine and in its place, but the message MAY BE CUT SHORT: that
    shows only at the end. Do not act on it before the iterator has ended.

    Raises
    ------
    AuthenticationError
        When the file is not genuine or not whole, or key, suite or associated data
        are others than it was sealed with.
    MisuseError
        When the suite does not authenticate.
    ValueError
        When the key has another size.
    """
    require(suite)
    data, rest = _header_and_rest(pieces)
    header = header_of(data)
    if header.suite != suite.slug:
        message = (
            f"the file says that it was sealed with {header.suite}, not {suite.slug}"
        )
        raise AuthenticationError(message)
    nonces = Nonces(data, suite, bytes(key))
    data += bytes(associated_data)
    for chunks, last in _cut(rest, header.chunk_size + suite.tag_size):
        # Only an empty message has an empty chunk: for each message there is one form.
        known = not (last and nonces.number and len(chunks[0]) == suite.tag_size)
        for chunk in suite.open_batch(nonces.messages(chunks, data, last=last)):
            if chunk is None or not known:
                raise AuthenticationError(_FORGED)
            yield chunk


def _header_and_rest(pieces: Iterable[BytesLike]) -> tuple[bytes, Iterator[BytesLike]]:
    """Split the pieces of a file behind its header, which may be incomplete."""
    start, rest = b"", iter(pieces)
    for piece in rest:
        start += bytes(piece)
        if len(start) >= HEADER_SIZE:
            break
    return start[:HEADER_SIZE], itertools.chain([start[HEADER_SIZE:]], rest)


def _cut(
    pieces: Iterable[BytesLike], size: int
) -> Iterator[tuple[list[bytearray | memoryview], bool]]:
    """Yield lists of chunks of `size` bytes, and whether it is the last one.

    The last list has one chunk, which may be shorter.
    """
    held = bytearray()
    for piece in pieces:
        held += view_of(piece)
        # A byte is held back: what nothing follows is the last chunk.
        count = max(len(held) - 1, 0) // size
        if count:
            whole = memoryview(held)
            held = bytearray(whole[count * size :])
            yield [whole[i * size : (i + 1) * size] for i in range(count)], False
    yield [held], True


class Nonces:
    """The key of a file, and the nonces of its chunks, each of which is given once."""

    def __init__(self, header: bytes, suite: Suite, key: bytes) -> None:
        if len(key) != suite.key_size:
            message = (
                f"{suite.slug} takes a key of {suite.key_size} bytes, not {len(key)}"
            )
            raise ValueError(message)
        salt = header[-SALT_SIZE:]
        size = suite.key_size + suite.nonce_size - _NUMBER.size
        derived = hkdf.derived(key, salt=salt, info=header, size=size)
        self._key = derived[: suite.key_size]
        self._prefix = derived[suite.key_size :]
        self.number = 0
        """Of the next chunk."""

    def messages(
        self, chunks: Sequence[BytesLike], associated_data: bytes, *, last: bool
    ) -> list[Message]:
        """Return the next chunks of the file with their key and nonces."""
        first, self.number = self.number, self.number + len(chunks)
        if self.number > CHUNKS_MAX:
            message = f"a sealed file has at most {CHUNKS_MAX:,} chunks"
            raise MisuseError(message)
        return [
            Message(
                self._key,
                self._prefix + _NUMBER.pack(first + i, last),
                chunk,
                associated_data,
            )
            for i, chunk in enumerate(chunks)
        ]
