# SPDX-License-Identifier: Apache-2.0
"""Pictures (SVG) from descriptions in the language of Mermaid.

Mermaid takes seconds for some diagrams. So a picture begins with a comment that has two
digests: of what it was drawn from, and of the picture itself. They tell, without
drawing anew, whether either was changed.
"""

from __future__ import annotations

import hashlib
import json
from importlib.metadata import version
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from pathlib import Path

FOLDER: Final = "docs/pictures"
_SETTINGS: Final = {
    # Labels as text of SVG: viewers outside of browsers show no HTML.
    "htmlLabels": False,
    "flowchart": {"htmlLabels": False, "useMaxWidth": False},
    "sequence": {
        "useMaxWidth": False,
        "mirrorActors": False,
        "actorMargin": 60,
        "noteMargin": 8,
        "messageMargin": 30,
        "height": 40,
    },
    "state": {"useMaxWidth": False},
    "theme": "base",
    "themeVariables": {
        "fontFamily": "DejaVu Sans, Verdana, sans-serif",
        "fontSize": "14px",
        "primaryColor": "#e8eef7",
        "primaryBorderColor": "#4a6585",
        "primaryTextColor": "#1a1a1a",
        "lineColor": "#44546a",
        "noteBkgColor": "#fff6d6",
        "noteBorderColor": "#c9b458",
        "noteTextColor": "#1a1a1a",
        "edgeLabelBackground": "#ffffff",
        "tertiaryColor": "#f5f7fa",
    },
}


def drawn(description: str) -> str:
    """Return the picture of a description: the text of an SVG file.

    Raises
    ------
    RuntimeError
        When Mermaid cannot read the description.
    """
    import mermaidx  # noqa: PLC0415 - starts an engine of JavaScript

    svg = mermaidx.render(description, config=_SETTINGS).svg()
    # Pages with a dark background would hide lines and labels.
    svg = svg.replace("background-color: transparent", "background-color: white")
    return f"{_stamp(description, svg)}\n{svg}\n"


def is_current(description: str, picture: str) -> bool:
    """Return whether a picture is what was drawn from this description."""
    stamp, _, svg = picture.partition("\n")
    return stamp == _stamp(description, svg.removesuffix("\n"))


def described(root: Path) -> list[Path]:
    """Return the files with descriptions."""
    return sorted((root / FOLDER).glob("*.mmd"))


def _stamp(description: str, svg: str) -> str:
    settings = json.dumps(_SETTINGS, sort_keys=True)
    source = "\0".join((version("mermaidx"), settings, description))
    return f"<!-- tools/draw-pictures: {_digest(source)} {_digest(svg)} -->"


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()[:16]
