# SPDX-License-Identifier: Apache-2.0
"""Received bytes as text for a terminal: control characters are escaped.

A sender must not be able to control the receiver's terminal.
"""

import unicodedata

# Control, format (such as the order of writing), surrogate, private, unassigned
# characters, and separators of lines and paragraphs.
_NOT_SHOWN = frozenset({"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"})
_SHORT = {"\n": "\\n", "\r": "\\r", "\t": "\\t"}


def printable(content: bytes) -> str:
    r"""Return bytes as one line of text; unprintable characters are escaped.

    >>> print(printable("21.5 °C".encode()), printable(b"\x1b[2J\n\xff"))
    21.5 °C \x1b[2J\n\xff
    """
    # Bytes that are not UTF-8 appear as \xNN.
    return printable_text(content.decode(errors="backslashreplace"))


def printable_text(text: str) -> str:
    """Return text as one line; unprintable characters are escaped."""
    # Those of which Python says so have none of the categories above.
    return text if text.isprintable() else "".join(map(_shown, text))


def _shown(character: str) -> str:
    if unicodedata.category(character) not in _NOT_SHOWN:
        return character
    if character in _SHORT:
        return _SHORT[character]
    code = ord(character)
    if code <= 0xFF:  # noqa: PLR2004 - the most that two hex digits can name
        return f"\\x{code:02x}"
    return f"\\u{code:04x}" if code <= 0xFFFF else f"\\U{code:08x}"  # noqa: PLR2004
