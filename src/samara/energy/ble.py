# SPDX-License-Identifier: Apache-2.0
"""Bluetooth Low Energy: how long a packet is on the air.

Source: Bluetooth Core Specification 5.3, volume 6, part B, 2.1 and 2.2. Without coding
a packet has a preamble of as many bytes as megabits a second, an access address of 4
and then ``b`` bytes: header, payload, check sequence of 3. With the coded PHY the
preamble takes 80 µs, the access address 256 µs, and 16 + 24 µs follow; then each of ``8
b + 3`` bits takes 2 µs (S=2) or 8 µs (S=8).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from samara.errors import MisuseError

if TYPE_CHECKING:
    from samara.energy.quantity import Value

BETWEEN_S = 150e-6
"""From a packet to the one that answers it (T_IFS)."""
HEADER_BYTES, CHECK_BYTES, ADDRESS_BYTES = 2, 3, 6
EMPTY_BYTES = HEADER_BYTES + CHECK_BYTES
"""A packet of a connection without data."""
_ACCESS_BYTES = 4
_CODED_FRONT_S = (80 + 256 + 16 + 24) * 1e-6
PHYS = ("1M", "2M", "S2", "S8")


def packet_s(packet_bytes: Value, phy: int | str = "1M") -> Value:
    """Return how long a packet is on the air.

    Parameters
    ----------
    packet_bytes
        With header and check sequence, without preamble and access address.
    phy
        One of `PHYS`, or its place there.

    >>> round(packet_s(EMPTY_BYTES) * 1e6), round(packet_s(EMPTY_BYTES, "S8") * 1e6)
    (80, 720)

    Raises
    ------
    MisuseError
        When there is no such PHY.
    """
    places = {name: name for name in PHYS} | dict(enumerate(PHYS))
    if phy not in places:
        message = f"a PHY of Bluetooth Low Energy is one of {', '.join(PHYS)}: {phy!r}"
        raise MisuseError(message)
    name = places[phy]
    if name in ("S2", "S8"):
        return _CODED_FRONT_S + (8 * packet_bytes + 3) * int(name[1]) * 1e-6
    megabits = int(name[0])
    return (megabits + _ACCESS_BYTES + packet_bytes) * 8e-6 / megabits
