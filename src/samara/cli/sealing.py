# SPDX-License-Identifier: Apache-2.0
"""`samara seal` and `samara open`."""

import secrets
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import IO, Annotated, NamedTuple

import typer

from samara import crypto
from samara.cli.shared import files
from samara.cli.shared.completion import complete_suite
from samara.cli.shared.diagnostics import MisuseError
from samara.cli.shared.inputs import (
    KEY_HELP,
    key_of,
    warn_of_suite,
)
from samara.crypto import (
    AuthenticationError,
    Sealer,
    Suite,
    UnverifiedOpener,
    sealed_file,
)
from samara.hex_digits import bytes_of_hex

SuiteName = Annotated[
    str,
    typer.Argument(
        metavar="SUITE",
        help="Suite, as `samara suites` lists it. The name of a cipher alone stands "
        "for its CCM suite with a tag of 8 bytes: aes128 for aes128-ccm-8.",
        autocompletion=complete_suite,
    ),
]
KeyText = Annotated[str, typer.Option("--key", metavar="HEX|@FILE", help=KEY_HELP)]
AdText = Annotated[
    str,
    typer.Option(
        "--ad",
        metavar="HEX",
        help="Associated data as hex digits. It is authenticated, but neither "
        "encrypted nor written to the output. Default: none.",
    ),
]
Input = Annotated[
    Path,
    typer.Option(
        "-i",
        "--input",
        metavar="FILE",
        help="Input file; - is stdin. Default: -.",
    ),
]
Output = Annotated[
    Path,
    typer.Option(
        "-o",
        "--output",
        metavar="FILE",
        help="Output file; - is stdout. Default: -.",
    ),
]


class _Arguments(NamedTuple):
    """What a message is sealed with."""

    suite: Suite
    key: bytes
    nonce: bytes | None
    """None: the file has a header, and each of its chunks a nonce."""
    associated_data: bytes


def seal(
    suite: SuiteName,
    key: KeyText,
    nonce: Annotated[
        str | None,
        typer.Option(
            metavar="HEX|random",
            help="Seal one message under this nonce, as hex digits. Never use a nonce "
            "twice with the same key. 'random' generates one and writes it in front of "
            "the ciphertext, where `samara open --nonce prefixed` reads it. Default: "
            "write a file with a header, which needs no nonce.",
        ),
    ] = None,
    ad: AdText = "",
    input_: Input = files.STANDARD_STREAM,
    output: Output = files.STANDARD_STREAM,
) -> None:
    """Encrypt and authenticate a file or a message.

    Without --nonce, the output is a file with a header: a key of its own, derived from
    the key and a random number, seals it in chunks. It takes input of any size in
    little memory; docs/sealed-files.md defines the format. The suite must authenticate.

    With --nonce, the output is the ciphertext followed by the tag, as a device sends
    it. Suites without a tag encrypt only. A suite that streams takes input of any
    size. The other suites hold the message in memory; it may have up to 256 MiB, and
    less where the suite has a lower limit.

    \b
    Examples:
      samara seal aes128-gcm --key @key -i backup.tar -o backup.sealed
      samara seal aes128-ccm-8 --key @key --nonce random -i reading -o sealed
      samara seal grain128aead --key @key --nonce 000000000000000000000001 \\
        --ad 0007 <reading >sealed.grain
    """
    chosen = crypto.suite_named(suite)
    prefix = secrets.token_bytes(chosen.nonce_size) if nonce == "random" else b""
    given = _checked(chosen, key, prefix or _number(nonce), ad)
    files.refuse_screen(output)
    with files.reading(input_) as source, files.writing(output, hold=False) as target:
        pieces = _sealed(given, source)
        # What cannot be sealed leaves no prefix on stdout.
        first = next(pieces)
        target.writelines((prefix, first))
        target.writelines(pieces)


