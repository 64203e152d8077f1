# SPDX-License-Identifier: Apache-2.0
"""Find frames that share a keystream, without knowing what is in them.

The sum of two such frames has no keystream and is a codeword, so its parity checks
hold. The eavesdropper compares each frame of one half with all of the other half.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from samara.phy.reuse import parity_checks
from samara.phy.secrecy.attack import Attack
from samara.phy.secrecy.estimates import share

if TYPE_CHECKING:
    from collections.abc import Iterator

    from samara.phy.secrecy.attack import Air
    from samara.phy.secrecy.estimates import Estimate

_MOST_FRAMES = 400
_DEVIATIONS = 6.0
"""Of the sum of all checks: one in a billion pairs of unrelated frames has more."""


def _listen(air: Air) -> Iterator[Estimate]:
    frames = min(_MOST_FRAMES, air.setting.frames)
    payloads = air.link.payloads(air.random, frames)
    soft = air.link.soft(air.hear(payloads, np.arange(frames)))
    # Checks are linear: those of a sum are the sums of those of both frames.
    signs = 1.0 - 2.0 * parity_checks((soft < 0).astype(np.uint8))
    known, tried = np.array_split(signs, 2)
    holding = (tried @ known.T).max(axis=1)
    hits = holding > _DEVIATIONS * np.sqrt(signs.shape[1])
    yield share("frames matched", hits, air.setting.confidence)


ATTACK = Attack("find frames that share a keystream", 1, _listen)
