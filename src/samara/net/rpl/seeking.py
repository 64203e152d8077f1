# SPDX-License-Identifier: Apache-2.0
"""When a root that lacks addresses asks all nodes for their DAOs."""

from __future__ import annotations

import math

SOUGHT_AFTER_S, SOUGHT_S = 5.0, 60.0
"""A root that lacks an address for the first time, in s, asks all for their DAOs; the
second is the shortest time between two such questions."""


class Seeking:
    """The time of the next question, and of the last one."""

    def __init__(self) -> None:
        self.due_s = math.inf
        """When the next one is due; infinite: none is planned."""
        self._last_s = -math.inf

    def plan(self, now_s: float) -> None:
        """Ask soon: an address is lacking."""
        after_s = max(now_s + SOUGHT_AFTER_S, self._last_s + SOUGHT_S)
        self.due_s = min(self.due_s, after_s)

    def begins(self, now_s: float, *, is_lacking: bool) -> bool:
        """Tell, when it is due, whether to ask: only if an address is lacking still."""
        self.due_s = math.inf
        if is_lacking:
            self._last_s = now_s
        return is_lacking
