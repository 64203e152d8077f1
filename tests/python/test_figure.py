# SPDX-License-Identifier: Apache-2.0
"""Origins of figures: one table, from which everything that shows them is made."""

from __future__ import annotations

import io
import re
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from rich.console import Console
from rich.text import Text

from samara.cli.shared import tables as shown
from samara.figure import Origin
from samara.records import html_page
from samara.records.parts import Heading, Section
from samara.records.tables import Column, Row, Table, label, number, words

if TYPE_CHECKING:
    from collections.abc import Iterable

ROOT = Path(__file__).parents[2]


def table(origins: Iterable[Origin]) -> Table:
    """Return a table with one figure of each origin."""
    rows = [Row([words(origin), number(1, origin)]) for origin in origins]
    return Table("t", "T", [label("what"), Column("figure", "s")], rows)


def on_terminal(origins: Iterable[Origin]) -> str:
    screen = Console(file=io.StringIO(), width=80)
    shown.print_figures(table(origins), screen)
    assert isinstance(screen.file, io.StringIO)
    return screen.file.getvalue()


def on_page(origins: Iterable[Origin]) -> str:
    section = Section("s", "S", "", "g", "S", parts=[table(origins)])
    return html_page.as_html(Heading("T"), [section])


def test_each_row_is_complete_and_no_two_look_alike() -> None:
    for origin in Origin:
        assert origin.letter
        assert origin.mark
        assert origin.meaning[0].islower()
        assert not origin.meaning.endswith(".")
        assert Text.from_markup(shown.marked(origin)).plain == origin
        # A colour that the style sheet does not define would be black.
        assert f"--{origin.page_colour}: light-dark(#" in on_page([origin])
    for name in ("letter", "mark", "meaning"):
        assert len({getattr(origin, name) for origin in Origin}) == len(Origin)


@pytest.mark.parametrize("origin", Origin)
def test_whatever_shows_an_origin_takes_it_from_the_table(
    origin: Origin, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(origin, "letter", "zz")
    monkeypatch.setattr(origin, "mark", "\N{SNOWMAN}")
    monkeypatch.setattr(origin, "colour", "blue")
    monkeypatch.setattr(origin, "meaning", "read in <tea> leaves")
    assert shown.marked(origin) == f"[blue]{origin}[/]"
    assert f"[blue](zz)[/] {origin}: read in <tea> leaves" in shown.legend()
    assert "1 (zz)" in on_terminal(Origin)
    html = on_page([origin])
    rule = f'[data-origin="{origin}"]::after {{ content: "\N{SNOWMAN}"'
    assert rule in html
    assert f'<b data-origin="{origin}">{origin}</b> read in &lt;tea&gt; leaves' in html


def test_a_page_explains_the_origins_that_it_has() -> None:
    some = [Origin.MEASURED, Origin.EMULATED]
    body = on_page(some).partition("<main>")[2]
    legend = body.partition('<ul class="legend">')[2].partition("</ul>")[0]
    assert re.findall(r'data-origin="([^"]+)"', legend) == some


def test_the_docs_have_the_table() -> None:
    text = (ROOT / "docs" / "receipts.md").read_text()
    for origin in Origin:
        row = " | ".join((origin, origin.letter, origin.mark, origin.meaning))
        assert f"\n| {row} |\n" in text
