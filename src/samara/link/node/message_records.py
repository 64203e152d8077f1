# SPDX-License-Identifier: Apache-2.0
"""Records of messages that a node has sent and received, with their receipts.

The other events of a node are records themselves (`samara.link.node.events`).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, ClassVar

from samara.link.node.events import Received
from samara.link.node.receipt_record import ReceiptRecord
from samara.records import Field, Record, record_class

if TYPE_CHECKING:
    from collections.abc import Callable

    from samara.link.node.events import Event
    from samara.link.node.receipt import Receipt
    from samara.link.node.sending import Sent


@record_class
class SentMessage(Record):
    """What became of a message that was sent."""

    TYPE: ClassVar[str] = "sent"

    air: Annotated[
        tuple[str, ...], Field("Frames, or units of the serial line, in hex.")
    ]
    attempts: Annotated[tuple[int, ...], Field("How often each of them was sent.")]
    clock_s: Annotated[
        float, Field("When the first byte was sent, by a monotonic clock.", unit="s")
    ]
    acknowledged: Annotated[bool, Field("Whether the other node has handed it on.")]
    frames_missed: Annotated[
        int, Field("Frames that the other end's link was to acknowledge and did not.")
    ]
    device_samples: Annotated[
        int | None,
        Field(
            "Samples that a device took which does not tell whether they left it"
            " (soapy:)."
        ),
    ]
    receipt: Annotated[ReceiptRecord, Field("What it cost.")]


@record_class
class ReceivedMessage(Record):
    """A message that arrived."""

    TYPE: ClassVar[str] = "received"

    source: Annotated[
        str | None, Field("The neighbour that sent it; null on a link of two ends.")
    ]
    to_all: Annotated[bool, Field("Whether it was sent to all neighbours.")]
    id: Annotated[
        str | None, Field("By which a repetition is recognised, if it can be repeated.")
    ]
    repeated: Annotated[bool, Field("Whether it may have been handed on before.")]
    bytes: Annotated[int, Field("Its size.", unit="byte")]
    hex: Annotated[str, Field("Its bytes, as hex digits.")]
    text: Annotated[str, Field("Its bytes as UTF-8; others are escaped.")]
    air: Annotated[
        tuple[str, ...], Field("Frames, or units of the serial line, in hex.")
    ]
    clock_s: Annotated[
        float, Field("When it was complete, by a monotonic clock.", unit="s")
    ]
    receipt: Annotated[ReceiptRecord, Field("What it cost.")]


def record_of_sent(
    sent: Sent, costed: Callable[[Receipt], Receipt] = lambda receipt: receipt
) -> SentMessage:
    """Return the record of a message that was sent.

    Parameters
    ----------
    costed
        Adds figures to the receipt, such as its cost on a device.
    """
    return SentMessage(
        air=tuple(each.carrier.encoded.hex() for each in sent.transmissions),
        attempts=tuple(each.carrier.attempts for each in sent.transmissions),
        clock_s=sent.clock_s,
        acknowledged=sent.is_acknowledged,
        frames_missed=sent.frames_missed,
        device_samples=sent.device_samples,
        receipt=costed(sent.receipt).record(),
    )


def record_of(
    event: Event, costed: Callable[[Receipt], Receipt] = lambda receipt: receipt
) -> Record:
    """Return the record of an event: of a message, with its receipt.

    Parameters
    ----------
    costed
        Adds figures to the receipt, such as its cost on a device.
    """
    if not isinstance(event, Received):
        return event
    message = event.message
    return ReceivedMessage(
        source=event.source,
        to_all=event.to_all,
        id=event.id,
        repeated=event.is_repeated,
        bytes=len(message),
        hex=message.hex(),
        text=message.decode(errors="backslashreplace"),
        air=tuple(each.encoded.hex() for each in event.carriers),
        clock_s=event.clock_s,
        receipt=costed(event.receipt).record(),
    )
