# SPDX-License-Identifier: Apache-2.0
"""An extension of Python-Markdown: examples of docstrings are shown as code.

Markdown takes the three marks in front of a line of Python for quotations.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from markdown.extensions import Extension
from markdown.preprocessors import Preprocessor

if TYPE_CHECKING:
    from collections.abc import Iterator

_BEFORE_FENCES = 30
"""Priority: the fences that are made here are read by those that follow."""


class _Examples(Preprocessor):  # type: ignore[misc] # Markdown has no types
    def run(self, lines: list[str]) -> list[str]:
        return list(with_fences(lines))


def with_fences(lines: list[str]) -> Iterator[str]:
    """Put each example, up to the next empty line, into a fence.

    >>> list(with_fences(["Add:", "", ">>> 1 + 1", "2", "", "Done."]))
    ['Add:', '', '```pycon', '>>> 1 + 1', '2', '```', '', 'Done.']
    """
    inside = fenced = False
    for line in lines:
        if line.startswith("```"):
            fenced = not fenced
        if not inside and not fenced and line.startswith(">>> "):
            inside = True
            yield "```pycon"
        elif inside and not line.strip():
            inside = False
            yield "```"
        yield line
    if inside:
        yield "```"


class _Doctests(Extension):  # type: ignore[misc] # as above
    def extendMarkdown(self, md: Any) -> None:  # noqa: N802, ANN401 - Markdown's names
        md.preprocessors.register(_Examples(md), "doctests", _BEFORE_FENCES)


def makeExtension(**_: object) -> Extension:  # noqa: N802 - Markdown's name
    """Return the extension, as Python-Markdown asks for it."""
    return _Doctests()
