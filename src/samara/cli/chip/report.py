# SPDX-License-Identifier: Apache-2.0
"""Write one HTML page of all results, beside Tables 2 to 4 of the note.

The directory gets index.html, which needs only a browser, and a CSV file for
each table. Results are those of the repository and your own; `samara chip
synth` and `samara chip power` make them.

\b
Examples:
  samara chip report
  samara chip report --store results/chip -o page
"""

from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

import typer

from samara.bench import places
from samara.chip import report, results
from samara.chip.results import Placement, Row
from samara.cli.shared.diagnostics import MisuseError, warn
from samara.cli.shared.json_lines import print_json
from samara.cli.shared.tables import console

_Output = Annotated[
    Path | None,
    typer.Option(
        "-o",
        "--output",
        metavar="DIR",
        file_okay=False,
        help="Directory for the page and its files. Default: build/chip-report.",
    ),
]
_Stores = Annotated[
    list[Path] | None,
    typer.Option(
        "--store",
        metavar="DIR",
        exists=True,
        file_okay=False,
        help="Directory of results (repeatable). Default: results/chip and your own.",
    ),
]
_Json = Annotated[
    bool, typer.Option("--json", help="Print all figures as JSON Lines too.")
]


def _read_rows(where: Sequence[Path] | None) -> list[Row]:
    rows = results.read(*(where or (results.committed(), results.own())))
    if stale := results.stale_in_words(rows):
        warn(stale)
    return rows


def _placements(where: Sequence[Path] | None) -> list[Placement]:
    folders = where or (results.committed(), results.own())
    found = results.read(*(folder / "fpga" for folder in folders))
    return [row for row in found if isinstance(row, Placement)]


def _report(
    *, output: _Output = None, where: _Stores = None, as_json: _Json = False
) -> None:
    rows, placements = _read_rows(where), _placements(where)
    if not rows and not placements:
        places_read = " and ".join(map(str, where or ())) or "the repository"
        message = (
            f"{places_read} has no results of a chip: run samara chip synth and samara "
            "chip power, which store them, or give another --store"
        )
        raise MisuseError(message)
    made = report.make(rows, placements)
    page, *tables = report.write(
        made, output or places.root() / "build" / "chip-report"
    )
    if as_json:
        print_json("page", {"path": page, "files": tables, "facts": made.facts})
        for table in made.tables():
            print_json("table", table.as_json())
        for gap in made.missing():
            print_json("missing", {"what": gap.what, "command": gap.command})
    else:
        console().print(
            f"{page}, and {len(tables)} tables as CSV beside it", highlight=False
        )


command = _report
