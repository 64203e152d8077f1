# SPDX-License-Identifier: Apache-2.0
"""`samara seal` and `samara open`."""

import secrets
from pathlib import Path
from typing import IO, Annotated

import typer

from samara import crypto
from samara.cli import files
from samara.cli.inputs import KEY_HELP, bytes_of_hex, key_of, warn_of_suite
from samara.cli.outcome import MisuseError
from samara.crypto import AuthenticationError, Sealer, Standing, Suite, UnverifiedOpener

SuiteName = Annotated[
    str, typer.Argument(metavar="SUITE", help="A name that `samara suites` lists.")
]
KeyText = Annotated[
    str, typer.Option("--key", metavar="HEX|@FILE", help=KEY_HELP, show_default=False)
]
AdText = Annotated[
    str,
    typer.Option(
        "--ad",
        metavar="HEX",
        help="Associated data: authenticated, not encrypted, not in the output.",
        show_default=False,
    ),
]
Input = Annotated[
    Path,
    typer.Option("-i", "--input", metavar="FILE", help="What to read; - is stdin."),
]
Output = Annotated[
    Path,
    typer.Option("-o", "--output", metavar="FILE", help="What to write; - is stdout."),
]


def seal(
    suite: SuiteName,
    key: KeyText,
    nonce: Annotated[
        str,
        typer.Option(
            metavar="HEX|random",
            help="Never use one twice under a key. 'random' draws one and puts it in "
            "front of the output, where `open --nonce prefixed` takes it.",
        ),
    ],
    ad: AdText = "",
    input_: Input = files.STANDARD_STREAM,
    output: Output = files.STANDARD_STREAM,
) -> None:
    """Encrypt and authenticate a message; the output is ciphertext, then tag.

    A suite that streams seals files of any size. The others hold a message in
    memory, up to 256 MiB, and may have a limit of their own.

    \b
    Examples:
      samara seal aes128-ccm-8 --key @key --nonce random -i reading -o sealed
      samara seal grain128aead --key @key --nonce 000000000000000000000001 \\
        --ad 0007 <reading >sealed.grain
    """
    chosen = crypto.suite(suite)
    prefix = secrets.token_bytes(chosen.nonce_size) if nonce == "random" else b""
    number = prefix or bytes_of_hex("--nonce", nonce)
    secret, header = _checked(chosen, key, number, ad)
    files.refuse_screen(output)
    with files.reading(input_) as source, files.writing(output, hold=False) as target:
        if chosen.streams:
            target.write(prefix)
            _pump(source, target, chosen.sealer(secret, number, header))
        else:
            message = _whole(source, chosen)
            target.write(prefix + chosen.seal(secret, number, message, header))


def open_(
    suite: SuiteName,
    key: KeyText,
    nonce: Annotated[
        str,
        typer.Option(
            metavar="HEX|prefixed",
            help="The nonce it was sealed with; 'prefixed' takes it from the front of "
            "the input.",
        ),
    ],
    ad: AdText = "",
    input_: Input = files.STANDARD_STREAM,
    output: Output = files.STANDARD_STREAM,
) -> None:
    """Verify and decrypt what `samara seal` wrote.

    Nothing is written before the whole message is verified, and nothing at all
    (exit code 1) when it is not genuine.

    \b
    Examples:
      samara open aes128-ccm-8 --key @key --nonce prefixed -i sealed -o opened
      samara open grain128aead --key @key --nonce 000000000000000000000001 \\
        --ad 0007 <sealed.grain >opened.grain
    """
    chosen = crypto.suite(suite)
    prefixed = nonce == "prefixed"
    number = bytes(chosen.nonce_size) if prefixed else bytes_of_hex("--nonce", nonce)
    secret, header = _checked(chosen, key, number, ad)
    files.refuse_screen(output)
    with files.reading(input_) as source, files.writing(output, hold=True) as target:
        if prefixed:
            number = _prefix(source, chosen)
        if chosen.streams:
            _pump(source, target, chosen.unverified_opener(secret, number, header))
        else:
            sealed = _whole(source, chosen)
            target.write(chosen.open(secret, number, sealed, header))


def _checked(suite: Suite, key: str, nonce: bytes, ad: str) -> tuple[bytes, bytes]:
    """Return key and associated data; refuse and warn where there is reason to."""
    secret = key_of(key, suite)
    header = bytes_of_hex("--ad", ad)
    # Sealing nothing refuses every wrong size before any input is waited for.
    suite.seal(secret, nonce, b"", header)
    warn_of_suite(suite)
    return secret, header


def _prefix(source: IO[bytes], suite: Suite) -> bytes:
    nonce = source.read(suite.nonce_size)
    if len(nonce) < suite.nonce_size:
        message = (
            f"the message is not genuine: it ends within the {suite.nonce_size} "
            f"bytes of its nonce"
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
            if other.streams and other.standing is not Standing.RESEARCH
        )
        message = f"{error}, and {suite.slug} cannot stream; these can: {streaming}"
        raise MisuseError(message) from None


def _pump(
    source: IO[bytes], target: IO[bytes], stream: Sealer | UnverifiedOpener
) -> None:
    for piece in files.pieces_of(source):
        target.write(stream.update(piece))
    target.write(stream.finish())
