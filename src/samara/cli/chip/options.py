# SPDX-License-Identifier: Apache-2.0
"""Options that several commands of `samara chip` have."""

from __future__ import annotations

from typing import Annotated

import typer

from samara.chip.design import Variant
from samara.cli.shared.completion import one_of

Widths = Annotated[
    list[str] | None,
    typer.Option(
        "--n",
        metavar="N[,N...]",
        help="Pre-output bits a clock: 1, 2, 4, 8, 16, 32 or 64 (repeatable)."
        " Default: all.",
    ),
]
Variants = Annotated[
    list[str] | None,
    typer.Option(
        "--variant",
        metavar="VARIANT",
        autocompletion=one_of(lambda: list(Variant)),
        help=f"Variant: {', '.join(Variant)} (repeatable). Default: all.",
    ),
]
Authenticate = Annotated[
    bool | None,
    typer.Option(
        "--authenticate/--ple",
        help="Cores that seal and open with Grain-128AEADv2, or cores that make the"
        " keystream of Grain-128PLE. Default: both.",
    ),
]
