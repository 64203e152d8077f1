# SPDX-License-Identifier: Apache-2.0
"""Packets of transceiver chips: whitening, length, check sequence.

All bits are sent with the most significant one first.
"""

from __future__ import annotations

import itertools
from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING

import numpy as np

from samara.errors import MisuseError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from samara.phy.transceivers.keying import Bits

_PN9_SEED = 0x1FF
_BITS = 8
_ESB_LENGTH_BITS, _ESB_CONTROL_BITS, _ESB_LONGEST = 6, 9, 32
# Packet number 0, acknowledgement asked for.
_ESB_FLAGS = 0


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
class Parsed:
    """A packet that bits are."""

    content: bytes
    """Length, payload and check sequence, without whitening."""
    is_intact: bool
    """Whether the check sequence is right."""
    bits: int
    """Bits after the sync word."""


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

    def parse(
        self, take: Callable[[int], Bits], white: Iterator[int] | None = None
    ) -> Parsed | None:
        """Return a packet; None if its length is not one.

        Parameters
        ----------
        take
            Returns the next bits on the air.
        white
            What was added to the bits after the sync word. Default: the whitening.
        """
        added = self._white(white)

        def next_bits(count: int) -> Bits:
            return take(count) ^ _next_bits(added, count)

        if self.layout is Layout.ESB:
            return self._enhanced(next_bits)
        head = np.zeros(0, np.uint8)
        size = self.longest
        if self.layout is Layout.LENGTH_BYTE:
            head = next_bits(_BITS)
            size = int(np.packbits(head)[0])
            if not 0 < size <= self.longest:
                return None
        shown = np.concatenate([head, next_bits(_BITS * size)])
        return self._checked(shown, shown[self._unchecked :], next_bits)

    def build(self, payload: bytes, white: Iterator[int] | None = None) -> Bits:
        """Return the bits of a packet after the sync word, which `parse` reads.

        Raises
        ------
        MisuseError
            If no packet has a payload of this size.
        """
        self._check_size(len(payload))
        body = np.unpackbits(np.frombuffer(payload, np.uint8))
        if self.layout is Layout.ESB:
            head = _bits(len(payload) << 3 | _ESB_FLAGS, _ESB_CONTROL_BITS)
            plain = np.concatenate([head, body])
            checked = np.concatenate([self._address, plain])
        else:
            is_counted = self.layout is Layout.LENGTH_BYTE
            head = _bits(len(payload), _BITS if is_counted else 0)
            plain = np.concatenate([head, body])
            checked = plain[self._unchecked :]
        if self.check:
            sequence = _bits(self.check.of(checked), self.check.bits)
            plain = np.concatenate([plain, sequence])
        return plain ^ _next_bits(self._white(white), len(plain))

    def _check_size(self, size: int) -> None:
        if self.layout is Layout.FIXED:
            if size != self.longest:
                message = f"a payload has {self.longest} bytes, not {size}"
                raise MisuseError(message)
        elif not self.least <= size <= self.most:
            message = f"a payload has {self.least} to {self.most} bytes, not {size}"
            raise MisuseError(message)

    @property
    def least(self) -> int:
        """Bytes of the shortest payload."""
        if self.layout is Layout.FIXED:
            return self.longest
        return 0 if self.layout is Layout.ESB else 1

    @property
    def most(self) -> int:
        """Bytes of the longest payload that the length of a packet can tell."""
        if self.layout is Layout.ESB:
            return min(self.longest, _ESB_LONGEST)
        return self.longest

    @property
    def _unchecked(self) -> int:
        """Bits before those that the check sequence is of."""
        has_head = self.layout is Layout.LENGTH_BYTE
        leaves_it = self.check is not None and not self.check.has_length
        return _BITS if has_head and leaves_it else 0

    @property
    def _address(self) -> Bits:
        return np.unpackbits(np.frombuffer(self.sync, np.uint8))

    def _white(self, given: Iterator[int] | None) -> Iterator[int]:
        return _whitening(self.whitening) if given is None else given

    def _enhanced(self, take: Callable[[int], Bits]) -> Parsed | None:
        control = take(_ESB_CONTROL_BITS)
        size = _number(control[:_ESB_LENGTH_BITS])
        if size > self.most:
            return None
        body = take(_BITS * size)
        shown = np.concatenate([control, body])
        checked = np.concatenate([self._address, shown])
        return self._checked(shown, checked, take)

    def _checked(
        self, shown: Bits, checked: Bits, take: Callable[[int], Bits]
    ) -> Parsed:
        """Return a packet with its check sequence behind it."""
        is_intact = True
        if self.check is not None:
            sequence = take(self.check.bits)
            is_intact = _number(sequence) == self.check.of(checked)
            shown = np.concatenate([shown, sequence])
        # A control field of 9 bits has zeros in front.
        whole = np.concatenate([np.zeros(-len(shown) % _BITS, np.uint8), shown])
        return Parsed(np.packbits(whole).tobytes(), is_intact, len(shown))

    def payload_of(self, packet: bytes) -> bytes:
        """Return the payload of what `parse` returns."""
        head = {Layout.LENGTH_BYTE: 1, Layout.FIXED: 0, Layout.ESB: 2}[self.layout]
        check = -(-self.check.bits // _BITS) if self.check else 0
        return packet[head : len(packet) - check]


def _number(bits: Bits) -> int:
    return int("".join(map(str, bits.tolist())), 2)


def _bits(number: int, count: int) -> Bits:
    """Return `count` bits of a number, most significant first."""
    return np.array([number >> i & 1 for i in reversed(range(count))], np.uint8)


def _next_bits(bits: Iterator[int], count: int) -> Bits:
    return np.fromiter(itertools.islice(bits, count), np.uint8, count)


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
