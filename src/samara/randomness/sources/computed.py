# SPDX-License-Identifier: Apache-2.0
"""What a source is that is computed: any of its sequences, by its number."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable


@dataclass(frozen=True, slots=True)
class Computed:
    """A source whose sequences do not depend on one another.

    Workers make one each from the source's name and the seed, so nothing but names
    travels to them.
    """

    sequence: Callable[[int, int], bytes]
    """Takes the number of a sequence, from 0, and its bytes."""
    facts: dict[str, str] = field(default_factory=dict)
    """What a run is repeated with, such as key and nonce, as hex digits."""


def contiguous(read: Callable[[int, int], bytes]) -> Callable[[int, int], bytes]:
    """Return sequences that follow one another in a stream without gaps.

    Parameters
    ----------
    read
        Takes an offset and a number of bytes.
    """
    return lambda index, size: read(index * size, size)


def of_units(
    unit: int, make: Callable[[int, int], bytes]
) -> Callable[[int, int], bytes]:
    """Return a function that reads any part of a stream of units.

    Parameters
    ----------
    unit
        Bytes of a unit, such as a block.
    make
        Takes the number of the first unit and how many are wanted.
    """

    def read(offset: int, size: int) -> bytes:
        first = offset // unit
        count = -(-(offset + size) // unit) - first
        start = offset - first * unit
        return make(first, count)[start : start + size]

    return read
