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
used. At most what was on its way is lost, or answered as not known (below).

A sender that does not hear it, such as a program that sends one message and ends, an
older version, or another make, would have up to `RECEIVED_AHEAD` frames refused.
Bounds are therefore used only towards neighbours that have said, in this process, that
they stay up and skip. They are asked after some messages; until they answer, each
message is stored durably, as before.

The id of the last message that was received in parts, or acknowledged, has a bound in
the same way, towards neighbours that have said that they skip ids, too. After a power
failure, the node answers that it does not know a message with an id below the bound,
and tells its neighbour to give the next messages ids above it. So no message is handed
on twice, and what is lost is the answer about one that was under way.

If both ends have lost their counters, each would refuse the other's frames, the one
that tells it its bound included. A node that continues at a bound therefore leaves out
`RECEIVED_AHEAD` of its own counters: it cannot have used more than the bound allows.
"""

from __future__ import annotations

import time
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

from samara.link.node.messages import Skip, Steady
from samara.link.node.quantities import COUNTER_LIMIT
from samara.link.node.state import IDS_AHEAD, RECEIVED_AHEAD
from samara.link.node.streams import Stream

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from samara.link.node.link import Link
    from samara.link.node.quantities import Number
    from samara.link.node.state import State

_ASKED_FIRST: Final = 8
_ASKED_AGAIN: Final = 8
_RESENT_AFTER_S: Final = 1.0
_RESENT_RARELY_S: Final = 60.0


@dataclass(slots=True)
class _Source:
    """A neighbour."""

    is_steady: bool = False
    skips_ids: bool = False
    answers: bool = False
    """Whether it has to be told that this node is steady."""
    stored: int = 0
    """Durable writes for it."""
    ask_at: int = _ASKED_FIRST
    sent_s: float | None = None
    resend_s: float = field(default_factory=lambda: _RESENT_AFTER_S)
    is_refused: bool = True
    """Whether something was refused since it was told."""


class Bounds:
    """Which neighbours skip counters, and what they are told.

    Parameters
    ----------
    skip_ids
        Called with the first id of messages that a neighbour does not take for one of
        before, and the neighbour.
    """

    def __init__(
        self, link: Link, state: State, skip_ids: Callable[[int, str | None], None]
    ) -> None:
        self._link = link
        self._state, self._skip_ids = state, skip_ids
        self._sources: dict[str | None, _Source] = {}
        self.stays_up = False
        """Whether this node asks, and says yes when it is asked."""

    def ahead(self) -> dict[Number, int]:
        """Return how far above a number its bound may be."""
        ahead = {}
        for source, (_, received) in self._counted().items():
            at = self._of(source)
            if at.is_steady:
                ahead[received] = RECEIVED_AHEAD
            if at.skips_ids:
                ahead[Stream(source).taken] = IDS_AHEAD
        return ahead

    def is_steady(self, source: str | None) -> bool:
        """Whether a neighbour has said that it stays up and skips."""
        return self._of(source).is_steady

    def note_stored(self, source: str | None) -> None:
        """Count a message that was stored durably."""
        self._of(source).stored += 1

    def note_refused(self) -> None:
        """Note that something was refused, from any sender."""
        for each in self._sources.values():
            each.is_refused = True

    def note_unknown(self, source: str | None) -> None:
        """Note that a neighbour asked about a message that may have been received.

        If its ids are too low, it is told again with the answer.
        """
        self._of(source).sent_s = None

    def forget(self, source: str) -> None:
        """Discard what is known of a neighbour that was removed."""
        self._sources.pop(source, None)

    def take(self, payload: Skip | Steady, source: str | None) -> None:
        """Apply a message about counters that a neighbour sent."""
        counted = self._counted().get(source)
        if counted is None:
            return
        if isinstance(payload, Skip):
            self._state.counter(counted[0]).skip_to(payload.counter)
            self._skip_ids(payload.ids, source)
        elif payload.asks:
            self._of(source).answers = self.stays_up
        else:
            at = self._of(source)
            at.is_steady, at.skips_ids = True, payload.skips_ids

    def announcements(self) -> Iterator[tuple[str | None, Skip | Steady]]:
        """Yield the messages about counters that are due for neighbours."""
        for source, (_, received) in self._counted().items():
            at = self._of(source)
            skip = self._skip(source, received)
            if skip is not None and self._is_due(at):
                yield source, skip
            if at.answers:
                at.answers = False
                yield source, Steady(asks=False, skips_ids=True)
            if self.stays_up and not at.is_steady and at.stored >= at.ask_at:
                at.ask_at *= _ASKED_AGAIN
                yield source, Steady(asks=True)

    def _skip(self, source: str | None, received: Number) -> Skip | None:
        """Return what a neighbour has to skip, as long as it has not done it."""
        counter = self._state.skipped(received)
        taken = self._state.skipped(Stream(source).taken)
        if counter is None and taken is None:
            return None
        ids = 0 if taken is None else min(taken + 1, COUNTER_LIMIT)
        return Skip(counter or 0, ids)

    def _is_due(self, at: _Source) -> bool:
        now_s = time.monotonic()
        if at.sent_s is not None:
            if not at.is_refused or now_s < at.sent_s + at.resend_s:
                return False
            at.resend_s = min(2 * at.resend_s, _RESENT_RARELY_S)
        at.sent_s, at.is_refused = now_s, False
        return True

    def _counted(self) -> dict[str | None, tuple[Number, Number]]:
        return dict(self._link.counted())

    def _of(self, source: str | None) -> _Source:
        return self._sources.setdefault(source, _Source())
