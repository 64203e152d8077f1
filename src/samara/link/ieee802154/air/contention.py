# SPDX-License-Identifier: Apache-2.0
"""Nodes that contend for a channel: CSMA-CA and collisions, as a model without a clock.

The medium does this on behalf of the nodes, which are processes on a host whose timing
is far coarser than a backoff period. Each node has one radio and a queue of frames in
front of it.

- *CSMA-CA*, unslotted (IEEE 802.15.4-2020, 6.2.5.1): a random number of backoff
  periods of 320 µs, 0 to 2^BE - 1, then clear channel assessment over 128 µs. Busy: BE
  and NB grow; after macMaxCSMABackoffs the frame is given up. Idle: the radio turns
  around (192 µs) and sends. A node senses only nodes that it hears. Acknowledgements
  are sent without it.
- *Without it*, a frame is sent at once when the node's radio is free (ALOHA).
- *Collisions*: a receiver loses all frames that overlap with another that it hears, and
  those that overlap with its own. There is no capture effect.

Times are in seconds.
"""

from __future__ import annotations

import heapq
import itertools
from collections import deque
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from samara.link.ieee802154.air.channel import TURNAROUND_S, air_time_s

if TYPE_CHECKING:
    import random
    from collections.abc import Callable, Iterator

BACKOFF_PERIOD_S = 320e-6
"""aUnitBackoffPeriod: 20 symbols."""
CCA_S = 128e-6
"""Clear channel assessment: 8 symbols."""
MIN_BE, MAX_BE, MAX_BACKOFFS = 3, 5, 4
"""macMinBE, macMaxBE, macMaxCSMABackoffs: the standard's defaults."""
QUEUE_MAX = 64
"""Frames that wait for a node's radio; more are lost."""

Node = TypeVar("Node")


@dataclass(slots=True, kw_only=True)
class Transmission(Generic[Node]):
    """A frame that a node wants to send, or sends."""

    sender: Node
    channel: int
    content: Any
    """What the caller wants to have back when it ends."""
    air_s: float
    is_ack: bool = False
    end_s: float = 0.0
    overlapped: set[Node] = field(default_factory=set)
    """Who else sent on the channel meanwhile."""


