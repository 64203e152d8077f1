# SPDX-License-Identifier: Apache-2.0
"""Keystream of a suite, in bytes, as a request asks for it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

from samara.crypto import keystreams
from samara.crypto.keys import Key, key_of, suite_notices
from samara.crypto.pieces import PIECE_SIZE
from samara.crypto.resolving import suite_named
from samara.errors import MisuseError
from samara.hex_digits import bytes_of_hex
from samara.records import Between, Parameter, Request, request_class
from samara.units import BYTES

if TYPE_CHECKING:
    from collections.abc import Iterator

    from samara.crypto.sealing import Bytes

_FOREVER = "forever"
_BITWISE = "grain128ple"


def _suites() -> list[str]:
    return [each.slug for each in keystreams.with_keystreams()]


@request_class
class KeystreamRequest(Request):
    """Which keystream, and how much of it."""

    suite: Annotated[
        str,
        Parameter(
            is_argument=True,
            metavar="SUITE",
            help="Suite with a keystream: counter mode, CCM, GCM, Grain, ChaCha20.",
            names=_suites,
            names_in_words="",
        ),
    ]
    key: Key
    nonce: Annotated[
        str,
        Parameter(metavar="HEX", help="First nonce, as hex digits. It is counted up."),
    ]
    bits: Annotated[
        int | None,
        Parameter(
            metavar="N",
            help="Number of bits of this one nonce; grain128ple alone.",
            values=Between(0),
        ),
    ] = None
    size: Annotated[
        str | None,
        Parameter(
            name="bytes",
            metavar="N|forever",
            help="Number of bytes, of as many nonces as it takes; forever: until the "
            "reader leaves.",
        ),
    ] = None


def keystream(request: KeystreamRequest) -> Bytes:
    """Yield keystream in pieces.

    Raises
    ------
    MisuseError
        When the suite has no keystream, or does not take the key, the nonce, or a
        number of bits; when not one of bits and bytes is given.
    UnknownNameError
        When there is no such suite.
    """
    suite = suite_named(request.suite)
    # A suite without a keystream is refused before its key is looked at.
    keystreams.require(suite)
    wanted = _bytes_of(request.bits, request.size)
    if request.bits is not None and suite.slug != _BITWISE:
        message = f"{suite.slug} takes --bytes; --bits is for {_BITWISE}"
        raise MisuseError(message)
    key = yield from key_of(request.key, suite)
    nonce = bytes_of_hex("--nonce", request.nonce)
    stream = keystreams.Stream(suite, key, nonce)
    yield from suite_notices(suite)
    if request.bits is None:
        yield from stream.pieces(wanted)
    else:
        yield from _one(key, nonce, request.bits)


def _bytes_of(bits: int | None, size: str | None) -> int | None:
    """Return what --bytes wants; None for all there is, or for bits."""
    if (bits is None) == (size is None):
        message = "give either --bytes or --bits"
        raise MisuseError(message)
    if bits is not None or size == _FOREVER:
        return None
    wanted = BYTES.whole(size) if size is not None and not size.isalpha() else -1
    if wanted < 0:
        message = f"--bytes takes a number of bytes, or {_FOREVER}, not {size!r}"
        raise MisuseError(message)
    return wanted


def _one(key: bytes, nonce: bytes, bits: int) -> Iterator[memoryview]:
    """Yield bits of the keystream of one nonce, in pieces."""
    # It needs NumPy, which the other commands start without.
    from samara.crypto import grain128ple  # noqa: PLC0415

    position = grain128ple.Keystream(key, nonce)
    while bits > 0:
        step = min(bits, 8 * PIECE_SIZE)
        yield position.keystream(step).data
        bits -= step
