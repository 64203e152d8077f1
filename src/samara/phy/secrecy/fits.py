# SPDX-License-Identifier: Apache-2.0
"""Secrets that an eavesdropper fits to symbols that it knows.

Each fit takes symbols as observed, and what they were before encryption. It returns a
function that takes other rows, and returns their soft bits without encryption.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import TYPE_CHECKING, TypeAlias

import numpy as np

from samara.extras import need

if TYPE_CHECKING:
    from samara.phy.mappers import Bits, SoftBits, Symbols
    from samara.phy.secrecy.link import Link
    from samara.phy.secrecy.scheme import Counters

# A recurrence of half of a stretch's bits explains any bits: of these it explains none
# by chance.
_STRETCH, _LONGEST_RECURRENCE = 160, 64

# Of a counter, the bits that a keystream may depend on; periods of keystreams in turn.
_COUNTER_BITS, _PERIODS = 9, range(2, 17)
_EXPLAINED = 0.75

Opened: TypeAlias = Callable[["Symbols"], "SoftBits"]
OpenedBy: TypeAlias = Callable[["Symbols", "Counters"], "SoftBits"]
"""The same, with the counters of the rows."""


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


def order_of_bits(link: Link, rows: Symbols, bits: Bits) -> Opened:
    """Fit an order of the coded bits, and bits that are added, the same in all frames.

    As `places_and_angles`, of decided bits.
    """
    heard = np.copysign(np.float32(1), link.soft(rows))
    products = heard.T @ _signs(bits)
    assign = need("scipy.optimize", "phy").linear_sum_assignment
    places, coded = assign(-np.abs(products))
    signs = np.copysign(np.float32(1), products[places, coded])

    def opened(others: Symbols) -> SoftBits:
        soft = link.soft(others)
        ordered = np.empty_like(soft)
        ordered[:, coded] = soft[:, places] * signs
        return ordered

    return opened


def keystreams_by_counter(
    link: Link, rows: Symbols, bits: Bits, counters: Counters
) -> OpenedBy:
    """Fit bits that are added: each a sum of bits of the counter, or its inverse.

    Each coded bit gets the sum that agrees with most frames, of all that there are
    (Walsh and Hadamard's transform).
    """
    first, size = int(counters.min()), 1 << _COUNTER_BITS
    votes = np.zeros((size, bits.shape[1]), np.float32)
    soft = np.copysign(np.float32(1), link.soft(rows))
    np.add.at(votes, (counters - first) % size, soft * _signs(bits))
    for step in (1 << place for place in range(_COUNTER_BITS)):
        pairs = votes.reshape(-1, 2, step, votes.shape[1])
        low, high = pairs[:, 0].copy(), pairs[:, 1].copy()
        pairs[:, 0], pairs[:, 1] = low + high, low - high
    masks = np.abs(votes).argmax(axis=0)
    signs = np.copysign(np.float32(1), votes[masks, np.arange(len(masks))])

    def opened(others: Symbols, later: Counters) -> SoftBits:
        taken = (later[:, np.newaxis] - first) % size & masks
        odd = np.zeros_like(taken)
        for place in range(_COUNTER_BITS):
            odd ^= taken >> place & 1
        found: SoftBits = link.soft(others) * signs * _signs(odd.astype(np.uint8))
        return found

    return opened


def keystreams_in_turn(
    period: int, link: Link, rows: Symbols, bits: Bits, counters: Counters
) -> OpenedBy:
    """Fit a keystream for each remainder of the counter."""
    votes = np.zeros((period, bits.shape[1]), np.float32)
    np.add.at(votes, counters % period, link.soft(rows) * _signs(bits))
    signs = np.copysign(np.float32(1), votes)
    return lambda others, later: link.soft(others) * signs[later % period]


def best_fit(link: Link, rows: Symbols, bits: Bits, counters: Counters) -> OpenedBy:
    """Return the fit to most of the rows that explains the others best.

    One of the counter is taken only if it explains most of their bits: there are many,
    and one of them is the best by chance.
    """
    most = len(rows) - len(rows) // 4
    fitted = link, rows[:most], bits[:most]
    others, later = rows[most:], counters[most:]

    def explained(fit: OpenedBy) -> float:
        return agreement(fit(others, later), bits[most:])

    of_all: list[OpenedBy] = [
        partial(_without_counters, fit(*fitted))
        for fit in (places_and_angles, keystream, order_of_bits)
    ]
    by_counter = [keystreams_by_counter(*fitted, counters[:most])]
    by_counter += [
        keystreams_in_turn(period, *fitted, counters[:most]) for period in _PERIODS
    ]
    best, other = max(of_all, key=explained), max(by_counter, key=explained)
    return other if explained(other) > max(explained(best), _EXPLAINED) else best


def _without_counters(opened: Opened, others: Symbols, _: Counters) -> SoftBits:
    return opened(others)


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


def recurrent_keystream(soft: SoftBits, bits: Bits) -> SoftBits:
    """Fit a linear recurrence to each frame's keystream, and return all soft bits.

    A register with linear feedback has one. Where a stretch of known bits has no wrong
    one, the recurrence goes on to the end of the frame; other frames stay as they are.

    Parameters
    ----------
    soft, bits
        As of `periodic_keystream`.
    """
    known = bits.shape[1]
    added = (soft[:, :known] < 0) ^ (bits == 1)
    opened = soft.copy()
    for index, heard in enumerate(added.astype(np.uint8)):
        for start in range(0, known - _STRETCH + 1, _STRETCH // 2):
            stretch = heard[start : start + _STRETCH].tolist()
            taps = shortest_recurrence(stretch)
            if len(taps) <= _LONGEST_RECURRENCE:
                before = heard[:start].tolist()
                stream = _continued(before + stretch, taps, soft.shape[1])
                opened[index] *= _signs(stream)
                break
    return opened


def shortest_recurrence(bits: Sequence[int]) -> list[int]:
    """Return c of the shortest recurrence: bit i is the sum of c[j] bit[i - 1 - j].

    The algorithm of Berlekamp and Massey, over GF(2): bit j of a number is the
    coefficient of x^j.

    Examples
    --------
    >>> shortest_recurrence([1, 0, 0, 1, 0, 1, 1, 1, 0, 0, 1, 0])
    [0, 1, 1]
    """
    now, before, length, since, past = 1, 1, 0, 1, 0
    for index, bit in enumerate(bits):
        past = past << 1 | bit
        if not (now & past).bit_count() & 1:
            since += 1
        elif 2 * length <= index:
            now, before = now ^ before << since, now
            length, since = index + 1 - length, 1
        else:
            now, since = now ^ before << since, since + 1
    return [now >> place & 1 for place in range(1, length + 1)]


def _continued(bits: list[int], taps: list[int], size: int) -> Bits:
    """Return so many bits that begin with these and go on by a recurrence."""
    taken = [place + 1 for place, tap in enumerate(taps) if tap]
    whole = bits.copy()
    for index in range(len(bits), size):
        whole.append(sum(whole[index - place] for place in taken) & 1)
    return np.array(whole, np.uint8)


def _signs(bits: Bits) -> SoftBits:
    return 1 - 2 * bits.astype(np.float32)
