# SPDX-License-Identifier: Apache-2.0
"""The record of a receipt: what programs get of it, with what is computed of it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, ClassVar

from samara.figure import Figure
from samara.records import Field, Record, record_class


@record_class
class CallRecord:
    """Work for a suite: one call of it, or several alike."""

    suite: Annotated[str, Field("What the bench measures it as.")]
    verb: Annotated[str, Field("seal or open.")]
    message_bytes: Annotated[
        int, Field("What the call is given as message.", unit="byte")
    ]
    ad_bytes: Annotated[
        int, Field("What it is given to be authenticated only.", unit="byte")
    ]
    count: Annotated[int, Field("How many calls are alike.")]


@record_class
class UnitRecord:
    """What carries a payload: a frame, a unit of a serial line; or several alike."""

    bytes: Annotated[int, Field("Bytes handed to the radio.", unit="byte")]
    security_bytes: Annotated[
        int, Field("What security adds of them: header, counter, tag.", unit="byte")
    ]
    call: Annotated[
        CallRecord | None, Field("What secures or verifies it; null: nothing does.")
    ]
    count: Annotated[int, Field("How many units are alike.")]


@record_class
class ReceiptRecord(Record):
    """What one message cost."""

    TYPE: ClassVar[str] = "receipt"

    link: Annotated[str, Field("The kind of link.")]
    direction: Annotated[str, Field("sent or received: which end gives it.")]
    protection: Annotated[str, Field("The framing, or the security level.")]
    suite: Annotated[str | None, Field("What seals; null where nothing does.")]
    parts: Annotated[
        Mapping[str, float],
        Field("Bytes by part, to an eighth: all of samara.link.node.receipt.PARTS."),
    ]
    link_bytes: Annotated[
        float, Field("Bytes handed to the radio that sends the message.", unit="byte")
    ]
    air_bytes: Annotated[float, Field("The sum of all parts.", unit="byte")]
    packets: Annotated[int, Field("Packets or frames that carry the message.")]
    payloads: Annotated[int, Field("Into how many payloads it is cut.")]
    encrypted_bytes: Annotated[
        int, Field("What the suite encrypts, of the message's frames.", unit="byte")
    ]
    authenticated_bytes: Annotated[
        int, Field("What it authenticates there.", unit="byte")
    ]
    calls: Annotated[
        tuple[CallRecord, ...], Field("What the suite has to do at this end.")
    ]
    units: Annotated[tuple[UnitRecord, ...], Field("What carries the payloads.")]
    expansion: Annotated[
        float | None, Field("Bytes handed to the radio for each byte of the message.")
    ]
    device: Annotated[str | None, Field("The microcontroller of the costs.")]
    radio: Annotated[str | None, Field("The transceiver of the costs.")]
    figures: Annotated[
        Mapping[str, Figure],
        Field("By name, in the order of samara.link.node.receipt.FIGURES."),
    ]
    remarks: Annotated[
        tuple[str, ...], Field("Sentences: what is assumed, and what is not known.")
    ]
