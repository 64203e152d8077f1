# SPDX-License-Identifier: Apache-2.0
"""The patterns that the test of non-overlapping templates looks for."""

from __future__ import annotations

from functools import cache

LENGTH = 9
"""Bits of a template."""


@cache
def aperiodic(length: int = LENGTH) -> tuple[int, ...]:
    """Return the patterns that do not overlap themselves, as numbers, in order.

    >>> [f"{one:03b}" for one in aperiodic(3)]
    ['001', '011', '100', '110']
    >>> len(aperiodic(9))
    148
    """
    return tuple(one for one in range(1 << length) if not _overlaps_itself(one, length))


def _overlaps_itself(template: int, length: int) -> bool:
    # Its first bits are its last ones.
    return any(
        template >> (length - kept) == template & ((1 << kept) - 1)
        for kept in range(1, length)
    )
