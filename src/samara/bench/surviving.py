# SPDX-License-Identifier: Apache-2.0
"""The counter store and the node of core/ as the bench measures them.

What a device writes is compared with records and units that are made here from the
ciphers of `samara.crypto`, as samara/store.h and docs/rf-serial.md describe them, and
not with those of the measured code.
"""

from __future__ import annotations

import zlib

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

NODE_CIPHER = "aes128"
NODE_SUITE = "aes128-ccm-8"
NODE = f"node-rfserial-{NODE_SUITE}"
"""Name of the node in results."""

NODE_MEMORY_SIZE = 464
"""Bytes of the memory that keeps a node's key and counters."""

NODE_MESSAGES = (0, 16, 32)
"""Bytes of the messages that a node sends and receives; 32 are the longest."""

IDENTITY_SIZE = 2
PACKET_SIZE = 12
"""Bytes of a packet of the modem: units are multiples of it."""
_TAG_SIZE = 8
_COUNTER_SIZE = 4
OVERHEAD = 1 + _COUNTER_SIZE + _TAG_SIZE
"""Bytes of a unit that are neither text nor fill."""

_DIRECTION = 1
_NUMBER = 1
_DOMAIN = 3
_ESCAPE, _LITERAL = b"\xf5", b"\xf5\x00"


class StoreReference:
    """The record that the next reservation writes."""

    def seal(self, _key: bytes, first: bytes, _message: bytes, _ad: bytes) -> bytes:
        """Return the record behind those of a ring that began with `first`."""
        sequence = int.from_bytes(first, "little") + _FILLED + _STEP
        body = sequence.to_bytes(7, "little") + bytes([_EXPONENT])
        check = zlib.crc32(bytes([_RING_ID, 0]) + body)
        return body + check.to_bytes(4, "little")


class NodeReference:
    """The unit of rf-serial that carries a node's message number 1."""

    def seal(self, key: bytes, identity: bytes, message: bytes, _ad: bytes) -> bytes:
        """Return the unit."""
        text = _LITERAL + message if message.startswith(_ESCAPE) else message
        packets, rest = divmod(OVERHEAD + len(text), PACKET_SIZE)
        fill = PACKET_SIZE - rest if rest else 0
        # One packet has the code 0; the lowest bit tells that there is fill.
        head = bytes([2 * (packets - (not rest)) | bool(fill)])
        number = _NUMBER.to_bytes(8, "big")
        nonce = bytes([_DOMAIN, _DIRECTION]) + identity + number
        sizes = bytes([PACKET_SIZE, (_TAG_SIZE - 1) << 4 | _COUNTER_SIZE])
        sealed = crypto.suite(NODE_SUITE).seal(key, nonce, text, head + sizes)
        unit = head + number[-_COUNTER_SIZE:] + sealed
        return unit + (bytes(fill - 1) + bytes([fill]) if fill else b"")
