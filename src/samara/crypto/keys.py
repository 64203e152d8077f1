# SPDX-License-Identifier: Apache-2.0
"""Keys as requests name them: hex digits, or a file; and new ones.

A request holds the text, such as ``@FILE``. The key is read when the room computes:
`key_of` yields what its owner should know of it, and returns the bytes.
"""

from __future__ import annotations

import re
import secrets
import stat
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Protocol, TypeAlias

from samara.crypto.block import block_ciphers
from samara.crypto.names import Standing
from samara.crypto.registry import suites
from samara.crypto.resolving import suite_named
from samara.errors import MisuseError
from samara.hex_digits import bytes_of_hex
from samara.records import Notice, Parameter, Request, request_class

if TYPE_CHECKING:
    from collections.abc import Generator, Iterator

    from samara.crypto.block import BlockCipher
    from samara.crypto.registry import Suite

# More than any key or its digits need; the rest of a wrong file is not read.
_KEY_FILE_LIMIT = 4096

Key: TypeAlias = Annotated[
    str,
    Parameter(
        metavar="HEX|@FILE",
        help="Key: hex digits, or @FILE to read it from a file. The file contains "
        "either hex digits or the bytes of the key; only its owner should be able to "
        "read it.",
        is_secret=True,
    ),
]


def _suites() -> list[str]:
    return [each.slug for each in suites()]


SuiteName: TypeAlias = Annotated[
    str,
    Parameter(
        is_argument=True,
        metavar="SUITE",
        help="Suite, as `samara suites` lists it. The name of a cipher alone stands "
        "for its CCM suite with a tag of 8 bytes: aes128 for aes128-ccm-8.",
        names=_suites,
        names_in_words="",
    ),
]


class Keyed(Protocol):
    """What a key is for: a suite, a block cipher, a cipher for frames."""

    @property
    def slug(self) -> str: ...  # noqa: D102
    @property
    def key_size(self) -> int: ...  # noqa: D102


@request_class
class KeyRequest(Request):
    """What a new key is for."""

    cipher: Annotated[
        str,
        Parameter(
            is_argument=True,
            metavar="SUITE|CIPHER",
            help="Suite or block cipher, as `samara suites` lists them.",
            names=_suites,
            names_in_words="",
        ),
    ]


def new_key(request: KeyRequest) -> bytes:
    """Return a random key.

    Raises
    ------
    UnknownNameError
        When there is no such suite or block cipher.
    """
    blocks = {each.slug: each for each in block_ciphers()}
    keyed: Keyed = blocks.get(request.cipher) or suite_named(request.cipher)
    return secrets.token_bytes(keyed.key_size)


def key_of(text: str, cipher: Keyed) -> Generator[Notice, None, bytes]:
    """Return the key that was given as hex digits or as ``@FILE``.

    Yields
    ------
    What its owner should know: who else can read it.

    Raises
    ------
    MisuseError
        When it is neither, or does not have the size of the cipher's keys.
    """
    if text.startswith("@"):
        return (yield from _key_of_file(Path(text[1:]), cipher))
    _refuse_file_name(text)
    key = bytes_of_hex("--key", text)
    if len(key) != cipher.key_size:
        message = (
            f"{cipher.slug} takes a key of {cipher.key_size} bytes, not {len(key)}"
        )
        raise MisuseError(message)
    yield Notice(
        "a key on the command line is visible in the process list and in the shell's "
        "history; store it in a file and give --key @FILE",
        warns=True,
    )
    return key


def _refuse_file_name(text: str) -> None:
    """Refuse what is no key but the name of a file: the @ was forgotten."""
    try:
        is_file = not re.fullmatch("[0-9A-Fa-f]*", text) and Path(text).is_file()
    except (OSError, ValueError):
        return
    if is_file:
        message = f"--key takes hex digits; is {text} a file? Write --key @{text}"
        raise MisuseError(message)


def _key_of_file(path: Path, cipher: Keyed) -> Generator[Notice, None, bytes]:
    try:
        with path.open("rb") as file:
            mode = path.stat().st_mode
            content = file.read(_KEY_FILE_LIMIT)
    except FileNotFoundError:
        message = (
            f"there is no key file {path}; `samara keygen {cipher.slug} -o {path}` "
            "writes a new key"
        )
        raise MisuseError(message) from None
    yield from shared_file_notice(path, mode)
    if len(content) == cipher.key_size:
        return content
    digits = b"".join(content.split())
    if len(digits) == 2 * cipher.key_size and re.fullmatch(b"[0-9A-Fa-f]*", digits):
        return bytes.fromhex(digits.decode("ascii"))
    message = (
        f"{cipher.slug} takes a key of {cipher.key_size} bytes: {path} contains "
        f"neither {cipher.key_size} bytes nor {2 * cipher.key_size} hex digits"
    )
    raise MisuseError(message)


def shared_file_notice(path: Path, mode: int) -> Iterator[Notice]:
    """Yield a warning of a file of keys that others than its owner can read."""
    if stat.S_ISREG(mode) and mode & (stat.S_IRGRP | stat.S_IROTH):
        text = f"others than its owner can read {path}; run chmod 600 {path}"
        yield Notice(text, warns=True)


def cipher_notice(cipher: Suite | BlockCipher) -> Iterator[Notice]:
    """Yield a warning of a cipher that is for research only."""
    if cipher.standing is Standing.RESEARCH:
        text = f"{cipher.slug} is for research only; do not rely on it"
        yield Notice(text, warns=True)


def suite_notices(suite: Suite) -> Iterator[Notice]:
    """Yield a warning of a suite for research only, or that does not authenticate."""
    yield from cipher_notice(suite)
    if not suite.authenticates:
        text = f"{suite.slug} does not authenticate: changes are not detected"
        yield Notice(text, warns=True)
