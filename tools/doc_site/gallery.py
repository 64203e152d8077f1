# SPDX-License-Identifier: Apache-2.0
"""The page of all pictures, each with the command that makes it."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from doc_site.markdown import code, page

if TYPE_CHECKING:
    from pathlib import Path

_PICTURE = re.compile(r"!\[([^\]]*)\]\((pictures/[^)]+)\)")


def pages(docs: Path) -> dict[str, str]:
    """Return the page by its place in the site."""
    shown = dict(_pictures(docs))
    parts = [part for name, about in shown.items() for part in _part(name, *about)]
    return {
        "gallery.md": page(
            "# Gallery", "Pictures of these pages, each with what makes it.", *parts
        )
    }


def _pictures(docs: Path) -> list[tuple[str, tuple[str, str]]]:
    """Return name, caption and page of each picture."""
    return [
        (name, (caption, path.name))
        for path in sorted(docs.glob("*.md"))
        for caption, name in _PICTURE.findall(path.read_text(encoding="utf-8"))
    ]


def _part(name: str, caption: str, of: str) -> list[str]:
    return [
        f"## {caption}",
        f"![{caption}]({name})",
        f"From [{of.removesuffix('.md')}]({of}); made by:",
        code(made_by(name)),
    ]


def made_by(name: str) -> str:
    """Return the command that makes a picture.

    >>> made_by("pictures/console-talk.png")
    'tools/draw-screens talk'
    """
    stem = name.removeprefix("pictures/").rpartition(".")[0]
    if stem.startswith("console-"):
        return f"tools/draw-screens {stem.removeprefix('console-')}"
    return "tools/draw-cast" if stem == "cast" else "tools/draw-pictures"
