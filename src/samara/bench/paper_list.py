# SPDX-License-Identifier: Apache-2.0
"""The papers whose figures reports are compared with, and their tables' rows."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, ClassVar

from samara.bench import published
from samara.records import (
    Answer,
    Field,
    Parameter,
    Record,
    Request,
    Title,
    record_class,
    request_class,
)
from samara.records.tables import Cell, Column, Row, Table, label, words


@request_class
class PapersRequest(Request):
    """Which papers."""

    papers: Annotated[
        tuple[str, ...],
        Parameter(
            name="paper",
            metavar="PAPER",
            help="Paper to list (repeatable).",
            default_text="all",
        ),
    ] = ()


@record_class
class PaperDescription(Record):
    """A paper with tables in published/."""

    TYPE: ClassVar[str] = "paper"

    slug: Annotated[str, Field("Name, as `--paper` takes it.")]
    name: Annotated[str, Field("A short name.")]
    citation: Annotated[str, Field("Authors, title and where it was published.")]


@record_class
class PublishedRow(Record):
    """A row of a paper's table."""

    paper: Annotated[str, Field("Slug of the paper.")]
    file: Annotated[str, Field("Name of the file in published/.")]
    table: Annotated[str, Field("The paper's name of the table.")]
    cells: Annotated[Mapping[str, str], Field("Its cells as printed, by column.")]


def list_papers(request: PapersRequest) -> Answer[PaperDescription | PublishedRow]:
    """Yield papers, each followed by the rows of its tables.

    Raises
    ------
    samara.crypto.UnknownNameError
        If there is no such paper.
    """
    names = request.papers or tuple(published.papers())
    papers = [published.paper(name) for name in names]
    yield Title("", empty="published/papers.toml names no papers")
    if papers:
        yield _contents(papers)
    for paper in papers:
        yield PaperDescription(paper.slug, paper.name, paper.citation)
        for file, title in paper.tables.items():
            for row in published.table(file):
                yield PublishedRow(paper.slug, file, title, row.cells)


def _contents(papers: list[published.Paper]) -> Table:
    """Return a line for each table of the papers."""
    counted = [
        (paper.slug, title, len(published.table(file)), file)
        for paper in papers
        for file, title in paper.tables.items()
    ]
    return Table(
        slug="papers",
        title="",
        columns=[
            label("paper"),
            Column("table", numeric=False, wraps=True),
            Column("rows", rank=3),
            label("file", rank=2),
        ],
        rows=[
            Row([words(slug), words(title), Cell(count, f"{count}"), words(file)])
            for slug, title, count, file in counted
        ],
    )
