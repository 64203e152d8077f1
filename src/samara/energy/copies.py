# SPDX-License-Identifier: Apache-2.0
"""What nodes send without listening first, and how much of it collides."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from samara.energy.quantity import Value


@dataclass(frozen=True, slots=True)
class Copies:
    """What is sent of a message without listening first, as its receiver hears it."""

    air_s: Value
    """How long each copy is on the air."""
    count: int = 1
    period_s: Value = 0.0
    """From the beginning of a copy to that of the next."""
    frequencies: Value = 1
    """That copies are spread over by chance, each received at once."""

    @property
    def duration_s(self) -> Value:
        """From the beginning of the first to the end of the last."""
        return (self.count - 1) * self.period_s + self.air_s

    def lost(self, others_per_s: Value) -> Value:
        """Return the share of messages of which each copy meets another's.

        A copy meets what begins within its time before or after it: pure ALOHA without
        capture, of which ``1 - exp(-2 G)`` collide. Copies come at the same distances:
        a message that begins with another meets all of its copies, one that begins
        ``m`` periods later all but the first ``m``.

        Parameters
        ----------
        others_per_s
            Messages of all other nodes.

        >>> round(Copies(0.05).lost(1.0), 4), round(Copies(0.05, 2, 1.0).lost(1.0), 4)
        (0.0952, 0.1034)
        """
        return self._lost(-np.expm1(-2 * others_per_s * self.air_s / self.frequencies))

    def _lost(self, met: Value) -> Value:
        """Return the share of messages that is lost if a copy meets others so often."""
        # The first that begin later and earlier, by a and b periods: they meet all of
        # the copies if a + b is at most their number.
        by_two = sum(
            (both - 1) * met**2 * (1 - met) ** (both - 2)
            for both in range(2, self.count + 1)
        )
        found: Value = met + (1 - met) * by_two
        return found

    def others_at(self, lost: float) -> Value:
        """Return the messages a second of others with which such a share is lost.

        Parameters
        ----------
        lost
            From 0, up to and without 1.

        >>> copies = Copies(0.05, 2, 1.0)
        >>> round(copies.lost(copies.others_at(0.25)), 9)
        0.25
        """
        if lost <= 0:
            return 0.0
        found: Value = (
            -np.log1p(-self._met_at(lost)) * self.frequencies / (2 * self.air_s)
        )
        return found

    def _met_at(self, lost: float) -> float:
        """Return the share of copies that meet others where such a share is lost."""
        low, high = 0.0, 1.0
        while (middle := (low + high) / 2) not in (low, high):
            low, high = (middle, high) if self._lost(middle) < lost else (low, middle)
        return high
