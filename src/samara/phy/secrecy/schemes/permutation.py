# SPDX-License-Identifier: Apache-2.0
"""Symbol permutation: the symbols of a frame are sent in a secret order."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from samara.phy.secrecy.scheme import WORD_BITS, SymbolScheme, orders

if TYPE_CHECKING:
    from samara.phy.mappers import Symbols
    from samara.phy.secrecy.scheme import Counters


class Permutation(SymbolScheme):
    """A fresh order for each frame."""

    title = "symbols of a frame in a fresh order"

    @property
    def keystream_bits(self) -> int:
        """See `Scheme`."""
        return WORD_BITS * self.link.symbols

    def scramble(self, symbols: Symbols, counters: Counters) -> Symbols:
        """See `SymbolScheme`."""
        order = orders(self.link.key, counters, self.link.symbols)
        return np.take_along_axis(symbols, order, axis=1)

    def unscramble(self, observed: Symbols, counters: Counters) -> Symbols:
        """See `SymbolScheme`."""
        order = orders(self.link.key, counters, self.link.symbols)
        symbols = np.empty_like(observed)
        np.put_along_axis(symbols, order, observed, axis=1)
        return symbols


SCHEME = Permutation
