# SPDX-License-Identifier: Apache-2.0
"""MAC frames of IEEE 802.15.4 as Python values: see `samara.link.ieee802154`."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from samara import _core
from samara._core import FrameType, Version
from samara.errors import FrameError
from samara.link.ieee802154.levels import KEY_ID_MODES, KEY_SOURCE_SIZES, encrypts

if TYPE_CHECKING:
    from samara.crypto.bytes_like import BytesLike

ADDRESS_SIZE = _core.IEEE802154_ADDRESS_SIZE
"""Bytes of an extended address."""
FRAME_SIZE_MAX = _core.IEEE802154_FRAME_SIZE_MAX
"""Bytes of the longest frame of any PHY, without FCS."""


@dataclass(frozen=True, slots=True)
class Address:
    """Where a frame comes from or goes to: `Address()` is none at all.

    Parameters
    ----------
    pan
        The PAN, 16 bits; None where the frame does not tell one.
    short
        A short address, 16 bits.
    long
        An extended address (EUI-64), 8 bytes as printed: highest first.
    """

    pan: int | None = None
    short: int | None = None
    long: bytes | None = None

    def __post_init__(self) -> None:
        if self.short is not None and self.long is not None:
            text = "an address is short or long, not both"
            raise ValueError(text)
        if self.long is not None and len(self.long) != ADDRESS_SIZE:
            text = f"a long address has {ADDRESS_SIZE} bytes, not {len(self.long)}"
            raise ValueError(text)

    def __str__(self) -> str:
        if self.long is not None:
            return self.long.hex(":")
        return "none" if self.short is None else f"{self.short:04x}"


@dataclass(frozen=True, slots=True)
class KeyId:
    """How a frame names its key.

    Parameters
    ----------
    mode
        0: not at all; 1: by index; 2, 3: by a source of 4 or 8 bytes and index.
    source
        The source, in the order of the air.
    index
        The index, 0 to 255; of modes 1 to 3.
    """

    mode: int = 0
    index: int = 0
    source: bytes = b""

    def __post_init__(self) -> None:
        if self.mode not in KEY_ID_MODES:
            text = f"key id modes are 0 to 3, not {self.mode}"
            raise ValueError(text)
        if len(self.source) != KEY_SOURCE_SIZES[self.mode]:
            text = (
                f"key id mode {self.mode} takes a source of "
                f"{KEY_SOURCE_SIZES[self.mode]} bytes, not {len(self.source)}"
            )
            raise ValueError(text)


@dataclass(frozen=True, slots=True)
class SecurityHeader:
    """The auxiliary security header of a frame of 2006 or 2015.

    Parameters
    ----------
    level
        0 to 7; 4 encrypts without a MIC.
    key_id
        The key's name.
    counter
        The frame counter, 32 bits; None where it is suppressed, and the nonce
        made of the ASN. What is protected gets the next one.
    asn_in_nonce
        The bit of 2015 that says so.
    reserved
        Bits that the version reserves, as they are in the security control.
    """

    level: int
    key_id: KeyId = field(default_factory=KeyId)
    counter: int | None = 0
    asn_in_nonce: bool = False
    reserved: int = 0


@dataclass(frozen=True, slots=True)
class Element:
    """An information element: its id (or group, in the payload) and content."""

    id: int
    content: bytes = b""


@dataclass(frozen=True, slots=True)
class Frame:
    """A MAC frame, without FCS.

    Parameters
    ----------
    type, version, sequence, destination, source
        The header; `sequence` is None where it is suppressed (2015).
    payload
        What follows all other parts; ciphertext where `encrypted`.
    security
        The auxiliary security header of a secured frame.
    pan_compression, pending, ack_request
        Bits of the frame control.
    header_elements, payload_elements
        Information elements of 2015, terminations included; `header_elements`
        is None where the frame says that it has none. Those of an encrypted
        payload are within it.
    open_payload
        What is never encrypted: superframe specification to pending addresses of
        beacons, command id of commands, up to 2006.
    mic
        The MIC of a secured frame; empty before it is protected.
    encrypted
        Whether `payload` is ciphertext.
    legacy_security
        Whether it is secured in the way of 2003, which is not supported.
    reserved
        Bits that the version reserves, as they are in the frame control.
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
        Whether the payload of a secured frame is plaintext by now.

    Raises
    ------
    FrameError
        `reason` names what is wrong with it: "truncated", "element", ...
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
    """Write a frame, without FCS; the reverse of `parse`.

    A secured frame without a MIC is written as it is before `Security.protect`.

    Raises
    ------
    FrameError
        When its parts do not go together in its version.
    ValueError
        When a number does not fit its field, or what was written would be read
        as another frame: a PAN that its version, addresses and compression leave
        out, a PAN that they need and that is not given, payload behind elements
        that no termination ends. A PAN that is left out may be given where it is
        that of the other address.
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
        text = "the parts of the frame would not be read as they were given"
        raise ValueError(text)
    _check_pans(frame, _address(read.destination), _address(read.source))
    return data


def _check_pans(frame: Frame, destination: Address, source: Address) -> None:
    """Refuse PANs that would not be read from the header as they were given."""
    _check_pan("destination", frame.destination, destination, source)
    _check_pan("source", frame.source, source, destination)


def _check_pan(end: str, given: Address, read: Address, other: Address) -> None:
    if given.pan is None and read.pan is not None:
        text = f"the frame has a PAN of the {end}, and none is given"
        raise ValueError(text)
    is_there = given.short is not None or given.long is not None
    implied = other.pan if is_there else None
    if given.pan not in (None, read.pan, implied):
        text = (
            f"PAN {given.pan:04x} of the {end} would be lost: version, addresses "
            "and PAN compression leave no place for it"
        )
        raise ValueError(text)


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
        text = "frames before 2015 have a sequence number and no elements"
        raise ValueError(text)
    if (frame.security is None) is not (frame.version is Version.V2003) and (
        frame.security is not None or frame.legacy_security
    ):
        text = "the auxiliary security header came with 2006"
        raise ValueError(text)


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
        text = f"{value} does not fit the {what} of {bits} bits"
        raise ValueError(text)
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
