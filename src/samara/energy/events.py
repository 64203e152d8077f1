# SPDX-License-Identifier: Apache-2.0
"""The same networks by events: queues, a shared medium, losses and Trickle.

The closed form (`samara.energy.network`) has means only. Here every message waits
in a queue until the medium around its node is free, is sent until it is
acknowledged, and is passed on; DIO follow the Trickle algorithm of RFC 6206. What
one action takes is as in the closed form: means over the receivers' wake-up times,
which tests compare strobe by strobe.

Assumptions:

- a node senses all that send within two hops, at once and for nothing, so that
  frames do not collide; of those that wait, one after the other begins, in an order
  that is drawn;
- each node sends a message every interval, at a time of the interval that is drawn
  for each message;
- a message is sent again until it is acknowledged; queues have room for
  `QUEUE_MAX`, and what does not fit is lost and counted;
- the network has been at rest for long: Trickle's intervals are at their longest.
"""

from __future__ import annotations

import heapq
import math
import random
from collections import deque
from dataclasses import dataclass, field
from enum import IntEnum
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from samara.energy.parts import Part, Parts
from samara.energy.security import Sealing
from samara.energy.topology import SINK
from samara.errors import MisuseError

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

    from samara.energy.node import Node
    from samara.energy.routing import Rpl
    from samara.energy.topology import Topology
    from samara.energy.transceiver import RadioTimes

    Counts = NDArray[np.float64]

DAY_S = 86_400.0
QUEUE_MAX = 1000


class Frame(IntEnum):
    """What is sent."""

    DATA = 0
    DIO = 1
    DAO = 2


class _Event(IntEnum):
    DATA_MADE = 0
    """A node has a message of its own."""
    DAO_MADE = 1
    TRICKLE_SENDS = 2
    TRICKLE_ENDS = 3
    MEDIUM_FREE = 4
    """What a node sent is over."""
    NODE_FREE = 5
    """The node may send again."""


class _Waiting(NamedTuple):
    frame: Frame
    made_s: float


@dataclass
class Counted:
    """How often each node did what. An array a frame, nodes from 0, the sink."""

    sent: Counts
    first_sent: Counts
    """Of these, the first time for each message."""
    received: Counts
    new_received: Counts
    """Of these, what was not received before."""
    overheard: Counts

    @classmethod
    def none(cls, nodes: int) -> Counted:
        """Return counts of zero for so many nodes besides the sink."""
        return cls(*(np.zeros((len(Frame), nodes + 1)) for _ in range(5)))


@dataclass(frozen=True)
class Outcome:
    """What happened in a network."""

    power_w: Parts
    """Of each node from 1 on."""
    made: int
    """Messages of nodes."""
    delivered: int
    """Messages that reached the sink."""
    lost: int
    """Messages that found no room in a queue; routing's too."""
    waiting: int
    """What was in queues at the end."""
    latency_s: float
    """Mean time from making a message to its delivery; not a number for none."""
    events: int

    @property
    def total_w(self) -> Counts:
        """The whole power of each node."""
        return np.asarray(self.power_w.total, dtype=np.float64)

    @property
    def saturated(self) -> bool:
        """Whether queues grew: what is told of power is then of no steady state."""
        return self.lost > 0 or self.waiting > max(10.0, 0.02 * self.made)


def simulate(
    node: Node,
    topology: Topology,
    interval_s: float,
    rpl: Rpl | None = None,
    *,
    duration_s: float = DAY_S,
    seed: int = 0,
) -> Outcome:
    """Return what happens in a network in some time.

    Parameters
    ----------
    node
        All nodes are alike; its values are numbers, not draws.
    seed
        The same seed gives the same outcome.

    Raises
    ------
    MisuseError
        When the medium access cannot relay and nodes would have to, or a time is
        not above zero.
    """
    if not node.mac.relays and max(topology.parents) > SINK:
        message = f"nodes that pass on messages cannot use {node.mac.title!r}"
        raise MisuseError(message)
    if not (interval_s > 0 and duration_s > 0):
        message = "an interval and a duration are above 0 seconds"
        raise MisuseError(message)
    run = _Run(node, topology, interval_s, rpl, duration_s, random.Random(seed))  # noqa: S311 - of no secrets
    return run.outcome()


