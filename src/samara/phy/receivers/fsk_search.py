# SPDX-License-Identifier: Apache-2.0
"""Where bits that are known begin among samples of 2-FSK and GFSK.

Products of filtered samples that are `lag` apart do not depend on the carrier offset
but for a factor. Correlated with those of the known bits, they tell where these may
begin.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from samara.extras import need
from samara.phy.receivers.streaming import peaks, sums

if TYPE_CHECKING:
    from samara.phy.channel import Samples
    from samara.phy.receivers.streaming import Positions
    from samara.phy.transceivers.keying import Bits, Keying

signal = need("scipy.signal", "phy")

Reals = NDArray[np.float64]

# Share of the products' energy that has to be that of the known bits, at most.
_MOST_SHARE = 0.25
# Noise has a share of x with a probability of about exp(-x * independent products): in
# one of 160,000 places.
_LEAST_PRODUCTS = 12.0
# Products without noise that are all alike: a tone. Its rounding errors are no signal.
_LEAST_SPREAD = 1e-3
# The filter lets pass what is so many bit rates beside either frequency.
_BESIDE = 0.75
_FILTER_BITS = 4


class SyncSearch:
    """Finds known bits.

    Parameters
    ----------
    keying
        How bits are sent; samples have its `sample_rate`.
    known
        The bits.
    """

    def __init__(self, keying: Keying, known: Bits) -> None:
        self._lag = keying.lag
        self.size = len(known) * keying.samples
        """Samples of the known bits."""
        edge = keying.deviation + _BESIDE * keying.bit_rate
        taps = _FILTER_BITS * keying.samples + 1
        share = min(2 * edge / keying.sample_rate, 0.95)
        self._low_pass = signal.firwin(taps, share).astype(np.float32)
        products = self._products(keying.wave(known))
        # Without their mean, so that a tone is no sync word.
        shape = products - products.mean()
        self._filter = np.conj(shape[::-1]).astype(np.complex64)
        self._energy = float(power(shape).sum())
        self._least_share = min(_MOST_SHARE, _LEAST_PRODUCTS / (share * self.size))

    def _products(self, samples: Samples) -> Samples:
        passed = signal.oaconvolve(samples, self._low_pass, mode="same")
        products: Samples = passed[self._lag :] * np.conj(passed[: -self._lag])
        return products

    def starts(self, samples: Samples) -> Positions:
        """Return where the products fit those of the known bits best."""
        share, _ = self._fit(samples)
        return peaks(share, self._least_share, self.size // 2)

    def turn_and_share(self, samples: Samples) -> tuple[float, float]:
        """Return the carrier offset of known bits, in cycles a sample, and the share.

        Parameters
        ----------
        samples
            Those of the known bits.
        """
        share, fit = self._fit(samples)
        turn = float(np.angle(fit[0])) / (2 * np.pi * self._lag)
        return turn, float(share[0])

    def _fit(self, samples: Samples) -> tuple[Reals, Samples]:
        size = len(self._filter)
        if len(samples) < size + self._lag:
            return np.zeros(0), np.zeros(0, np.complex64)
        products = self._products(samples)
        fit: Samples = signal.oaconvolve(products, self._filter, mode="valid")
        energy = sums(power(products), size)
        floor = np.finfo(np.float32).tiny + energy.max() * 1e-9
        parts = (products.real, products.imag)
        level = sum(sums(part.astype(np.float64), size) ** 2 for part in parts)
        spread = np.maximum(energy - level / size, _LEAST_SPREAD * energy)
        return power(fit) / (self._energy * np.maximum(spread, floor)), fit

    def snr_db(self, share: float) -> float:
        """Return the signal-to-noise ratio of samples at which there is this share.

        With a ratio of g behind the filter, products have an energy of g^2 from the
        signal, of which a part is not alike, and of 2 g + 1 from the noise.
        """
        part, share = self._energy / len(self._filter), min(share, 0.9999)
        square = part * (1 - share)
        ratio = (share + math.sqrt(share**2 + square * share)) / square
        passed = float((self._low_pass.astype(np.float64) ** 2).sum())
        return 10 * math.log10(ratio * passed)


def power(values: Samples) -> Reals:
    """Return squared magnitudes."""
    return values.real.astype(np.float64) ** 2 + values.imag.astype(np.float64) ** 2
