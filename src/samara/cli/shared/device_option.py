# SPDX-License-Identifier: Apache-2.0
"""The options of receipts that say whose costs they have."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from samara.cli.shared.completion import complete_device

_A_CORE = (
    "a Grain-128 core beside one, HOST+CORE@LIBRARY@CLOCK, of which CORE alone is"
    " needed, such as grain-n8 (`samara chip cores` lists them; docs/energy.md)"
)

CostDevice = Annotated[
    str | None,
    typer.Option(
        "--device",
        metavar="DEVICE",
        autocompletion=complete_device,
        help="Device or chip whose time and energy are shown, as `samara bench devices`"
        f" lists them, or {_A_CORE}. Default: none.",
    ),
]
"""The device whose costs a receipt has, as it was typed."""
CostParts = Annotated[
    list[Path] | None,
    typer.Option(
        "--parts",
        metavar="FILE",
        help="With --device: file with your own radios and devices (repeatable). Files"
        " in samara-parts/ and in the configuration directory are found without it: see"
        " `samara energy parts`.",
    ),
]
