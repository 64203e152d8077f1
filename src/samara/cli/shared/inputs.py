# SPDX-License-Identifier: Apache-2.0
"""Keys, nonces and other bytes that are given on a command line."""

from __future__ import annotations

import re
import stat
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

from samara.cli.shared.diagnostics import MisuseError, warn
from samara.crypto import Standing
from samara.hex_digits import bytes_of_hex

if TYPE_CHECKING:
    from samara.crypto import BlockCipher, Suite

# More than any key or its digits need; the rest of a wrong file is not read.
_KEY_FILE_LIMIT = 4096

KEY_HELP = (
    "Key: hex digits, or @FILE to read it from a file. The file contains either hex "
    "digits or the bytes of the key; only its owner should be able to read it."
)


class Keyed(Protocol):
    """What a key is for: a suite, a block cipher, a cipher for frames."""

    @property
    def slug(self) -> str: ...  # noqa: D102
    @property
    def key_size(self) -> int: ...  # noqa: D102


def key_of(text: str, cipher: Keyed) -> bytes:
    """Return the key that was given as hex digits or as ``@FILE``.

    Raises
    ------
    MisuseError
        When it is neither, or does not have the size of the cipher's keys.
    """
    if text.startswith("@"):
        return _key_of_file(Path(text[1:]), cipher)
    _refuse_file_name(text)
    key = bytes_of_hex("--key", text)
    if len(key) != cipher.key_size:
        message = (
            f"{cipher.slug} takes a key of {cipher.key_size} bytes, not {len(key)}"
        )
        raise MisuseError(message)
    warn(
        "a key on the command line is visible in the process list and in the shell's "
        "history; store it in a file and give --key @FILE"
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


def _key_of_file(path: Path, cipher: Keyed) -> bytes:
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
    warn_if_shared(path, mode)
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


def warn_if_shared(path: Path, mode: int) -> None:
    """Warn of a file of keys that others than its owner can read."""
    if stat.S_ISREG(mode) and mode & (stat.S_IRGRP | stat.S_IROTH):
        warn(f"others than its owner can read {path}; run chmod 600 {path}")


def warn_of(cipher: Suite | BlockCipher) -> None:
    """Warn of a cipher that is for research only."""
    if cipher.standing is Standing.RESEARCH:
        warn(f"{cipher.slug} is for research only; do not rely on it")


def warn_of_suite(suite: Suite) -> None:
    """Warn of a suite that is for research only, or does not authenticate."""
    warn_of(suite)
    if not suite.authenticates:
        warn(f"{suite.slug} does not authenticate: changes are not detected")