@dataclass
class _Run:
    node: Node
    topology: Topology
    interval_s: float
    rpl: Rpl | None
    duration_s: float
    draw: random.Random
    now_s: float = 0.0
    events: int = 0
    made: int = 0
    lost: int = 0
    latencies_s: list[float] = field(default_factory=list)

    def __post_init__(self) -> None:
        count = self.topology.nodes
        self.parents = [SINK, *self.topology.parents]
        self.near = [sorted(near) for near in self.topology.neighbours]
        self.in_reach = [self._within_two_hops(each) for each in range(count + 1)]
        self.queues: list[deque[_Waiting]] = [deque() for _ in range(count + 1)]
        self.senders_in_reach = [0] * (count + 1)
        self.is_busy = [False] * (count + 1)
        self.is_repeated = [False] * (count + 1)
        self.was_received = [False] * (count + 1)
        self.heard = [0] * (count + 1)
        self.counted = Counted.none(count)
        self.medium_s = [self._on_s(frame) for frame in Frame]
        self.service_s = [max(self._service_s(f), self.medium_s[f]) for f in Frame]
        self.heap: list[tuple[float, int, _Event, int]] = []

    def _frame_bytes(self, frame: Frame) -> float | None:
        """Return the size of a frame without security; None for the node's own."""
        if frame is Frame.DATA or self.rpl is None:
            return None
        return self.rpl.dio_bytes if frame is Frame.DIO else self.rpl.dao_bytes

    def _on_s(self, frame: Frame) -> float:
        hop = self.node.hop(self._frame_bytes(frame))
        mac = self.node.mac
        return float((mac.broadcast if frame is Frame.DIO else mac.send)(hop).on_s)

    def _service_s(self, frame: Frame) -> float:
        return float(self.node.mac.service_s(self.node.hop(self._frame_bytes(frame))))

    def _within_two_hops(self, node: int) -> list[int]:
        """Return who senses a node: neighbours and theirs; nobody without sharing."""
        if not self.node.mac.shares_medium:
            return []
        near = self.topology.neighbours
        return sorted(
            {node, *near[node], *(two for one in near[node] for two in near[one])}
        )

    # What happens.

    def outcome(self) -> Outcome:
        """Run it to the end."""
        self._begin()
        handle = {
            _Event.DATA_MADE: self._make_data,
            _Event.DAO_MADE: self._make_dao,
            _Event.TRICKLE_SENDS: self._trickle_sends,
            _Event.TRICKLE_ENDS: self._trickle_ends,
            _Event.MEDIUM_FREE: self._medium_free,
            _Event.NODE_FREE: self._node_free,
        }
        while self.heap and self.heap[0][0] < self.duration_s:
            self.now_s, _, event, node = heapq.heappop(self.heap)
            handle[event](node)
        return Outcome(
            power_w=self._power_w(),
            made=self.made,
            delivered=len(self.latencies_s),
            lost=self.lost,
            waiting=sum(map(len, self.queues)),
            latency_s=float(np.mean(self.latencies_s)) if self.latencies_s else np.nan,
            events=self.events,
        )

    def _at(self, time_s: float, event: _Event, node: int) -> None:
        self.events += 1
        # The number keeps the order of what happens at the same time.
        heapq.heappush(self.heap, (time_s, self.events, event, node))

    def _begin(self) -> None:
        for node in range(1, self.topology.nodes + 1):
            self._plan(_Event.DATA_MADE, node, self.interval_s)
            if self.rpl is not None:
                self._plan(_Event.DAO_MADE, node, self.rpl.dao_interval_s)
                began_s = -self.draw.random() * self.rpl.interval_max_s
                self._new_trickle(node, began_s)

    def _plan(self, event: _Event, node: int, interval_s: float) -> None:
        """Plan all messages of a node: one in each interval, at any time in it."""
        for number in range(math.ceil(self.duration_s / interval_s)):
            at_s = (number + self.draw.random()) * interval_s
            self._at(at_s, event, node)

    def _make_data(self, node: int) -> None:
        self.made += 1
        self._enqueue(node, _Waiting(Frame.DATA, self.now_s))

    def _make_dao(self, node: int) -> None:
        self._enqueue(node, _Waiting(Frame.DAO, self.now_s))

    def _enqueue(self, node: int, waiting: _Waiting) -> None:
        if len(self.queues[node]) >= QUEUE_MAX:
            self.lost += 1
            return
        self.queues[node].append(waiting)
        self._try_to_send(node)

    def _try_to_send(self, node: int) -> None:
        if self.is_busy[node] or self.senders_in_reach[node] or not self.queues[node]:
            return
        self.is_busy[node] = True
        frame = self.queues[node][0].frame
        for other in self.in_reach[node]:
            self.senders_in_reach[other] += 1
        self._at(self.now_s + self.medium_s[frame], _Event.MEDIUM_FREE, node)
        self._at(self.now_s + self.service_s[frame], _Event.NODE_FREE, node)

    def _medium_free(self, node: int) -> None:
        waiting = self.queues[node][0]
        if waiting.frame is Frame.DIO:
            self._was_broadcast(node)
        else:
            self._was_sent(node, waiting)
        for other in self.in_reach[node]:
            self.senders_in_reach[other] -= 1
        candidates = list(self.in_reach[node])
        self.draw.shuffle(candidates)
        for other in candidates:
            self._try_to_send(other)

    def _node_free(self, node: int) -> None:
        self.is_busy[node] = False
        self._try_to_send(node)

    def _was_broadcast(self, node: int) -> None:
        self.queues[node].popleft()
        counted = self.counted
        counted.sent[Frame.DIO, node] += 1
        counted.first_sent[Frame.DIO, node] += 1
        for other in self.near[node]:
            counted.received[Frame.DIO, other] += 1
            counted.new_received[Frame.DIO, other] += 1
            self.heard[other] += 1

    def _was_sent(self, node: int, waiting: _Waiting) -> None:
        link = self.topology.uplinks[node - 1]
        parent, counted, frame = self.parents[node], self.counted, waiting.frame
        counted.sent[frame, node] += 1
        counted.first_sent[frame, node] += not self.is_repeated[node]
        for other in self.near[node]:
            if other != parent:
                counted.overheard[frame, other] += 1
        arrived = self.draw.random() < link.delivery
        if arrived:
            counted.received[frame, parent] += 1
            if not self.was_received[node]:
                self.was_received[node] = True
                counted.new_received[frame, parent] += 1
                self._arrive(parent, waiting)
        if arrived and self.draw.random() < link.ack_delivery:
            self.queues[node].popleft()
            self.is_repeated[node] = self.was_received[node] = False
        else:
            self.is_repeated[node] = True

    def _arrive(self, node: int, waiting: _Waiting) -> None:
        if node != SINK:
            self._enqueue(node, waiting)
        elif waiting.frame is Frame.DATA:
            self.latencies_s.append(self.now_s - waiting.made_s)

    # Trickle.

    def _new_trickle(self, node: int, began_s: float) -> None:
        assert self.rpl is not None  # noqa: S101 - Trickle is routing's
        length_s = self.rpl.interval_max_s
        self.heard[node] = 0
        sends_s = began_s + length_s * (0.5 + self.draw.random() / 2)
        if sends_s >= self.now_s:
            self._at(sends_s, _Event.TRICKLE_SENDS, node)
        self._at(began_s + length_s, _Event.TRICKLE_ENDS, node)

    def _trickle_sends(self, node: int) -> None:
        assert self.rpl is not None  # noqa: S101 - Trickle is routing's
        if self.heard[node] < self.rpl.redundancy:
            self._enqueue(node, _Waiting(Frame.DIO, self.now_s))

    def _trickle_ends(self, node: int) -> None:
        self._new_trickle(node, self.now_s)

    # What it took.

    def _power_w(self) -> Parts:
        node = self.node
        energy_j, on_s = Parts(), np.zeros(self.topology.nodes)
        for frame in Frame:
            if frame is Frame.DATA or self.rpl is not None:
                energy_j = energy_j + self._energy_j(frame)
                on_s = on_s + self._time_on_s(frame)
        idle = np.maximum(1 - on_s / self.duration_s, 0.0)
        nodes = np.ones(self.topology.nodes)
        return (
            energy_j * (1 / self.duration_s)
            + node.idle_w() * idle
            + node.sleep_w() * nodes
        )

    def _energy_j(self, frame: Frame) -> Parts:
        node, size = self.node, self._frame_bytes(frame)
        counted = self.counted
        of_sealing = (Part.CIPHER, Part.COUNTER)
        sealed, sent = self._sending(frame, size).split(of_sealing)
        opened, received = self._receiving(frame, size).split(of_sealing)
        every_copy = node.security.sealing is Sealing.EVERY_COPY
        seals = counted.sent if every_copy else counted.first_sent
        return (
            sent * counted.sent[frame, 1:]
            + sealed * seals[frame, 1:]
            + received * counted.received[frame, 1:]
            + opened * counted.new_received[frame, 1:]
            + node.overhear(size) * counted.overheard[frame, 1:]
        )

    def _sending(self, frame: Frame, size: float | None) -> Parts:
        if size is None:
            return self.node.send()
        of = self.node.broadcast if frame is Frame.DIO else self.node.send_control
        return of(size)

    def _receiving(self, frame: Frame, size: float | None) -> Parts:
        if size is None:
            return self.node.receive()
        node = self.node
        of = node.receive_broadcast if frame is Frame.DIO else node.receive_control
        return of(size)

    def _time_on_s(self, frame: Frame) -> Counts:
        mac, hop, counted = (
            self.node.mac,
            self.node.hop(self._frame_bytes(frame)),
            self.counted,
        )
        broadcast = frame is Frame.DIO
        of_action: list[tuple[Callable[..., RadioTimes], Counts]] = [
            (mac.broadcast if broadcast else mac.send, counted.sent),
            (mac.receive_broadcast if broadcast else mac.receive, counted.received),
            (mac.overhear, counted.overheard),
        ]
        return np.asarray(
            sum(action(hop).on_s * count[frame, 1:] for action, count in of_action)
        )
