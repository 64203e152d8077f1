# SPDX-License-Identifier: Apache-2.0
"""Trickle (RFC 6206): often after a change, rarely while all say the same."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import random


class Trickle:
    """When something is to be said.

    Parameters
    ----------
    least_s
        The shortest interval.
    doublings
        How often it is doubled.
    redundancy
        So often heard in an interval, it is not said; 0: it is always said.
    chance
        Draws times.
    """

    def __init__(
        self, least_s: float, doublings: int, redundancy: int, chance: random.Random
    ) -> None:
        self._least_s, self._most_s = least_s, least_s * 2**doublings
        self._redundancy, self._chance = redundancy, chance
        self._interval_s = least_s
        self._begun_s = self._says_s = 0.0
        self._heard = 0
        self._has_said = True

    def start(self, now_s: float) -> None:
        """Begin with the shortest interval."""
        self._begin(now_s, self._least_s)

    def reset(self, now_s: float) -> None:
        """Begin anew after a change, unless the interval is the shortest one anyway."""
        if self._interval_s > self._least_s:
            self.start(now_s)

    def heard(self) -> None:
        """Note that somebody else has said the same."""
        self._heard += 1

    @property
    def due_s(self) -> float:
        """When `is_to_say` is to be called next."""
        ends_s = self._begun_s + self._interval_s
        return ends_s if self._has_said else self._says_s

    def is_to_say(self, now_s: float) -> bool:
        """Go on to a time, and tell whether to say it now."""
        says = False
        if not self._has_said and now_s >= self._says_s:
            self._has_said = True
            says = not self._redundancy or self._heard < self._redundancy
        if now_s >= self._begun_s + self._interval_s:
            self._begin(now_s, min(2 * self._interval_s, self._most_s))
        return says

    def _begin(self, now_s: float, interval_s: float) -> None:
        self._begun_s, self._interval_s = now_s, interval_s
        self._says_s = now_s + interval_s * self._chance.uniform(0.5, 1)
        self._heard, self._has_said = 0, False
