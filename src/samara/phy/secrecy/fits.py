# SPDX-License-Identifier: Apache-2.0
"""Secrets that an eavesdropper fits to symbols that it knows.

Each fit takes symbols as observed, and what they were before encryption. It returns a
function that takes other rows, and returns their soft bits without encryption.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, TypeAlias

import numpy as np

from samara.extras import need

if TYPE_CHECKING:
    from samara.phy.mappers import Bits, SoftBits, Symbols
    from samara.phy.secrecy.link import Link

Opened: TypeAlias = Callable[["Symbols"], "SoftBits"]


def places_and_angles(link: Link, rows: Symbols, bits: Bits) -> Opened:
    """Fit an order of the symbols and an angle for each, the same in all frames.

    Places are assigned so that the correlations of what they got add up to the most
    (SciPy's `linear_sum_assignment`).
    """
    plain = link.mapped(bits)
    products = rows.conj().T @ plain
    assign = need("scipy.optimize", "phy").linear_sum_assignment
    places, symbols = assign(-np.abs(products))
    turns = np.exp(1j * np.angle(products[places, symbols])).astype(np.complex64)

    def opened(others: Symbols) -> SoftBits:
        ordered = np.empty_like(others)
        ordered[:, symbols] = others[:, places] * turns
        return link.soft(ordered)

    return opened


def keystream(link: Link, rows: Symbols, bits: Bits) -> Opened:
    """Fit bits that are added to the coded bits, the same in all frames."""
    votes = (link.soft(rows) * _signs(bits)).sum(axis=0)
    signs = np.copysign(np.float32(1), votes)
    return lambda others: link.soft(others) * signs


def best_fit(link: Link, rows: Symbols, bits: Bits) -> Opened:
    """Return the fit to most of the rows that explains the others best."""
    most = len(rows) - len(rows) // 4
    fits = [
        fit(link, rows[:most], bits[:most]) for fit in (places_and_angles, keystream)
    ]
    return max(fits, key=lambda fit: agreement(fit(rows[most:]), bits[most:]))


def agreement(soft: SoftBits, bits: Bits) -> float:
    """Return the share of known bits that soft bits decide rightly."""
    return float(((soft < 0) == (bits == 1)).mean())


def pilot_angle(link: Link, rows: Symbols) -> SoftBits:
    """Fit one angle to the pilots of each frame, and return all soft bits."""
    products = rows[:, : len(link.pilots)] @ link.pilots.conj()
    turns = np.exp(-1j * np.angle(products)).astype(np.complex64)
    return link.soft(rows * turns[:, np.newaxis])


def periodic_keystream(soft: SoftBits, bits: Bits, period: int) -> SoftBits:
    """Fit a keystream of this period to each frame, and return all soft bits.

    Parameters
    ----------
    soft, bits
        In the order of the code; bits are known from the beginning of the frame on.
    """
    known = bits.shape[1]
    votes = soft[:, :known] * _signs(bits)
    padded = np.pad(votes, ((0, 0), (0, -known % period)))
    sums = padded.reshape(len(votes), -1, period).sum(axis=1)
    signs = np.copysign(np.float32(1), sums)
    repeated = np.resize(signs.T, (soft.shape[1], len(signs))).T
    opened: SoftBits = soft * repeated
    return opened


def _signs(bits: Bits) -> SoftBits:
    return 1 - 2 * bits.astype(np.float32)
