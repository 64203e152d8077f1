# SPDX-License-Identifier: Apache-2.0
"""OFDM subcarrier scrambling: symbols go to subcarriers in an order that the key gives.

The order is that of the key, the same in each frame, as in schemes that scramble once a
session. Frames have no cyclic prefix, because the channel has no echoes.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from samara.phy.secrecy.link import BLOCK
from samara.phy.secrecy.scheme import SymbolScheme, orders

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from samara.phy.mappers import Symbols
    from samara.phy.secrecy.scheme import Counters


class Subcarriers(SymbolScheme):
    """64 subcarriers."""

    title = "OFDM subcarriers in an order fixed by the key"
    keystream_bits = 0

    def scramble(self, symbols: Symbols, counters: Counters) -> Symbols:  # noqa: ARG002
        """See `SymbolScheme`."""
        spectra = _blocks(symbols)[..., self._order]
        samples = np.fft.ifft(spectra, axis=-1, norm="ortho")
        return samples.astype(np.complex64).reshape(symbols.shape)

    def observe(self, heard: Symbols) -> Symbols:
        """See `Scheme`."""
        spectra = np.fft.fft(_blocks(heard), axis=-1, norm="ortho")
        return spectra.astype(np.complex64).reshape(heard.shape)

    def unscramble(self, observed: Symbols, counters: Counters) -> Symbols:  # noqa: ARG002
        """See `SymbolScheme`."""
        blocks = _blocks(observed)
        symbols = np.empty_like(blocks)
        symbols[..., self._order] = blocks
        return symbols.reshape(observed.shape)

    @property
    def _order(self) -> NDArray[np.intp]:
        order: NDArray[np.intp] = orders(self.link.key, [0], BLOCK)[0]
        return order


def _blocks(rows: Symbols) -> Symbols:
    return rows.reshape(len(rows), -1, BLOCK)


SCHEME = Subcarriers
