# SPDX-License-Identifier: Apache-2.0
"""Times in exchanges about keys: when to ask again, and how long to wait for frames."""

from __future__ import annotations

import math
import time
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Collection, Hashable

REPEATED_AFTER_S = 1.0
"""First pause before a question without an answer is repeated. Each further pause is
twice as long, so that a neighbour that is away does not use up the counter."""
LATE_S = 2.0
"""How long frames that were sent under the old key may still arrive."""
_AFTER_MOST_S = 3600.0


class QuestionId(NamedTuple):
    """What identifies a question."""

    to: str | None
    """Name of the neighbour."""
    step: Hashable
    """Step of the exchange. Each question to a neighbour has another one."""


class RetryTimers:
    """When questions without an answer are repeated.

    The pause doubles with each time, up to an hour: a neighbour that is away must not
    use up the counter. When the neighbour is heard again, it is asked soon.
    """

    def __init__(self) -> None:
        self._again_s: dict[QuestionId, float] = {}
        self._pauses_s: dict[QuestionId, float] = {}

    def is_due(self, question: QuestionId) -> bool:
        """Return whether to ask now. A question that was never asked is due."""
        return time.monotonic() >= self._again_s.get(question, 0.0)

    def note_asked(self, question: QuestionId) -> None:
        """Note that a question was asked."""
        self.put_off(question, self._pauses_s.get(question, REPEATED_AFTER_S))

    def put_off(self, question: QuestionId, pause_s: float) -> None:
        """Ask again after a pause, then after twice as long."""
        self._pauses_s[question] = min(2 * pause_s, _AFTER_MOST_S)
        self._again_s[question] = time.monotonic() + pause_s

    def note_heard(self, name: str | None) -> None:
        """Note that a neighbour is there."""
        soon_s = time.monotonic() + REPEATED_AFTER_S
        for each in [each for each in self._pauses_s if each.to == name]:
            del self._pauses_s[each]
            self._again_s[each] = min(self._again_s[each], soon_s)

    def hurry(self, name: str | None) -> None:
        """Have all questions to a neighbour asked now."""
        for each in [each for each in self._again_s if each.to == name]:
            del self._again_s[each]

    def keep(self, questions: Collection[QuestionId]) -> None:
        """Forget all other questions: they were answered, or are no longer asked."""
        for each in self._again_s.keys() - questions:
            del self._again_s[each]
            self._pauses_s.pop(each, None)


class LateFrames:
    """Whether frames that were sent under a previous key may still arrive."""

    def __init__(self) -> None:
        self._since_s: dict[str | None, float] = {}

    def begin(self, name: str | None) -> None:
        """Note that a neighbour uses the newer key from now on."""
        self._since_s[name] = time.monotonic()

    def are_over(self, name: str | None) -> bool:
        """Return whether no more can arrive. After a restart none can."""
        return time.monotonic() - self._since_s.get(name, -math.inf) >= LATE_S
