# SPDX-License-Identifier: Apache-2.0
"""Output in any encoding: characters that it lacks are written in another way.

An encoding is chosen by the user (PYTHONIOENCODING, or the locale), and must not end
a command that prints a unit.
"""

import codecs
import io
import sys

_PLAIN = {
    "\N{MICRO SIGN}": "u",
    "\N{GREEK SMALL LETTER MU}": "u",
    "\N{MULTIPLICATION SIGN}": "x",
    "\N{MINUS SIGN}": "-",
    "\N{EN DASH}": "-",
    "\N{HORIZONTAL ELLIPSIS}": "...",
    "\N{LESS-THAN OR EQUAL TO}": "<=",
    "\N{GREATER-THAN OR EQUAL TO}": ">=",
    "\N{PLUS-MINUS SIGN}": "+-",
    "\N{RIGHTWARDS ARROW}": "->",
}
"""Characters of samara's own texts, in ASCII. Others are escaped."""

_NAME = "samara.plain"


def take_any_encoding() -> None:
    """Let stdout and stderr take all characters."""
    codecs.register_error(_NAME, _plain)
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors=_NAME)


def _plain(error: UnicodeError) -> tuple[str, int]:
    """Return what is written in place of characters, and where writing goes on."""
    if not isinstance(error, UnicodeEncodeError):
        raise error
    lacking = error.object[error.start : error.end]
    return "".join(_PLAIN.get(each) or _escaped(each) for each in lacking), error.end


def _escaped(character: str) -> str:
    return character.encode("ascii", "backslashreplace").decode("ascii")
