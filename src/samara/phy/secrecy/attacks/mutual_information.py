# SPDX-License-Identifier: Apache-2.0
"""How many bits of a symbol are in what is heard at one place? By Ross's estimator.

The symbol is the one before encryption, of frames with random payloads and fresh
counters. In one half of the frames the eavesdropper looks where the symbol is heard: at
its own place, or at the place that is most correlated with it. The estimate is from the
other half, and the mean over symbols of the frame.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from samara.phy.secrecy.attack import Attack
from samara.phy.secrecy.estimates import mean
from samara.phy.secrecy.estimators import of_labels, points_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from samara.phy.mappers import Symbols
    from samara.phy.secrecy.attack import Air
    from samara.phy.secrecy.estimates import Estimate

PLACES = 32
"""Symbols of a frame for which information is estimated."""


def _listen(air: Air) -> Iterator[Estimate]:
    link, frames = air.link, air.setting.frames
    payloads, counters = link.payloads(air.random, frames), np.arange(frames)
    rows = air.hear(payloads, counters)
    symbols = link.mapped(link.coded(payloads, counters))
    data = np.arange(len(link.pilots), link.symbols)
    places = air.random.choice(data, PLACES, replace=False)
    half = frames // 2
    heard = [_where_heard(symbols[:half, at], rows[:half], at) for at in places]
    bits = [
        _information(symbols[half:, at], rows[half:, where])
        for at, where in zip(places, heard, strict=True)
    ]
    trials = PLACES * (frames - half)
    yield mean("information", bits, "bit", air.setting.confidence, trials)


def _where_heard(sent: Symbols, rows: Symbols, own: int) -> int:
    """Return the place at which most of a symbol is heard."""
    likely = int(np.abs(sent.conj() @ rows).argmax())
    return max(own, likely, key=lambda place: _information(sent, rows[:, place]))


def _information(sent: Symbols, heard: Symbols) -> float:
    return of_labels(sent, points_of(heard))


ATTACK = Attack("bits of a symbol in what is heard at one place", 1, _listen)
