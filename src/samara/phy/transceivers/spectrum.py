# SPDX-License-Identifier: Apache-2.0
"""The spectrum of a chip's packets: how wide it is, and a picture."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from samara.extras import need
from samara.phy import pictures
from samara.phy.transceivers.sending import wave

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from samara.phy.transceivers.profile import Profile

Reals = NDArray[np.float64]

_BITS, _SEED = 1 << 14, 1
_LINES = 1024
_OCCUPIED = 0.99
_DOWN_DB = 20.0
_LEAST_DB = -80


@dataclass(frozen=True, slots=True)
class Spectrum:
    """Power density over frequency, without noise."""

    frequencies: Reals
    """In Hz from the carrier."""
    decibels: Reals
    """Below the highest line."""
    occupied_hz: float
    """Width of the band with 99 % of the power."""
    down_20_hz: float
    """Between the outermost lines that are at most 20 dB below the highest one."""


def spectrum(profile: Profile) -> Spectrum:
    """Return the spectrum of random bits, which whitened or encrypted packets are."""
    bits = np.random.default_rng(_SEED).integers(0, 2, _BITS, dtype=np.uint8)
    signal = need("scipy.signal", "phy")
    rate = profile.keying.sample_rate
    frequencies, power = signal.welch(
        wave(profile, bits), rate, "hann", _LINES, return_onesided=False
    )
    order = np.argsort(frequencies)
    frequencies, power = frequencies[order], power[order].real
    shares = np.cumsum(power) / power.sum()
    tail = (1 - _OCCUPIED) / 2
    low, high = frequencies[np.searchsorted(shares, (tail, 1 - tail))]
    decibels = 10 * np.log10(np.maximum(power / power.max(), 1e-30))
    loud = frequencies[decibels >= -_DOWN_DB]
    return Spectrum(frequencies, decibels, float(high - low), float(loud[-1] - loud[0]))


def files(profile: Profile) -> dict[str, bytes]:
    """Return png and svg of the spectrum."""

    def paint(figure: Figure) -> None:
        _paint(figure.subplots(), profile)

    return {
        f"spectrum.{kind}": pictures.draw(paint, (7.5, 4.3), kind)
        for kind in ("png", "svg")
    }


def _paint(axes: Axes, profile: Profile) -> None:
    found, keying = spectrum(profile), profile.keying
    kilohertz = found.frequencies / 1e3
    axes.plot(kilohertz, found.decibels, color=pictures.COLOURS[0], lw=1)
    for hertz, text, style in (
        (found.occupied_hz / 2, "99 % of the power", "--"),
        (found.down_20_hz / 2, "20 dB below the highest line", ":"),
        (keying.deviation + keying.bit_rate / 2, "Carson's rule", "-."),
    ):
        label = f"{text}: {2 * hertz / 1e3:.4g} kHz"
        for sign, named in ((-1, label), (1, None)):
            axes.axvline(
                sign * hertz / 1e3, color=pictures.GREY, ls=style, lw=1, label=named
            )
    axes.set_ylim(_LEAST_DB, 3)
    axes.set_xlabel("frequency from the carrier, kHz")
    axes.set_ylabel("power density, dB below the highest")
    axes.set_title(f"{profile.title}: {keying.in_words}")
    axes.legend(fontsize=7.5, loc="upper right")
