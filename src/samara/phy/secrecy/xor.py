# SPDX-License-Identifier: Apache-2.0
"""XOR of coded bits with a keystream that is not the one of Grain-128PLE's frames."""

from __future__ import annotations

from abc import abstractmethod
from typing import TYPE_CHECKING

import numpy as np

from samara.phy.secrecy.scheme import BitScheme

if TYPE_CHECKING:
    from samara.phy.mappers import Bits, SoftBits
    from samara.phy.secrecy.scheme import Counters


class Xor(BitScheme):
    """A scheme that adds bits to coded bits."""

    @abstractmethod
    def stream(self, counters: Counters) -> Bits:
        """Return the bits that are added, in the order of the code, one row a frame."""

    def coded(self, payloads: Bits, counters: Counters) -> Bits:
        """See `BitScheme`."""
        return self.link.coded(payloads, counters) ^ self._sent(counters)

    def plain(self, soft: SoftBits, counters: Counters) -> SoftBits:
        """See `BitScheme`."""
        return soft * (1 - 2 * self._sent(counters).astype(np.float32))

    def _sent(self, counters: Counters) -> Bits:
        rows = self.stream(counters)
        sent = np.empty_like(rows)
        sent[:, self.link.places] = rows
        return sent
