# SPDX-License-Identifier: Apache-2.0
"""A sequence of bits under test, and what several tests need of it."""

from __future__ import annotations

from functools import cached_property
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from samara.errors import ArgumentError

Bits: TypeAlias = NDArray[np.uint8]

WINDOW = 16
"""Bits of the longest pattern that a test counts."""

NOT_APPLICABLE = float("nan")
"""The p-value of a test that the sequence is too short for, or has no walk for."""


class Sequence:
    """Bits in the order in which the tests read them.

    Parameters
    ----------
    bits
        One bit an element, 0 or 1; at least 100.

    Raises
    ------
    ArgumentError
        When there are fewer: no test of SP 800-22 is meant for so few.
    """

    SHORTEST = 100

    def __init__(self, bits: Bits) -> None:
        if len(bits) < self.SHORTEST:
            message = f"a sequence has at least {self.SHORTEST} bits, not {len(bits)}"
            raise ArgumentError(message)
        self.bits = bits
        self.n = len(bits)

    @classmethod
    def of_bytes(cls, packed: bytes, bits: int) -> Sequence:
        """Return the first bits of bytes, the most significant bit of a byte first.

        NIST's program reads binary files in the same order.
        """
        return cls(np.unpackbits(np.frombuffer(packed, np.uint8), count=bits))

    @property
    def log2(self) -> int:
        """The logarithm of the number of bits, rounded down."""
        return self.n.bit_length() - 1

    @cached_property
    def ones(self) -> int:
        """Number of ones."""
        return int(np.count_nonzero(self.bits))

    @cached_property
    def walk(self) -> NDArray[np.int32]:
        """Sums of the first 1, 2, ..., n values, where a one counts 1 and a zero -1."""
        steps = self.bits.astype(np.int8)
        steps += steps
        steps -= 1
        return np.cumsum(steps, dtype=np.int32)

    @cached_property
    def windows(self) -> NDArray[np.uint16]:
        """The 16 bits from each place on, as numbers; the end continues at the start.

        The first bit is the most significant one.
        """
        ends = self.bits, self.bits[: WINDOW - 1]
        ring: NDArray[np.uint16] = np.concatenate(ends).astype(np.uint16)
        width = 1
        while width < WINDOW:
            ring = ring[:-width] << np.uint16(width) | ring[width:]
            width *= 2
        return ring

    @cached_property
    def _counts(self) -> NDArray[np.int64]:
        return np.bincount(self.windows, minlength=1 << WINDOW)

    def counts(self, m: int) -> NDArray[np.int64]:
        """Return how often each pattern of m bits occurs, at all n places of the ring.

        Parameters
        ----------
        m
            0 to 16 bits.
        """
        # Each occurrence of a pattern begins a longer one: the longer ones tell all.
        total: NDArray[np.int64] = self._counts.reshape(1 << m, -1).sum(axis=1)
        return total
