# SPDX-License-Identifier: Apache-2.0
"""Bytes that a user gives as hex digits."""

from __future__ import annotations

import re

from samara.errors import MisuseError


def bytes_of_hex(name: str, text: str) -> bytes:
    """Return the bytes that hex digits stand for.

    Parameters
    ----------
    name
        The option or argument, for the error.
    text
        What the user gave. The error does not repeat it, because it may be a key.

    Raises
    ------
    MisuseError
        When `text` is not an even number of hex digits.
    """
    if not re.fullmatch("[0-9A-Fa-f]*", text):
        message = f"{name} takes hex digits only{_hint_of(text)}"
        raise MisuseError(message)
    if len(text) % 2 != 0:
        message = (
            f"{name} takes two hex digits for each byte, and an odd number of digits "
            f"was given: {len(text)}"
        )
        raise MisuseError(message)
    return bytes.fromhex(text)


def _hint_of(text: str) -> str:
    """Return what to do about text that has more than hex digits in it."""
    digits = re.sub("^0[xX]|[ :-]", "", text)
    if digits == text or not re.fullmatch("[0-9A-Fa-f]+", digits):
        return ""
    if re.match("0[xX]", text):
        return ": leave out the 0x in front"
    return ": leave out the spaces, colons and hyphens between the digits"
