# SPDX-License-Identifier: Apache-2.0
"""Links in the docs lead to files and headings that are there."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PAGES = [
    *(ROOT / name for name in ("README.md", "CONTRIBUTING.md", "CHANGELOG.md")),
    *sorted((ROOT / "docs").rglob("*.md")),
]
_CODE = re.compile(r"^```.*?^```$|^    .*?$|`[^`\n]*`", re.MULTILINE | re.DOTALL)
_LINK = re.compile(r"\]\((?!\w+:)([^)#\s]*)(?:#([^)\s]+))?\)")
_HEADING = re.compile(r"^#+ (.+)$", re.MULTILINE)


def anchor(heading: str) -> str:
    """Return the name of a heading in addresses, as GitHub makes it.

    >>> anchor("Backups, copies and the *witness*: `status`")
    'backups-copies-and-the-witness-status'
    """
    bare = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", heading).strip().lower()
    return re.sub(r"[^\w\- ]", "", bare.replace("*", "")).replace(" ", "-")


def broken(page: Path) -> list[str]:
    """Return the links of a page that lead nowhere."""
    text = _CODE.sub("", page.read_text(encoding="utf-8"))
    return [
        f"{path}#{name or ''}"
        for path, name in _LINK.findall(text)
        if not leads(page, path, name)
    ]


def leads(page: Path, path: str, name: str) -> bool:
    target = (page.parent / path) if path else page
    if not target.exists():
        return False
    if not name or target.suffix != ".md":
        return True
    text = target.read_text(encoding="utf-8")
    return name in {anchor(heading) for heading in _HEADING.findall(text)}


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_links_lead_somewhere(page: Path) -> None:
    assert not broken(page)


def test_a_link_that_leads_nowhere_is_found(tmp_path: Path) -> None:
    page = tmp_path / "page.md"
    page.write_text(
        "# A heading, with a comma\n[here](#a-heading-with-a-comma) [there](other.md)\n"
        "[gone](#a-heading) [far](https://example.org/x#y) `[code](no.md)`\n"
    )
    assert broken(page) == ["other.md#", "#a-heading"]
