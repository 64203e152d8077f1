# SPDX-License-Identifier: Apache-2.0
"""Which of eight nodes has sent a frame? From the imperfections of its transmitter.

Each node has a carrier offset and an imbalance of its I and Q branches. They are
measured at the preamble, which a receiver needs in the clear: no scheme changes it, so
the result is that of all of them. The nearest mean of frames whose sender is known
tells the node: first by the carrier, then by the imbalance alone.

The spread of the imperfections is an assumption: carriers within 10 ppm at 868 MHz and
250,000 symbols a second (standard deviation 0.035 cycles a symbol), 0.2 ppm from frame
to frame; branches that differ by 0.5 dB and 3 degrees (standard deviations).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from samara.phy.secrecy.attack import Attack
from samara.phy.secrecy.estimates import share
from samara.phy.secrecy.link import public_symbols

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

    from samara.phy.mappers import Symbols
    from samara.phy.secrecy.attack import Air
    from samara.phy.secrecy.estimates import Estimate, Outcomes

NODES = 8
_POPULATION = 868
"""Seed of the nodes: the same ones with each scheme."""
_MOST_FRAMES = 2000
_CARRIER_SPREAD, _CARRIER_DRIFT = 0.035, 0.0007
_GAIN_SPREAD_DB, _ANGLE_SPREAD = 0.5, float(np.radians(3))
_PREAMBLE = public_symbols(128)
_OFFSETS = np.arange(-0.15, 0.15, 1 / (4 * len(_PREAMBLE)))


class Fronts(NamedTuple):
    """Imperfections of transmitters: x becomes direct x + image conj(x), turned."""

    carriers: NDArray[np.float64]
    """In cycles a symbol."""
    direct: NDArray[np.complex128]
    image: NDArray[np.complex128]

    @classmethod
    def drawn(cls, random: np.random.Generator, count: int) -> Fronts:
        """Return those of random transmitters."""
        gains = 10 ** (random.normal(0, _GAIN_SPREAD_DB, count) / 20)
        skews = gains * np.exp(1j * random.normal(0, _ANGLE_SPREAD, count))
        carriers = random.normal(0, _CARRIER_SPREAD, count)
        return cls(carriers, (1 + skews) / 2, (1 - skews.conj()) / 2)

    def preambles(
        self, nodes: NDArray[np.int64], drifts: NDArray[np.float64]
    ) -> Symbols:
        """Return what these nodes send, one row for each."""
        direct, image = (each[nodes, np.newaxis] for each in (self.direct, self.image))
        made = direct * _PREAMBLE + image * _PREAMBLE.conj()
        sent: Symbols = (made * _turns(self.carriers[nodes] + drifts)).astype(
            np.complex64
        )
        return sent


def _listen(air: Air) -> Iterator[Estimate]:
    frames = min(_MOST_FRAMES, air.setting.frames)
    fronts = Fronts.drawn(np.random.default_rng(_POPULATION), NODES)
    nodes = air.random.integers(0, NODES, frames)
    drifts = air.random.normal(0, _CARRIER_DRIFT, frames)
    carriers, images = measured(air.noisy(fronts.preambles(nodes, drifts)))
    for name, features in (("carrier", carriers), ("imbalance", images)):
        hits = _named(features, nodes)
        yield share(f"nodes told by {name}", hits, air.setting.confidence, 1 / NODES)


def measured(heard: Symbols) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return carrier offsets, and image over direct signal, of heard preambles."""
    carriers = _carriers(heard * _PREAMBLE.conj())
    still = heard * _turns(-carriers)
    both = np.stack([_PREAMBLE, _PREAMBLE.conj()], axis=1)
    direct, image = np.linalg.lstsq(both, still.T, rcond=None)[0]
    shares = image / direct
    return carriers[:, np.newaxis], np.stack([shares.real, shares.imag], axis=1)


def _carriers(tones: Symbols) -> NDArray[np.float64]:
    """Return the frequency of each row, by a grid and a parabola around its best."""
    grid = np.exp(-2j * np.pi * np.outer(np.arange(tones.shape[1]), _OFFSETS))
    power = np.abs(tones @ grid)
    best = np.clip(power.argmax(axis=1), 1, len(_OFFSETS) - 2)
    left, middle, right = (
        np.take_along_axis(power, (best + step)[:, np.newaxis], axis=1)[:, 0]
        for step in (-1, 0, 1)
    )
    bend = np.minimum(left - 2 * middle + right, -1e-9)
    steps = np.clip(0.5 * (left - right) / bend, -1, 1)
    found: NDArray[np.float64] = _OFFSETS[best] + steps * (_OFFSETS[1] - _OFFSETS[0])
    return found


def _turns(offsets: NDArray[np.float64]) -> Symbols:
    """Return the turning of a preamble by each carrier offset, one row for each."""
    steps = np.outer(offsets, np.arange(len(_PREAMBLE)))
    turns: Symbols = np.exp(2j * np.pi * steps).astype(np.complex64)
    return turns


def _named(features: NDArray[np.float64], nodes: NDArray[np.int64]) -> Outcomes:
    """Tell for which frames of the second half the nearest mean is that of the node."""
    half = len(nodes) // 2
    means = np.full((NODES, features.shape[1]), np.inf)
    for node in set(nodes[:half].tolist()):
        means[node] = features[:half][nodes[:half] == node].mean(axis=0)
    away = np.abs(features[half:, np.newaxis] - means).sum(axis=2)
    hits: Outcomes = away.argmin(axis=1) == nodes[half:]
    return hits


ATTACK = Attack(f"which of {NODES} nodes sent, from its preamble", 2, _listen)
