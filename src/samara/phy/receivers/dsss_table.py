# SPDX-License-Identifier: Apache-2.0
"""The physical layers of IEEE 802.15.4 that spread: a row each (clauses 12 and 13).

The pulse of O-QPSK is a half sine of two chips, that of BPSK a raised cosine. For
O-QPSK at 868 MHz the standard has another pulse; a correlator with a half sine receives
it with a loss that was not measured.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

Waves = NDArray[np.complex64]

_CHIPS_32 = "11011001110000110101001000101110"
_CHIPS_16 = "0011111000100101"
_CHIPS_15 = "111101011001000"
_SHIFTS = {32: 4, 16: 2}
_SFD = 0xA7
_PREAMBLE_BITS = 32


@dataclass(frozen=True)
class Spreading:
    """A row of the table."""

    name: str
    title: str
    chip_rate: float
    chips_of_zero: str
    """Chips of symbol 0, from which those of the others follow."""
    page: int
    channels: range
    first_hz: float
    """Carrier frequency of the first channel."""
    spacing_hz: float
    samples_per_chip: int

    @property
    def is_offset(self) -> bool:
        """Whether it is O-QPSK of four bits a symbol; otherwise BPSK of one."""
        return len(self.chips_of_zero) in _SHIFTS

    @property
    def bits_per_symbol(self) -> int:
        """Bits of a symbol."""
        return 4 if self.is_offset else 1

    @property
    def sample_rate(self) -> float:
        """Sample rate that a receiver takes."""
        return self.chip_rate * self.samples_per_chip

    @property
    def symbol_samples(self) -> int:
        """Samples of a symbol."""
        return len(self.chips_of_zero) * self.samples_per_chip

    def frequency(self, channel: int) -> float:
        """Return the carrier frequency of a channel in Hz."""
        return self.first_hz + (channel - self.channels.start) * self.spacing_hz

    @cached_property
    def chips(self) -> NDArray[np.int8]:
        """Chips of all symbols, a row each, as 1 and -1."""
        zero = np.array([2 * int(chip) - 1 for chip in self.chips_of_zero], np.int8)
        if not self.is_offset:
            return np.stack([zero, -zero])
        rows = [np.roll(zero, _SHIFTS[len(zero)] * i) for i in range(8)]
        # Symbols 8 to 15 have the odd chips of symbols 0 to 7 inverted.
        turned = np.where(np.arange(len(zero)) % 2, -1, 1).astype(np.int8)
        return np.stack([*rows, *(row * turned for row in rows)])

    def symbols(self, content: bytes) -> NDArray[np.int64]:
        """Return the symbols of bytes, least significant bits first."""
        bits = np.unpackbits(np.frombuffer(content, np.uint8), bitorder="little")
        weights = 1 << np.arange(self.bits_per_symbol)
        numbers: NDArray[np.int64] = bits.reshape(-1, self.bits_per_symbol) @ weights
        return numbers

    @cached_property
    def header(self) -> NDArray[np.int64]:
        """Symbols of preamble and start delimiter, without differential encoding."""
        return self.symbols(bytes(_PREAMBLE_BITS // 8) + bytes([_SFD]))

    def wave(self, symbols: NDArray[np.int64], shift: float = 0.0) -> Waves:
        """Return the samples of symbols, `shift` samples after their beginning.

        Symbols of BPSK are encoded differentially here.
        """
        if not self.is_offset:
            symbols = np.cumsum(symbols) % 2
        chips = self.chips[symbols].reshape(-1)
        each = self.samples_per_chip
        times = (np.arange(len(chips) * each) + shift) / each
        if self.is_offset:
            real = _half_sines(chips[0::2], times)
            return (real + 1j * _half_sines(chips[1::2], times - 1)).astype(
                np.complex64
            )
        return _raised_cosines(chips, times).astype(np.complex64)


def _half_sines(
    chips: NDArray[np.int8], times: NDArray[np.float64]
) -> NDArray[np.float64]:
    """Return chips as half sines of two chips' time, one after the other."""
    pulses = np.floor(times / 2).astype(int)
    inside = (pulses >= 0) & (pulses < len(chips))
    levels = np.where(inside, chips[np.clip(pulses, 0, len(chips) - 1)], 0)
    sines: NDArray[np.float64] = levels * np.sin(np.pi / 2 * (times - 2 * pulses))
    return sines


def _raised_cosines(
    chips: NDArray[np.int8], times: NDArray[np.float64]
) -> NDArray[np.float64]:
    """Return chips as raised cosines with a roll-off of 1, each in its middle."""
    total = np.zeros(len(times))
    near = np.floor(times).astype(int)
    for beside in range(-3, 4):
        chip = near + beside
        inside = (chip >= 0) & (chip < len(chips))
        levels = np.where(inside, chips[np.clip(chip, 0, len(chips) - 1)], 0)
        total += levels * _raised_cosine(times - chip - 0.5)
    return total


def _raised_cosine(time: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the pulse with roll-off 1, whose zeros are whole times from half on."""
    bottom = 1 - 4 * time**2
    safe = np.where(np.abs(bottom) < 1e-6, 1.0, bottom)  # noqa: PLR2004 - next to its zero
    value = np.sinc(time) * np.cos(np.pi * time) / safe
    return np.where(np.abs(bottom) < 1e-6, 0.5, value)  # noqa: PLR2004 - as above


_ROWS = (
    Spreading(
        "oqpsk-2450", "O-QPSK, 250 kbit/s, 2.4 GHz", 2e6, _CHIPS_32,
        page=0, channels=range(11, 27), first_hz=2405e6, spacing_hz=5e6,
        samples_per_chip=2,
    ),
    Spreading(
        "oqpsk-915", "O-QPSK, 250 kbit/s, 915 MHz", 1e6, _CHIPS_16,
        page=2, channels=range(1, 11), first_hz=906e6, spacing_hz=2e6,
        samples_per_chip=2,
    ),
    Spreading(
        "oqpsk-868", "O-QPSK, 100 kbit/s, 868 MHz", 400e3, _CHIPS_16,
        page=2, channels=range(1), first_hz=868.3e6, spacing_hz=0.0,
        samples_per_chip=4,
    ),
    Spreading(
        "bpsk-915", "BPSK, 40 kbit/s, 915 MHz", 600e3, _CHIPS_15,
        page=0, channels=range(1, 11), first_hz=906e6, spacing_hz=2e6,
        samples_per_chip=4,
    ),
    Spreading(
        "bpsk-868", "BPSK, 20 kbit/s, 868 MHz", 300e3, _CHIPS_15,
        page=0, channels=range(1), first_hz=868.3e6, spacing_hz=0.0,
        samples_per_chip=4,
    ),
)  # fmt: skip

SPREADINGS: dict[str, Spreading] = {row.name: row for row in _ROWS}
"""The rows by their names."""
