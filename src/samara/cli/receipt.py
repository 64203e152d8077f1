# SPDX-License-Identifier: Apache-2.0
"""`samara receipt`: what a message cost, as a table and in words."""

import json
from pathlib import Path
from typing import Annotated

import typer

from samara.cli import files
from samara.cli.ciphers import console
from samara.cli.outcome import MisuseError
from samara.cli.receipt_tables import print_receipt
from samara.link.costs import with_costs
from samara.link.receipt import Receipt

app = typer.Typer(help="Show and explain what a message cost.", no_args_is_help=False)

_SIZE_MAX = 1 << 20
"""Bytes; a receipt has a few thousand."""

_Device = Annotated[
    str | None,
    typer.Option(
        "--device", metavar="DEVICE", help="What it costs on this microcontroller."
    ),
]
_Radio = Annotated[
    str | None,
    typer.Option(
        "--radio",
        metavar="RADIO",
        help="Its transceiver; what goes with the device when not given.",
    ),
]
_Json = Annotated[bool, typer.Option("--json", help="As JSON.")]


@app.command("show")
def show(
    path: Annotated[
        Path, typer.Argument(metavar="FILE", help="A receipt as JSON; - is stdin.")
    ],
    *,
    device: _Device = None,
    radio: _Radio = None,
    as_json: _Json = False,
) -> None:
    """Show a receipt as tables: its parts, and its figures with their origins.

    \b
    Examples:
      samara receipt explain --link ieee802154 --level 5 --json >receipt.json
      samara receipt show receipt.json
      samara receipt show receipt.json --device msp430f1611
    """
    receipt = _costed(_read(path), device, radio)
    if as_json:
        print(json.dumps(receipt.as_json(), indent=2))
    else:
        print_receipt(receipt, console())


def _read(path: Path) -> Receipt:
    with files.reading(path) as file:
        content = file.read(_SIZE_MAX + 1)
    if len(content) > _SIZE_MAX:
        message = f"{path} is too long for a receipt"
        raise MisuseError(message)
    try:
        return Receipt.from_json(json.loads(content))
    except (ValueError, RecursionError) as error:
        message = f"{path} has no receipt: {error}"
        raise MisuseError(message) from None


def _costed(receipt: Receipt, device: str | None, radio: str | None) -> Receipt:
    if device is not None:
        return with_costs(receipt, device, radio)
    if radio is not None:
        message = "--radio goes with --device"
        raise MisuseError(message)
    return receipt
