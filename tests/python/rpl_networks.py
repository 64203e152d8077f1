# SPDX-License-Identifier: Apache-2.0
"""Networks of RPL in virtual time: nodes that lose frames, move, die and come back."""

from __future__ import annotations

import heapq
import itertools
import random
from typing import TYPE_CHECKING

from samara.net.rpl.messages import NON_STORING, STORING, build, parse
from samara.net.rpl.objectives import MRHOF, Objective
from samara.net.rpl.own_node import OwnNode, Role
from samara.net.rpl.router import Router

if TYPE_CHECKING:
    from collections.abc import Iterable

    from samara.net.rpl.messages import Message

PREFIX, LOCAL = bytes.fromhex("fd00005a00000000"), bytes.fromhex("fe80000000000000")
ATTEMPTS = 4
Event = tuple[float, int, int, int, bytes, str]
"""When, its number, source, destination, content, and what it is: `ALL`, `ONE`, `FAR`,
or `DONE`, when the source learns what came of a frame."""
ALL, ONE, FAR, DONE = "to all", "to one", "over hops", "done"
DELAY_S = 0.005


def address_of(number: int) -> bytes:
    return PREFIX + number.to_bytes(8)


def local_of(number: int) -> bytes:
    return LOCAL + number.to_bytes(8)


def number_of(address: bytes) -> int:
    return int.from_bytes(address[8:])


