# SPDX-License-Identifier: Apache-2.0
"""The fields of an IEEE 802.15.4 frame, for display.

>>> from samara.link.ieee802154.frames.fields import field_tree
>>> for field in field_tree(bytes.fromhex("0200 2a")):
...     print(field.offset, field.size, field.name, field.value)
0 2 frame control 0x0002
2 1 sequence number 42
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from samara.link.ieee802154.frames.clauses import ADDRESSING_MODES, CLAUSES
from samara.link.ieee802154.frames.frame import (
    Element,
    Frame,
    FrameType,
    Version,
    parse,
)

if TYPE_CHECKING:
    from collections.abc import Container

    from samara.crypto.bytes_like import BytesLike
    from samara.link.ieee802154.frames.frame import Address, SecurityHeader

LEVELS = (
    "none",
    "MIC-32",
    "MIC-64",
    "MIC-128",
    "ENC",
    "ENC-MIC-32",
    "ENC-MIC-64",
    "ENC-MIC-128",
)
"""Names of the security levels in the standard."""

_KEY_ID_MODES = (
    "implicit",
    "index",
    "4-byte source and index",
    "8-byte source and index",
)
_KINDS = {0: "absent", 2: "short", 3: "extended"}
_COMMANDS = {
    1: "association request",
    2: "association response",
    3: "disassociation notification",
    4: "data request",
    5: "PAN id conflict notification",
    6: "orphan notification",
    7: "beacon request",
    8: "coordinator realignment",
    9: "GTS request",
}
_HEADER_ELEMENTS = {
    0x1A: "LE CSL",
    0x1B: "LE RIT",
    0x1C: "DSME PAN descriptor",
    0x1D: "rendezvous time",
    0x1E: "time correction",
    0x7E: "header termination 1",
    0x7F: "header termination 2",
}
_PAYLOAD_ELEMENTS = {
    0x0: "ESDU",
    0x1: "MLME",
    0x2: "vendor specific",
    0xF: "payload termination",
}


@dataclass(frozen=True, slots=True)
class Field:
    """Field of a frame.

    Parameters
    ----------
    name, value
        Name and content, as text.
    offset, size
        Where it lies in the frame, in bytes. The parts of a byte have its place.
    fields
        Its parts.
    mode
        Whether it says in which form an address is present.
    """

    name: str
    value: str
    offset: int
    size: int
    fields: tuple[Field, ...] = ()
    mode: bool = False

    @property
    def clause(self) -> str:
        """The clause of `STANDARD` that defines it; empty for none."""
        return (ADDRESSING_MODES if self.mode else CLAUSES).get(self.name, "")


def field_tree(data: BytesLike, *, opened: bool = False) -> list[Field]:
    """Return the fields of a frame, in order of transmission.

    Parameters
    ----------
    data
        The frame without FCS.
    opened
        Whether the payload of a secured frame is already decrypted.

    Raises
    ------
    FrameError
        As `samara.link.ieee802154.parse` does.
    """
    data = bytes(data)
    frame = parse(data, opened=opened)
    tree = _Tree(data)
    _control(tree, frame)
    if frame.sequence is not None:
        tree.add("sequence number", str(frame.sequence), 1)
    _address(tree, "destination", frame.destination)
    _address(tree, "source", frame.source)
    if frame.security is not None:
        _security(tree, frame.security)
    _elements(tree, "header", frame.header_elements or (), _HEADER_ELEMENTS)
    _open_payload(tree, frame)
    _elements(tree, "payload", frame.payload_elements, _PAYLOAD_ELEMENTS)
    name = "encrypted payload" if frame.encrypted else "payload"
    tree.add_hex(name, len(frame.payload))
    tree.add_hex("MIC", len(frame.mic))
    return tree.fields


class _Tree:
    """Collects fields, one after the other."""

    def __init__(self, data: bytes, offset: int = 0) -> None:
        self.data = data
        self.offset = offset
        self.fields: list[Field] = []

    def add(
        self, name: str, value: str, size: int, fields: tuple[Field, ...] = ()
    ) -> None:
        self.fields.append(Field(name, value, self.offset, size, fields))
        self.offset += size

    def add_hex(self, name: str, size: int) -> None:
        if size:
            self.add(name, self.data[self.offset : self.offset + size].hex(), size)

    def number(self, size: int) -> int:
        return int.from_bytes(self.data[self.offset : self.offset + size], "little")

    def bits(
        self, size: int, parts: list[tuple[str, str]], modes: Container[str] = ()
    ) -> tuple[Field, ...]:
        return tuple(
            Field(name, value, self.offset, size, mode=name in modes)
            for name, value in parts
        )


def _yes(bit: object) -> str:
    return "yes" if bit else "no"


def _control(tree: _Tree, frame: Frame) -> None:
    control = tree.number(2)
    parts = [
        ("type", frame.type.name.lower()),
        ("version", frame.version.name.removeprefix("V")),
        ("security enabled", _yes(frame.security or frame.legacy_security)),
        ("frame pending", _yes(frame.pending)),
        ("acknowledgement request", _yes(frame.ack_request)),
        ("PAN id compression", _yes(frame.pan_compression)),
    ]
    if frame.version is Version.V2015:
        suppressed = frame.sequence is None
        parts.append(("sequence number suppressed", _yes(suppressed)))
        has_elements = frame.header_elements is not None
        parts.append(("information elements", _yes(has_elements)))
    parts.append(("destination address", _KINDS[control >> 10 & 3]))
    parts.append(("source address", _KINDS[control >> 14 & 3]))
    if frame.reserved:
        parts.append(("reserved bits", f"0x{frame.reserved:04x}"))
    bits = tree.bits(2, parts, ADDRESSING_MODES)
    tree.add("frame control", f"0x{control:04x}", 2, bits)


def _address(tree: _Tree, end: str, address: Address) -> None:
    if address.pan is not None:
        tree.add(f"{end} PAN", f"0x{address.pan:04x}", 2)
    if address.short is not None:
        tree.add(f"{end} address", f"0x{address.short:04x}", 2)
    elif address.long is not None:
        tree.add(f"{end} address", address.long.hex(":"), 8)


def _security(tree: _Tree, security: SecurityHeader) -> None:
    inner = _Tree(tree.data, tree.offset)
    key_id = security.key_id
    parts = [
        ("security level", f"{security.level} ({LEVELS[security.level]})"),
        ("key id mode", f"{key_id.mode} ({_KEY_ID_MODES[key_id.mode]})"),
        ("frame counter suppressed", _yes(security.counter is None)),
        ("ASN in nonce", _yes(security.asn_in_nonce)),
    ]
    if security.reserved:
        parts.append(("reserved bits", f"0x{security.reserved:02x}"))
    control = f"0x{inner.number(1):02x}"
    inner.add("security control", control, 1, inner.bits(1, parts))
    if security.counter is not None:
        inner.add("frame counter", str(security.counter), 4)
    inner.add_hex("key source", len(key_id.source))
    if key_id.mode:
        inner.add("key index", str(key_id.index), 1)
    size = inner.offset - tree.offset
    tree.add("auxiliary security header", "", size, tuple(inner.fields))


def _elements(
    tree: _Tree, kind: str, elements: tuple[Element, ...], names: dict[int, str]
) -> None:
    inner = _Tree(tree.data, tree.offset)
    for element in elements:
        name = names.get(element.id, f"element 0x{element.id:02x}")
        inner.add(name, element.content.hex(), 2 + len(element.content))
    if elements:
        size = inner.offset - tree.offset
        tree.add(f"{kind} information elements", "", size, tuple(inner.fields))


def _open_payload(tree: _Tree, frame: Frame) -> None:
    if not frame.open_payload:
        return
    if frame.type is FrameType.COMMAND:
        number = frame.open_payload[0]
        name = _COMMANDS.get(number, "not known")
        tree.add("command id", f"{number} ({name})", 1)
        return
    tree.add("superframe specification", f"0x{tree.number(2):04x}", 2)
    slots = tree.number(1) & 7
    tree.add_hex("guaranteed time slots", 1 + (1 + 3 * slots if slots else 0))
    pending = tree.number(1)
    size = 1 + 2 * (pending & 7) + 8 * (pending >> 4 & 7)
    tree.add_hex("pending addresses", size)
