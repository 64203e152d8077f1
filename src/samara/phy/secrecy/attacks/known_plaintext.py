# SPDX-License-Identifier: Apache-2.0
"""From frames whose content is known, read frames with other counters.

The eavesdropper knows all bits of these frames, the tag included. It looks for an order
of symbols or bits, angles or a keystream that is the same in all frames, for keystreams
in turn, and for one that the bits of the counter are added to.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from samara.phy.secrecy.attack import Attack
from samara.phy.secrecy.estimates import share
from samara.phy.secrecy.fits import best_fit
from samara.phy.secrecy.link import right_frames

if TYPE_CHECKING:
    from collections.abc import Iterator

    from samara.phy.secrecy.attack import Air
    from samara.phy.secrecy.estimates import Estimate
    from samara.phy.secrecy.scheme import Counters

KNOWN = 64
"""Frames whose content is known."""
MOST_READ = 250


def _listen(air: Air) -> Iterator[Estimate]:
    # Which frames are known is chance, so that no bit of the counter is new.
    return frames_read(air, air.random.permutation(KNOWN + MOST_READ))


def frames_read(air: Air, counters: Counters) -> Iterator[Estimate]:
    """Yield the share of unknown frames that are read, after those that are known."""
    link = air.link
    counters = counters[: KNOWN + min(MOST_READ, air.setting.frames)]
    payloads = link.payloads(air.random, len(counters))
    rows = air.hear(payloads, counters)
    bits = link.coded(payloads[:KNOWN], counters[:KNOWN])
    opened = best_fit(link, rows[:KNOWN], bits, counters[:KNOWN])
    read = link.read(opened(rows[KNOWN:], counters[KNOWN:]))
    hits = right_frames(payloads[KNOWN:], read)
    yield share("frames read", hits, air.setting.confidence)


ATTACK = Attack(f"read frames from {KNOWN} others whose content is known", 1, _listen)
