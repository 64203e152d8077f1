# SPDX-License-Identifier: Apache-2.0
"""A modulator for IEEE 802.15.4, written apart from the receiver that it judges.

Chips are those of the tables of the standard, as texts. Pulses are sums of impulses
that went through a filter, 32 times as dense as chips; a signal of any rate, clock
error and carrier offset is interpolated from that.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from samara.link.ieee802154.frames.fcs import fcs_of

if TYPE_CHECKING:
    from collections.abc import Sequence

Samples = NDArray[np.complex64]

DENSE = 32
# Table 12-1 (2.4 GHz), and that of the other O-QPSK layers.
_TABLE_32 = """
11011001110000110101001000101110 11101101100111000011010100100010
00101110110110011100001101010010 00100010111011011001110000110101
01010010001011101101100111000011 00110101001000101110110110011100
11000011010100100010111011011001 10011100001101010010001011101101
10001100100101100000011101111011 10111000110010010110000001110111
01111011100011001001011000000111 01110111101110001100100101100000
00000111011110111000110010010110 01100000011101111011100011001001
10010110000001110111101110001100 11001001011000000111011110111000
"""
OF_32 = _TABLE_32.split()
_TABLE_16 = """
0011111000100101 0100111110001001 0101001111100010 1001010011111000
0010010100111110 1000100101001111 1110001001010011 1111100010010100
0110101101110000 0001101011011100 0000011010110111 1100000110101101
0111000001101011 1101110000011010 1011011100000110 1010110111000001
"""
OF_16 = _TABLE_16.split()
OF_15 = "111101011001000", "000010100110111"
LAYERS = {
    "oqpsk-2450": (2e6, OF_32),
    "oqpsk-915": (1e6, OF_16),
    "oqpsk-868": (400e3, OF_16),
    "bpsk-915": (600e3, OF_15),
    "bpsk-868": (300e3, OF_15),
}


def psdu_of(body: bytes) -> bytes:
    return body + fcs_of(body)


def chips_of(content: bytes, rows: Sequence[str]) -> NDArray[np.int8]:
    bits = [byte >> i & 1 for byte in content for i in range(8)]
    if len(rows) == 2:
        level, encoded = 0, []
        for bit in bits:
            level ^= bit
            encoded.append(rows[level])
        text = "".join(encoded)
    else:
        places = range(0, len(bits), 4)
        text = "".join(rows[sum(bits[at + i] << i for i in range(4))] for at in places)
    return np.array([1 if chip == "1" else -1 for chip in text], np.int8)


def dense_wave(content: bytes, name: str) -> NDArray[np.complex128]:
    """Return preamble, delimiter and content, 32 samples a chip."""
    chips = chips_of(bytes(4) + b"\xa7" + content, LAYERS[name][1])
    impulses = np.zeros(DENSE * (len(chips) + 8), complex)
    if len(LAYERS[name][1]) == 2:
        impulses[4 * DENSE + DENSE // 2 :: DENSE][: len(chips)] = chips
        time = np.arange(-4 * DENSE, 4 * DENSE) / DENSE + 1e-9
        pulse = np.sinc(time) * np.cos(np.pi * time) / (1 - 4 * time**2)
        return np.convolve(impulses, pulse)[8 * DENSE :]
    impulses[:: 2 * DENSE][: len(chips) // 2] = chips[0::2]
    impulses[DENSE :: 2 * DENSE][: len(chips) // 2] += 1j * chips[1::2]
    pulse = np.sin(np.pi * np.arange(2 * DENSE) / (2 * DENSE))
    return np.convolve(impulses, pulse)


def signal(  # noqa: PLR0913 - all but two by name
    psdu: bytes,
    name: str,
    *,
    rate: float,
    offset_hz: float = 0.0,
    clock_ppm: float = 0.0,
    phase: float = 0.0,
    amplitude: float = 1.0,
) -> Samples:
    """Return a frame at a sample rate."""
    dense = dense_wave(bytes([len(psdu)]) + psdu, name)
    step = DENSE * LAYERS[name][0] / rate * (1 + clock_ppm * 1e-6)
    times = np.arange(phase, len(dense) - 1, step)
    places = np.arange(len(dense))
    wave = np.interp(times, places, dense.real) + 1j * np.interp(
        times, places, dense.imag
    )
    turn = np.exp(2j * np.pi * (offset_hz / rate * np.arange(len(wave)) + phase))
    made: Samples = (amplitude * wave * turn).astype(np.complex64)
    return made


def noise(count: int, power: float, seed: int) -> Samples:
    random = np.random.default_rng(seed)
    pairs = random.standard_normal((count, 2)) * np.sqrt(power / 2)
    made: Samples = (pairs[:, 0] + 1j * pairs[:, 1]).astype(np.complex64)
    return made


def on_air(
    frames: Sequence[Samples], gaps: Sequence[int], snr_db: float, seed: int = 1
) -> Samples:
    """Return frames after gaps, in noise relative to the first frame's power."""
    parts = [np.zeros(0, np.complex64)]
    for frame, gap in zip(frames, gaps, strict=True):
        parts += [np.zeros(gap, np.complex64), frame]
    whole = np.concatenate([*parts, np.zeros(200, np.complex64)])
    power = float(np.mean(np.abs(frames[0]) ** 2)) * 10 ** (-snr_db / 10)
    heard: Samples = whole + noise(len(whole), power, seed)
    return heard
