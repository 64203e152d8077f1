# SPDX-License-Identifier: Apache-2.0
"""Soft bits of 2-FSK, MSK and GFSK, whatever the phase.

A bit is decided with its neighbours: samples are correlated with the waveforms of all
groups of five bits, and the best group with 0 in its middle is compared with the best
one with 1. Five bits lose little to a receiver that knows the phase, and suit any
modulation index. Source of the method: Osborne and Luntz, Coherent and Noncoherent
Detection of CPFSK, IEEE Transactions on Communications 22(8), 1974.
"""

from __future__ import annotations

import itertools
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    from samara.phy.transceivers.keying import Bits, Keying, Waves

_SPAN = 5
_MIDDLE = _SPAN // 2

Reals = NDArray[np.float32]


class GroupBank:
    """The waveforms of all groups of bits.

    Parameters
    ----------
    keying
        How bits are sent.
    """

    def __init__(self, keying: Keying) -> None:
        groups = np.array([*itertools.product((0, 1), repeat=_SPAN)], np.uint8)
        # With 0 in the middle, then with 1.
        groups = groups[np.argsort(groups[:, _MIDDLE], kind="stable")]
        self._each = keying.samples
        waves = np.stack([keying.wave(row) for row in groups])
        self._bank = np.conj(waves).T.astype(np.complex64)

    def heights(self, samples: Waves) -> Reals:
        """Return how well groups fit around each bit.

        Parameters
        ----------
        samples
            Those of whole bits, without carrier offset.

        Returns
        -------
        Reals
            Shape [bits, 2, groups]: with 0, and with 1 in the middle.
        """
        edge = _MIDDLE * self._each
        padded = np.pad(samples, (edge, edge))
        size = _SPAN * self._each
        windows = np.lib.stride_tricks.sliding_window_view(padded, size)[:: self._each]
        heights = np.abs(windows @ self._bank)
        shaped: Reals = heights.reshape(len(heights), 2, -1)
        return shaped

    def soft(self, samples: Waves) -> Reals:
        """Return differences of the best groups, positive for bit 0.

        Times 2 / (variance of the complex noise), these are log-likelihood ratios.
        """
        best = self.heights(samples).max(axis=2)
        differences: Reals = best[:, 0] - best[:, 1]
        return differences


class FskMapper:
    """Maps bits to samples of a keying, as `samara.phy.mappers.Mapper` says."""

    bits_per_symbol = 1

    def __init__(self, keying: Keying) -> None:
        self._keying = keying
        self._groups = GroupBank(keying)

    @property
    def samples_per_symbol(self) -> int:
        """Samples of a bit."""
        return self._keying.samples

    def modulate(self, bits: Bits) -> Waves:
        """See `Mapper`."""
        rows = bits.reshape(-1, bits.shape[-1])
        waves = np.stack([self._keying.wave(row) for row in rows])
        shaped: Waves = waves.reshape(*bits.shape[:-1], waves.shape[-1])
        return shaped

    def demodulate(self, received: Waves, gain: float) -> Reals:
        """See `Mapper`."""
        rows = received.reshape(-1, received.shape[-1])
        soft = np.stack([self._groups.soft(row) for row in rows]) * np.float32(gain / 2)
        shaped: Reals = soft.reshape(*received.shape[:-1], soft.shape[-1])
        return shaped
