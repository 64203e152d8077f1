# SPDX-License-Identifier: Apache-2.0
"""A modulator for 2-FSK and GFSK, written apart from the receiver that it judges."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    from collections.abc import Iterable

Samples = NDArray[np.complex64]

DENSE = 64
# The first bytes of data whitening, as TI's design note DN509 and Semtech's data sheets
# list them.
WHITE_TI = bytes.fromhex(
    "ffe11d9aed853324ea7ad2397097570a547d2dd86d0dba8f6759c7a2bf34ca18"
)
WHITE_SEMTECH = bytes.fromhex("ff87b859b7a1cc24575e4b9c0ee9ea502abeb41bb6b05df1")


def crc16(content: bytes, polynomial: int, value: int) -> int:
    """Return a CRC by the book: shift bytes into the register, from the top."""
    for byte in content:
        value ^= byte << 8
        for _ in range(8):
            value = (value << 1 ^ polynomial * (value >> 15)) & 0xFFFF
    return value


def whitened(content: bytes, sequence: bytes) -> bytes:
    return bytes(a ^ b for a, b in zip(content, sequence, strict=False))


def bits(parts: Iterable[bytes | str]) -> list[int]:
    """Return bits of bytes, and of texts of 0 and 1."""
    text = "".join(
        part if isinstance(part, str) else "".join(f"{byte:08b}" for byte in part)
        for part in parts
    )
    return [int(each) for each in text]


def fsk(  # noqa: PLR0913 - all but the bits by name
    sent: list[int],
    *,
    bit_rate: float,
    deviation: float,
    rate: float,
    bandwidth_time: float = 0.5,
    offset_hz: float = 0.0,
    clock_ppm: float = 0.0,
    phase: float = 0.0,
) -> Samples:
    """Return bits as a signal; between 0 and 1, `phase` is of clock and carrier."""
    levels = np.repeat(np.array(sent) * 2.0 - 1, DENSE)
    if bandwidth_time:
        frequencies = np.fft.fftfreq(len(levels) + 4 * DENSE, 1 / DENSE)
        damped = np.exp(-np.log(2) / 2 * (frequencies / bandwidth_time) ** 2)
        padded = np.pad(levels, 2 * DENSE, mode="edge")
        levels = np.fft.ifft(np.fft.fft(padded) * damped).real[2 * DENSE : -2 * DENSE]
    turns = np.cumsum(levels) * deviation / (bit_rate * DENSE)
    step = DENSE * bit_rate / rate * (1 + clock_ppm * 1e-6)
    times = np.arange(phase * step, len(turns) - 1, step)
    at_times = np.interp(times, np.arange(len(turns)), turns)
    drift = offset_hz / rate * np.arange(len(times)) + phase
    made: Samples = np.exp(2j * np.pi * (at_times + drift)).astype(np.complex64)
    return made
