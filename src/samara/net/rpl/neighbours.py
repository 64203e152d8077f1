# SPDX-License-Identifier: Apache-2.0
"""The neighbours of a node of RPL: their ranks, and how good the links to them are."""

from __future__ import annotations

import math
from dataclasses import dataclass

from samara.net.rpl.messages import INFINITE_RANK
from samara.net.rpl.objectives import ETX_MAX

NEIGHBOURS_MAX = 64
MISSED_MAX = 4
"""Frames in a row that a neighbour did not acknowledge: it is gone."""
_ETX_WEIGHT = 0.2


@dataclass(slots=True)
class Neighbour:
    """What is known of a neighbour, and of the link to it."""

    rank: int = INFINITE_RANK
    dtsn: int = 0
    etx: float = 1.0
    missed: int = 0
    """Frames in a row that it did not acknowledge."""
    tried_s: float = -math.inf
    """When it was sent something."""

    @property
    def is_gone(self) -> bool:
        """Whether it does not answer."""
        return self.missed >= MISSED_MAX

    def sent(self, attempts: int, now_s: float, *, is_missed: bool) -> None:
        """Note how often a frame to it was sent, and whether it arrived."""
        self.tried_s = now_s
        self.missed = self.missed + 1 if is_missed else 0
        sample = 2 * ETX_MAX if is_missed else float(attempts)
        self.etx += _ETX_WEIGHT * (sample - self.etx)

    def give_up(self) -> None:
        """Take it for gone: it has not answered what asks for an answer."""
        self.missed = MISSED_MAX

    def heard(self) -> None:
        """Note that it speaks. If it was gone, see how good the link is now."""
        if self.is_gone:
            self.missed, self.etx = 0, ETX_MAX / 2


class Neighbours(dict[bytes, Neighbour]):
    """Neighbours by their link-local addresses, as many as there is room for."""

    def met(self, address: bytes, now_s: float) -> Neighbour | None:
        """Return what is known of a neighbour; None: there are too many."""
        known = self.get(address)
        if known is None and len(self) < NEIGHBOURS_MAX:
            known = self[address] = Neighbour(tried_s=now_s)
        return known

    def forget_ranks(self) -> None:
        """Take the ranks of all for unknown."""
        for each in self.values():
            each.rank = INFINITE_RANK
