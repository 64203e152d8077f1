# SPDX-License-Identifier: Apache-2.0
"""Packets of transceiver chips: whitening, length, check sequence.

All bits are sent with the most significant one first.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from samara.phy.receivers.fsk_waves import Bits

_PN9_SEED = 0x1FF
_BITS = 8
_ESB_LENGTH_BITS, _ESB_CONTROL_BITS, _ESB_LONGEST = 6, 9, 32


class Whitening(StrEnum):
    """A pseudo-random sequence that is added to all that follows the sync word."""

    NONE = "none"
    PN9 = "pn9"
    """x^9 + x^5 + 1 from nine ones, bits of a byte least significant first (TI)."""
    PN9_REVERSED = "pn9-reversed"
    """The same, most significant first (Semtech)."""


class Layout(StrEnum):
    """What follows the sync word."""

    LENGTH_BYTE = "length-byte"
    """The number of bytes of the payload, the payload, the check sequence."""
    FIXED = "fixed"
    """A payload of a fixed size, and the check sequence."""
    ESB = "enhanced-shockburst"
    """Control field of 9 bits with the length, payload, check sequence from the
    address on."""


@dataclass(frozen=True, slots=True)
class Check:
    """A cyclic redundancy check, most significant bits first."""

    bits: int
    polynomial: int
    initial: int
    final: int = 0
    """Added to the remainder."""
    has_length: bool = True
    """Whether the length byte is checked."""

    def of(self, bits: Bits) -> int:
        """Return the check sequence of bits.

        Examples
        --------
        >>> ccitt = Check(16, 0x1021, 0xFFFF)
        >>> hex(ccitt.of(np.unpackbits(np.frombuffer(b"123456789", np.uint8))))
        '0x29b1'
        """
        top, remainder = 1 << (self.bits - 1), self.initial
        mask = (top << 1) - 1
        for bit in bits.tolist():
            feeds = bool(remainder & top) != bool(bit)
            remainder = (remainder << 1 & mask) ^ (self.polynomial if feeds else 0)
        return remainder ^ self.final


@dataclass(frozen=True, slots=True)
class PacketFormat:
    """How the bits after a sync word are a packet."""

    layout: Layout
    whitening: Whitening
    check: Check | None
    longest: int
    """Bytes of the longest payload, or of each if all have one size."""
    sync: bytes = b""
    """What a check sequence of Enhanced ShockBurst begins with."""

    @property
    def longest_bits(self) -> int:
        """Bits after the sync word, at most."""
        check = self.check.bits if self.check else 0
        return 2 * _BITS + _BITS * self.longest + check

    def parse(self, take: Callable[[int], Bits]) -> tuple[bytes, bool] | None:
        """Return a packet and whether it is intact; None if its length is not one."""
        if self.layout is Layout.ESB:
            return self._enhanced(take)
        white = _whitening(self.whitening)

        def next_bits(count: int) -> Bits:
            added = np.array([next(white) for _ in range(count)], np.uint8)
            return take(count) ^ added

        head = np.zeros(0, np.uint8)
        size = self.longest
        if self.layout is Layout.LENGTH_BYTE:
            head = next_bits(_BITS)
            size = int(np.packbits(head)[0])
            if not 0 < size <= self.longest:
                return None
        body = next_bits(_BITS * size)
        checked = body
        if self.check and self.check.has_length:
            checked = np.concatenate([head, body])
        return self._checked(np.concatenate([head, body]), checked, next_bits)

    def _enhanced(self, take: Callable[[int], Bits]) -> tuple[bytes, bool] | None:
        control = take(_ESB_CONTROL_BITS)
        size = _number(control[:_ESB_LENGTH_BITS])
        if size > min(self.longest, _ESB_LONGEST):
            return None
        body = take(_BITS * size)
        address = np.unpackbits(np.frombuffer(self.sync, np.uint8))
        shown = np.concatenate([np.zeros(7, np.uint8), control, body])
        return self._checked(shown, np.concatenate([address, control, body]), take)

    def _checked(
        self, shown: Bits, checked: Bits, take: Callable[[int], Bits]
    ) -> tuple[bytes, bool]:
        """Return a packet with its check sequence behind it."""
        if self.check is None:
            return np.packbits(shown).tobytes(), True
        sequence = take(self.check.bits)
        is_intact = _number(sequence) == self.check.of(checked)
        return np.packbits(np.concatenate([shown, sequence])).tobytes(), is_intact


def _number(bits: Bits) -> int:
    return int("".join(map(str, bits.tolist())), 2)


def _whitening(kind: Whitening) -> Iterator[int]:
    """Yield the bits that are added, in the order in which bits are sent."""
    register = _PN9_SEED
    while True:
        if kind is Whitening.NONE:
            yield 0
            continue
        low_first = []
        for _ in range(_BITS):
            low_first.append(register & 1)
            feedback = (register ^ register >> 5) & 1
            register = register >> 1 | feedback << 8
        yield from reversed(low_first) if kind is Whitening.PN9 else low_first
