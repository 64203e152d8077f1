# SPDX-License-Identifier: Apache-2.0
"""Broken on purpose: one secret order of the coded bits for all frames."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from samara.phy.secrecy.scheme import WORD_BITS, BitScheme, orders

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from samara.phy.mappers import Bits, SoftBits
    from samara.phy.secrecy.scheme import Counters


class BitOrder(BitScheme):
    """A secret interleaver."""

    title = "coded bits in a secret order"

    @property
    def keystream_bits(self) -> int:
        """See `Scheme`."""
        return WORD_BITS * self.link.codec.coded_bits

    def coded(self, payloads: Bits, counters: Counters) -> Bits:
        """See `BitScheme`."""
        return self.link.coded(payloads, counters)[:, self._order()]

    def plain(self, soft: SoftBits, counters: Counters) -> SoftBits:
        """See `BitScheme`."""
        del counters
        bits = np.empty_like(soft)
        bits[:, self._order()] = soft
        return bits

    def _order(self) -> NDArray[np.intp]:
        order: NDArray[np.intp]
        (order,) = orders(self.link.key, [0], self.link.codec.coded_bits)
        return order


SCHEME = BitOrder
