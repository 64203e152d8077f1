# SPDX-License-Identifier: Apache-2.0
"""Messages of any size, where a paper does not print its own."""

from __future__ import annotations

_READING = b"21.5 C, 48 % humidity, battery 2.91 V; "


def reading(size: int) -> bytes:
    """Return so many bytes of text, as a sensor may send them.

    >>> reading(8)
    b'21.5 C, '
    """
    return (_READING * (size // len(_READING) + 1))[:size]
