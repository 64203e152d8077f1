# SPDX-License-Identifier: Apache-2.0
"""From what is known of a frame, read the rest of it.

The eavesdropper knows the pilots, and the first half of each payload, such as headers
of protocols. It looks for one angle of the frame, and for a keystream with a period or
with a linear recurrence.
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

import numpy as np

from samara.phy.secrecy.attack import Attack
from samara.phy.secrecy.estimates import share
from samara.phy.secrecy.fits import (
    agreement,
    periodic_keystream,
    pilot_angle,
    recurrent_keystream,
)
from samara.phy.secrecy.link import right_frames

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from samara.phy.mappers import Bits, SoftBits
    from samara.phy.secrecy.attack import Air
    from samara.phy.secrecy.estimates import Estimate
    from samara.phy.secrecy.link import Link

_MOST_FRAMES = 250
_SHORTEST, _LONGEST = 8, 128


def _listen(air: Air) -> Iterator[Estimate]:
    link, counters = air.link, np.arange(min(_MOST_FRAMES, air.setting.frames))
    payloads = link.payloads(air.random, len(counters))
    rows = air.hear(payloads, counters)
    # Two coded bits for each bit of the known half, before the tag changes any.
    known = 2 * 8 * (link.payload_size // 2)
    bits = link.coded(payloads, counters)[:, link.places][:, :known]
    soft = _best(link.soft(rows), pilot_angle(link, rows), link, bits)
    hits = right_frames(payloads, link.read(soft))
    yield share("frames read", hits, air.setting.confidence)


def _best(heard: SoftBits, turned: SoftBits, link: Link, bits: Bits) -> SoftBits:
    """Return the soft bits that agree best with known bits that no fit has seen."""
    known = bits.shape[1]
    fitted = known * 3 // 4
    coded = heard[:, link.places]

    def score(soft: SoftBits) -> float:
        return agreement(soft[:, fitted:known], bits[:, fitted:])

    # A longer keystream would be fitted to bits that it does not explain.
    periods = range(_SHORTEST, min(_LONGEST, fitted // 2) + 1)
    fits: list[Callable[[Bits], SoftBits]] = [
        lambda _: turned[:, link.places],
        partial(recurrent_keystream, coded),
        *(partial(periodic_keystream, coded, period=period) for period in periods),
    ]
    best = max(fits, key=lambda fit: score(fit(bits[:, :fitted])))
    soft = np.empty_like(heard)
    soft[:, link.places] = best(bits)
    return soft


ATTACK = Attack("read frames from pilots and the first half of the payload", 1, _listen)
