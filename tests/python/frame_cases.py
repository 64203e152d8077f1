# SPDX-License-Identifier: Apache-2.0
"""Secured frames of every kind, and the ends that make and open them."""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import product
from typing import TYPE_CHECKING

from samara.link.ieee802154 import (
    Address,
    Frame,
    FrameType,
    KeyId,
    Security,
    SecurityHeader,
    Version,
)

if TYPE_CHECKING:
    from collections.abc import Iterator

A = bytes.fromhex("acde480000000001")
B = bytes.fromhex("acde480000000002")
PAN = 0x4321
KEY = bytes(range(0xC0, 0xD0))
PAYLOAD = b"\x00\x01link-layer payload"
KEY_IDS = (
    KeyId(0),
    KeyId(1, 1),
    KeyId(2, 1, bytes.fromhex("01020304")),
    KeyId(3, 1, bytes.fromhex("0102030405060708")),
)
# Superframe specification, no guaranteed time slots, no pending addresses.
BEACON = bytes.fromhex("55cf0000")


def end(address: bytes, other: bytes, short: int, key_id: KeyId) -> Security:
    """Return an end that accepts every level from the other one."""
    security = Security(address, PAN)
    security.require(0)
    security.add_key(KEY, key_id, encryption_only=True)
    security.add_device(other, pan=PAN, short=short)
    return security


def ends(key_id: KeyId) -> tuple[Security, Security]:
    """Return a sender A and a receiver B."""
    return end(A, B, 2, key_id), end(B, A, 1, key_id)


def data_frame(level: int = 5, key_id: KeyId = KEY_IDS[1]) -> Frame:
    """Return data of 2015 from A to B, not yet protected."""
    return Frame(
        sequence=7,
        destination=Address(PAN, long=B),
        source=Address(long=A),
        security=SecurityHeader(level, key_id) if level else None,
        payload=PAYLOAD,
    )


@dataclass(frozen=True)
class Case:
    """A frame before it is protected."""

    frame: Frame

    def __str__(self) -> str:
        frame = self.frame
        assert frame.security is not None
        return (
            f"{frame.version.name} {frame.type.name} level {frame.level}"
            f" mode {frame.security.key_id.mode} from {frame.source}"
        )

    def protect(self) -> bytes:
        assert self.frame.security is not None
        sender, _ = ends(self.frame.security.key_id)
        sender.set_transmit_counter(0, 1000)
        return sender.protect(self.frame)


def cases() -> Iterator[Case]:
    """Yield all levels, key id modes, versions, types and kinds of source."""
    sources = (Address(PAN, short=1), Address(PAN, long=A))
    for version, kind, source, level, key_id in product(
        (Version.V2006, Version.V2015),
        (FrameType.DATA, FrameType.BEACON, FrameType.COMMAND),
        sources,
        range(8),
        KEY_IDS,
    ):
        yield Case(_frame(version, kind, source, SecurityHeader(level, key_id)))


def _frame(
    version: Version, kind: FrameType, source: Address, security: SecurityHeader
) -> Frame:
    base = Frame(
        type=kind,
        version=version,
        sequence=9,
        source=source,
        payload=PAYLOAD,
        security=security,
    )
    # Data request; in 2015 the command id is the payload's first byte.
    command = b"\x04"
    match kind, version:
        case FrameType.BEACON, Version.V2006:
            return replace(base, open_payload=BEACON)
        case FrameType.COMMAND, Version.V2006:
            to = Address(PAN, short=2)
            return replace(base, destination=to, open_payload=command, payload=b"")
        case FrameType.COMMAND, Version.V2015:
            return replace(base, destination=Address(PAN, short=2), payload=command)
        case FrameType.BEACON, _:
            return base
    if version is Version.V2015 and source.long is not None:
        # Both long: one PAN, without compression.
        return replace(base, destination=Address(PAN, long=B), source=Address(long=A))
    return replace(base, destination=Address(PAN, long=B))
