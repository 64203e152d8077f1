# SPDX-License-Identifier: Apache-2.0
"""Text as Markdown, and differences between CommonMark and Python-Markdown."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

_ITEM = re.compile(r"(?:[-*+]|\d+\.) ")
_FENCE = re.compile(r"^ *(?:```|~~~)")


def with_lists_apart(text: str) -> str:
    r"""Put an empty line before each list that follows a line of text.

    CommonMark needs none; Python-Markdown takes the items for text without it.

    >>> with_lists_apart("These are:\n- one\n- two")
    'These are:\n\n- one\n- two'
    """
    return "\n".join(_lists_apart(text.split("\n")))


def _lists_apart(lines: Iterable[str]) -> Iterator[str]:
    before, fenced, in_list = "", False, False
    for line in lines:
        if _FENCE.match(line):
            fenced = not fenced
        begins = not fenced and _ITEM.match(line) is not None
        if begins and before.strip() and not in_list:
            yield ""
        if begins or not line.strip() or not line.startswith(" "):
            in_list = begins or (in_list and bool(line.strip()))
        yield line
        before = line


def table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    r"""Return a table.

    >>> print(table(["a", "b"], [["1", "x|y"]]))
    | a | b |
    |---|---|
    | 1 | x\|y |
    """
    lines = [head, *rows]
    written = ["| " + " | ".join(_cell(cell) for cell in line) + " |" for line in lines]
    return "\n".join([written[0], "|" + "---|" * len(head), *written[1:]])


def _cell(text: str) -> str:
    return " ".join(text.split()).replace("|", "\\|")


def code(text: str, language: str = "text") -> str:
    """Return text as a block of code."""
    return f"```{language}\n{text.strip(chr(10))}\n```"


def page(*parts: str) -> str:
    """Return a page of parts, of which the empty ones are left out."""
    return "\n\n".join(part for part in parts if part) + "\n"
