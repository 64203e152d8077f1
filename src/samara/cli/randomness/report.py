# SPDX-License-Identifier: Apache-2.0
"""Write one HTML page about runs of samara randomness run.

For each source: the share of sequences that passes each test, with NIST's
interval, the uniformity of p-values, and histograms; what the paper on ModSpeck
states beside it; which tests found the sources that are bad on purpose; and what
passing does not prove. The directory gets index.html, which needs only a browser,
and a CSV file for each table.

\b
Examples:
  samara randomness run modspeck128-128-ctr -o runs/modspeck
  samara randomness report runs
  samara randomness report results/randomness -o page
"""

from __future__ import annotations

from pathlib import Path  # noqa: TC003 - Typer reads it when it runs
from typing import Annotated

import typer

from samara.cli.shared.diagnostics import MisuseError
from samara.cli.shared.json_lines import print_json
from samara.cli.shared.tables import console
from samara.randomness.storing import read_summary, summaries

_Json = Annotated[
    bool, typer.Option("--json", help="Print all figures as JSON Lines too.")
]


def _report(
    folder: Annotated[
        Path,
        typer.Argument(
            metavar="DIR",
            help="Directory of a run, or of directories of runs.",
        ),
    ],
    *,
    output: Annotated[
        Path | None,
        typer.Option(
            "-o",
            "--output",
            metavar="DIR",
            file_okay=False,
            help="Directory for the page and its files. Default: report, within DIR.",
            show_default=False,
        ),
    ] = None,
    as_json: _Json = False,
) -> None:
    # It loads Matplotlib's helpers, which other commands start without.
    from samara.randomness import report  # noqa: PLC0415

    if not folder.is_dir():
        message = f"{folder} is no directory: give that of samara randomness run -o"
        raise MisuseError(message)
    paths = summaries(folder)
    if not paths:
        message = (
            f"{folder} has no summary of a run: run samara randomness run SOURCE -o"
            f" {folder}"
        )
        raise MisuseError(message)
    made = report.make([read_summary(path) for path in paths])
    page, *tables = report.write(made, output or folder / "report")
    if as_json:
        print_json("page", {"path": page, "files": tables, "facts": made.facts})
        for table in made.tables():
            print_json("table", table.as_json())
    else:
        console().print(
            f"{page}, and {len(tables)} tables as CSV beside it", highlight=False
        )


command = _report
