# SPDX-License-Identifier: Apache-2.0
"""Keyed constellation rotation: each symbol is turned by a secret angle of its own.

Compared with XOR by Huo and Gong, "XOR encryption versus phase encryption, an in-depth
analysis", IEEE Transactions on Electromagnetic Compatibility, 2015.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from samara.phy.secrecy.scheme import SymbolScheme, keystream

if TYPE_CHECKING:
    from samara.phy.mappers import Symbols
    from samara.phy.secrecy.scheme import Counters

ANGLE_BITS = 8


class Rotation(SymbolScheme):
    """256 angles, fresh for each symbol of each frame."""

    title = "each symbol turned, fresh angles"

    @property
    def angles(self) -> int:
        """Number of angles for a frame."""
        return self.link.symbols

    @property
    def keystream_bits(self) -> int:
        """See `Scheme`."""
        return ANGLE_BITS * self.angles

    def scramble(self, symbols: Symbols, counters: Counters) -> Symbols:
        """See `SymbolScheme`."""
        return symbols * self._turns(counters)

    def unscramble(self, observed: Symbols, counters: Counters) -> Symbols:
        """See `SymbolScheme`."""
        return observed * self._turns(counters).conj()

    def _turns(self, counters: Counters) -> Symbols:
        bits = keystream(self.link.key, counters, self.keystream_bits)
        steps = np.packbits(bits, axis=1)
        angles = 2 * np.pi / 2**ANGLE_BITS * steps
        turns: Symbols = np.exp(1j * angles).astype(np.complex64)
        return turns


SCHEME = Rotation
