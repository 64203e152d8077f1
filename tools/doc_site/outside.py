# SPDX-License-Identifier: Apache-2.0
"""Files beside docs/ that pages link to: they come into the site, and links follow."""

from __future__ import annotations

import os
import re
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping
    from collections.abc import Set as AbstractSet

FOLDER = "files"
_LINK = re.compile(r"(?<=\]\()(?!\w+:)([^)#\s]+)")
_CODE = re.compile(r"(^```.*?^```$|`[^`\n]*`)", re.MULTILINE | re.DOTALL)


def linked(root: Path, tracked: AbstractSet[str]) -> dict[str, Path]:
    """Return the files outside of docs/ that pages lead to, by places in the site."""
    found: dict[str, Path] = {}
    waiting = sorted((root / "docs").rglob("*.md"))
    while waiting:
        source = waiting.pop()
        for target in _targets(source, root):
            uri = place(target, root)
            if str(target.relative_to(root)) not in tracked or uri in found:
                continue
            found[uri] = target
            if target.suffix == ".md":
                waiting.append(target)
    return dict(sorted(found.items()))


def _targets(source: Path, root: Path) -> list[Path]:
    """Return the files outside of docs/ that a page links to."""
    text = _CODE.sub("", source.read_text(encoding="utf-8"))
    ends = [Path(os.path.normpath(source.parent / end)) for end in _LINK.findall(text)]
    docs = root / "docs"
    return [
        end
        for end in ends
        if end.is_relative_to(root) and not end.is_relative_to(docs) and end.is_file()
    ]


def place(target: Path, root: Path) -> str:
    """Return where a file of the project is in the site.

    >>> place(Path("/p/CONTRIBUTING.md"), Path("/p"))
    'files/CONTRIBUTING.md'
    >>> place(Path("/p/core/x.h"), Path("/p"))
    'files/core/x.h.txt'
    """
    name = target.relative_to(root).as_posix()
    # A browser shows text, and keeps other files.
    return f"{FOLDER}/{name}" if target.suffix == ".md" else f"{FOLDER}/{name}.txt"


def relinked(
    text: str, source: Path, uri: str, found: Mapping[str, Path], root: Path
) -> str:
    """Return a page with its links to files of the project as places in the site."""
    here = Path(uri).parent

    def new(match: re.Match[str]) -> str:
        target = Path(os.path.normpath(source.parent / match[1]))
        to = _place_in_site(target, found, root)
        return match[1] if to is None else Path(os.path.relpath(to, here)).as_posix()

    parts = _CODE.split(text)
    parts[::2] = [_LINK.sub(new, part) for part in parts[::2]]
    return "".join(parts)


def _place_in_site(target: Path, found: Mapping[str, Path], root: Path) -> Path | None:
    docs = root / "docs"
    if target.is_relative_to(docs):
        inside = target.relative_to(docs)
        return inside / "README.md" if target.is_dir() else inside
    if target == root / "core" / "include" / "samara":
        return Path("reference/c/README.md")
    if target.is_dir() and (target / "README.md").is_file():
        target /= "README.md"
    uri = place(target, root) if target.is_relative_to(root) else ""
    return Path(uri) if uri in found else None
