# SPDX-License-Identifier: Apache-2.0
"""Write one HTML page of all results, beside the figures of the papers.

The directory gets index.html, which needs only a browser, and a CSV file
for each table. For what is not measured yet, the command that measures it
is printed.

\b
Examples:
  samara bench report
  samara bench report --paper grain128aead --paper modspeck -o papers
"""

from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

import typer

from samara.bench import places, report, store
from samara.cli.shared.completion import one_of
from samara.cli.shared.json_lines import print_json
from samara.cli.shared.tables import console
from samara.crypto.names import find

_Output = Annotated[
    Path | None,
    typer.Option(
        "-o",
        "--output",
        metavar="DIR",
        help="Directory for the page and its files. Default: build/report.",
        show_default=False,
    ),
]
_Papers = Annotated[
    list[str] | None,
    typer.Option(
        "--paper",
        metavar="PAPER",
        autocompletion=one_of(lambda: report.PAPERS),
        help=f"Report on this paper only: {', '.join(report.PAPERS)} (repeatable)."
        " Default: on all devices and papers.",
        show_default=False,
    ),
]
_Stores = Annotated[
    list[Path] | None,
    typer.Option(
        "--store",
        metavar="PATH",
        exists=True,
        help="File or directory of results (repeatable). Default: results/ and your"
        " own.",
        show_default=False,
    ),
]
_Json = Annotated[
    bool, typer.Option("--json", help="Print all figures as JSON Lines too.")
]

_SHOWN = 5
"""Missing measurements that are printed; the page has all of them."""


def _report(
    *,
    output: _Output = None,
    paper: _Papers = None,
    where: _Stores = None,
    as_json: _Json = False,
) -> None:
    papers = [
        find("paper", name, {p: p for p in report.PAPERS}) for name in paper or ()
    ]
    rows = store.read(*(where or (store.committed(), store.own())))
    made = report.make(rows, papers)
    folder = output or places.root() / "build" / "report"
    page, *tables = report.write(made, folder)
    if as_json:
        _print_json(made, page, tables)
    else:
        _print(made, page, len(tables))


def _print_json(made: report.Report, page: Path, tables: Sequence[Path]) -> None:
    print_json("page", {"path": page, "files": tables, "facts": made.facts})
    for table in made.tables():
        print_json("table", table.as_json())
    for gap in made.missing():
        print_json("missing", {"what": gap.what, "command": gap.command})


def _print(made: report.Report, page: Path, tables: int) -> None:
    out = console()
    files = "a table" if tables == 1 else f"{tables} tables"
    out.print(f"{page}, and {files} as CSV beside it", highlight=False)
    missing = made.missing()
    for gap in missing[:_SHOWN]:
        out.print(f"not measured yet: {gap.what}\n  {gap.command}", highlight=False)
    if len(missing) > _SHOWN:
        out.print(f"... and {len(missing) - _SHOWN} more, on the page", highlight=False)


command = _report
