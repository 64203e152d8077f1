# SPDX-License-Identifier: Apache-2.0
"""Sequence numbers of RPL (RFC 6550, section 7.2): one byte, shaped like a lollipop.

They begin on a straight line, from 240 to 255, and then go round a circle from 0 to
127. So a number of a node that was started again is told from those of before.
"""

from __future__ import annotations

FIRST = 240
"""Of a node that was started."""
CIRCLE = 128
"""Numbers on the circle."""
_BYTE = 256
_WINDOW = 16


def following(number: int) -> int:
    """Return the number after this one.

    >>> following(240), following(255), following(5), following(127)
    (241, 0, 6, 0)
    """
    if number >= CIRCLE:
        return (number + 1) % _BYTE
    return (number + 1) % CIRCLE


def is_newer(one: int, other: int) -> bool:
    """Tell whether a number was made after another one.

    False also if they are too far apart to be compared.

    >>> is_newer(6, 5), is_newer(5, 6), is_newer(3, 125), is_newer(60, 5)
    (True, False, True, False)

    Numbers on the line are older than the first ones on the circle; seen from far along
    the circle, they are those of a node that was started again:

    >>> is_newer(5, 250), is_newer(250, 5), is_newer(5, 240), is_newer(240, 5)
    (True, False, False, True)
    """
    if (one >= CIRCLE) == (other >= CIRCLE):
        size = _BYTE if one >= CIRCLE else CIRCLE
        ahead = one - other if one >= CIRCLE else (one - other) % size
        return 0 < ahead <= _WINDOW
    if one >= CIRCLE:
        return _BYTE + other - one > _WINDOW
    return _BYTE + one - other <= _WINDOW


def number_of_time(time_s: float) -> int:
    """Return the number of a second, so that a node which restarts goes on from there.

    Numbers that are more than 16 s apart cannot be compared, and the later one counts.

    >>> number_of_time(300.5)
    44
    """
    return int(time_s) % CIRCLE
