# SPDX-License-Identifier: Apache-2.0
"""Many frames in one call, for simulations: payloads to coded bits, and back.

The codec is in gr-samara, which is loaded when the first codec is made. Soft bits are
positive for bit 0, as everywhere in samara.phy (see `samara.phy.frames`).
"""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING

import numpy as np

from samara.crypto import grain128ple, ple_sync
from samara.phy.frames import make_codec, sign_changed

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from samara.phy.mappers import Bits, SoftBits

CHECK_SIZE = 4
"""Bytes of the tag, which follows the payload."""


class Code(StrEnum):
    """The channel codes of a frame."""

    NONE = "none"
    CONV = "conv"
    POLAR = "polar"
    TAILBITING = "tailbiting"


_NAMES = {
    Code.NONE: "NONE",
    Code.CONV: "CONVOLUTIONAL",
    Code.POLAR: "POLAR",
    Code.TAILBITING: "TAILBITING",
}


class CodedFrames:
    """Frames of one size on one link.

    Parameters
    ----------
    code
        The channel code.
    payload_size
        Bytes of a payload.
    key
        16 bytes.

    Raises
    ------
    samara.phy.tuning.RadioError
        If GNU Radio or gr-samara is not installed.
    """

    def __init__(self, code: Code, payload_size: int, key: bytes) -> None:
        self._key = key
        self._size = payload_size
        name = _NAMES[code]
        self._encrypted = make_codec(key, code=name)
        self._plain = make_codec(key, code=name, encrypts=False)
        self.coded_bits: int = self._plain.coded_bits(payload_size)

    @property
    def information_bits(self) -> int:
        """Number of bits of payload and tag."""
        return 8 * (self._size + CHECK_SIZE)

    def encode(
        self, payloads: Bits, first_counter: int, *, encrypts: bool = True
    ) -> Bits:
        """Return the coded bits, one row per frame, for rows of payload bytes."""
        codec = self._encrypted if encrypts else self._plain
        bits: Bits = codec.encode(payloads, first_counter)
        return bits

    def decode(
        self, soft: SoftBits, first_counter: int, *, decrypts: bool = True
    ) -> tuple[Bits, NDArray[np.bool_]]:
        """Return the payload bytes, also wrong ones, and which tags are right."""
        codec = self._encrypted if decrypts else self._plain
        counters = np.arange(len(soft), dtype=np.uint64) + np.uint64(first_counter)
        answer: tuple[Bits, NDArray[np.bool_]]
        answer = codec.decode_unverified(sign_changed(soft), counters, self._size)
        return answer

    def keystream(self, first_counter: int, count: int) -> Bits:
        """Return the keystream bits of `count` frames, one row per frame.

        The bits, one per byte, are in the order in which the frame is sent.
        """
        streams = grain128ple.keystream_batch(
            (
                self._key,
                ple_sync.nonce(ple_sync.Domain.KEYSTREAM, 0, 0, first_counter + i),
                self.coded_bits,
            )
            for i in range(count)
        )
        rows = np.unpackbits(np.stack(streams), axis=1, bitorder="little")
        sent = np.empty((count, self.coded_bits), np.uint8)
        sent[:, ple_sync.places(self.coded_bits)] = rows[:, : self.coded_bits]
        return sent
