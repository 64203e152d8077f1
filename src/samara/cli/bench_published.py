# SPDX-License-Identifier: Apache-2.0
"""`samara bench published`: the papers whose figures the report compares with."""

from typing import Annotated

import typer
from rich.markup import escape

from samara.bench import published
from samara.cli.json_lines import Json, print_json
from samara.cli.tables import Column, Wide, console, print_table

_COLUMNS = (
    Column("paper"),
    Column("table", wraps=True),
    Column("rows", numeric=True, rank=3),
    Column("file", rank=2),
)


def published_(
    *,
    paper: Annotated[
        list[str] | None,
        typer.Option(
            "--paper",
            metavar="PAPER",
            help="Paper to list (repeatable). Default: all.",
            show_default=False,
        ),
    ] = None,
    as_json: Json = False,
    wide: Wide = False,
) -> None:
    """List the published tables that `samara bench report` compares with.

    The files are in published/. With --json their rows are printed too, each
    value as the paper has it.

    \b
    Examples:
      samara bench published
      samara bench published --paper modspeck --json
    """
    names = paper or list(published.papers())
    papers = [published.paper(name) for name in names]
    if as_json:
        for one in papers:
            _print_json(one)
        return
    print_table(
        console(),
        _COLUMNS,
        [
            [one.slug, escape(title), f"{len(published.table(file))}", file]
            for one in papers
            for file, title in one.tables.items()
        ],
        empty="published/papers.toml names no papers",
        wide=wide,
    )


def _print_json(paper: published.Paper) -> None:
    fields = {"slug": paper.slug, "name": paper.name, "citation": paper.citation}
    print_json("paper", fields)
    for file, title in paper.tables.items():
        for record in published.table(file):
            row = {"paper": paper.slug, "file": file, "table": title}
            print_json("published_row", row | {"cells": record.cells})
