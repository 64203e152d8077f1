# SPDX-License-Identifier: Apache-2.0
"""What a scheme costs: Eb/N0 for a frame error rate, bits, and time."""

from __future__ import annotations

import math
import time
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from samara.phy.intervals import NORMAL, Rate
from samara.phy.secrecy.checking import checked
from samara.phy.secrecy.link import Link, noisy, right_frames

if TYPE_CHECKING:
    from samara.phy.secrecy.scheme import Scheme

Reals: TypeAlias = NDArray[np.float64]

ERROR_RATE = 0.1
"""Frame error rate at which schemes are compared."""
_LOWEST_DB, _HIGHEST_DB = -5.0, 45.0
_SEARCH_STEPS, _SEARCH_FRAMES = 9, 60
_REACH_DB, _POINTS = 0.75, 7
_ROUNDS, _TIMED_FRAMES = 5, 50


@dataclass(frozen=True, slots=True)
class Cost:
    """What a scheme takes on one link."""

    needed: Rate
    """Eb/N0 in dB at which the frame error rate is `ERROR_RATE`."""
    added_symbols: int
    keystream_bits: int
    frame_s: float
    """Time to make a frame on this computer."""


class _Needed(NamedTuple):
    ebn0_db: float
    deviation: float


def cost_of(
    kind: type[Scheme],
    modulation: str,
    payload_size: int,
    frames: int,
    random: np.random.Generator,
) -> Cost:
    """Measure what a scheme costs, with so many frames at each of seven Eb/N0."""
    link = Link(modulation, payload_size, random.bytes(16))
    scheme = checked(kind, link)
    middle = _searched(scheme, random)
    places = np.linspace(middle - _REACH_DB, middle + _REACH_DB, _POINTS)
    errors = np.array([frame_errors(scheme, at, frames, random) for at in places])
    at, deviation = _crossing(places, errors, frames)
    reach = NORMAL * deviation
    sent = scheme.send(link.payloads(random, 1), np.array([0]))
    return Cost(
        Rate(at, at - reach, at + reach),
        sent.shape[1] - link.symbols,
        scheme.keystream_bits,
        _frame_s(scheme, random),
    )


def frame_errors(
    scheme: Scheme, ebn0_db: float, count: int, random: np.random.Generator
) -> int:
    """Send frames to the receiver with the key, and count the wrong payloads."""
    link, counters = scheme.link, np.arange(count)
    payloads = link.payloads(random, count)
    heard = noisy(scheme.send(payloads, counters), link.variance(ebn0_db), random)
    read = link.read(scheme.receive(heard, counters))
    return count - int(right_frames(payloads, read).sum())


def _searched(scheme: Scheme, random: np.random.Generator) -> float:
    """Return about the Eb/N0 of the frame error rate, by halving the range."""
    low, high = _LOWEST_DB, _HIGHEST_DB
    for _ in range(_SEARCH_STEPS):
        middle = (low + high) / 2
        errors = frame_errors(scheme, middle, _SEARCH_FRAMES, random)
        if errors > ERROR_RATE * _SEARCH_FRAMES:
            low = middle
        else:
            high = middle
    return (low + high) / 2


def _crossing(places: Reals, errors: NDArray[np.int64], count: int) -> _Needed:
    """Fit a logistic curve to frame errors, and return where it has the error rate.

    By Newton's method on the likelihood; the deviation is from its curvature (the delta
    method).
    """
    middle = float(places.mean())
    rows = np.stack([np.ones(len(places)), places - middle], axis=1)
    fitted = np.array([math.log(ERROR_RATE / (1 - ERROR_RATE)), -4.0])
    for _ in range(50):
        rates = 1 / (1 + np.exp(-(rows @ fitted)))
        weights = count * np.maximum(rates * (1 - rates), 1e-9)
        curvature = rows.T @ (weights[:, np.newaxis] * rows)
        step = np.linalg.solve(curvature, rows.T @ (errors - count * rates))
        fitted = fitted + np.clip(step, -1, 1)
    offset, slope = fitted
    level = math.log(ERROR_RATE / (1 - ERROR_RATE))
    at = (level - offset) / slope
    gradient = np.array([-1 / slope, -at / slope])
    variance = float(gradient @ np.linalg.inv(curvature) @ gradient)
    return _Needed(middle + float(at), math.sqrt(variance))


def _frame_s(scheme: Scheme, random: np.random.Generator) -> float:
    payloads = scheme.link.payloads(random, _TIMED_FRAMES)
    counters = np.arange(_TIMED_FRAMES)
    best = math.inf
    for _ in range(_ROUNDS):
        begin = time.thread_time()
        scheme.send(payloads, counters)
        best = min(best, time.thread_time() - begin)
    return best / _TIMED_FRAMES
