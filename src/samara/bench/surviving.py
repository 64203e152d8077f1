# SPDX-License-Identifier: Apache-2.0
"""The counter store and the node of core/ as the bench measures them.

What a device writes is compared with records and units that are made here from the
ciphers of `samara.crypto`, as samara/store.h and docs/rf-serial.md describe them, and
not with those of the measured code.
"""

from __future__ import annotations

import struct
import zlib
from dataclasses import dataclass

from samara import crypto

STORE = "store-counter"
"""Name of the counter store in results."""

RECORD_SIZE = 12
"""Bytes of a record of a counter."""

NUMBER_SIZE = 6
"""Bytes of the number that a ring begins with."""

RING_SIZE = 32 * RECORD_SIZE
"""Bytes of the ring: 32 slots."""

_RING_ID = 2
_EXPONENT = 4
_STEP = 1 << _EXPONENT
# Numbers by which the records that fill the ring rise, after the two of the start.
_FILLED = 30

NODE_MESSAGES = (0, 16, 32)
"""Bytes of the messages that a node sends and receives."""

ESCAPE = b"\xf5"
"""The first byte of messages that get two bytes more, which is public."""

_DIRECTION = 1
_NUMBER = 1
_DOMAIN = 3
_PACKET_SIZE = 12
_TAG_SIZE = 8
_COUNTER_SIZE = 4
_OVERHEAD = 1 + _COUNTER_SIZE + _TAG_SIZE


@dataclass(frozen=True, slots=True)
class Node:
    """A node of a kind of link, as it is measured. Sizes are in bytes."""

    link: str
    suite: str
    binding: str
    reference: SerialReference | FrameReference
    identity_size: int
    """What tells the device apart, in the nonce of a job."""
    overhead: int
    """Of a unit: neither text nor fill."""
    fill: int
    """At most."""
    memory_size: int
    """The memory that keeps key and counters."""

    @property
    def name(self) -> str:
        """Name in results."""
        return f"node-{self.link}-{self.suite}"


class StoreReference:
    """The record that the next reservation writes."""

    def seal(self, _key: bytes, first: bytes, _message: bytes, _ad: bytes) -> bytes:
        """Return the record behind those of a ring that began with `first`."""
        sequence = int.from_bytes(first, "little") + _FILLED + _STEP
        body = sequence.to_bytes(7, "little") + bytes([_EXPONENT])
        check = zlib.crc32(bytes([_RING_ID, 0]) + body)
        return body + check.to_bytes(4, "little")


class SerialReference:
    """The unit of rf-serial that carries a node's message number 1."""

    SUITE = "aes128-ccm-8"

    def seal(self, key: bytes, identity: bytes, message: bytes, _ad: bytes) -> bytes:
        """Return the unit."""
        packets, rest = divmod(_OVERHEAD + len(message), _PACKET_SIZE)
        fill = _PACKET_SIZE - rest if rest else 0
        # One packet has the code 0; the lowest bit tells that there is fill.
        head = bytes([2 * (packets - (not rest)) | bool(fill)])
        number = _NUMBER.to_bytes(8, "big")
        nonce = bytes([_DOMAIN, _DIRECTION]) + identity + number
        sizes = bytes([_PACKET_SIZE, (_TAG_SIZE - 1) << 4 | _COUNTER_SIZE])
        sealed = crypto.suite(self.SUITE).seal(key, nonce, message, head + sizes)
        unit = head + number[-_COUNTER_SIZE:] + sealed
        return unit + (bytes(fill - 1) + bytes([fill]) if fill else b"")


class FrameReference:
    """The frame of 2006 that carries a node's message number 1 from address 1 to 0."""

    SUITE = "aes128-ccm-4"
    _LEVEL = 5
    _HEADER = struct.Struct("<HBHHHBIB")
    HEADER_SIZE = _HEADER.size
    # Data with security, in one PAN, between short addresses.
    _CONTROL, _PAN, _KEY_ID_MODE, _KEY_INDEX = 0x9849, 0xCAFE, 1, 1

    def seal(self, key: bytes, address: bytes, message: bytes, _ad: bytes) -> bytes:
        """Return the frame without its FCS."""
        header = self._HEADER.pack(
            *(self._CONTROL, _NUMBER, self._PAN, 0, 1),
            *(self._LEVEL | self._KEY_ID_MODE << 3, _NUMBER, self._KEY_INDEX),
        )
        nonce = address + _NUMBER.to_bytes(4, "big") + bytes([self._LEVEL])
        return header + crypto.suite(self.SUITE).seal(key, nonce, message, header)


NODES = (
    Node(
        "rfserial",
        SerialReference.SUITE,
        "node",
        SerialReference(),
        identity_size=2,
        overhead=_OVERHEAD,
        fill=_PACKET_SIZE,
        memory_size=464,
    ),
    Node(
        "ieee802154",
        FrameReference.SUITE,
        "node_ieee802154",
        FrameReference(),
        identity_size=8,
        overhead=FrameReference.HEADER_SIZE + 4,
        fill=0,
        memory_size=576,
    ),
)
"""The nodes that are measured."""

NODE_NAMES = tuple(node.name for node in NODES)
"""Their names in results."""
