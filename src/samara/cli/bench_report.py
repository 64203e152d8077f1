# SPDX-License-Identifier: Apache-2.0
"""`samara bench report`: a page with what was measured, beside what papers report."""

import json
from pathlib import Path
from typing import Annotated

import typer

from samara.bench import places, report, store
from samara.cli.tables import console
from samara.crypto.names import find

_Output = Annotated[
    Path | None,
    typer.Option(
        "-o", "--output", metavar="DIR", help="Where to; build/report if not given."
    ),
]
_Papers = Annotated[
    list[str] | None,
    typer.Option(
        "--paper", metavar="PAPER", help=f"Only these: {', '.join(report.PAPERS)}."
    ),
]
_Stores = Annotated[
    list[Path] | None,
    typer.Option(
        "--store",
        metavar="PATH",
        exists=True,
        help="Files and folders of results; the committed and your own if not given.",
    ),
]
_Json = Annotated[bool, typer.Option("--json", help="All figures, as JSON too.")]

_SHOWN = 5
"""How many gaps are told; the page tells all."""


def report_(
    *,
    output: _Output = None,
    paper: _Papers = None,
    where: _Stores = None,
    as_json: _Json = False,
) -> None:
    """Make one page of all results, beside the figures of the papers.

    DIR gets index.html, which needs nothing but a browser, and a CSV file for
    each table. What is not measured yet is named, with the command to do it.

    \b
    Examples:
      samara bench report
      samara bench report --paper grain128aead --paper modspeck -o papers
    """
    papers = [
        find("paper", name, {p: p for p in report.PAPERS}) for name in paper or ()
    ]
    rows = store.read(*(where or (store.committed(), store.own())))
    made = report.make(rows, papers)
    folder = output or places.root() / "build" / "report"
    page, *tables = report.write(made, folder)
    if as_json:
        files = {"page": str(page), "files": [str(path) for path in tables]}
        print(json.dumps(files | made.as_json(), indent=2, ensure_ascii=False))
        return
    _tell(made, page, len(tables))


def _tell(made: report.Report, page: Path, tables: int) -> None:
    out = console()
    files = "a table" if tables == 1 else f"{tables} tables"
    out.print(f"{page}, and {files} as CSV beside it", highlight=False)
    missing = made.missing()
    for gap in missing[:_SHOWN]:
        out.print(f"not measured yet: {gap.what}\n  {gap.command}", highlight=False)
    if len(missing) > _SHOWN:
        out.print(f"... and {len(missing) - _SHOWN} more, on the page", highlight=False)
