# SPDX-License-Identifier: Apache-2.0
"""What the commands of `samara receipt` print."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from samara.cli.shared.diagnostics import note
from samara.cli.shared.json_lines import print_record
from samara.cli.shared.tables import console
from samara.records import Notice

if TYPE_CHECKING:
    from collections.abc import Callable

    from rich.console import Console

    from samara.energy.receipts import ReceiptAnswer
    from samara.link.node.receipt import Receipt

Json = Annotated[
    bool, typer.Option("--json", help="Print JSON Lines, one object a receipt.")
]


def print_receipts(
    answer: ReceiptAnswer,
    print_text: Callable[[Receipt, Console], None],
    *,
    as_json: bool,
) -> None:
    """Print receipts as JSON Lines, or as text."""
    for each in answer:
        if isinstance(each, Notice):
            note(each.text)
        elif as_json:
            print_record(each.record())
        else:
            print_text(each, console())
