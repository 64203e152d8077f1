# SPDX-License-Identifier: Apache-2.0
"""Broken on purpose: the keystream is fresh, but repeats within the frame."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from samara.phy.secrecy.scheme import keystream
from samara.phy.secrecy.xor import Xor

if TYPE_CHECKING:
    from samara.phy.mappers import Bits
    from samara.phy.secrecy.scheme import Counters

PERIOD = 64


class ShortPeriod(Xor):
    """A short secret for each frame, used again and again."""

    title = f"XOR of coded bits, keystream of period {PERIOD}"
    keystream_bits = PERIOD

    def stream(self, counters: Counters) -> Bits:
        """See `Xor`."""
        rows = keystream(self.link.key, counters, PERIOD)
        return np.resize(rows.T, (self.link.codec.coded_bits, len(rows))).T


SCHEME = ShortPeriod
