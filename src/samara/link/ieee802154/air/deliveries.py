# SPDX-License-Identifier: Apache-2.0
"""Copies of packets on their way to receivers, and when they arrive."""

from __future__ import annotations

import heapq
import itertools
from dataclasses import dataclass
from typing import TYPE_CHECKING, Generic, TypeVar

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from samara.link.ieee802154.air.statistics import LinkStatistics

_Node = TypeVar("_Node")


@dataclass(slots=True)
class Delivery(Generic[_Node]):
    """The copies of a packet that arrive at the same time."""

    receivers: Sequence[_Node]
    """Each as often as it gets a copy."""
    datagram: bytes
    links: Sequence[LinkStatistics] | None = None
    """Of frames: what is counted for each receiver; other packets have none."""
    is_counted: bool = True
    is_done: bool = False

    def single(self, index: int) -> Delivery[_Node]:
        """Return one of the copies alone; of a single one, the same object."""
        if len(self.receivers) == 1:
            return self
        links = None if self.links is None else (self.links[index],)
        return Delivery((self.receivers[index],), self.datagram, links)


class Deliveries(Generic[_Node]):
    """Those that wait for their time."""

    def __init__(self) -> None:
        self._waiting: list[tuple[float, int, Delivery[_Node]]] = []
        self._number = itertools.count()

    def __len__(self) -> int:
        return len(self._waiting)

    @property
    def next_s(self) -> float | None:
        """When the next one is due; None: nothing waits."""
        return self._waiting[0][0] if self._waiting else None

    def put(self, at_s: float, delivery: Delivery[_Node]) -> None:
        """Let one arrive at a time, behind those of the same time."""
        heapq.heappush(self._waiting, (at_s, next(self._number), delivery))

    def due(self, now_s: float) -> Iterator[tuple[float, Delivery[_Node]]]:
        """Yield those that are due, in their order, and when they were."""
        while self._waiting and self._waiting[0][0] <= now_s:
            at_s, _, delivery = heapq.heappop(self._waiting)
            if not delivery.is_done:
                yield at_s, delivery
