# SPDX-License-Identifier: Apache-2.0
"""Received bytes on a terminal: whoever sent them must not drive it."""

import unicodedata

# Control, format (such as the order of writing), surrogate, private, unassigned
# characters, and separators of lines and paragraphs.
_NOT_SHOWN = frozenset({"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"})
_SHORT = {"\n": "\\n", "\r": "\\r", "\t": "\\t"}


def printable(content: bytes) -> str:
    r"""Return bytes as text of one line; what does not print is escaped.

    >>> print(printable("21.5 °C".encode()), printable(b"\x1b[2J\n\xff"))
    21.5 °C \x1b[2J\n\xff
    """
    # No strict decoding: what is no UTF-8 comes as \xNN.
    return printable_text(content.decode(errors="backslashreplace"))


def printable_text(text: str) -> str:
    """Return text of one line; what does not print is escaped."""
    return "".join(map(_shown, text))


def _shown(character: str) -> str:
    if unicodedata.category(character) not in _NOT_SHOWN:
        return character
    if character in _SHORT:
        return _SHORT[character]
    code = ord(character)
    if code <= 0xFF:  # noqa: PLR2004 - what two hex digits can name
        return f"\\x{code:02x}"
    return f"\\u{code:04x}" if code <= 0xFFFF else f"\\U{code:08x}"  # noqa: PLR2004
