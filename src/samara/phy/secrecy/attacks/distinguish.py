# SPDX-License-Identifier: Apache-2.0
"""Which of two chosen messages is in a frame? From its samples, with a fresh counter.

The eavesdropper has chosen a payload of zeros and one of random bytes. It trains on
half of the frames, for which it is told the answer.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from samara.phy.secrecy.attack import Attack
from samara.phy.secrecy.classifying import judged
from samara.phy.secrecy.estimates import advantage
from samara.phy.secrecy.views import views_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from samara.phy.secrecy.attack import Air
    from samara.phy.secrecy.estimates import Estimate


def _listen(air: Air) -> Iterator[Estimate]:
    link, frames = air.link, air.setting.frames
    messages = np.concatenate(
        [np.zeros((1, link.payload_size), np.uint8), link.payloads(air.random, 1)]
    )
    chosen = air.random.integers(0, 2, frames)
    rows = air.hear(messages[chosen], np.arange(frames))
    expected = link.mapped(link.coded(messages, [0, 0]))
    _, right = judged(views_of(link, rows, expected), 2.0 * chosen - 1)
    yield advantage("advantage", right, air.setting.confidence)


ATTACK = Attack("which of two chosen messages a frame has", 1, _listen)