class Air:
    """Nodes, numbered from 1; the first one is the root unless roles say otherwise."""

    def __init__(
        self,
        edges: Iterable[tuple[int, int]],
        *,
        seed: int = 1,
        loss: float = 0.0,
        objective: Objective = MRHOF,
        roles: dict[int, Role] | None = None,
        mode: int = STORING,
    ) -> None:
        self.now_s = 0.0
        self.chance = random.Random(seed)  # noqa: S311 - not for secrets
        self.loss = loss
        self.objective, self.mode = objective, mode
        self.edges = {frozenset(each) for each in edges}
        self.nodes: dict[int, Router] = {}
        self.sent: list[tuple[float, int, Message]] = []
        self.notices: list[tuple[int, str]] = []
        self._events: list[Event] = []
        self._order = itertools.count()
        self.roles = roles or {1: Role.ROOT}
        for number in sorted({n for edge in self.edges for n in edge}):
            self.start(number)

    def start(self, number: int) -> None:
        """Start a node, as one that knows nothing."""
        role = self.roles.get(number, Role.ROUTER)

        def send(to: bytes | None, message: Message) -> None:
            self._send(number, to, message)

        self.nodes[number] = Router(
            OwnNode(address_of(number), role, self.objective, mode=self.mode),
            lambda: self.now_s,
            send,
            lambda text: self.notices.append((number, text)),
            random.Random(number * 1000 + self.chance.randrange(1000)),  # noqa: S311
        )

    def stop(self, number: int) -> None:
        del self.nodes[number]

    def _send(self, source: int, to: bytes | None, message: Message) -> None:
        self.sent.append((self.now_s, source, message))
        content = build(message)
        assert len(content) < 1232
        if to is not None and to.startswith(PREFIX):
            # To the root or from it: over all hops, each of which may lose it.
            way = self.way(source, number_of(to), sends=True)
            if way:
                self._arrives(source, number_of(to), content, FAR)
            return
        if to is not None:
            self.frame(source, number_of(to), content)
            return
        for other in list(self.nodes):
            if self.hears(source, other) and self.chance.random() >= self.loss:
                self._arrives(source, other, content, ALL)

    def hears(self, one: int, other: int) -> bool:
        return frozenset((one, other)) in self.edges and other in self.nodes

    def frame(self, source: int, other: int, content: bytes = b"") -> bool:
        """Send a frame with repetitions; tell whether it arrived."""
        arrives, attempts = False, 0
        while not arrives and attempts < ATTEMPTS:
            attempts += 1
            arrives = self.hears(source, other) and self.chance.random() >= self.loss
        if arrives and content:
            self._arrives(source, other, content, ONE)
        self._later(source, other, attempts, arrives)
        return arrives

    def _later(self, source: int, other: int, attempts: int, arrives: bool) -> None:  # noqa: FBT001
        """The sender knows of the acknowledgement when the frame is over."""
        outcome = bytes((attempts, arrives))
        at_s = self.now_s + DELAY_S
        entry = (at_s, next(self._order), source, other, outcome, DONE)
        heapq.heappush(self._events, entry)

    def _arrives(self, source: int, other: int, content: bytes, what: str) -> None:
        at_s = self.now_s + DELAY_S * self.chance.uniform(1, 3)
        entry: Event = (at_s, next(self._order), source, other, content, what)
        heapq.heappush(self._events, entry)

    def run(self, time_s: float) -> None:
        """Let time pass."""
        end_s = self.now_s + time_s
        while True:
            due = [(node.due_s, number) for number, node in self.nodes.items()]
            next_s = min([end_s, *(at_s for at_s, _ in due)])
            if self._events:
                next_s = min(next_s, self._events[0][0])
            self.now_s = max(self.now_s, next_s)
            if self.now_s >= end_s:
                return
            while self._events and self._events[0][0] <= self.now_s:
                self._happens(heapq.heappop(self._events))
            for at_s, number in due:
                if at_s <= self.now_s and number in self.nodes:
                    self.nodes[number].work()

    def _happens(self, event: Event) -> None:
        _, _, source, other, content, what = event
        if what == DONE:
            if source in self.nodes:
                attempts, arrives = content
                self.nodes[source].sent(
                    local_of(other), attempts, is_missed=not arrives
                )
        elif other in self.nodes:
            message = parse(content)
            assert message is not None
            if what == FAR:
                self.nodes[other].hear_far(address_of(source), message)
                return
            self.nodes[other].hear(local_of(source), message, is_to_all=what == ALL)

    def way(self, source: int, destination: int, *, sends: bool = False) -> list[int]:
        """Return the nodes that a packet passes; empty when it does not arrive.

        Parameters
        ----------
        sends
            Whether its frames can be lost, and the senders learn of it.
        """
        way, planned = [source], list[int]()
        while way[-1] != destination:
            here = way[-1]
            if len(way) > 64 or here not in self.nodes:
                return []
            planned = planned or self._way_of_root(here, destination)
            if planned:
                following = planned.pop(0)
            elif self.hears(here, destination):
                following = destination
            else:
                via = self.nodes[here].next_hop(address_of(destination))
                if via is None:
                    return []
                following = number_of(via)
            if sends and not self.frame(here, following):
                return []
            if not self.hears(here, following):
                return []
            way.append(following)
        return way

    def _way_of_root(self, here: int, destination: int) -> list[int]:
        return [number_of(e) for e in self.nodes[here].way(address_of(destination))]

    def all_arrive(self) -> bool:
        """Tell whether each node reaches each other one, on no way with a loop."""
        for source, destination in itertools.permutations(self.nodes, 2):
            way = self.way(source, destination)
            # By the root a packet comes back on its way, but no hop is twice the same.
            is_by_root = self.mode == NON_STORING
            steps = list(itertools.pairwise(way)) if is_by_root else way
            if not way or len(set(steps)) != len(steps):
                return False
        return True

    def depth(self, number: int) -> int:
        """Return how many hops a node is from the root."""
        hops = 0
        while self.nodes[number].parent is not None:
            number = number_of(self.nodes[number].parent or b"")
            hops += 1
            assert hops <= len(self.nodes), "the parents make a loop"
        return hops

    def has_loop(self) -> bool:
        """Tell whether parents lead back to where one began."""
        for number in self.nodes:
            seen, here = set(), number
            while here in self.nodes and (parent := self.nodes[here].parent):
                if here in seen:
                    return True
                seen.add(here)
                here = number_of(parent)
        return False
