# SPDX-License-Identifier: Apache-2.0
"""`samara receipt`: what a message costs, as a table and in words."""

import json
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.console import Console

from samara.cli.receipt_tables import print_explanation, print_receipt
from samara.cli.shared import files
from samara.cli.shared.answering import prints
from samara.cli.shared.completion import one_of
from samara.cli.shared.device_option import CostDevice
from samara.cli.shared.diagnostics import MisuseError
from samara.cli.shared.json_lines import print_record
from samara.cli.shared.link_options import takes_link_options
from samara.cli.shared.tables import console
from samara.energy import catalogue
from samara.energy.link_macs import macs_in_words
from samara.energy.mac import names
from samara.energy.receipt_battery import Use, with_battery
from samara.energy.receipt_costs import with_costs
from samara.link.node.kinds import kinds, planned_receipt
from samara.link.node.receipt import Direction, Receipt
from samara.link.node.receipt_record import ReceiptRecord

app = typer.Typer(help="Show and explain what a message costs.", no_args_is_help=False)

_DEFAULT_SIZE = 20
"""Bytes of a message that has not been sent."""
_SIZE_MAX = 1 << 24
"""Bytes; a message of 1 MiB and its frames, as hex digits, are less."""

_File = Annotated[
    Path,
    typer.Argument(
        metavar="FILE",
        help="Receipts as JSON: what `receipt explain --json`, `node send --json` or"
        " `node listen --json` printed. - reads stdin.",
    ),
]
_Radio = Annotated[
    str | None,
    typer.Option(
        "--radio",
        metavar="RADIO",
        autocompletion=one_of(lambda: [each.name for each in catalogue.radios()]),
        help="With --device: radio transceiver. Default: that of the device's board, or"
        " one that is common for the link.",
    ),
]
_Mac = Annotated[
    str | None,
    typer.Option(
        "--mac",
        metavar="NAME",
        autocompletion=one_of(names),
        help="With --device: add the message's share of listening and sleep in this "
        f"medium access of the link: {macs_in_words()}. Default: with --battery the "
        "first, else none.",
    ),
]
_Battery = Annotated[
    str | None,
    typer.Option(
        "--battery",
        metavar="NAME",
        autocompletion=one_of(lambda: [each.name for each in catalogue.batteries()]),
        help="With --device: add how many such messages a battery holds: "
        f"{', '.join(each.name for each in catalogue.batteries())}. Default: none.",
    ),
]
_Interval = Annotated[
    float,
    typer.Option(
        "--interval",
        metavar="SECONDS",
        min=0.001,
        help="With --mac or --battery: seconds from one message to the next.",
    ),
]
_Json = Annotated[
    bool, typer.Option("--json", help="Print JSON Lines, one object a receipt.")
]


@app.command("show")
@prints(ReceiptRecord)
def show(  # noqa: PLR0913 - one parameter an option
    path: _File,
    *,
    device: CostDevice = None,
    radio: _Radio = None,
    mac: _Mac = None,
    battery: _Battery = None,
    interval: _Interval = 300.0,
    as_json: _Json = False,
) -> None:
    """Show receipts as tables: bytes by part, and figures with their origins.

    \b
    Examples:
      samara receipt explain --link ieee802154 --level 5 --json >receipt.json
      samara receipt show receipt.json --device msp430f1611
    """
    use = _use(mac, battery, interval)
    for receipt in _read(path):
        _print(_costed(receipt, device, radio, use), print_receipt, as_json=as_json)


def _print(
    receipt: Receipt,
    print_text: Callable[[Receipt, Console], None],
    *,
    as_json: bool,
) -> None:
    if as_json:
        print_record(receipt.record())
    else:
        print_text(receipt, console())


def _read(path: Path) -> list[Receipt]:
    with files.reading(path) as file:
        content = file.read(_SIZE_MAX + 1)
    if len(content) > _SIZE_MAX:
        message = f"{path} has more than {_SIZE_MAX >> 20} MiB: it is not a receipt"
        raise MisuseError(message)
    try:
        found = [Receipt.from_json(each) for each in _receipts_in(content)]
    except (UnicodeDecodeError, json.JSONDecodeError, RecursionError):
        raise _not_a_receipt(path, "it is not JSON") from None
    except ValueError as error:
        raise _not_a_receipt(path, str(error)) from None
    if not found:
        raise _not_a_receipt(path, "none is in it")
    return found


