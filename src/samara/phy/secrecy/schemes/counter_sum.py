# SPDX-License-Identifier: Apache-2.0
"""Broken on purpose: keystreams of different frames are sums of a few."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from samara.phy.secrecy.scheme import keystream
from samara.phy.secrecy.xor import Xor

if TYPE_CHECKING:
    from samara.phy.mappers import Bits
    from samara.phy.secrecy.scheme import Counters

COUNTER_BITS = 16


class CounterSum(Xor):
    """A keystream, and another one for each bit of the counter that is 1."""

    title = "XOR of coded bits, a keystream for each bit of the counter"

    @property
    def keystream_bits(self) -> int:
        """See `Scheme`."""
        return (1 + COUNTER_BITS) * self.link.codec.coded_bits

    def stream(self, counters: Counters) -> Bits:
        """See `Xor`."""
        size = self.link.codec.coded_bits
        first, *others = keystream(self.link.key, range(1 + COUNTER_BITS), size)
        bits = np.tile(first, (len(counters), 1))
        for place, row in enumerate(others):
            bits ^= (counters[:, np.newaxis] >> place & 1).astype(np.uint8) * row
        return bits


SCHEME = CounterSum
