# SPDX-License-Identifier: Apache-2.0
"""Broken on purpose: the keystream is the same in each frame."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from samara.phy.secrecy.scheme import keystream
from samara.phy.secrecy.xor import Xor

if TYPE_CHECKING:
    from samara.phy.mappers import Bits
    from samara.phy.secrecy.scheme import Counters


class RepeatedKeystream(Xor):
    """Grain-128PLE with the counter left out of the nonce."""

    title = "XOR of coded bits, same keystream each frame"

    @property
    def keystream_bits(self) -> int:
        """See `Scheme`."""
        return self.link.codec.coded_bits

    def stream(self, counters: Counters) -> Bits:
        """See `Xor`."""
        row = keystream(self.link.key, [0], self.keystream_bits)
        return np.repeat(row, len(counters), axis=0)


SCHEME = RepeatedKeystream