def _not_a_receipt(path: Path, reason: str) -> MisuseError:
    return MisuseError(
        f"{path} is no receipt ({reason}): give what `samara node send --json` or "
        "`samara receipt explain --json` printed"
    )


def _receipts_in(content: bytes) -> Iterator[Mapping[str, Any]]:
    """Yield receipts: objects of their own, or within those of messages."""
    try:
        objects = [json.loads(content)]
    except ValueError:
        objects = [json.loads(line) for line in content.splitlines() if line.strip()]
    for each in objects:
        if not isinstance(each, dict):
            message = f"{each!r:.40} is no object"
            raise ValueError(message)  # noqa: TRY004 - of a file, not of a call
        if "receipt" in each:
            yield each["receipt"]
        elif each.get("type", "receipt") == "receipt":
            yield each


def _use(mac: str | None, battery: str | None, interval_s: float) -> Use | None:
    return Use(mac, battery, interval_s) if mac or battery else None


def _costed(
    receipt: Receipt, device: str | None, radio: str | None, use: Use | None
) -> Receipt:
    if device is not None:
        found = with_costs(receipt, device, radio)
        return found if use is None else with_battery(found, use)
    for option, given in (("--radio", radio), ("--mac or --battery", use)):
        if given is not None:
            message = f"{option} needs --device: give the microcontroller, too"
            raise MisuseError(message)
    return receipt


@app.command("explain")
@prints(ReceiptRecord)
@takes_link_options(lambda option: option.changes_receipt)
def explain(  # noqa: PLR0913 - one parameter an option
    path: Annotated[
        Path | None,
        typer.Argument(
            metavar="[FILE]",
            help="Receipts as JSON, as for `samara receipt show`. - reads stdin.",
        ),
    ] = None,
    *,
    link: Annotated[
        str | None,
        typer.Option(
            metavar="LINK",
            autocompletion=one_of(kinds),
            help="Explain a message that has not been sent, over this kind of link: "
            f"{', '.join(kinds())}.",
        ),
    ] = None,
    size: Annotated[
        int,
        typer.Option(
            "--bytes",
            metavar="BYTES",
            min=0,
            help=f"Size of the message in bytes. Default: {_DEFAULT_SIZE}.",
            show_default=False,
        ),
    ] = _DEFAULT_SIZE,
    received: Annotated[
        bool,
        typer.Option(
            "--received", help="Account for the receiver. Default: for the sender."
        ),
    ] = False,
    ack: Annotated[
        bool,
        typer.Option(
            "--ack",
            help="Include the acknowledgement that `node send --ack` waits for.",
        ),
    ] = False,
    device: CostDevice = None,
    radio: _Radio = None,
    mac: _Mac = None,
    battery: _Battery = None,
    interval: _Interval = 300.0,
    as_json: _Json = False,
    link_options: dict[str, Any],
) -> None:
    """Explain a receipt: what each part and figure is, and where it comes from.

    The receipt is read from FILE, or made for a message that has not been sent. Such
    a message is encoded as nodes encode it.

    \b
    Examples:
      samara receipt explain --link ieee802154 --level 5 --bytes 95 \\
        --device atmega128rfa1
      samara receipt explain --link ieee802154 --level 6 --device atmega128rfa1 \\
        --mac contikimac --battery cr2032 --interval 600
      samara receipt explain --link rf-serial --framing cbc-hex --bytes 14
      samara receipt explain --link ieee802154 --bytes 20 --ack --received
      samara receipt explain --link rf-serial --json >receipt.json
      samara receipt explain receipt.json
    """
    if (path is None) == (link is None):
        message = "give FILE, or --link for a message that has not been sent"
        raise MisuseError(message)
    if path is not None:
        receipts = _read(path)
    else:
        direction = Direction.RECEIVED if received else Direction.SENT
        receipts = [
            planned_receipt(str(link), direction, size, link_options, acknowledged=ack)
        ]
    use = _use(mac, battery, interval)
    for receipt in receipts:
        _print(_costed(receipt, device, radio, use), print_explanation, as_json=as_json)