def open_(
    suite: SuiteName,
    key: KeyText,
    nonce: Annotated[
        str | None,
        typer.Option(
            metavar="HEX|prefixed",
            help="Nonce that one message was sealed with, as hex digits; 'prefixed' "
            "reads it from the beginning of the input. Default: the input is a file "
            "with a header.",
        ),
    ] = None,
    ad: AdText = "",
    input_: Input = files.STANDARD_STREAM,
    output: Output = files.STANDARD_STREAM,
) -> None:
    """Verify and decrypt what `samara seal` wrote.

    The output is written after the whole input has been verified. If it is not
    genuine, nothing is written and the exit status is 1. For stdout, a pipe or a
    device, the input is copied to a temporary file, still encrypted, and verified
    before it is decrypted.

    \b
    Examples:
      samara open aes128-gcm --key @key -i backup.sealed -o backup.tar
      samara open aes128-ccm-8 --key @key --nonce prefixed -i sealed -o opened
      samara open grain128aead --key @key --nonce 000000000000000000000001 \\
        --ad 0007 <sealed.grain >opened.grain
    """
    chosen = crypto.suite_named(suite)
    prefixed = nonce == "prefixed"
    number = bytes(chosen.nonce_size) if prefixed else _number(nonce)
    given = _checked(chosen, key, number, ad)
    files.refuse_screen(output)
    with files.reading(input_) as source:
        if prefixed:
            given = given._replace(nonce=_prefix(source, chosen))
        _release(lambda file: _opened(given, file), source, output)


def _number(nonce: str | None) -> bytes | None:
    return None if nonce is None else bytes_of_hex("--nonce", nonce)


def _checked(suite: Suite, key: str, nonce: bytes | None, ad: str) -> _Arguments:
    """Return key, nonce and associated data after all sizes have been checked."""
    if nonce is None:
        _require_authenticated(suite)
    given = _Arguments(suite, key_of(key, suite), nonce, bytes_of_hex("--ad", ad))
    # Sealing an empty message finds each wrong size before any input is read.
    number = bytes(suite.nonce_size) if nonce is None else nonce
    try:
        suite.seal(given.key, number, b"", given.associated_data)
    except ValueError as error:
        raise MisuseError(str(error)) from None
    warn_of_suite(suite)
    return given


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


def _sealed(given: _Arguments, source: IO[bytes]) -> Iterator[bytes | memoryview]:
    suite, key, nonce, data = given
    if nonce is None:
        return sealed_file.sealed(suite, key, files.pieces_of(source), data)
    if suite.streams:
        return _through(suite.sealer(key, nonce, data), source)
    return _sealed_whole(given, source)


def _opened(given: _Arguments, source: IO[bytes]) -> Iterator[bytes | memoryview]:
    """Yield the message; that all of it is genuine shows at the end only."""
    suite, key, nonce, data = given
    if nonce is None:
        return sealed_file.opened(suite, key, files.pieces_of(source), data)
    if suite.streams:
        return _through(suite.unverified_opener(key, nonce, data), source)
    return _opened_whole(given, source)


def _through(stream: Sealer | UnverifiedOpener, source: IO[bytes]) -> Iterator[bytes]:
    for piece in files.pieces_of(source):
        yield stream.update(piece)
    yield stream.finish()


def _sealed_whole(given: _Arguments, source: IO[bytes]) -> Iterator[memoryview]:
    suite, key, nonce, data = given
    content = _whole(source, suite, files.MEMORY_LIMIT)
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


def _opened_whole(given: _Arguments, source: IO[bytes]) -> Iterator[memoryview]:
    suite, key, nonce, data = given
    content = _whole(source, suite, files.MEMORY_LIMIT + suite.tag_size)
    size = suite.open_into(content, key, nonce or b"", content, data)
    yield memoryview(content)[:size]


def _whole(source: IO[bytes], suite: Suite, limit: int) -> bytearray:
    content = files.whole(source, limit)
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


def _release(
    opened: Callable[[IO[bytes]], Iterator[bytes | memoryview]],
    source: IO[bytes],
    output: Path,
) -> None:
    """Write what `opened` yields of the input, if it comes to its end."""
    if files.can_be_undone(output):
        with files.writing(output, hold=False) as target:
            target.writelines(opened(source))
        return
    # Verified once before anything is written. The copy cannot be changed by others
    # in the meantime, and nothing decrypted gets to a disk.
    with files.copied(source) as copy:
        for _ in opened(copy):
            pass
        copy.seek(0)
        with files.writing(output, hold=False) as target:
            target.writelines(opened(copy))
