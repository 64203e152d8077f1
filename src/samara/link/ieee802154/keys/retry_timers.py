# SPDX-License-Identifier: Apache-2.0
"""When a question that nobody has answered is asked again: ever more rarely."""

from __future__ import annotations

import time

_AFTER_MOST_S = 3600.0


class RetryTimers:
    """Questions to neighbours, one each, by name.

    The pause doubles with each question, up to an hour: a neighbour that is away must
    not use up the counter. One that is heard again is asked soon.
    """

    def __init__(self) -> None:
        self._again_s: dict[str | None, float] = {}
        self._pauses_s: dict[str | None, float] = {}

    def is_due(self, to: str | None) -> bool:
        """Return whether to ask now; so it is with what was never asked."""
        return time.monotonic() >= self._again_s.get(to, 0.0)

    def asked(self, to: str | None, first_pause_s: float) -> None:
        """Note that a question was asked."""
        pause_s = self._pauses_s.get(to, first_pause_s)
        self._pauses_s[to] = min(2 * pause_s, _AFTER_MOST_S)
        self._again_s[to] = time.monotonic() + pause_s

    def heard(self, name: str | None, first_pause_s: float) -> None:
        """Note that a neighbour is there."""
        if self._pauses_s.pop(name, None) is not None:
            soon_s = time.monotonic() + first_pause_s
            self._again_s[name] = min(self._again_s[name], soon_s)

    def forget(self, name: str | None) -> None:
        """Note that nothing is asked any more, or something new."""
        self._again_s.pop(name, None)
        self._pauses_s.pop(name, None)
