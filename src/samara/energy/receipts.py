# SPDX-License-Identifier: Apache-2.0
"""Receipts of messages, read or planned, with what they cost on a device."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Annotated, Any, NoReturn

from samara.energy.link_macs import macs_in_words
from samara.energy.own_parts import own_parts
from samara.energy.receipt_battery import Use, with_battery
from samara.energy.receipt_costs import with_costs
from samara.energy.requests import PartFiles, battery_names, device_names, part_names
from samara.errors import MisuseError
from samara.link.node.kinds import kinds, link_of_options, planned_receipt
from samara.link.node.link_parameters import link_parameters
from samara.link.node.receipt import Direction, Receipt
from samara.link.node.receipt_record import ReceiptRecord  # noqa: TC001 - read at run time
from samara.link.node.receipt_tables import explained, tables_of
from samara.records import (
    Answer,
    Between,
    Digest,
    Notice,
    Parameter,
    Request,
    request_class,
)
from samara.units import BYTES, SECONDS

if TYPE_CHECKING:
    from collections.abc import Callable

    from samara.energy.own_parts import OwnParts
    from samara.link.node.options import Option
    from samara.records import Remark
    from samara.records.tables import Table

_SIZE_MAX = 1 << 24
"""Bytes; a message of 1 MiB and its frames, as hex digits, are less."""


@dataclass(frozen=True, slots=True)
class _ReceiptOptions:
    """The options of all kinds of link that change a receipt."""

    wanted: Callable[[Option], bool] = lambda option: option.changes_receipt

    def parameters(self) -> Sequence[Parameter]:
        """Return them, those of several kinds once."""
        return link_parameters(self.wanted)


@request_class
class CostRequest(Request):
    """What a receipt is to have beside bytes: the costs on a device."""

    parts: PartFiles = ()
    device: Annotated[
        str | None,
        Parameter(
            metavar="DEVICE",
            names=device_names,
            names_in_words="",
            help="Device or chip whose time and energy are shown, as `samara bench "
            "devices` lists them, or a Grain-128 core beside one, "
            "HOST+CORE@LIBRARY@CLOCK, of which CORE alone is needed, such as grain-n8 "
            "(`samara chip cores` lists them; docs/energy.md).",
        ),
    ] = None
    radio: Annotated[
        str | None,
        Parameter(
            metavar="RADIO",
            names=part_names("radio"),
            names_in_words="",
            help="With --device: radio transceiver.",
            default_text="that of the device's board, or one that is common for the "
            "link",
        ),
    ] = None
    mac: Annotated[
        str | None,
        Parameter(
            metavar="NAME",
            names=part_names("mac"),
            names_in_words=macs_in_words,
            help="With --device: add the message's share of listening and sleep in this"
            " medium access of the link.",
            default_text="with --battery the first, else none",
        ),
    ] = None
    battery: Annotated[
        str | None,
        Parameter(
            metavar="NAME",
            names=battery_names,
            help="With --device: add how many such messages a battery holds.",
        ),
    ] = None
    interval_s: Annotated[
        float,
        Parameter(
            name="interval",
            help="With --mac or --battery: time from one message to the next.",
            unit=SECONDS,
            values=Between(0.001),
        ),
    ] = 300.0

    def costed(
        self,
        receipts: Sequence[Receipt],
        parts: Callable[[Receipt], Iterator[Table | Remark]],
    ) -> Answer[ReceiptRecord]:
        """Yield receipts with what was asked for.

        Parameters
        ----------
        parts
            Returns what people are shown of one.
        """
        use = None
        if self.mac or self.battery:
            use = Use(self.mac, self.battery, self.interval_s)
        device, notice, own = (None, "", own_parts(self.parts))
        if self.device is not None:
            device, notice = own.resolved_device(self.device)
        if notice:
            yield Notice(notice)
        for each in receipts:
            receipt = _costed(each, device, self.radio, use, own)
            yield Digest([receipt.record()], parts(receipt))


@request_class
class ReceiptsRequest(CostRequest):
    """Receipts that were printed before."""

    receipts: Annotated[
        str,
        Parameter(
            is_argument=True,
            metavar="FILE",
            help="Receipts as JSON: what `receipt explain --json`, `node send --json` "
            "or `node listen --json` printed. - reads stdin.",
            from_file=True,
            longest=_SIZE_MAX,
        ),
    ]


@request_class
class ExplainRequest(CostRequest):
    """Receipts that were printed before, or of a message that has not been sent."""

    receipts: Annotated[
        str | None,
        Parameter(
            is_argument=True,
            metavar="[FILE]",
            help="Receipts as JSON, as for `samara receipt show`. - reads stdin.",
            default_text="explain a message that has not been sent",
            from_file=True,
            longest=_SIZE_MAX,
        ),
    ] = None
    link: Annotated[
        str | None,
        Parameter(
            metavar="LINK",
            names=kinds,
            help="Explain a message that has not been sent, over this kind of link.",
            default_text="with options of one kind of link alone that one, else none",
        ),
    ] = None
    message_bytes: Annotated[
        int,
        Parameter(
            name="bytes",
            help="Size of the message.",
            unit=BYTES,
            values=Between(0),
        ),
    ] = 20
    received: Annotated[
        bool,
        Parameter(help="Account for the receiver. Default: for the sender."),
    ] = False
    ack: Annotated[
        bool,
        Parameter(
            help="Include the acknowledgement that `node send --ack` waits for.",
        ),
    ] = False
    link_options: Annotated[Mapping[str, Any], _ReceiptOptions()] = field(
        default_factory=dict
    )
    """Options of the kind of link that were given, by name."""


def show_receipts(request: ReceiptsRequest) -> Answer[ReceiptRecord]:
    """Yield receipts that were printed before, with their costs; people get tables.

    Raises
    ------
    MisuseError
        When the text holds none, or something that needs a device is asked for
        without one.
    """
    yield from request.costed(_read(request.receipts), tables_of)


def explain_receipts(request: ExplainRequest) -> Answer[ReceiptRecord]:
    """Yield receipts that were printed before, or the one of a planned message.

    People get what each line is, and where it comes from.

    Raises
    ------
    MisuseError
        As `show_receipts`; or when not one of both is asked for.
    """
    link = request.link
    if request.receipts is None and link is None:
        link = link_of_options(request.link_options)
    if (request.receipts is None) == (link is None):
        message = "give FILE, or --link for a message that has not been sent"
        raise MisuseError(message)
    if request.receipts is not None:
        receipts = _read(request.receipts)
    else:
        direction = Direction.RECEIVED if request.received else Direction.SENT
        receipts = [
            planned_receipt(
                str(link),
                direction,
                request.message_bytes,
                request.link_options,
                acknowledged=request.ack,
            )
        ]
    yield from request.costed(receipts, explained)


def _read(text: str) -> list[Receipt]:
    try:
        found = [Receipt.from_json(each) for each in _receipts_in(text)]
    except (json.JSONDecodeError, RecursionError):
        _refuse("it is not JSON")
    except ValueError as error:
        _refuse(str(error))
    if not found:
        _refuse("none is in it")
    return found


def _refuse(reason: str) -> NoReturn:
    message = (
        f"FILE is no receipt ({reason}): give what `samara node send --json` or "
        "`samara receipt explain --json` printed"
    )
    raise MisuseError(message) from None


def _receipts_in(text: str) -> Iterator[Mapping[str, Any]]:
    """Yield receipts: objects of their own, or within those of messages."""
    try:
        objects = [json.loads(text)]
    except ValueError:
        objects = [json.loads(line) for line in text.splitlines() if line.strip()]
    for each in objects:
        if not isinstance(each, dict):
            message = f"{each!r:.40} is no object"
            raise ValueError(message)  # noqa: TRY004 - of a file, not of a call
        if "receipt" in each:
            yield each["receipt"]
        elif each.get("type", "receipt") == "receipt":
            yield each


def _costed(
    receipt: Receipt,
    device: str | None,
    radio: str | None,
    use: Use | None,
    own: OwnParts,
) -> Receipt:
    if device is not None:
        found = with_costs(receipt, device, radio, own)
        return found if use is None else with_battery(found, use, own)
    for option, given in (("--radio", radio), ("--mac or --battery", use)):
        if given is not None:
            message = f"{option} needs --device: give the microcontroller, too"
            raise MisuseError(message)
    return receipt
