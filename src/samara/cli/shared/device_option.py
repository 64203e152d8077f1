# SPDX-License-Identifier: Apache-2.0
"""The option `--device` of receipts."""

from __future__ import annotations

from typing import Annotated

import typer

from samara.cli.shared.completion import complete_device
from samara.cli.shared.diagnostics import note


def _resolved(name: str | None) -> str | None:
    """Return the name of a device, or the one that says all of a core."""
    if name is None:
        return None
    # It reads what the energy model has, which the bench's commands start without.
    from samara.energy.coprocessor import resolved_device  # noqa: PLC0415

    found, notice = resolved_device(name)
    if notice:
        note(notice)
    return found


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
        callback=_resolved,
        help="Device or chip whose time and energy are shown, as `samara bench devices`"
        f" lists them, or {_A_CORE}. Default: none.",
    ),
]
"""The device whose costs a receipt has; the command gets its name."""
