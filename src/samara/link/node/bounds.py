# SPDX-License-Identifier: Apache-2.0
"""Receive counters that are not stored durably for each message.

A frame must be refused for ever once its message was handed on. A durable bound above
the receive counter ensures that: `State.advance`. While this process and this machine
run, and after the process was killed, the counter itself is known. After a power
failure, or when an older file was put in the place of the state, it is not: the node
then refuses everything below the bound, and part of that it may never have received.
So that it is not refused for ever, the node tells its neighbour to go on above the
bound: at once, and again, ever more rarely, when something is refused. The neighbour
skips forwards only, and by no more than a bound can be ahead. It does so only for an
authenticated message, which cannot be a replay; the counters that it skips are never
used. At most what was on its way is lost, and acknowledged messages are repeated with
new counters.

A sender that does not hear it, such as a program that sends one message and ends, an
older version, or another make, would have up to `RECEIVED_AHEAD` frames refused.
Bounds are therefore used only towards neighbours that have said, in this process, that
they stay up and skip. They are asked after some messages; until they answer, each
message is stored durably, as before.

If both ends have lost their counters, each would refuse the other's frames, the one
that tells it its bound included. A node that continues at a bound therefore leaves out
`RECEIVED_AHEAD` of its own counters: it cannot have used more than the bound allows.
"""

from __future__ import annotations

import time
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

from samara.link.node.kinds import SkippingLink
from samara.link.node.messages import Skip, Steady

if TYPE_CHECKING:
    from collections.abc import Iterator

    from samara.link.node.kinds import Link
    from samara.link.node.state import State

_ASKED_FIRST: Final = 8
_ASKED_AGAIN: Final = 8
_TOLD_AGAIN_S: Final = 1.0
_TOLD_RARELY_S: Final = 60.0


@dataclass(slots=True)
class _Source:
    """A neighbour."""

    is_steady: bool = False
    answers: bool = False
    """Whether it has to be told that this node is steady."""
    stored: int = 0
    """Durable writes for it."""
    ask_at: int = _ASKED_FIRST
    told_s: float | None = None
    tell_again_s: float = field(default_factory=lambda: _TOLD_AGAIN_S)
    is_refused: bool = True
    """Whether something was refused since it was told."""


class Bounds:
    """Which neighbours skip counters, and what they are told.

    Parameters
    ----------
    stays_up
        Whether this node asks, and says yes when it is asked.
    """

    def __init__(self, link: Link, state: State) -> None:
        self._link = link if isinstance(link, SkippingLink) else None
        self._state = state
        self._sources: dict[str | None, _Source] = {}
        self.stays_up = False

    def ahead(self) -> list[str]:
        """Return the names of the numbers that may have bounds above them."""
        return [
            received
            for source, (_, received) in self._counted().items()
            if self._of(source).is_steady
        ]

    def is_steady(self, source: str | None) -> bool:
        """Whether a neighbour has said that it stays up and skips."""
        return self._of(source).is_steady

    def note_stored(self, source: str | None) -> None:
        """Count a message that was stored durably."""
        self._of(source).stored += 1

    def note_refused(self) -> None:
        """Note that something was refused, from whomever it came."""
        for each in self._sources.values():
            each.is_refused = True

    def forget(self, source: str) -> None:
        """Note that there is no such neighbour any more."""
        self._sources.pop(source, None)

    def take(self, payload: Skip | Steady, source: str | None) -> None:
        """Do what a neighbour says."""
        counted = self._counted().get(source)
        if counted is None:
            return
        if isinstance(payload, Skip):
            self._state.counter(counted[0]).skip_to(payload.counter)
        elif payload.asks:
            self._of(source).answers = self.stays_up
        else:
            self._of(source).is_steady = True

    def due(self) -> Iterator[tuple[str | None, Skip | Steady]]:
        """Yield what neighbours are to be told now."""
        for source, (_, received) in self._counted().items():
            at = self._of(source)
            bound = self._state.skipped(received)
            if bound is not None and self._is_due(at):
                yield source, Skip(bound)
            if at.answers:
                at.answers = False
                yield source, Steady(asks=False)
            if self.stays_up and not at.is_steady and at.stored >= at.ask_at:
                at.ask_at *= _ASKED_AGAIN
                yield source, Steady(asks=True)

    def _is_due(self, at: _Source) -> bool:
        now_s = time.monotonic()
        if at.told_s is not None:
            if not at.is_refused or now_s < at.told_s + at.tell_again_s:
                return False
            at.tell_again_s = min(2 * at.tell_again_s, _TOLD_RARELY_S)
        at.told_s, at.is_refused = now_s, False
        return True

    def _counted(self) -> dict[str | None, tuple[str, str]]:
        return {} if self._link is None else dict(self._link.counted())

    def _of(self, source: str | None) -> _Source:
        return self._sources.setdefault(source, _Source())
