# SPDX-License-Identifier: Apache-2.0
"""The link that all schemes secure: frames with a channel code, pilots, and noise.

What is in this module is public: an eavesdropper does all of it, too.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from samara.crypto import ple_sync
from samara.phy.coded import Code, CodedFrames
from samara.phy.modulation import find
from samara.phy.trial import noise_variance, white_noise

if TYPE_CHECKING:
    from collections.abc import Iterable

    from numpy.typing import NDArray

    from samara.phy.mappers import Bits, SoftBits, Symbols

BLOCK = 64
"""A frame is a whole number of blocks of so many symbols, for OFDM."""
_FEWEST_PILOTS = 16
_PILOT_SEED = 2006


class Link:
    """Frames of one size: payload, tag, convolutional code, symbols after pilots.

    Parameters
    ----------
    modulation
        Name of a row of `samara.phy.modulation`.
    payload_size
        Bytes of a payload.
    key
        16 bytes: of the tag, and of Grain-128PLE where a scheme uses it.

    Raises
    ------
    samara.phy.radio.RadioError
        If GNU Radio or gr-samara is not installed.
    """

    def __init__(self, modulation: str, payload_size: int, key: bytes) -> None:
        self.modulation, self.payload_size, self.key = modulation, payload_size, key
        self.codec = CodedFrames(Code.CONV, payload_size, key)
        self.mapper = find(modulation).mapper()
        self.places = ple_sync.places(self.codec.coded_bits)
        self._padding = -self.codec.coded_bits % self.mapper.bits_per_symbol
        bits = self.codec.coded_bits + self._padding
        data = bits // self.mapper.bits_per_symbol * self.mapper.samples_per_symbol
        count = _FEWEST_PILOTS + -(data + _FEWEST_PILOTS) % BLOCK
        self.pilots = public_symbols(count)
        self.symbols: int = count + data

    @property
    def points(self) -> Symbols:
        """The different values that a symbol without noise can have."""
        count = self.mapper.bits_per_symbol
        bits = np.arange(1 << count)[:, np.newaxis] >> np.arange(count) & 1
        symbols = self.mapper.modulate(bits.astype(np.uint8)).ravel()
        # Rounded: the same point may differ in its last digit.
        points: Symbols = np.unique(np.round(symbols, 6))
        return points

    def coded(
        self, payloads: Bits, counters: Iterable[int], *, encrypts: bool = False
    ) -> Bits:
        """Return coded bits, one row a frame; by default without encryption."""
        rows = [
            self.codec.encode(payload[np.newaxis], int(counter), encrypts=encrypts)
            for payload, counter in zip(payloads, counters, strict=True)
        ]
        return np.concatenate(rows)

    def mapped(self, bits: Bits) -> Symbols:
        """Return the symbols of rows of coded bits, after the pilots."""
        padded = np.pad(bits, ((0, 0), (0, self._padding)))
        pilots = np.broadcast_to(self.pilots, (len(bits), len(self.pilots)))
        return np.concatenate([pilots, self.mapper.modulate(padded)], axis=1)

    def soft(self, symbols: Symbols) -> SoftBits:
        """Return soft bits of rows of symbols, up to a positive factor."""
        data = np.ascontiguousarray(symbols[:, len(self.pilots) :], np.complex64)
        return self.mapper.demodulate(data, 1.0)[:, : self.codec.coded_bits]

    def read(self, soft: SoftBits) -> Bits:
        """Return the most likely payloads of frames without encryption."""
        payloads, _ = self.codec.decode(soft, 0, decrypts=False)
        return payloads

    def variance(self, ebn0_db: float) -> float:
        """Return the variance of the noise. The energy of pilots does not count."""
        data = self.symbols - len(self.pilots)
        return noise_variance(data, self.codec.information_bits, ebn0_db)

    def payloads(self, random: np.random.Generator, count: int) -> Bits:
        """Return random payloads, one row a frame."""
        return random.integers(0, 256, (count, self.payload_size), dtype=np.uint8)


def noisy(sent: Symbols, variance: float, random: np.random.Generator) -> Symbols:
    """Return what is heard of rows of samples, under noise of this variance."""
    heard: Symbols = sent + white_noise(random, sent.shape) * np.float32(
        np.sqrt(variance)
    )
    return heard


def right_frames(sent: Bits, read: Bits) -> NDArray[np.bool_]:
    """Tell of each frame whether all of its payload was read."""
    same: NDArray[np.bool_] = (sent == read).all(axis=1)
    return same


def public_symbols(count: int) -> Symbols:
    """Return symbols that everybody knows: QPSK in random order, always the same."""
    quarter = np.random.default_rng(_PILOT_SEED).integers(0, 4, count)
    symbols: Symbols = np.exp(1j * np.pi * (quarter / 2 + 0.25)).astype(np.complex64)
    return symbols
