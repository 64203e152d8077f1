# SPDX-License-Identifier: Apache-2.0
"""Reading pages as a browser does."""

from __future__ import annotations

from html.parser import HTMLParser

NEVER_CLOSED = {"meta", "br", "input"}


class Page(HTMLParser):
    """Checks that elements close in order, and keeps what tests ask about."""

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.names: list[str] = []
        self.references: list[str] = []
        self.cells: list[dict[str, str | None]] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag not in NEVER_CLOSED:
            self.open.append(tag)
        fields = dict(attrs)
        self.names += [fields["id"] or ""] if "id" in fields else []
        for name in ("href", "src", "xlink:href"):
            self.references += [fields[name] or ""] if name in fields else []
        self.cells += [fields] if tag == "td" else []

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag not in NEVER_CLOSED:
            self.handle_starttag(tag, attrs)
            self.handle_endtag(tag)
