# SPDX-License-Identifier: Apache-2.0
"""Frames and packets of captures, made for tests."""

from __future__ import annotations

import io
import struct
from typing import TYPE_CHECKING

from frame_cases import KEY, PAN, B

from samara.link.ieee802154 import (
    Address,
    Frame,
    KeyId,
    Security,
    SecurityHeader,
    Version,
)
from samara.link.ieee802154.captures import key_file
from samara.link.ieee802154.captures import protection as captures
from samara.link.ieee802154.captures.pcap import (
    LinkType,
    Writer,
)
from samara.link.ieee802154.frames.tools import FrameKey

if TYPE_CHECKING:
    from collections.abc import Iterable

KEY_ID = KeyId(1, 1)
KEYS = key_file.Keys((FrameKey(KEY, KEY_ID),), ())
FCS_16 = struct.pack("<HHB3x", 0, 1, 1)
WRONG_FCS = "its frame check sequence (FCS) is wrong"


def secured(sender: bytes, counter: int = 0, level: int = 5) -> bytes:
    """Return data of 2006 from an extended address."""
    one = Security(sender)
    one.add_key(KEY, KEY_ID, encryption_only=True)
    one.set_transmit_counter(0, counter)
    return one.protect(
        Frame(
            version=Version.V2006,
            destination=Address(PAN, long=B),
            source=Address(PAN, long=sender),
            security=SecurityHeader(level, KEY_ID),
            payload=b"21.5 C",
        )
    )


def address(number: int) -> bytes:
    return b"\x02" + number.to_bytes(7, "big")


def converted(
    frames: Iterable[bytes], change: captures.Change
) -> list[captures.FrameResult]:
    source = io.BytesIO()
    writer = Writer(source, LinkType.WITHOUT_FCS)
    for frame in frames:
        writer.write(frame, 0)
    source.seek(0)
    return list(captures.convert(source, io.BytesIO(), change, keep=True))


def pcap(link_type: int, *packets: tuple[bytes, int]) -> bytes:
    """Write a capture by hand: packets, and how long they were."""
    content = struct.pack("<IHHiIII", 0xA1B23C4D, 2, 4, 0, 0, 65535, link_type)
    for number, (data, whole) in enumerate(packets, 1):
        content += struct.pack("<IIII", number, 0, len(data), whole) + data
    return content


def outcomes_of(
    content: bytes, change: captures.Change
) -> tuple[list[captures.FrameResult], bytes]:
    target = io.BytesIO()
    results = list(captures.convert(io.BytesIO(content), target, change, keep=True))
    return results, target.getvalue()


def tap(frame: bytes, fields: bytes = FCS_16) -> bytes:
    return struct.pack("<BBH", 0, 0, 4 + len(fields)) + fields + frame


def field(kind: int, value: bytes) -> bytes:
    return struct.pack("<HH", kind, len(value)) + value + bytes(-len(value) % 4)
