# SPDX-License-Identifier: Apache-2.0
"""Files and messages, sealed and opened as requests ask.

The answers are bytes in pieces, and notices between them. `opened` yields nothing of
an input that is not genuine.
"""

from __future__ import annotations

import secrets
from typing import IO, TYPE_CHECKING, Annotated, NamedTuple, TypeAlias

from samara.crypto import sealed_file
from samara.crypto.keys import Key, SuiteName, key_of, suite_notices
from samara.crypto.pieces import MEMORY_LIMIT, copied, pieces_of, whole
from samara.crypto.resolving import suite_named
from samara.errors import AuthenticationError, MisuseError
from samara.hex_digits import bytes_of_hex
from samara.records import Notice, Parameter, Request, request_class

if TYPE_CHECKING:
    from collections.abc import Generator, Iterator

    from samara.crypto.registry import Suite
    from samara.crypto.stream import Sealer, UnverifiedOpener

_RANDOM = "random"
_PREFIXED = "prefixed"

AssociatedData: TypeAlias = Annotated[
    str,
    Parameter(
        name="ad",
        metavar="HEX",
        help="Associated data as hex digits. It is authenticated, but neither encrypted"
        " nor written to the output.",
        default_text="none",
        longest=1 << 20,
    ),
]


@request_class
class SealRequest(Request):
    """What a file or a message is sealed with."""

    suite: SuiteName
    key: Key
    nonce: Annotated[
        str | None,
        Parameter(
            metavar="HEX|random",
            help="Seal one message under this nonce, as hex digits. Never use a nonce "
            "twice with the same key. 'random' generates one and writes it in front of "
            "the ciphertext, where `samara open --nonce prefixed` reads it.",
            default_text="write a file with a header, which needs no nonce",
        ),
    ] = None
    associated_data: AssociatedData = ""


@request_class
class OpenRequest(Request):
    """What a sealed file or message is opened with."""

    suite: SuiteName
    key: Key
    nonce: Annotated[
        str | None,
        Parameter(
            metavar="HEX|prefixed",
            help="Nonce that one message was sealed with, as hex digits; 'prefixed' "
            "reads it from the beginning of the input.",
            default_text="the input is a file with a header",
        ),
    ] = None
    associated_data: AssociatedData = ""


class _Given(NamedTuple):
    """What a message is sealed with."""

    suite: Suite
    key: bytes
    nonce: bytes | None
    """None: the file has a header, and each of its chunks a nonce."""
    associated_data: bytes
    is_prefixed: bool = False
    """Whether the nonce is read from the beginning of the input."""


Bytes: TypeAlias = "Iterator[bytes | memoryview | Notice]"
"""An answer of bytes in pieces, and what people should know of it."""


def seal(request: SealRequest, source: IO[bytes]) -> Bytes:
    """Yield what an input is when it is sealed.

    Parameters
    ----------
    source
        Open for reading; its rest is sealed.

    Raises
    ------
    MisuseError
        When the suite does not take the key, the nonce, the associated data, or so
        long an input.
    UnknownNameError
        When there is no such suite.
    """
    suite = suite_named(request.suite)
    prefix = b""
    if request.nonce == _RANDOM:
        prefix = secrets.token_bytes(suite.nonce_size)
    nonce = prefix or _number(request.nonce)
    given = yield from _checked(suite, request, nonce)
    pieces = _sealed(given, source)
    # What cannot be sealed has no prefix either.
    first = next(pieces)
    if prefix:
        yield prefix
    yield first
    yield from pieces


def opened(request: OpenRequest, source: IO[bytes]) -> Bytes:
    """Yield what an input is when it is opened, after all of it has been verified.

    It is copied before, still encrypted: the copy cannot be changed by others in the
    meantime, and nothing decrypted gets to a disk.

    Raises
    ------
    MisuseError, UnknownNameError
        As `seal`.
    AuthenticationError
        When the input is not genuine.
    """
    given = yield from _given(request)
    with copied(source) as copy:
        for _ in _opened(given, copy):
            pass
        copy.seek(0)
        yield from _opened(given, copy)


def unverified(request: OpenRequest, source: IO[bytes]) -> Bytes:
    """Yield what an input is when it is opened; that it is genuine shows at the end.

    Whoever reads it must be able to undo what was done with it. Errors are those of
    `opened`.
    """
    given = yield from _given(request)
    yield from _opened(given, source)