class Contention(Generic[Node]):
    """Decides when frames are on the air, and which of them overlap.

    Parameters
    ----------
    hears
        Tells whether a node (the first) hears another.
    csma
        Whether nodes sense the channel before they send.
    chance
        Where backoffs come from.
    """

    def __init__(
        self,
        hears: Callable[[Node, Node], bool],
        chance: random.Random,
        *,
        csma: bool,
    ) -> None:
        self._hears, self._csma, self._random = hears, csma, chance
        self._on_air: list[Transmission[Node]] = []
        # Those that ended within the time of an assessment.
        self._ended: deque[Transmission[Node]] = deque()
        self._queues: dict[Node, deque[Transmission[Node]]] = {}
        self._busy_until_s: dict[Node, float] = {}
        self._events: list[tuple[float, bool, int, Callable[[float], None]]] = []
        self._number = itertools.count()
        self._done: list[Transmission[Node]] = []
        self._given_up: list[Transmission[Node]] = []
        self.access_failures = 0
        """Frames that were given up because the channel was always busy."""

    @property
    def next_s(self) -> float | None:
        """When something happens next; None: nothing does."""
        return self._events[0][0] if self._events else None

    def offer(
        self,
        now_s: float,
        sender: Node,
        channel: int,
        psdu_size: int,
        content: Any,  # noqa: ANN401 - the caller's
        *,
        is_ack: bool = False,
    ) -> bool:
        """Take a frame that a node wants to send; tell whether there is room for it."""
        frame = Transmission(
            sender=sender,
            channel=channel,
            content=content,
            air_s=air_time_s(psdu_size),
            is_ack=is_ack,
        )
        if is_ack:
            # It does not wait for the frames in the queue.
            at_s = max(now_s, self._busy_until_s.get(sender, 0.0))
            self._start_at(at_s, frame)
            return True
        queue = self._queues.setdefault(sender, deque())
        if len(queue) >= QUEUE_MAX:
            return False
        queue.append(frame)
        if len(queue) == 1:
            self._begin(now_s, frame)
        return True

    def advance(self, now_s: float) -> Iterator[Transmission[Node]]:
        """Let time pass; yield the frames that have ended, in their order."""
        while self._events and self._events[0][0] <= now_s:
            at_s, _, _, happens = heapq.heappop(self._events)
            happens(at_s)
            while self._done:
                yield self._done.pop()

    def given_up(self) -> list[Transmission[Node]]:
        """Return the frames that were given up since the last call."""
        given_up, self._given_up = self._given_up, []
        return given_up

    def is_lost(self, frame: Transmission[Node], receiver: Node) -> bool:
        """Tell whether a receiver lost a frame by what overlapped with it."""
        return any(
            other == receiver or self._hears(receiver, other)
            for other in frame.overlapped
        )

    def _at(
        self, at_s: float, happens: Callable[[float], None], *, is_end: bool = False
    ) -> None:
        # At the same time, frames end before others begin.
        event = (at_s, not is_end, next(self._number), happens)
        heapq.heappush(self._events, event)

    def _begin(self, now_s: float, frame: Transmission[Node]) -> None:
        if self._csma:
            self._back_off(now_s, frame, 0)
        else:
            at_s = max(now_s, self._busy_until_s.get(frame.sender, 0.0))
            self._start_at(at_s, frame)

    def _back_off(self, now_s: float, frame: Transmission[Node], tried: int) -> None:
        exponent = min(MIN_BE + tried, MAX_BE)
        wait_s = self._random.randrange(1 << exponent) * BACKOFF_PERIOD_S
        self._at(
            now_s + wait_s + CCA_S, lambda at_s: self._assessed(at_s, frame, tried)
        )

    def _assessed(self, now_s: float, frame: Transmission[Node], tried: int) -> None:
        """Act on a clear channel assessment that ends now."""
        if not self._is_busy(now_s, frame):
            at_s = max(now_s + TURNAROUND_S, self._busy_until_s.get(frame.sender, 0.0))
            self._start_at(at_s, frame)
        elif tried < MAX_BACKOFFS:
            self._back_off(now_s, frame, tried + 1)
        else:
            self.access_failures += 1
            self._given_up.append(frame)
            self._next_of(now_s, frame.sender)

    def _is_busy(self, now_s: float, frame: Transmission[Node]) -> bool:
        while self._ended and self._ended[0].end_s <= now_s - CCA_S:
            self._ended.popleft()
        return any(
            other.channel == frame.channel
            and (
                other.sender == frame.sender or self._hears(frame.sender, other.sender)
            )
            for other in (*self._on_air, *self._ended)
        )

    def _start_at(self, at_s: float, frame: Transmission[Node]) -> None:
        self._busy_until_s[frame.sender] = at_s + frame.air_s
        self._at(at_s, lambda now_s: self._start(now_s, frame))

    def _start(self, now_s: float, frame: Transmission[Node]) -> None:
        for other in self._on_air:
            if other.channel == frame.channel:
                other.overlapped.add(frame.sender)
                frame.overlapped.add(other.sender)
        self._on_air.append(frame)
        frame.end_s = now_s + frame.air_s
        self._at(frame.end_s, lambda at_s: self._end(at_s, frame), is_end=True)

    def _end(self, now_s: float, frame: Transmission[Node]) -> None:
        self._on_air.remove(frame)
        if self._csma:
            self._ended.append(frame)
        self._done.append(frame)
        if not frame.is_ack:
            self._next_of(now_s, frame.sender)

    def _next_of(self, now_s: float, sender: Node) -> None:
        queue = self._queues[sender]
        queue.popleft()
        if queue:
            self._begin(now_s, queue[0])
        else:
            del self._queues[sender]
            if self._busy_until_s.get(sender, 0.0) <= now_s:
                self._busy_until_s.pop(sender, None)
