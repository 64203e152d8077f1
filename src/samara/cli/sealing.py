# SPDX-License-Identifier: Apache-2.0
"""`samara seal` and `samara open`."""

import secrets
from pathlib import Path
from typing import IO, Annotated

import typer

from samara import crypto
from samara.cli import files
from samara.cli.completion import complete_suite
from samara.cli.inputs import (
    KEY_HELP,
    bytes_of_hex,
    key_of,
    warn_of_suite,
)
from samara.cli.outcome import MisuseError
from samara.crypto import AuthenticationError, Sealer, Standing, Suite, UnverifiedOpener

SuiteName = Annotated[
    str,
    typer.Argument(
        metavar="SUITE",
        help="Suite, as `samara suites` lists it. The name of a cipher alone stands "
        "for its CCM suite with a tag of 8 bytes: aes128 for aes128-ccm-8.",
        autocompletion=complete_suite,
    ),
]
KeyText = Annotated[
    str, typer.Option("--key", metavar="HEX|@FILE", help=KEY_HELP, show_default=False)
]
AdText = Annotated[
    str,
    typer.Option(
        "--ad",
        metavar="HEX",
        help="Associated data as hex digits. It is authenticated, but neither "
        "encrypted nor written to the output. Default: none.",
        show_default=False,
    ),
]
Input = Annotated[
    Path,
    typer.Option(
        "-i",
        "--input",
        metavar="FILE",
        help="Input file; - is stdin. Default: -.",
        show_default=False,
    ),
]
Output = Annotated[
    Path,
    typer.Option(
        "-o",
        "--output",
        metavar="FILE",
        help="Output file; - is stdout. Default: -.",
        show_default=False,
    ),
]


def seal(
    suite: SuiteName,
    key: KeyText,
    nonce: Annotated[
        str,
        typer.Option(
            metavar="HEX|random",
            help="Nonce as hex digits. Never use a nonce twice with the same key. "
            "'random' generates one and writes it in front of the ciphertext, where "
            "`samara open --nonce prefixed` reads it.",
        ),
    ],
    ad: AdText = "",
    input_: Input = files.STANDARD_STREAM,
    output: Output = files.STANDARD_STREAM,
) -> None:
    """Encrypt and authenticate a message.

    The output is the ciphertext followed by the tag. Suites without a tag encrypt
    only.

    A suite that streams takes files of any size. The other suites hold the message
    in memory; it may have up to 256 MiB, and less where the suite has a lower limit.

    \b
    Examples:
      samara seal aes128-ccm-8 --key @key --nonce random -i reading -o sealed
      samara seal grain128aead --key @key --nonce 000000000000000000000001 \\
        --ad 0007 <reading >sealed.grain
    """
    chosen = crypto.suite_named(suite)
    prefix = secrets.token_bytes(chosen.nonce_size) if nonce == "random" else b""
    number = prefix or bytes_of_hex("--nonce", nonce)
    secret, associated_data = _checked(chosen, key, number, ad)
    files.refuse_screen(output)
    with files.reading(input_) as source, files.writing(output, hold=False) as target:
        if chosen.streams:
            target.write(prefix)
            _pump(source, target, chosen.sealer(secret, number, associated_data))
        else:
            message = _whole(source, chosen)
            target.write(prefix + chosen.seal(secret, number, message, associated_data))


def open_(
    suite: SuiteName,
    key: KeyText,
    nonce: Annotated[
        str,
        typer.Option(
            metavar="HEX|prefixed",
            help="Nonce that the message was sealed with, as hex digits; 'prefixed' "
            "reads it from the beginning of the input.",
        ),
    ],
    ad: AdText = "",
    input_: Input = files.STANDARD_STREAM,
    output: Output = files.STANDARD_STREAM,
) -> None:
    """Verify and decrypt a message that `samara seal` wrote.

    The output is written after the whole message has been verified. If it is not
    genuine, nothing is written and the exit status is 1.

    \b
    Examples:
      samara open aes128-ccm-8 --key @key --nonce prefixed -i sealed -o opened
      samara open grain128aead --key @key --nonce 000000000000000000000001 \\
        --ad 0007 <sealed.grain >opened.grain
    """
    chosen = crypto.suite_named(suite)
    prefixed = nonce == "prefixed"
    number = bytes(chosen.nonce_size) if prefixed else bytes_of_hex("--nonce", nonce)
    secret, associated_data = _checked(chosen, key, number, ad)
    files.refuse_screen(output)
    with files.reading(input_) as source, files.writing(output, hold=True) as target:
        if prefixed:
            number = _prefix(source, chosen)
        if chosen.streams:
            _pump(
                source,
                target,
                chosen.unverified_opener(secret, number, associated_data),
            )
        else:
            sealed = _whole(source, chosen)
            target.write(chosen.open(secret, number, sealed, associated_data))


def _checked(suite: Suite, key: str, nonce: bytes, ad: str) -> tuple[bytes, bytes]:
    """Return the key and the associated data after all sizes have been checked."""
    secret = key_of(key, suite)
    associated_data = bytes_of_hex("--ad", ad)
    # Sealing an empty message finds each wrong size before any input is read.
    suite.seal(secret, nonce, b"", associated_data)
    warn_of_suite(suite)
    return secret, associated_data


def _prefix(source: IO[bytes], suite: Suite) -> bytes:
    nonce = source.read(suite.nonce_size)
    if len(nonce) < suite.nonce_size:
        message = (
            f"the message is not genuine: it is shorter than its nonce of "
            f"{suite.nonce_size} bytes"
        )
        raise AuthenticationError(message)
    return nonce


def _whole(source: IO[bytes], suite: Suite) -> bytes:
    try:
        return files.whole(source)
    except MisuseError as error:
        streaming = ", ".join(
            other.slug
            for other in crypto.suites()
            if other.streams
            and other.authenticates == suite.authenticates
            and other.standing is not Standing.RESEARCH
        )
        message = (
            f"{error}, and {suite.slug} cannot stream; these suites can: {streaming}"
        )
        raise MisuseError(message) from None


def _pump(
    source: IO[bytes], target: IO[bytes], stream: Sealer | UnverifiedOpener
) -> None:
    for piece in files.pieces_of(source):
        target.write(stream.update(piece))
    target.write(stream.finish())
