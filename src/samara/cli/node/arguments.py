# SPDX-License-Identifier: Apache-2.0
"""Arguments and options that several commands of `samara node` have."""

from pathlib import Path
from typing import Annotated

import typer

Directory = Annotated[
    Path,
    typer.Argument(
        metavar="DIR", help="Directory with the node's identity, keys and counters."
    ),
]
Json = Annotated[
    bool, typer.Option("--json", help="Print JSON Lines (docs/json.md), with receipts.")
]
Receipt = Annotated[
    bool, typer.Option("--receipt", help="Print the receipt of each message, too.")
]
ANSWER_S = 10.0
Timeout = Annotated[
    float,
    typer.Option(
        min=0,
        metavar="SECONDS",
        help=f"How long to wait for the neighbour. Default: {ANSWER_S:g} s.",
        show_default=False,
    ),
]
