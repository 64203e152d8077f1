# SPDX-License-Identifier: Apache-2.0
"""Faults made from the tokens of C, without those of the preprocessor's lines."""

from __future__ import annotations

import re
from itertools import pairwise
from typing import TYPE_CHECKING

from testing.edit import Edit

if TYPE_CHECKING:
    from collections.abc import Iterator

_TOKEN = re.compile(
    r"""(?P<skip>/\*.*?\*/|//[^\n]*|^\s*\#(?:\\\n|[^\n])*|"(?:\\.|[^"\\])*"|'(?:\\.|[^'\\])*')
    |(?P<number>\b(?:0[xX][0-9a-fA-F]+|\d+)(?P<suffix>[uUlL]*)\b)
    |(?P<name>[A-Za-z_]\w*)
    |(?P<operator><<=|>>=|->|\+\+|--|<<|>>|<=|>=|==|!=|&&|\|\||[-+*/%&|^]=|[-+*/%&|^<>=!~?:])
    |(?P<other>[()\[\]{};,.])""",
    re.VERBOSE | re.DOTALL | re.MULTILINE,
)
_OPERATORS = {
    "<": ("<=",), "<=": ("<",), ">": (">=",), ">=": (">",), "==": ("!=",),
    "!=": ("==",), "&&": ("||",), "||": ("&&",), "<<": (">>",), ">>": ("<<",),
    "+": ("-",), "-": ("+",), "*": ("+",), "%": ("/",), "&": ("|",), "|": ("&",),
    "^": ("|",), "+=": ("-=", "="), "-=": ("+=", "="), "^=": ("|=", "="),
    "|=": ("&=", "="), "&=": ("|=", "="),
}  # fmt: skip
_CALL = re.compile(r"^[ \t]+(?!return\b)\w[\w.>\[\]-]*\([^;{}]*\);$", re.MULTILINE)
_ASSIGNMENT = re.compile(r"^[ \t]+[\w.>\[\]*-]+ [-+^|&*]?= [^;{}]*;$", re.MULTILINE)
_CONDITION = re.compile(r"\b(?:if|while) \(")


def edits(source: str) -> Iterator[Edit]:
    """Return the faults of a C source; a few of them do not compile."""
    tokens = [m for m in _TOKEN.finditer(source) if m["skip"] is None]
    for before, token in pairwise(tokens):
        if token["number"]:
            yield from _numbers(token)
        elif before["name"] or before["number"] or before[0] in ")]":
            for new in _OPERATORS.get(token[0], ()):
                yield Edit(*token.span(), new)
    for statement in (*_CALL.finditer(source), *_ASSIGNMENT.finditer(source)):
        text = statement[0]
        begin = statement.start() + len(text) - len(text.lstrip())
        yield Edit(begin, statement.end(), ";")
        yield Edit(statement.start(), statement.end() + 1, "")
    for condition in _CONDITION.finditer(source):
        begin = condition.end()
        end = _closed(source, begin)
        for text in (f"!({source[begin:end]})", "0", "1"):
            yield Edit(begin, end, text)


def _numbers(token: re.Match[str]) -> Iterator[Edit]:
    suffix = token["suffix"]
    digits = token[0][: len(token[0]) - len(suffix)]
    is_hex = digits.lower().startswith("0x")
    value = int(digits, 16 if is_hex else 10)
    for changed in (value + 1, value - 1):
        if changed >= 0:
            yield Edit(
                *token.span(),
                f"{changed:#x}{suffix}" if is_hex else f"{changed}{suffix}",
            )


def _closed(source: str, begin: int) -> int:
    """Return the place of the parenthesis that closes one before `begin`."""
    depth = 1
    for place in range(begin, len(source)):
        depth += {"(": 1, ")": -1}.get(source[place], 0)
        if depth == 0:
            return place
    return len(source)
