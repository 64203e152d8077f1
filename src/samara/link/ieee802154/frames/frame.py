# SPDX-License-Identifier: Apache-2.0
"""MAC frames of IEEE 802.15.4 as Python values: see `samara.link.ieee802154`."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from samara import _core
from samara._core import FrameType, Version
from samara.errors import ArgumentError, FrameError
from samara.link.ieee802154.frames.levels import (
    KEY_ID_MODES,
    KEY_SOURCE_SIZES,
    encrypts,
)

if TYPE_CHECKING:
    from samara.crypto.bytes_like import BytesLike

ADDRESS_SIZE = _core.IEEE802154_ADDRESS_SIZE
"""Bytes of an extended address."""
FRAME_SIZE_MAX = _core.IEEE802154_FRAME_SIZE_MAX
"""Bytes of the longest frame of any PHY, without FCS."""


@dataclass(frozen=True, slots=True)
class Address:
    """Source or destination of a frame. `Address()` stands for no address.

    Parameters
    ----------
    pan
        PAN identifier, 16 bits; None if the frame does not contain it.
    short
        Short address, 16 bits.
    long
        Extended address (EUI-64), 8 bytes, most significant byte first.
    """

    pan: int | None = None
    short: int | None = None
    long: bytes | None = None

    def __post_init__(self) -> None:
        if self.short is not None and self.long is not None:
            text = "an address must be short or long, not both"
            raise ArgumentError(text)
        if self.long is not None and len(self.long) != ADDRESS_SIZE:
            text = (
                f"a long address must have {ADDRESS_SIZE} bytes, not {len(self.long)}"
            )
            raise ArgumentError(text)

    def __str__(self) -> str:
        if self.long is not None:
            return self.long.hex(":")
        return "none" if self.short is None else f"{self.short:04x}"


@dataclass(frozen=True, slots=True)
class KeyId:
    """Key identifier of a frame.

    Parameters
    ----------
    mode
        Key identifier mode. 0: implicit; 1: index; 2 and 3: index and a key source of
        4 or 8 bytes.
    source
        Key source, in the order of transmission.
    index
        Key index, 0 to 255; modes 1 to 3 only.
    """

    mode: int = 0
    index: int = 0
    source: bytes = b""

    def __post_init__(self) -> None:
        if self.mode not in KEY_ID_MODES:
            text = f"the key id mode must be 0 to 3, not {self.mode}"
            raise ArgumentError(text)
        if len(self.source) != KEY_SOURCE_SIZES[self.mode]:
            text = (
                f"key id mode {self.mode} takes a source of "
                f"{KEY_SOURCE_SIZES[self.mode]} bytes, not {len(self.source)}"
            )
            raise ArgumentError(text)


@dataclass(frozen=True, slots=True)
class SecurityHeader:
    """The auxiliary security header of a frame of 2006 or 2015.

    Parameters
    ----------
    level
        Security level, 0 to 7; 4 encrypts without a MIC.
    key_id
        Key identifier.
    counter
        Frame counter, 32 bits; None if it is suppressed, and the nonce made from the
        ASN. `Security.protect` replaces it by the key's next counter.
    asn_in_nonce
        Bit of the 2015 format: the nonce is made from the ASN.
    reserved
        Reserved bits of the security control, in place.
    """

    level: int
    key_id: KeyId = field(default_factory=KeyId)
    counter: int | None = 0
    asn_in_nonce: bool = False
    reserved: int = 0


@dataclass(frozen=True, slots=True)
class Element:
    """Information element: element ID (group ID in the payload) and content."""

    id: int
    content: bytes = b""


@dataclass(frozen=True, slots=True)
class Frame:
    """A MAC frame, without FCS.

    Parameters
    ----------
    type, version, sequence, destination, source
        Header fields; `sequence` is None if it is suppressed (2015).
    payload
        Payload after all other parts; ciphertext if `encrypted`.
    security
        Auxiliary security header of a secured frame.
    pan_compression, pending, ack_request
        Bits of the frame control.
    header_elements, payload_elements
        Information elements (2015), terminations included. `header_elements` is None
        if the frame has none. The elements of an encrypted payload are part of
        `payload`.
    open_payload
        The part that is never encrypted, up to 2006: superframe specification to
        pending addresses of beacons, command ID of commands.
    mic
        MIC of a secured frame; empty before it is protected.
    encrypted
        Whether `payload` is ciphertext.
    legacy_security
        Whether the frame has the security of 2003, which is not supported.
    reserved
        Reserved bits of the frame control, in place.
    """

    type: FrameType = FrameType.DATA
    version: Version = Version.V2015
    sequence: int | None = 0
    destination: Address = field(default_factory=Address)
    source: Address = field(default_factory=Address)
    payload: bytes = b""
    security: SecurityHeader | None = None
    pan_compression: bool = False
    pending: bool = False
    ack_request: bool = False
    header_elements: tuple[Element, ...] | None = None
    payload_elements: tuple[Element, ...] = ()
    open_payload: bytes = b""
    mic: bytes = b""
    encrypted: bool = False
    legacy_security: bool = False
    reserved: int = 0

    @property
    def level(self) -> int:
        """The security level; 0 of a frame that is not secured."""
        return 0 if self.security is None else self.security.level


# ---- reading ----------------------------------------------------------------


def parse(data: BytesLike, *, opened: bool = False) -> Frame:
    """Read a frame.

    Parameters
    ----------
    data
        The frame without FCS, with its MIC.
    opened
        Whether the payload of a secured frame is already decrypted.

    Raises
    ------
    FrameError
        When the frame is malformed; see `reason`: "truncated", "element", ...
    """
    raw = _core.parse_frame(data)
    return _from_raw(raw, bytes(data), opened=opened)


def _from_raw(raw: _core.RawFrame, data: bytes, *, opened: bool) -> Frame:
    offset = raw.header_size
    listed, offset = _cut(data, offset, raw.elements_size)
    open_payload, offset = _cut(data, offset, raw.open_size)
    payload, offset = _cut(data, offset, raw.payload_size)
    encrypted = not opened and encrypts(raw.level)
    inner: tuple[Element, ...] = ()
    if raw.has_payload_elements and not encrypted:
        size = _core.payload_elements_size(payload)
        inner = _elements(_core.payload_elements(payload[:size]))
        payload = payload[size:]
    has_security_header = raw.secured and raw.version is not Version.V2003
    return Frame(
        type=raw.type,
        version=raw.version,
        sequence=raw.sequence,
        destination=_address(raw.destination),
        source=_address(raw.source),
        payload=payload,
        security=_security(raw) if has_security_header else None,
        pan_compression=raw.pan_compression,
        pending=raw.pending,
        ack_request=raw.ack_request,
        header_elements=(
            _elements(_core.header_elements(listed)) if raw.has_elements else None
        ),
        payload_elements=inner,
        open_payload=open_payload,
        mic=data[offset:],
        encrypted=encrypted,
        legacy_security=raw.secured and not has_security_header,
        reserved=raw.reserved,
    )


def _cut(data: bytes, offset: int, size: int) -> tuple[bytes, int]:
    return data[offset : offset + size], offset + size


def _elements(raw: list[_core.RawElement]) -> tuple[Element, ...]:
    return tuple(Element(one.id, one.content) for one in raw)


def _address(raw: _core.RawAddress) -> Address:
    return Address(raw.pan, raw.short, raw.long)


def _security(raw: _core.RawFrame) -> SecurityHeader:
    return SecurityHeader(
        level=raw.level,
        key_id=KeyId(raw.key_id_mode, raw.key_index, raw.key_source),
        counter=raw.frame_counter,
        asn_in_nonce=raw.asn_in_nonce,
        reserved=raw.security_reserved,
    )


# ---- writing ----------------------------------------------------------------


def build(frame: Frame) -> bytes:
    """Return the bytes of a frame, without FCS: the reverse of `parse`.

    A secured frame without a MIC gets the form that `Security.protect` takes.

    Raises
    ------
    FrameError
        When the version does not allow this combination of fields.
    ArgumentError
        When a number does not fit its field, or when `parse` would return another
        frame. The reasons are: a PAN that version, addresses and PAN compression omit
        (unless it is the PAN of the other address), a PAN that they require and that
        is missing, payload after elements without a termination.
    """
    header = _raw(frame).write_header()
    listed = b"".join(_element(one, 7, 0) for one in frame.header_elements or ())
    inner = b"".join(_element(one, 11, 1) for one in frame.payload_elements)
    parts = (listed, frame.open_payload, inner + frame.payload, frame.mic)
    data = header + b"".join(parts)
    read = _core.parse_frame(data, is_protected=bool(frame.mic))
    sizes = (read.elements_size, read.open_size, read.payload_size, read.mic_size)
    read_inner = 0
    if read.has_payload_elements and not frame.encrypted:
        read_inner = _core.payload_elements_size(parts[2])
    if sizes != tuple(map(len, parts)) or read_inner != len(inner):
        text = (
            "the parts of the frame are ambiguous: a termination is missing, or a "
            "part does not belong to this type of frame"
        )
        raise ArgumentError(text)
    _check_pans(frame, _address(read.destination), _address(read.source))
    return data


def _check_pans(frame: Frame, destination: Address, source: Address) -> None:
    """Refuse PANs that a reader of the header would not get."""
    _check_pan("destination", frame.destination, destination, source)
    _check_pan("source", frame.source, source, destination)


def _check_pan(end: str, given: Address, read: Address, other: Address) -> None:
    if given.pan is None and read.pan is not None:
        text = f"this frame must contain the PAN of the {end}, but none was given"
        raise ArgumentError(text)
    is_there = given.short is not None or given.long is not None
    implied = other.pan if is_there else None
    if given.pan not in (None, read.pan, implied):
        text = (
            f"this frame cannot contain PAN {given.pan:04x} of the {end}: version, "
            "addresses and PAN compression omit it"
        )
        raise ArgumentError(text)


def _raw(frame: Frame) -> _core.RawFrame:
    _check_version(frame)
    raw = _core.RawFrame()
    raw.version, raw.type = frame.version, frame.type
    raw.secured = frame.security is not None or frame.legacy_security
    raw.pending = frame.pending
    raw.ack_request = frame.ack_request
    raw.pan_compression = frame.pan_compression
    raw.has_elements = frame.header_elements is not None
    raw.sequence = _optional("sequence number", frame.sequence, 8)
    raw.destination = _raw_address(frame.destination)
    raw.source = _raw_address(frame.source)
    raw.reserved = _number("frame control", frame.reserved, 16)
    if frame.security is not None:
        _put_security(raw, frame.security)
    return raw


def _check_version(frame: Frame) -> None:
    if frame.version is not Version.V2015 and (
        frame.sequence is None or frame.header_elements is not None
    ):
        text = (
            "frames before 2015 must have a sequence number and no information elements"
        )
        raise ArgumentError(text)
    if (frame.security is None) is not (frame.version is Version.V2003) and (
        frame.security is not None or frame.legacy_security
    ):
        text = "frames of 2003 have no auxiliary security header; later ones need it"
        raise ArgumentError(text)


def _put_security(raw: _core.RawFrame, security: SecurityHeader) -> None:
    raw.level = _number("security level", security.level, 3)
    raw.key_id_mode = security.key_id.mode
    raw.key_index = _number("key index", security.key_id.index, 8)
    raw.key_source = security.key_id.source
    raw.frame_counter = _optional("frame counter", security.counter, 32)
    if security.asn_in_nonce:
        raw.asn_in_nonce = True
    raw.security_reserved = _number("security control", security.reserved, 8)


def _raw_address(address: Address) -> _core.RawAddress:
    return _core.RawAddress(
        pan=_optional("PAN", address.pan, 16),
        short=_optional("short address", address.short, 16),
        long=address.long,
    )


def _element(element: Element, length_bits: int, kind: int) -> bytes:
    size = _number("element's size", len(element.content), length_bits)
    number = _number("element's id", element.id, 15 - length_bits)
    descriptor = size | number << length_bits | kind << 15
    return descriptor.to_bytes(2, "little") + element.content


def _optional(what: str, value: int | None, bits: int) -> int | None:
    return None if value is None else _number(what, value, bits)


def _number(what: str, value: int, bits: int) -> int:
    if not 0 <= value < 1 << bits:
        text = f"the {what} must be 0 to {(1 << bits) - 1}, not {value}"
        raise ArgumentError(text)
    return value


__all__ = [
    "Address",
    "Element",
    "Frame",
    "FrameError",
    "FrameType",
    "KeyId",
    "SecurityHeader",
    "Version",
    "build",
    "parse",
]
