# SPDX-License-Identifier: Apache-2.0
"""Broken on purpose: a shift register with linear feedback, freshly filled."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from samara.phy.secrecy.scheme import keystream
from samara.phy.secrecy.xor import Xor

if TYPE_CHECKING:
    from samara.phy.mappers import Bits
    from samara.phy.secrecy.scheme import Counters

SIZE = 32
# x^32 + x^22 + x^2 + x + 1 is primitive: the period is 2^32 - 1.
_TAPS = (32, 31, 30, 10)


class LinearFeedback(Xor):
    """A whitener of long period, whose first content is secret."""

    title = f"XOR of coded bits, register of {SIZE} bits with linear feedback"
    keystream_bits = SIZE

    def stream(self, counters: Counters) -> Bits:
        """See `Xor`."""
        begin = keystream(self.link.key, counters, SIZE)
        bits = np.empty((len(begin), self.link.codec.coded_bits), np.uint8)
        bits[:, :SIZE] = begin
        for place in range(SIZE, bits.shape[1]):
            before = [place - tap for tap in _TAPS]
            bits[:, place] = np.bitwise_xor.reduce(bits[:, before], axis=1)
        return bits


SCHEME = LinearFeedback
