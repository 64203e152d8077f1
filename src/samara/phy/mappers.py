# SPDX-License-Identifier: Apache-2.0
"""Mappers: bits to complex symbols, and soft bits back.

Symbols have unit mean power. Soft bits are log-likelihood ratios, positive for
bit 0. They are max-log: they compare the most likely symbol with bit 0 and the
most likely symbol with bit 1. For BPSK and QPSK that is exact.

The table of the modulations, with a mapper each, is in `samara.phy.modulation`.
"""

from __future__ import annotations

from typing import Protocol, TypeAlias

import numpy as np
from numpy.typing import NDArray

Bits: TypeAlias = NDArray[np.uint8]
Symbols: TypeAlias = NDArray[np.complex64]
SoftBits: TypeAlias = NDArray[np.float32]

_INNER = np.float32(1 / np.sqrt(10))
"""Inner level of 16-QAM on an axis; the outer level is three times as large."""

# Chips of data symbol 0, from which those of the other symbols follow.
_CHIPS = "11011001110000110101001000101110"
_BITS_OF_SYMBOL = 4


class Mapper(Protocol):
    """Maps bits to symbols, and received symbols to soft bits."""

    @property
    def bits_per_symbol(self) -> int:
        """Bits of one data symbol."""

    @property
    def samples_per_symbol(self) -> int:
        """Complex values of one data symbol."""

    def modulate(self, bits: Bits) -> Symbols:
        """Return the symbols of rows of bits.

        Parameters
        ----------
        bits
            Shape [..., n], n a multiple of `bits_per_symbol`; values 0 and 1.

        Returns
        -------
        Symbols
            Shape [..., n / `bits_per_symbol` * `samples_per_symbol`].
        """

    def demodulate(self, received: Symbols, gain: float) -> SoftBits:
        """Return the soft bits of rows of received symbols.

        Parameters
        ----------
        received
            Symbols with noise, divided by the channel coefficient h; the shape is
            that `modulate` returns.
        gain
            4 |h|^2 / (variance of the complex noise).

        Returns
        -------
        SoftBits
            One for each bit, with the shape that `modulate` takes.
        """


class Bpsk:
    """BPSK, one bit per symbol: bit 0 is +1, bit 1 is -1."""

    bits_per_symbol = 1
    samples_per_symbol = 1

    def modulate(self, bits: Bits) -> Symbols:
        """See `Mapper`."""
        return _levels(bits).astype(np.complex64)

    def demodulate(self, received: Symbols, gain: float) -> SoftBits:
        """See `Mapper`."""
        return _scaled(received.real, gain)


class Qpsk:
    """QPSK, two bits per symbol: one on each axis."""

    bits_per_symbol = 2
    samples_per_symbol = 1

    def modulate(self, bits: Bits) -> Symbols:
        """See `Mapper`."""
        return _complex_of(_levels(bits) * np.float32(np.sqrt(0.5)))

    def demodulate(self, received: Symbols, gain: float) -> SoftBits:
        """See `Mapper`."""
        return _scaled(_parts_of(received), gain * np.sqrt(0.5))


class Qam16:
    """16-QAM, four bits per symbol, two for each axis.

    Gray code: 00, 01, 11 and 10 are the levels +3, +1, -1 and -3.
    """

    bits_per_symbol = 4
    samples_per_symbol = 1

    def modulate(self, bits: Bits) -> Symbols:
        """See `Mapper`."""
        sign, inner = _levels(bits[..., 0::2]), bits[..., 1::2]
        return _complex_of(sign * _INNER * (3 - 2 * inner.astype(np.float32)))

    def demodulate(self, received: Symbols, gain: float) -> SoftBits:
        """See `Mapper`."""
        levels = _parts_of(received)
        size = np.abs(levels)
        signs = np.where(size < 2 * _INNER, size, 2 * (size - _INNER))
        soft = np.empty((*levels.shape[:-1], 2 * levels.shape[-1]), np.float32)
        soft[..., 0::2] = np.copysign(signs, levels)
        soft[..., 1::2] = size - 2 * _INNER
        return _scaled(soft, gain * float(_INNER))


class OqpskDsss:
    """O-QPSK with DSSS, four bits in 32 chips (IEEE 802.15.4-2020, table 12-1).

    Even chips are real parts, odd chips imaginary parts. The offset of half a chip
    and the half-sine pulse change nothing here: the receiver's filter matches them.
    """

    bits_per_symbol = _BITS_OF_SYMBOL
    samples_per_symbol = 16

    def __init__(self) -> None:
        chips = np.array([int(chip) for chip in _CHIPS], np.uint8)
        rows = [np.roll(chips, 4 * i) for i in range(8)]
        # Symbols 8 to 15 have the odd chips of symbols 0 to 7 inverted.
        odd = np.arange(len(chips)) % 2
        rows += [row ^ odd.astype(np.uint8) for row in rows]
        # A chip of 1 is positive.
        self._sequences = -_complex_of(_levels(np.array(rows)) * np.sqrt(0.5))

    def modulate(self, bits: Bits) -> Symbols:
        """See `Mapper`."""
        groups = bits.reshape(*bits.shape[:-1], -1, _BITS_OF_SYMBOL)
        # The first bit is the least significant.
        numbers = groups @ (1 << np.arange(_BITS_OF_SYMBOL))
        symbols: Symbols = self._sequences[numbers].reshape(*bits.shape[:-1], -1)
        return symbols

    def demodulate(self, received: Symbols, gain: float) -> SoftBits:
        """See `Mapper`."""
        symbols = received.reshape(*received.shape[:-1], -1, self.samples_per_symbol)
        likely = (symbols @ self._sequences.conj().T).real
        soft = np.empty((*likely.shape[:-1], _BITS_OF_SYMBOL), np.float32)
        for bit in range(_BITS_OF_SYMBOL):
            ones = (np.arange(16) >> bit & 1).astype(bool)
            soft[..., bit] = likely[..., ~ones].max(-1) - likely[..., ones].max(-1)
        return _scaled(soft.reshape(*received.shape[:-1], -1), gain / 2)


def _levels(bits: Bits) -> NDArray[np.float32]:
    """Return 1 for bits 0 and -1 for bits 1."""
    return 1 - 2 * bits.astype(np.float32)


def _complex_of(parts: NDArray[np.float32]) -> Symbols:
    """Return complex numbers from alternating real and imaginary parts."""
    return np.ascontiguousarray(parts, np.float32).view(np.complex64)


def _parts_of(symbols: Symbols) -> NDArray[np.float32]:
    return np.ascontiguousarray(symbols, np.complex64).view(np.float32)


def _scaled(soft: NDArray[np.float32], gain: float) -> SoftBits:
    return (soft * np.float32(gain)).astype(np.float32)
