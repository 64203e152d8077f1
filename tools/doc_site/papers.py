# SPDX-License-Identifier: Apache-2.0
"""A page for each paper: what it reports beside ours, and what it printed wrongly."""

from __future__ import annotations

import csv
from typing import TYPE_CHECKING

from doc_site.markdown import code, page, table
from samara.bench import published, store
from samara.bench.report import papers
from samara.bench.report.selecting import Results
from samara.records.answers import Notice, Remark, Verbatim
from samara.records.parts import Advice, Missing, Plot
from samara.records.tables import Table

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from samara.records.parts import Part, Section
    from samara.records.tables import Row

FOLDER = "papers"


def pages(folder: Path) -> dict[str, str]:
    """Return the pages by their places in the site."""
    results = Results(store.read(store.committed()))
    sections = {slug: papers.maker(slug)(results) for slug in papers.names()}
    made = {
        f"{FOLDER}/{slug}.md": _page_of(slug, sections.get(slug), folder)
        for slug in published.papers()
    }
    rows = [
        [f"[{paper.name}]({slug}.md)", paper.citation]
        for slug, paper in (
            (slug, published.paper(slug)) for slug in published.papers()
        )
    ]
    made[f"{FOLDER}/README.md"] = page(
        "# Papers",
        "What papers report, beside samara's own figures, and where the printed figures"
        " cannot be right. Nothing is corrected in silence. Rows with an origin"
        " `published` are the paper's; other rows are ours.",
        table(["paper", "citation"], rows),
        "The figures of the papers are in `published/`; ours are in `results/`."
        " `samara bench report` writes the same as one page with plots.",
    )
    return made


def _page_of(slug: str, section: Section | None, folder: Path) -> str:
    paper = published.paper(slug)
    parts = [f"# {paper.name}", paper.citation + "."]
    if section is not None:
        parts += [section.intro, *(_shown(part) for part in section.parts)]
    else:
        parts.append(
            "`samara demo` repeats these measurements over an emulated serial radio,"
            " and prints them beside those of the paper."
        )
    return page(*parts, "## Figures as published", *_as_published(paper, folder))


def _as_published(paper: published.Paper, folder: Path) -> Iterator[str]:
    for name, where in paper.tables.items():
        with (folder / name).open(encoding="utf-8", newline="") as file:
            lines = list(csv.reader(line for line in file if not line.startswith("#")))
        yield f"### {where}: `{name}`"
        yield table(lines[0], lines[1:])


def _shown(part: Part) -> str:
    """Return a part of a section of the report as Markdown."""
    match part:
        case Table():
            head = [each.title for each in part.columns]
            shown = table([*head, "origin"], [_cells(row) for row in part.rows])
            return page(f"## {part.title}", part.caption, shown).strip("\n")
        case Plot():
            return ""
        case Missing():
            return f"Not measured: {part.description}; `{part.command}` measures it."
        case Advice() | Remark() | Notice():
            return f"!!! note\n\n    {part.text}"
        case Verbatim():
            return code(part.text)


def _cells(row: Row) -> list[str]:
    origins = {str(cell.origin.value) for cell in row.cells if cell.origin is not None}
    return [*(cell.text for cell in row.cells), ", ".join(sorted(origins))]
