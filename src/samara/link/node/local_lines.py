# SPDX-License-Identifier: Apache-2.0
"""What a node that stays up and its clients say to each other: JSON, one object a line.

The node speaks first: `{"type": "up", "format": 1, ...}`. A client then asks:

=========================  ==========================================================
`send`                     answered by `sent`, `not_acknowledged` or `failed`
`listen`                   answered by `listening`, and by an object for each event:
                           `received`, `lost`, `incomplete`, `refused`, `notice`; by
                           `end` after `count` messages
`taken`                    not answered: says which messages the client has taken
`status`                   answered by `status`
`invite`                   answered by `invited`
`take_oscore`              answered by `oscore`
`withdraw`, `forget`,      answered by `done`
`renew`, `introduce`
`keys`                     answered by `keys`: what neighbours have not answered yet
=========================  ==========================================================

The answer to what is none of these is `failed`. Bytes are hex digits. docs/nodes.md
has the keys.
"""

from __future__ import annotations

import json
from typing import Any, Final

from samara.link.node.carriers import Carrier
from samara.link.node.events import (
    Alarm,
    Event,
    Incomplete,
    Lost,
    Notice,
    Received,
    Refused,
)
from samara.link.node.lazy_receipt import LazyReceipt
from samara.link.node.link import Transmission
from samara.link.node.messages import MESSAGE_SIZE_MAX
from samara.link.node.receipt import Receipt
from samara.link.node.sending import Sent
from samara.records.json_lines import plain

FORMAT: Final = 2
"""Format of these objects."""
LINE_SIZE_MAX: Final = 2 * MESSAGE_SIZE_MAX + 4096
"""Bytes of the longest line that a client may send: the longest message as hex."""


class LineError(ValueError):
    """A line that is no such object."""


def line_of(fields: dict[str, Any]) -> bytes:
    """Return the line of an object."""
    return json.dumps(fields, allow_nan=False).encode() + b"\n"


def parse(line: bytes) -> dict[str, Any]:
    """Return the object of a line.

    Raises
    ------
    LineError
        When it is none.
    """
    try:
        fields = json.loads(line)
    except (ValueError, RecursionError):
        fields = None
    if not isinstance(fields, dict) or not isinstance(fields.get("type"), str):
        message = "a line is a JSON object with a type"
        raise LineError(message)
    return fields


def from_sent(sent: Sent) -> dict[str, Any]:
    """Return the object of a message that was sent."""
    return {
        "type": "sent",
        "transmissions": [
            {
                "counter": each.counter,
                "time_s": each.time_s,
                "asked": each.asked_for_acknowledgement,
                **_from_carrier(each.carrier),
            }
            for each in sent.transmissions
        ],
        "acknowledged": sent.is_acknowledged,
        "clock_s": sent.clock_s,
        "receipt": sent.receipt.as_json(),
    }


def sent_of(fields: dict[str, Any]) -> Sent:
    """Return what `from_sent` was given."""
    transmissions = tuple(
        Transmission(each["counter"], _carrier_of(each), each["time_s"], each["asked"])
        for each in fields["transmissions"]
    )
    receipt = Receipt.from_json(fields["receipt"])
    lazy = LazyReceipt(lambda: receipt)
    return Sent(transmissions, fields["acknowledged"], lazy, fields["clock_s"])


def from_event(event: Event, *, receipts: bool) -> dict[str, Any]:
    """Return the object of an event.

    Parameters
    ----------
    receipts
        Whether messages have their receipts.
    """
    match event:
        case Received():
            return {
                "type": "received",
                "hex": event.message.hex(),
                "source": event.source,
                "to_all": event.to_all,
                "id": event.id,
                "repeated": event.is_repeated,
                "carriers": [_from_carrier(each) for each in event.carriers],
                "clock_s": event.clock_s,
                "receipt": event.receipt.as_json() if receipts else None,
            }
        case _:
            return {"type": event.type_name(), **plain(event)}


def event_of(fields: dict[str, Any]) -> Event | None:
    """Return what `from_event` was given; None when it is no event."""
    match fields["type"]:
        case "received":
            receipt = fields["receipt"]
            return Received(
                bytes.fromhex(fields["hex"]),
                LazyReceipt(lambda: Receipt.from_json(receipt)),
                fields["source"],
                tuple(_carrier_of(each) for each in fields["carriers"]),
                fields["clock_s"],
                to_all=fields["to_all"],
                id=fields["id"],
                is_repeated=fields["repeated"],
            )
        case "lost":
            return Lost(fields["transmissions"], fields["source"])
        case "incomplete":
            return Incomplete(fields["missing"], fields["source"])
        case "refused":
            return Refused(fields["reason"], Alarm(fields["kind"]), fields["count"])
        case "notice":
            return Notice(fields["text"])
    return None


def _from_carrier(carrier: Carrier) -> dict[str, Any]:
    return {
        "payload_size": carrier.payload_size,
        "encoded": carrier.encoded.hex(),
        "attempts": carrier.attempts,
        "acknowledgement": carrier.acknowledgement.hex(),
        "device_samples": carrier.device_samples,
    }


def _carrier_of(fields: dict[str, Any]) -> Carrier:
    return Carrier(
        fields["payload_size"],
        bytes.fromhex(fields["encoded"]),
        attempts=fields["attempts"],
        acknowledgement=bytes.fromhex(fields["acknowledgement"]),
        device_samples=fields["device_samples"],
    )
