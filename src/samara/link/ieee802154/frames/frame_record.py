# SPDX-License-Identifier: Apache-2.0
"""The fields of a frame as a record."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

from samara.link.ieee802154.frames.frame import FrameType, Version
from samara.records import Field, Record, record_class

if TYPE_CHECKING:
    from collections.abc import Iterable

    from samara.link.ieee802154.frames.frame import (
        Address,
        Element,
        Frame,
        SecurityHeader,
    )


@record_class
class FrameControl:
    """The fields of the frame control."""

    type: Annotated[str, Field("Type of the frame.")]
    security: Annotated[bool, Field("Whether the frame is secured.")]
    pending: Annotated[bool, Field("Whether more frames follow.")]
    ack_request: Annotated[bool, Field("Whether an acknowledgement is asked for.")]
    pan_compression: Annotated[bool, Field("Whether a PAN is left out.")]
    sequence_suppressed: Annotated[
        bool, Field("Whether the sequence number is left out.")
    ]
    header_ies: Annotated[bool, Field("Whether there are information elements.")]
    version: Annotated[int, Field("Year of the version of the standard.")]


@record_class
class FrameAddress:
    """A destination or a source, as hex digits."""

    pan: Annotated[str | None, Field("PAN.")]
    short: Annotated[str | None, Field("Short address.")]
    extended: Annotated[bytes | None, Field("Extended address (EUI-64).")]


@record_class
class FrameSecurity:
    """The auxiliary security header."""

    level: Annotated[int, Field("Security level.")]
    key_id_mode: Annotated[int, Field("Key identifier mode.")]
    key_source: Annotated[bytes | None, Field("Key source.")]
    key_index: Annotated[int | None, Field("Key index.")]
    frame_counter: Annotated[
        int | None, Field("Frame counter; `null` if it is suppressed.")
    ]
    asn_in_nonce: Annotated[
        bool, Field("Whether the nonce contains the absolute slot number.")
    ]


@record_class
class FrameElement:
    """An information element."""

    id: Annotated[int, Field("Its number.")]
    content: Annotated[bytes, Field("Its content.")]


@record_class
class FrameRecord(Record):
    """The fields of a frame of IEEE 802.15.4."""

    TYPE = "frame"

    frame_control: Annotated[FrameControl, Field("Frame control.")]
    sequence: Annotated[int | None, Field("Sequence number.")]
    destination: Annotated[FrameAddress, Field("Destination.")]
    source: Annotated[FrameAddress, Field("Source.")]
    security: Annotated[
        FrameSecurity | None, Field("Auxiliary security header.", optional=True)
    ]
    header_ies: Annotated[
        tuple[FrameElement, ...] | None,
        Field("Information elements of the header.", optional=True),
    ]
    open_payload: Annotated[
        bytes | None,
        Field("Part of the payload that is never encrypted.", optional=True),
    ]
    payload_ies: Annotated[
        tuple[FrameElement, ...] | None,
        Field("Information elements of the payload.", optional=True),
    ]
    encrypted: Annotated[
        bytes | None, Field("Payload, while it is encrypted.", optional=True)
    ]
    payload: Annotated[bytes | None, Field("Payload, in clear.", optional=True)]
    mic: Annotated[bytes | None, Field("Message integrity code (MIC).", optional=True)]


def record_of(frame: Frame) -> FrameRecord:
    """Return the fields of a frame."""
    security = frame.security
    header, payload = frame.header_elements, frame.payload_elements
    return FrameRecord(
        frame_control=_control(frame),
        sequence=frame.sequence,
        destination=_address(frame.destination),
        source=_address(frame.source),
        security=None if security is None else _security(security),
        header_ies=None if header is None else _elements(header),
        open_payload=bytes(frame.open_payload) or None,
        payload_ies=_elements(payload) if payload else None,
        encrypted=frame.payload if frame.encrypted else None,
        payload=None if frame.encrypted else frame.payload,
        mic=None if security is None else frame.mic,
    )


def _control(frame: Frame) -> FrameControl:
    return FrameControl(
        type=FrameType(frame.type).name.lower(),
        security=frame.security is not None or frame.legacy_security,
        pending=frame.pending,
        ack_request=frame.ack_request,
        pan_compression=frame.pan_compression,
        sequence_suppressed=frame.sequence is None,
        header_ies=frame.header_elements is not None,
        version=int(Version(frame.version).name.removeprefix("V")),
    )


def _address(address: Address) -> FrameAddress:
    return FrameAddress(
        pan=None if address.pan is None else f"{address.pan:04x}",
        short=None if address.short is None else f"{address.short:04x}",
        extended=address.long,
    )


def _security(header: SecurityHeader) -> FrameSecurity:
    return FrameSecurity(
        level=header.level,
        key_id_mode=header.key_id.mode,
        key_source=header.key_id.source or None,
        key_index=header.key_id.index if header.key_id.mode else None,
        frame_counter=header.counter,
        asn_in_nonce=header.asn_in_nonce,
    )


def _elements(elements: Iterable[Element]) -> tuple[FrameElement, ...]:
    return tuple(FrameElement(each.id, each.content) for each in elements)
