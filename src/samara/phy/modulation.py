# SPDX-License-Identifier: Apache-2.0
"""Modulations at the level of symbols: bits to complex symbols, and soft bits back.

Symbols have unit mean power. Soft bits are log-likelihood ratios, positive for
bit 0. They are max-log: of the most likely symbols with the bit 0 and 1, which
is exact for BPSK and QPSK.

============  ===========================================================
bpsk          one bit a symbol
qpsk          two, Gray-coded, one on each axis
16-qam        four, Gray-coded, two on each axis: sign, then inner or outer
o-qpsk-dsss   four bits in 32 chips, IEEE 802.15.4, table 12-1: chips 0, 2, ...
              are real, chips 1, 3, ... imaginary parts. The offset of half a
              chip and the half-sine pulse, matched by the receiver, change
              nothing at this level
============  ===========================================================
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol, TypeAlias

import numpy as np
from numpy.typing import NDArray

from samara.errors import MisuseError

if TYPE_CHECKING:
    from collections.abc import Callable

Bits: TypeAlias = NDArray[np.uint8]
Symbols: TypeAlias = NDArray[np.complex64]
SoftBits: TypeAlias = NDArray[np.float32]

_INNER = np.float32(1 / np.sqrt(10))
"""Of 16-QAM, on an axis; the outer level is three times as far."""

# Chips of the data symbol 0; the others are made of it.
_CHIPS = "11011001110000110101001000101110"
_BITS_OF_SYMBOL = 4


class Modulation(Protocol):
    """Bits to symbols, and back."""

    @property
    def name(self) -> str:
        """As commands take it."""

    @property
    def bits_per_symbol(self) -> int:
        """Bits of one data symbol."""

    @property
    def samples_per_symbol(self) -> int:
        """Complex values that carry a data symbol."""

    @property
    def symmetric(self) -> bool:
        """Whether a bit and its complement are mirror images of each other."""

    def modulate(self, bits: Bits) -> Symbols:
        """Return the symbols of rows of bits."""

    def demodulate(self, received: Symbols, gain: float) -> SoftBits:
        """Return soft bits; `gain` is 4 over the noise variance, times |h|^2.

        The variance is that of a complex value; `received` has been divided by
        the channel's h.
        """


class Bpsk:
    """One bit a symbol: 0 is 1, 1 is -1."""

    name = "bpsk"
    bits_per_symbol = 1
    samples_per_symbol = 1
    symmetric = True

    def modulate(self, bits: Bits) -> Symbols:
        """Return the symbols of rows of bits."""
        return _levels(bits).astype(np.complex64)

    def demodulate(self, received: Symbols, gain: float) -> SoftBits:
        """Return soft bits."""
        return _scaled(received.real, gain)


class Qpsk:
    """Two bits a symbol, one on each axis."""

    name = "qpsk"
    bits_per_symbol = 2
    samples_per_symbol = 1
    symmetric = True

    def modulate(self, bits: Bits) -> Symbols:
        """Return the symbols of rows of bits."""
        return _complex_of(_levels(bits) * np.float32(np.sqrt(0.5)))

    def demodulate(self, received: Symbols, gain: float) -> SoftBits:
        """Return soft bits."""
        return _scaled(_parts_of(received), gain * np.sqrt(0.5))


class Qam16:
    """Four bits a symbol, Gray-coded: 00 01 11 10 from +3 to -3 on each axis."""

    name = "16-qam"
    bits_per_symbol = 4
    samples_per_symbol = 1
    symmetric = False

    def modulate(self, bits: Bits) -> Symbols:
        """Return the symbols of rows of bits."""
        sign, inner = _levels(bits[..., 0::2]), bits[..., 1::2]
        return _complex_of(sign * _INNER * (3 - 2 * inner.astype(np.float32)))

    def demodulate(self, received: Symbols, gain: float) -> SoftBits:
        """Return soft bits."""
        levels = _parts_of(received)
        size = np.abs(levels)
        signs = np.where(size < 2 * _INNER, size, 2 * (size - _INNER))
        soft = np.empty((*levels.shape[:-1], 2 * levels.shape[-1]), np.float32)
        soft[..., 0::2] = np.copysign(signs, levels)
        soft[..., 1::2] = size - 2 * _INNER
        return _scaled(soft, gain * float(_INNER))


class OqpskDsss:
    """Four bits in 32 chips, of IEEE 802.15.4 at 2.4 GHz."""

    name = "o-qpsk-dsss"
    bits_per_symbol = _BITS_OF_SYMBOL
    samples_per_symbol = 16
    symmetric = False

    def __init__(self) -> None:
        chips = np.array([int(chip) for chip in _CHIPS], np.uint8)
        rows = [np.roll(chips, 4 * i) for i in range(8)]
        # The other eight have the chips of the imaginary part inverted.
        odd = np.arange(len(chips)) % 2
        rows += [row ^ odd.astype(np.uint8) for row in rows]
        # A chip of 1 is positive.
        self._sequences = -_complex_of(_levels(np.array(rows)) * np.sqrt(0.5))

    def modulate(self, bits: Bits) -> Symbols:
        """Return the symbols of rows of bits."""
        groups = bits.reshape(*bits.shape[:-1], -1, _BITS_OF_SYMBOL)
        # The first bit is the least significant.
        numbers = groups @ (1 << np.arange(_BITS_OF_SYMBOL))
        symbols: Symbols = self._sequences[numbers].reshape(*bits.shape[:-1], -1)
        return symbols

    def demodulate(self, received: Symbols, gain: float) -> SoftBits:
        """Return soft bits."""
        symbols = received.reshape(*received.shape[:-1], -1, self.samples_per_symbol)
        likely = (symbols @ self._sequences.conj().T).real
        soft = np.empty((*likely.shape[:-1], _BITS_OF_SYMBOL), np.float32)
        for bit in range(_BITS_OF_SYMBOL):
            ones = (np.arange(16) >> bit & 1).astype(bool)
            soft[..., bit] = likely[..., ~ones].max(-1) - likely[..., ones].max(-1)
        return _scaled(soft.reshape(*received.shape[:-1], -1), gain / 2)


MODULATIONS: dict[str, Callable[[], Modulation]] = {
    kind.name: kind for kind in (Bpsk, Qpsk, Qam16, OqpskDsss)
}


def modulation(name: str) -> Modulation:
    """Return the modulation of this name.

    Raises
    ------
    MisuseError
        When there is none.
    """
    if name not in MODULATIONS:
        message = f"there is no modulation {name!r}: give {', '.join(MODULATIONS)}"
        raise MisuseError(message)
    return MODULATIONS[name]()


def _levels(bits: Bits) -> NDArray[np.float32]:
    """Return 1 for bits 0 and -1 for bits 1."""
    return 1 - 2 * bits.astype(np.float32)


def _complex_of(parts: NDArray[np.float32]) -> Symbols:
    """Return complex numbers of real and imaginary parts in turn."""
    return np.ascontiguousarray(parts, np.float32).view(np.complex64)


def _parts_of(symbols: Symbols) -> NDArray[np.float32]:
    return np.ascontiguousarray(symbols, np.complex64).view(np.float32)


def _scaled(soft: NDArray[np.float32], gain: float) -> SoftBits:
    return (soft * np.float32(gain)).astype(np.float32)
