# SPDX-License-Identifier: Apache-2.0
"""Frames of IEEE 802.15.4 as tools see them: one at a time, with given keys."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from samara.errors import MisuseError
from samara.link.ieee802154 import (
    Address,
    Element,
    Frame,
    FrameType,
    KeyId,
    Security,
    SecurityHeader,
    Version,
    build,
    parse,
)

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

ADDRESS_SIZE = 8
"""Bytes of an extended address."""
COUNTER_END = 0xFFFF_FFFF
"""The first frame counter that is never sent."""

_NO_PAN = 0xFFFF
_ENCRYPTION_ONLY = 4
# The address of who only looks on.
_NOBODY = b"\xff" * ADDRESS_SIZE


@dataclass(frozen=True, slots=True)
class FrameKey:
    """A key, and how frames name it."""

    key: bytes
    key_id: KeyId
    cipher: str = "aes128"


@dataclass(frozen=True, slots=True)
class FrameDevice:
    """A sender; frames with its short address have its extended one in the nonce."""

    extended: bytes
    short: int | None = None
    pan: int | None = None
    """The PAN in which it has the short one; None: in all."""


class Opener:
    """Opens frames of any senders that have these keys, each frame once.

    Parameters
    ----------
    devices
        The senders whose frames have short addresses.
    asn
        Whether nonces are made of the ASN, and not of frame counters.
    encryption_only
        Whether level 4 is opened, too, which authenticates nothing.
    places
        How many senders there may be.
    """

    def __init__(
        self,
        keys: Sequence[FrameKey],
        devices: Sequence[FrameDevice],
        *,
        asn: bool = False,
        encryption_only: bool = False,
        places: int = 32,
    ) -> None:
        self._devices = devices
        self._opens_level_4 = encryption_only
        self._security = Security(_NOBODY, keys=len(keys), devices=places)
        for each in keys:
            self._security.add_key(
                each.key,
                each.key_id,
                cipher=each.cipher,
                asn=asn,
                encryption_only=encryption_only,
            )

    def open(
        self, data: bytes, *, asn: int | None = None, sender: bytes | None = None
    ) -> Frame:
        """Return a frame with its payload as plaintext.

        Parameters
        ----------
        asn
            The absolute slot number.
        sender
            Who sent it, for a frame that does not tell.

        Raises
        ------
        FrameError
            When it is refused; one that is not secured is, too.
        """
        frame = parse(data)
        place = self._introduced(frame, sender)
        if place is not None:
            # Required of each frame anew: 4 would refuse what only authenticates.
            only_encrypts = frame.level == _ENCRYPTION_ONLY and self._opens_level_4
            self._security.require(frame.level if only_encrypts else 1, device=place)
        return self._security.open(data, asn=asn, device=place).frame

    def _introduced(self, frame: Frame, sender: bytes | None) -> int | None:
        """Let the sender of a frame be known; return its place."""
        source = extended_source(frame, self._devices)
        if source is None:
            source = sender
        if source is None:
            return None
        if frame.source.short is not None:
            pan, short = _pan_of(frame), frame.source.short
            return self._security.add_device(source, pan=pan, short=short)
        place = self._security.device(source)
        return self._security.add_device(source) if place is None else place


def protected(
    frame: Frame, header: SecurityHeader, key: FrameKey, sender: bytes
) -> bytes:
    """Return a frame as its sender would secure it.

    Parameters
    ----------
    frame
        Not secured. One of 2003 becomes one of 2006, the first with a header
        that says how it is secured.
    header
        Level, key and frame counter. The counter is NEVER to be used twice
        under one key by one sender.
    sender
        Its extended address.

    Raises
    ------
    FrameError
        When the frame cannot be secured so.
    MisuseError
        When it is secured already, or the counter is none that may be sent.
    """
    if frame.security is not None or frame.legacy_security:
        message = "the frame is secured already"
        raise MisuseError(message)
    if header.counter is None or not 0 <= header.counter < COUNTER_END:
        message = f"a frame counter is 0 to {COUNTER_END - 1}"
        raise MisuseError(message)
    if frame.version is Version.V2003:
        frame = replace(frame, version=Version.V2006, reserved=0)
    security = Security(sender, keys=1, devices=1)
    place = security.add_key(
        key.key,
        key.key_id,
        cipher=key.cipher,
        encryption_only=header.level == _ENCRYPTION_ONLY,
    )
    security.set_transmit_counter(place, header.counter)
    return security.protect(replace(frame, security=header))


def without_security(frame: Frame) -> Frame:
    """Return an opened frame as it was before it was secured."""
    return replace(frame, security=None, mic=b"", encrypted=False)


def secured_part(frame: Frame) -> bytes:
    """Return what a level that encrypts would encrypt: payload IEs and payload."""
    clear = without_security(frame)
    header = build(replace(clear, payload=b"", payload_elements=()))
    return build(clear)[len(header) :]


def extended_source(frame: Frame, devices: Iterable[FrameDevice]) -> bytes | None:
    """Return the extended address of a frame's sender, if that is known."""
    if frame.source.long is not None:
        return frame.source.long
    if frame.source.short is None:
        return None
    for device in devices:
        fits = device.pan in (None, _pan_of(frame))
        if fits and device.short == frame.source.short:
            return device.extended
    return None


def _pan_of(frame: Frame) -> int:
    """Return the PAN of a frame's sender."""
    pan = frame.destination.pan if frame.source.pan is None else frame.source.pan
    return _NO_PAN if pan is None else pan


def fields_of(frame: Frame) -> dict[str, Any]:
    """Return the fields of a frame by name, as plain values; bytes as hex digits."""
    fields: dict[str, Any] = {
        "frame_control": {
            "type": FrameType(frame.type).name.lower(),
            "security": frame.security is not None or frame.legacy_security,
            "pending": frame.pending,
            "ack_request": frame.ack_request,
            "pan_compression": frame.pan_compression,
            "sequence_suppressed": frame.sequence is None,
            "header_ies": frame.header_elements is not None,
            "version": int(Version(frame.version).name.removeprefix("V")),
        },
        "sequence": frame.sequence,
        "destination": _address_fields(frame.destination),
        "source": _address_fields(frame.source),
    }
    if frame.security is not None:
        fields["security"] = _security_fields(frame.security)
    if frame.header_elements is not None:
        fields["header_ies"] = _element_fields(frame.header_elements)
    if frame.open_payload:
        fields["open_payload"] = frame.open_payload.hex()
    if frame.payload_elements:
        fields["payload_ies"] = _element_fields(frame.payload_elements)
    fields["encrypted" if frame.encrypted else "payload"] = frame.payload.hex()
    if frame.security is not None:
        fields["mic"] = frame.mic.hex()
    return fields


def _address_fields(address: Address) -> dict[str, Any]:
    return {
        "pan": None if address.pan is None else f"{address.pan:04x}",
        "short": None if address.short is None else f"{address.short:04x}",
        "extended": None if address.long is None else address.long.hex(),
    }


def _security_fields(header: SecurityHeader) -> dict[str, Any]:
    return {
        "level": header.level,
        "key_id_mode": header.key_id.mode,
        "key_source": header.key_id.source.hex() or None,
        "key_index": header.key_id.index if header.key_id.mode else None,
        "frame_counter": header.counter,
        "asn_in_nonce": header.asn_in_nonce,
    }


def _element_fields(elements: Iterable[Element]) -> list[dict[str, Any]]:
    return [{"id": each.id, "content": each.content.hex()} for each in elements]
