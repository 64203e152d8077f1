# SPDX-License-Identifier: Apache-2.0
"""`samara keystream`: keystream of a suite, as hex digits or as bytes."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Annotated

import typer

from samara import crypto
from samara.cli.sealing import KeyText  # noqa: TC001 - Typer reads it when it runs
from samara.cli.shared import files
from samara.cli.shared.completion import one_of
from samara.cli.shared.diagnostics import MisuseError
from samara.cli.shared.inputs import key_of, warn_of_suite
from samara.crypto import keystreams
from samara.hex_digits import bytes_of_hex
from samara.units import BYTES

if TYPE_CHECKING:
    from collections.abc import Iterator

_FOREVER = "forever"
_BITWISE = "grain128ple"


def keystream_(
    suite: Annotated[
        str,
        typer.Argument(
            metavar="SUITE",
            help="Suite with a keystream: counter mode, CCM, GCM, Grain, ChaCha20.",
            autocompletion=one_of(
                lambda: [each.slug for each in keystreams.with_keystreams()]
            ),
        ),
    ],
    key: KeyText,
    nonce: Annotated[
        str,
        typer.Option(
            metavar="HEX", help="First nonce, as hex digits. It is counted up."
        ),
    ],
    *,
    bits: Annotated[
        int | None,
        typer.Option(
            metavar="N",
            min=0,
            help="Number of bits of this one nonce; grain128ple alone.",
        ),
    ] = None,
    size: Annotated[
        str | None,
        typer.Option(
            "--bytes",
            metavar="N|forever",
            help="Number of bytes, of as many nonces as it takes; forever: until the "
            "reader leaves.",
        ),
    ] = None,
    raw: Annotated[
        bool, typer.Option("--raw", help="Write bytes. Default: hex digits.")
    ] = False,
) -> None:
    """Print keystream of a suite, as hex digits or as bytes.

    With --bytes, the keystream of each nonce is cut off after 16,384 bytes, and that
    of the next nonce follows, a number one higher, most significant byte first: calls
    for many nonces are the fastest. A suite in counter mode takes its first counter
    block for a nonce, and has one keystream without an end.

    With --bits, Grain-128PLE prints the keystream of one nonce. It packs bits into
    bytes beginning with the least significant bit; unused bits of the last byte are
    zero.

    --raw is for tests of randomness and other programs. The command ends when its
    reader leaves.

    \b
    Examples:
      samara keystream grain128ple --key @key --nonce 000000000000000000000001 \\
        --bits 64
      samara keystream aes128-ctr --key @key \\
        --nonce 00000000000000000000000000000000 --bytes 1000000 --raw | ent
    """
    chosen = crypto.suite_named(suite)
    # A suite without a keystream is refused before its key is looked at.
    keystreams.require(chosen)
    wanted = _bytes_of(bits, size)
    if bits is not None and chosen.slug != _BITWISE:
        message = f"{chosen.slug} takes --bytes; --bits is for {_BITWISE}"
        raise MisuseError(message)
    secret, number = key_of(key, chosen), bytes_of_hex("--nonce", nonce)
    stream = keystreams.Stream(chosen, secret, number)
    if raw:
        files.refuse_screen(files.STANDARD_STREAM)
    warn_of_suite(chosen)
    pieces = stream.pieces(wanted) if bits is None else _one(secret, number, bits)
    if raw:
        sys.stdout.buffer.writelines(pieces)
        return
    for piece in pieces:
        print(piece.hex(), end="")
    print()


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
        step = min(bits, 8 * files.PIECE_SIZE)
        yield position.keystream(step).data
        bits -= step
