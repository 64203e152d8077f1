# SPDX-License-Identifier: Apache-2.0
"""Is a message short or long? From how long the air has power."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from samara.phy.secrecy.attack import Attack
from samara.phy.secrecy.estimates import advantage

if TYPE_CHECKING:
    from collections.abc import Iterator

    from samara.phy.secrecy.attack import Air
    from samara.phy.secrecy.estimates import Estimate

_MOST_FRAMES = 250
HALF_POWER = 0.5
"""Of a signal: above the noise by more, there is one."""
LONGER = 32
"""Bytes that the long message has more."""


def _listen(air: Air) -> Iterator[Estimate]:
    short = air.link.payload_size
    schemes = [air.secured(size) for size in (short, short + LONGER)]
    first, last = (scheme.link.symbols for scheme in schemes)
    chosen = air.random.integers(0, 2, min(_MOST_FRAMES, air.setting.frames))
    window = np.zeros((len(chosen), last), np.complex64)
    for which, scheme in enumerate(schemes):
        counters = np.flatnonzero(chosen == which)
        payloads = scheme.link.payloads(air.random, len(counters))
        sent = scheme.send(payloads, counters)
        window[counters, : sent.shape[1]] = sent
    # What a short message leaves empty has noise alone.
    power = (np.abs(air.noisy(window)[:, first:]) ** 2).mean(axis=1)
    right = (power > air.variance + HALF_POWER) == (chosen == 1)
    yield advantage("advantage", right, air.setting.confidence)


ATTACK = Attack("whether a message is short or long", 1, _listen)
