# SPDX-License-Identifier: Apache-2.0
"""Sentences about refused frames, few of them: anybody on the air can send frames."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

INTERVAL_S = 10.0
"""Least time between two sentences."""


class Refusals:
    """Tells of refused frames, and of how many nothing was told.

    Parameters
    ----------
    report
        Called with a sentence.
    """

    def __init__(self, report: Callable[[str], None]) -> None:
        self._report = report
        self._next_s = -INTERVAL_S
        self._untold = 0

    def add(self, reason: str, now_s: float | None = None) -> None:
        """Tell why a frame was refused, or count it.

        Parameters
        ----------
        now_s
            Seconds of a clock that does not go back. Default: `time.monotonic`.
        """
        now_s = time.monotonic() if now_s is None else now_s
        if now_s < self._next_s:
            self._untold += 1
            return
        self.tell_rest()
        self._next_s = now_s + INTERVAL_S
        self._report(f"refused: {reason}")

    def tell_rest(self) -> None:
        """Tell how many frames were refused since the last sentence."""
        if self._untold:
            self._report(f"refused since then: {self._untold}")
            self._untold = 0
