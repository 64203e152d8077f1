# SPDX-License-Identifier: Apache-2.0
"""Carrier offsets: how far apart the crystals of two radios may be."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from samara.phy.tuning import Tuning

WANTED_PPM = 100.0
"""By how much the crystals of two radios are apart at most."""

SAMPLES_PER_SYMBOL = 4
"""With DSSS two chips are a symbol here, too."""

# Cycles a symbol. The receiver searches to 0.126 at once, and each 0.12 more to both
# sides takes that time once more.
_LEAST, _MOST = 0.126, 0.36

WIDEST = 1.0
"""As far as the receiver can search, in cycles a symbol."""


def symbol_rate(tuning: Tuning) -> float:
    """Return the symbols a second."""
    return tuning.sample_rate / SAMPLES_PER_SYMBOL


def searched(tuning: Tuning, most: float = _MOST) -> float:
    """Return the highest carrier offset to search for, in cycles a symbol.

    Parameters
    ----------
    most
        The highest that there is time for.
    """
    wanted = WANTED_PPM * 1e-6 * tuning.frequency / symbol_rate(tuning)
    return min(max(wanted, _LEAST), most)


def in_ppm(offset: float, tuning: Tuning) -> float:
    """Return a carrier offset in ppm of the carrier.

    Parameters
    ----------
    offset
        In cycles a symbol.
    """
    return offset * symbol_rate(tuning) / tuning.frequency * 1e6


def limit_in_words(tuning: Tuning) -> str | None:
    """Return what to do when less than 100 ppm are searched for; None otherwise."""
    found_ppm = in_ppm(searched(tuning), tuning)
    if found_ppm >= WANTED_PPM:
        return None
    rate = WANTED_PPM * 1e-6 * tuning.frequency / _MOST * SAMPLES_PER_SYMBOL
    return (
        f"bursts are found when the crystals of both radios are at most {found_ppm:.0f}"
        f" ppm apart; a --rate from {rate:,.0f} Hz finds {WANTED_PPM:.0f} ppm, or "
        "measure --ppm with samara phy calibrate"
    )
