# SPDX-License-Identifier: Apache-2.0
"""The parts of a unit of the framing `sealed`, for display (docs/rf-serial.md).

>>> unit = bytes([2]) + bytes(4) + b"secret" + bytes(8) + bytes(5)
>>> [(each.name, each.size) for each in parts_of(unit, counter_size=4, tag_size=8)]
[('header', 1), ('number', 4), ('encrypted message', 11), ('tag', 8)]
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

LONGEST_SHORT: Final = 127
"""The highest header of a unit that says its size exactly."""
_PACKET_SIZE_MIN = 5


@dataclass(frozen=True, slots=True)
class Part:
    """Bytes of a unit that serve one purpose."""

    name: str
    start: int
    size: int


def packets_of(header: int) -> int | None:
    """Return how many packets a unit has; None for a long one, which is ambiguous."""
    return None if header > LONGEST_SHORT else 1 + header // 2


def whole_packet(packet_size: int) -> int:
    """Return the bytes that the header counts as one packet."""
    return packet_size * -(-_PACKET_SIZE_MIN // packet_size)


def parts_of(unit: bytes, *, counter_size: int, tag_size: int) -> list[Part]:
    """Return the parts of a whole unit, in order; those without bytes are left out.

    Parameters
    ----------
    unit
        With a header of at most `LONGEST_SHORT`.
    counter_size, tag_size
        Settings of the link.
    """
    padding = unit[-1] if unit[0] % 2 else 0
    text = len(unit) - 1 - counter_size - tag_size - padding
    sizes = {
        "header": 1,
        "number": counter_size,
        "encrypted message": text,
        "tag": tag_size,
        "padding": padding,
    }
    found, start = [], 0
    for name, size in sizes.items():
        if size > 0:
            found.append(Part(name, start, size))
        start += max(size, 0)
    return found
