# SPDX-License-Identifier: Apache-2.0
"""`samara receipt`: what a message cost, as a table and in words."""

import json
from pathlib import Path
from typing import Annotated, Any

import typer

from samara.cli import files
from samara.cli.device_option import CostDevice
from samara.cli.link_options import takes_link_options
from samara.cli.outcome import MisuseError
from samara.cli.receipt_tables import print_explanation, print_receipt
from samara.cli.tables import console
from samara.link.node.costs import with_costs
from samara.link.node.kinds import kinds, planned_receipt
from samara.link.node.receipt import Direction, Receipt

app = typer.Typer(help="Show and explain what a message cost.", no_args_is_help=False)

_SIZE_MAX = 1 << 20
"""Bytes; a receipt has a few thousand."""

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
    device: CostDevice = None,
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


@app.command("explain")
@takes_link_options(lambda option: option.changes_receipt)
def explain(  # noqa: PLR0913 - one parameter an option
    path: Annotated[
        Path | None,
        typer.Argument(metavar="[FILE]", help="A receipt as JSON; - is stdin."),
    ] = None,
    *,
    link: Annotated[
        str | None,
        typer.Option(
            metavar="LINK",
            help="Explain a message that has not been sent, over this kind of link: "
            f"{', '.join(kinds())}.",
        ),
    ] = None,
    size: Annotated[
        int, typer.Option("--bytes", metavar="N", min=0, help="Of the message.")
    ] = 20,
    received: Annotated[
        bool, typer.Option("--received", help="What it costs who gets it.")
    ] = False,
    ack: Annotated[
        bool, typer.Option("--ack", help="With an acknowledgement, as `node send` has.")
    ] = False,
    device: CostDevice = None,
    radio: _Radio = None,
    as_json: _Json = False,
    link_options: dict[str, Any],
) -> None:
    """Explain a receipt line by line: what each is, and where it comes from.

    Of FILE, or of a message that has not been sent: it is encoded as nodes do.

    \b
    Examples:
      samara receipt explain --link ieee802154 --level 5 --bytes 95 \\
        --device atmega128rfa1
      samara receipt explain --link rf-serial --framing cbc-hex --bytes 14
      samara receipt explain --link ieee802154 --bytes 20 --ack --received
      samara receipt explain --link rf-serial --json >receipt.json
      samara receipt explain receipt.json
    """
    direction = Direction.RECEIVED if received else Direction.SENT
    if (path is None) == (link is None):
        message = "give FILE, or --link for a message that has not been sent"
        raise MisuseError(message)
    if path is not None:
        receipt = _read(path)
    else:
        receipt = planned_receipt(
            str(link), direction, size, link_options, acknowledged=ack
        )
    receipt = _costed(receipt, device, radio)
    if as_json:
        print(json.dumps(receipt.as_json(), indent=2))
    else:
        print_explanation(receipt, console())
