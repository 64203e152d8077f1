# SPDX-License-Identifier: Apache-2.0
"""Keys, nonces and other bytes, as they are given on a command line."""

from __future__ import annotations

import re
import stat
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

from samara.cli.outcome import MisuseError, warn
from samara.crypto import Standing

if TYPE_CHECKING:
    from samara.crypto import BlockCipher, Suite

# More than any key or its digits; a wrong file is not read to its end.
_KEY_FILE_LIMIT = 4096

KEY_HELP = (
    "The key: hex digits, or @FILE. The file holds hex digits, or exactly the "
    "key's bytes; only its owner should be able to read it."
)


def bytes_of_hex(name: str, text: str) -> bytes:
    """Return the bytes that `text` spells; `name` is the option it was given for.

    Raises
    ------
    MisuseError
        When it is not an even number of hex digits. It is not repeated: it may
        be a key.
    """
    if not re.fullmatch("[0-9A-Fa-f]*", text):
        message = f"{name} takes hex digits only"
        raise MisuseError(message)
    if len(text) % 2 != 0:
        message = f"{name} takes two hex digits a byte, and was given {len(text)}"
        raise MisuseError(message)
    return bytes.fromhex(text)


class Keyed(Protocol):
    """What a key is for: a suite, a block cipher, a cipher for frames."""

    @property
    def slug(self) -> str: ...  # noqa: D102
    @property
    def key_size(self) -> int: ...  # noqa: D102


def key_of(text: str, cipher: Keyed) -> bytes:
    """Return the key given as hex digits or as ``@FILE``.

    Raises
    ------
    MisuseError
        When it is neither, or does not have the size of the cipher's keys.
    """
    if text.startswith("@"):
        return _key_of_file(Path(text[1:]), cipher.key_size)
    key = bytes_of_hex("--key", text)
    if len(key) != cipher.key_size:
        message = (
            f"{cipher.slug} takes a key of {cipher.key_size} bytes, not {len(key)}"
        )
        raise MisuseError(message)
    warn(
        "a key on the command line can be seen in the process list and stays in "
        "the shell's history; keep it in a file and give --key @FILE"
    )
    return key


def _key_of_file(path: Path, key_size: int) -> bytes:
    with path.open("rb") as file:
        mode = path.stat().st_mode
        content = file.read(_KEY_FILE_LIMIT)
    if stat.S_ISREG(mode) and mode & (stat.S_IRGRP | stat.S_IROTH):
        warn(f"others than its owner can read {path}; chmod 600 it")
    if len(content) == key_size:
        return content
    digits = b"".join(content.split())
    if len(digits) == 2 * key_size and re.fullmatch(b"[0-9A-Fa-f]*", digits):
        return bytes.fromhex(digits.decode("ascii"))
    message = f"{path} holds neither {key_size} bytes nor {2 * key_size} hex digits"
    raise MisuseError(message)


def warn_of(cipher: Suite | BlockCipher) -> None:
    """Warn of a cipher that is not to be relied on."""
    if cipher.standing is Standing.RESEARCH:
        warn(f"{cipher.slug} is for research: to be studied, not to be relied on")


def warn_of_suite(suite: Suite) -> None:
    """Warn of a suite that is not to be relied on, or only in part."""
    warn_of(suite)
    if not suite.authenticates:
        warn(f"{suite.slug} does not authenticate: changes are not noticed")
