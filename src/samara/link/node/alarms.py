# SPDX-License-Identifier: Apache-2.0
"""What a node refuses is counted by kind, remembered, and told at a bounded rate.

Anybody on the air can make a node refuse something, as often as the link allows. One
refusal of each kind is told every `INTERVAL_S`, with the number of those that it stands
for: no flood of one kind fills a log, or hides another kind.
"""

from __future__ import annotations

import time
from collections import deque
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, Final

from samara.link.node.events import Event, Refused

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from samara.link.node.events import Alarm

INTERVAL_S: Final = 10.0
"""Least time between two refusals of one kind that are told."""
KEPT: Final = 3
"""Refusals of each kind that are remembered, of those that were told."""
REASON_SIZE_MAX: Final = 300
"""Characters of a reason that are remembered."""


@dataclass(slots=True)
class _OfKind:
    """What was refused of one kind."""

    count: int = 0
    shown_s: float | None = None
    held: Refused | None = None
    """The last one, which stands for all that were not told."""
    last: deque[dict[str, Any]] = field(default_factory=lambda: deque(maxlen=KEPT))


class Alarms:
    """What was refused since the start.

    Parameters
    ----------
    clock
        Returns seconds of a clock that does not go back.
    wall_clock
        Returns seconds since 1970.
    """

    def __init__(
        self,
        clock: Callable[[], float] = time.monotonic,
        wall_clock: Callable[[], float] = time.time,
    ) -> None:
        self._clock, self._wall_clock = clock, wall_clock
        self._kinds: dict[Alarm, _OfKind] = {}

    def limited(self, events: Iterable[Event]) -> Iterator[Event]:
        """Yield events; of each kind of refusal at most one every `INTERVAL_S`.

        Refusals that are held back are counted in a later one of their kind. Call it
        regularly, also without events.
        """
        for event in events:
            if isinstance(event, Refused):
                self._hold(event)
                yield from self._release()
            else:
                yield event
        yield from self._release()

    def rest(self) -> Iterator[Refused]:
        """Yield the refusals that are held back. Call it once, at the end."""
        for each in self._kinds.values():
            if each.held is not None:
                yield self._shown(each, each.held)

    def _hold(self, event: Refused) -> None:
        of = self._kinds.setdefault(event.kind, _OfKind())
        of.count += event.count
        before = 0 if of.held is None else of.held.count
        of.held = replace(event, count=before + event.count)

    def _release(self) -> Iterator[Refused]:
        now_s = self._clock()
        for each in self._kinds.values():
            is_early = each.shown_s is not None and now_s < each.shown_s + INTERVAL_S
            if each.held is not None and not is_early:
                each.shown_s = now_s
                yield self._shown(each, each.held)

    def _shown(self, of: _OfKind, event: Refused) -> Refused:
        of.held = None
        of.last.append(
            {
                "kind": event.kind.value,
                "reason": event.reason[:REASON_SIZE_MAX],
                "count": event.count,
                "time_s": round(self._wall_clock(), 3),
            }
        )
        return event

    def status(self) -> dict[str, Any]:
        """Return how many were refused of each kind, and the last of each, by time."""
        last = [row for each in self._kinds.values() for row in each.last]
        return {
            "counts": {kind.value: each.count for kind, each in self._kinds.items()},
            "last": sorted(last, key=lambda row: row["time_s"]),
        }


def in_words(event: Refused) -> str:
    """Return a refusal as a sentence for a log."""
    others = f" ({event.count} of this kind)" if event.count > 1 else ""
    return f"refused, {event.kind.value}: {event.reason}{others}"