def _given(request: OpenRequest) -> Generator[Notice, None, _Given]:
    suite = suite_named(request.suite)
    is_prefixed = request.nonce == _PREFIXED
    nonce = bytes(suite.nonce_size) if is_prefixed else _number(request.nonce)
    given = yield from _checked(suite, request, nonce)
    return given._replace(is_prefixed=is_prefixed)


def _number(nonce: str | None) -> bytes | None:
    return None if nonce is None else bytes_of_hex("--nonce", nonce)


def _checked(
    suite: Suite, request: SealRequest | OpenRequest, nonce: bytes | None
) -> Generator[Notice, None, _Given]:
    """Return key, nonce and associated data after all sizes have been checked."""
    if nonce is None:
        _require_authenticated(suite)
    key = yield from key_of(request.key, suite)
    data = bytes_of_hex("--ad", request.associated_data)
    # Sealing an empty message finds each wrong size before any input is read.
    number = bytes(suite.nonce_size) if nonce is None else nonce
    try:
        suite.seal(key, number, b"", data)
    except ValueError as error:
        raise MisuseError(str(error)) from None
    yield from suite_notices(suite)
    return _Given(suite, key, nonce, data)


def _require_authenticated(suite: Suite) -> None:
    try:
        sealed_file.require(suite)
    except MisuseError as error:
        message = f"{error}, or name the nonce of one message with --nonce"
        raise MisuseError(message) from None


def _prefix(source: IO[bytes], suite: Suite) -> bytes:
    nonce = source.read(suite.nonce_size)
    if len(nonce) < suite.nonce_size:
        message = (
            f"the message is not genuine: it is shorter than its nonce of "
            f"{suite.nonce_size} bytes"
        )
        raise AuthenticationError(message)
    if nonce.startswith(sealed_file.BEGINNING):
        message = "the input is a sealed file with a header; leave out --nonce"
        raise AuthenticationError(message)
    return nonce


def _sealed(given: _Given, source: IO[bytes]) -> Iterator[bytes | memoryview]:
    suite, key, nonce, data, _ = given
    if nonce is None:
        return sealed_file.sealed(suite, key, pieces_of(source), data)
    if suite.streams:
        return _streamed(suite.sealer(key, nonce, data), source)
    return _sealed_whole(given, source)


def _opened(given: _Given, source: IO[bytes]) -> Iterator[bytes | memoryview]:
    """Yield the message; that all of it is genuine shows at the end only."""
    if given.is_prefixed:
        given = given._replace(nonce=_prefix(source, given.suite))
    suite, key, nonce, data, _ = given
    if nonce is None:
        return sealed_file.opened(suite, key, pieces_of(source), data)
    if suite.streams:
        return _streamed(suite.unverified_opener(key, nonce, data), source)
    return _opened_whole(given, source)


def _streamed(stream: Sealer | UnverifiedOpener, source: IO[bytes]) -> Iterator[bytes]:
    for piece in pieces_of(source):
        yield stream.update(piece)
    yield stream.finish()


def _sealed_whole(given: _Given, source: IO[bytes]) -> Iterator[memoryview]:
    suite, key, nonce, data, _ = given
    content = _whole_input(source, suite, MEMORY_LIMIT)
    size = len(content)
    content += bytes(suite.tag_size)
    inside = memoryview(content)
    try:
        # In place: a copy would take as much memory again.
        suite.seal_into(content, key, nonce or b"", inside[:size], data)
    except ValueError:
        message = (
            f"{suite.slug} does not take {size:,} bytes under one nonce; "
            f"{_advice(suite)}"
        )
        raise MisuseError(message) from None
    yield inside


def _opened_whole(given: _Given, source: IO[bytes]) -> Iterator[memoryview]:
    suite, key, nonce, data, _ = given
    content = _whole_input(source, suite, MEMORY_LIMIT + suite.tag_size)
    size = suite.open_into(content, key, nonce or b"", content, data)
    yield memoryview(content)[:size]


def _whole_input(source: IO[bytes], suite: Suite, limit: int) -> bytearray:
    content = whole(source, limit)
    if content is None:
        message = (
            f"the input is longer than {limit:,} bytes, and {suite.slug} cannot stream "
            f"under one nonce; {_advice(suite)}"
        )
        raise MisuseError(message)
    return content


def _advice(suite: Suite) -> str:
    if suite.authenticates:
        return "leave out --nonce when sealing, and a file may have any size"
    return "take a suite in counter mode, such as aes128-ctr"
