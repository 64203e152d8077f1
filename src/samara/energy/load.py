# SPDX-License-Identifier: Apache-2.0
"""Whether a network works, is at its limit, or cannot: why, and which one could.

It works if at least `DELIVERED` of its messages arrive, and no queue grows: a message
behind a queue that grows arrives ever later, and in the end not at all. Below
`DELIVERED_LEAST`, or where queues grow, it cannot. What is between is at its limit.

What is told is the closed form's, of quantities as they are stated. Where a network
saturates depends on who senses whom (`samara.energy.capacity`): where that is not
known, a network that may be close to it is at its limit.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING

import numpy as np

from samara.energy.medium_access import Neighbourhood
from samara.energy.network import (
    DELIVERED,
    DELIVERED_LEAST,
    LOAD_TRUSTED,
    Limit,
    Region,
    collided,
    consumption,
    deciding,
    load_bounds,
)
from samara.energy.node import too_often
from samara.energy.topology import flows

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from numpy.typing import NDArray

    from samara.energy.network import Consumption, LoadBounds
    from samara.energy.node import Node
    from samara.energy.routing import Rpl
    from samara.energy.topology import Topology


_WARN_FROM_SHARE = 0.01
"""The share of messages that collide from which it is told."""


class State(StrEnum):
    """Whether a network works."""

    WORKS = "works"
    AT_LIMIT = "at its limit"
    CANNOT = "cannot"


_STATES = {
    Region.WORKS: State.WORKS,
    Region.DOUBTFUL: State.AT_LIMIT,
    Region.ILLEGAL: State.CANNOT,
    Region.SATURATED: State.CANNOT,
}


def state_of(region: Region) -> State:
    """Return what a region is called."""
    return _STATES[region]


@dataclass(frozen=True, slots=True)
class Verdict:
    """Whether a network works, and what it has the least of."""

    region: Region
    limit: Limit
    load: float
    """Share of what there is of it that is taken; above 1 it cannot work."""
    nodes: int
    interval_s: float
    delivered: float
    """Share of the messages that arrive, while queues do not grow."""
    works_from_s: float | None
    """The shortest interval at which it works; None: it works at none."""
    largest: int | None = None
    """The largest network of its shape that works; 0: none does. None: not asked."""

    @property
    def state(self) -> State:
        """Whether it works."""
        return state_of(self.region)

    @property
    def reason(self) -> str:
        """What it has the least of."""
        lost = _percent(1 - self.delivered)
        return _REASONS[self.limit].format(share=_percent(self.load), lost=lost)

    def in_words(self, shape: str = "network") -> str:
        """Return the verdict, the reason, and what would work.

        Parameters
        ----------
        shape
            What a network of this shape is called.
        """
        sentence = f"{self.state.capitalize()}: {self.reason}."
        if self.state is State.WORKS:
            return sentence
        if self.limit is Limit.SLOT:
            return f"{sentence} {_LONGER_SLOT}."
        return " ".join([sentence, *self._largest(shape), self._interval()])

    def _largest(self, shape: str) -> list[str]:
        if self.largest is None:
            return []
        at = f"at {self.interval_s:g} s"
        if not self.largest:
            return [f"No {shape} works {at}."]
        nodes = "1 node" if self.largest == 1 else f"{self.largest:,} nodes"
        return [f"The largest {shape} that works {at} has {nodes}."]

    def _interval(self) -> str:
        nodes = "1 node" if self.nodes == 1 else f"{self.nodes:,} nodes"
        if self.works_from_s is None:
            return f"With {nodes} it works at no interval."
        return f"With {nodes} it works from {_rounded_up(self.works_from_s)} s on."

    def refusal(self) -> str:
        """Return the same as the text of an error."""
        if self.limit in (Limit.SENDER, Limit.MEDIUM):
            return too_often(self.interval_s, self.interval_s * self.load)
        sentence = (
            f"a message every {self.interval_s:g} s cannot be sent: {self.reason}"
        )
        if self.limit is Limit.SLOT:
            return f"{sentence}; {_LONGER_SLOT.lower()}"
        return sentence


_LONGER_SLOT = "Give a longer slot, or a shorter message"
_REASONS = {
    Limit.MEDIUM: "transmissions that cannot overlap take {share} of the time",
    Limit.SENDER: "a node needs {share} of the time to send what it has, one by one",
    Limit.RECEIVER: "what one node receives and sends takes {share} of its cells or "
    "connection events, and its radio is in one at a time",
    Limit.SLOT: "a frame and its acknowledgement take {share} of a slot",
    Limit.LINK: "nobody acknowledges messages, and {lost} of them do not arrive",
    Limit.AIR: "nobody listens before sending: frames collide, and {lost} of the "
    "messages do not arrive",
    Limit.DUTY: "a transmitter is on for {share} of the time that its band allows",
}


def _percent(load: float) -> str:
    percent = load * 100
    return f"{percent:,.0f} %" if percent >= 1 else f"{percent:.2g} %"


def _rounded_up(seconds: float) -> str:
    """Return seconds with three digits, not below them."""
    scale = 10.0 ** (2 - math.floor(math.log10(seconds)))
    return f"{math.ceil(seconds * scale - 1e-9) / scale:.15g}"


def verdict(  # noqa: PLR0913 - what is rarely given by name
    node: Node,
    topology: Topology,
    interval_s: float,
    rpl: Rpl | None = None,
    *,
    duty_max: float = 1.0,
    capacity: float | None = None,
    shape: Callable[[int], Topology] | None = None,
) -> Verdict:
    """Return whether a network works.

    Parameters
    ----------
    node
        Of draws, the medians count.
    duty_max
        The share of time in which a transmitter may be on.
    capacity
        The load at which the network saturates, if that was found.
    shape
        Makes networks of this shape: the largest that works is then looked for, if this
        one does not.

    Raises
    ------
    MisuseError
        When nodes would have to pass on messages and the medium access cannot.
    """
    used = consumption(node, topology, interval_s, rpl)
    region = Region(int(np.median(used.region(duty_max, capacity))))
    limit, load = _scarcest(node, topology, interval_s, rpl)
    delivered = float(np.median(np.min(used.delivered, axis=-1)))
    duty = _of_busiest(used.duty) / duty_max
    if region is Region.ILLEGAL or (region is Region.WORKS and duty > load):
        limit, load = Limit.DUTY, duty
    elif limit is not Limit.SLOT:
        load = load / capacity if capacity else load
        if region is Region.DOUBTFUL and not capacity:
            load = _of_busiest(used.load_most)
    limit, load = _or_losses(
        node, topology, interval_s, (limit, load), region, delivered
    )
    return Verdict(
        region,
        limit,
        load,
        topology.nodes,
        interval_s,
        delivered,
        _least_interval_s(
            load_bounds(node, topology, rpl),
            min(
                _rate_by_duty(
                    used, consumption(node, topology, math.inf, rpl), duty_max
                )
                / interval_s,
                _rate_by_losses(node, topology),
            ),
            capacity,
        ),
        None
        if shape is None or region is Region.WORKS
        else largest(node, shape, topology.nodes, interval_s, rpl, duty_max=duty_max),
    )


def _or_losses(
    node: Node,
    topology: Topology,
    interval_s: float,
    found: tuple[Limit, float],
    region: Region,
    delivered: float,
) -> tuple[Limit, float]:
    """Return the limit and its load, or lost messages if they are what limits.

    Parameters
    ----------
    found
        What else it has the least of.
    """
    heard, (_, load) = _heard(node, topology), found
    if region is Region.ILLEGAL or (region is Region.SATURATED and load > 1):
        return found
    if heard < DELIVERED:
        return Limit.LINK, (1 - delivered) / (1 - DELIVERED_LEAST)
    others_per_s = (topology.nodes - 1) / interval_s
    # As a share of those with which it just works, in the scale of loads.
    taken = LOAD_TRUSTED * _share(others_per_s, _others_at(node, DELIVERED / heard))
    if taken > (load if region is Region.WORKS else LOAD_TRUSTED):
        most = _others_at(node, DELIVERED_LEAST / heard)
        return Limit.AIR, _share(others_per_s, most)
    return found


def _rate_by_losses(node: Node, topology: Topology) -> float:
    """Return the messages a second of each node of which enough arrive."""
    heard, others = _heard(node, topology), topology.nodes - 1
    if heard < DELIVERED:
        return 0.0
    return _others_at(node, DELIVERED / heard) / others if others else math.inf


def _heard(node: Node, topology: Topology) -> float:
    """Return the share of messages that the worst link does not lose for good."""
    if node.mac.acknowledges:
        return 1.0
    return min(link.delivery for link in topology.uplinks)


def _others_at(node: Node, alone: float) -> float:
    """Return the messages a second of others that meet all but such a share."""
    copies = node.sent_blind()
    if copies is None:
        return math.inf
    return float(np.median(copies.others_at(1 - alone)))


def _share(of: float, whole: float) -> float:
    """Return a share of something; infinite if that is nothing."""
    if not of:
        return 0.0
    return of / whole if whole else math.inf


def _of_busiest(by_node: NDArray[np.float64]) -> float:
    return float(np.median(np.max(by_node, axis=-1)))


def _scarcest(
    node: Node, topology: Topology, interval_s: float, rpl: Rpl | None
) -> tuple[Limit, float]:
    bounds = load_bounds(node, topology, rpl)
    limit = bounds.scarcest(1 / interval_s)
    return limit, _of_busiest(np.asarray(bounds.lower[limit].at(1 / interval_s)))


def _least_interval_s(
    bounds: LoadBounds, rate_most: float, capacity: float | None
) -> float | None:
    """Return `Verdict.works_from_s`."""
    if capacity is None:
        rates = [each.rate_max(LOAD_TRUSTED) for each in bounds.upper]
    else:
        share = LOAD_TRUSTED * capacity
        rates = [each.rate_max(share) for each in bounds.lower.values()]
    rate = min(*rates, rate_most)
    return 1 / rate if rate > 0 else None


def _rate_by_duty(used: Consumption, resting: Consumption, duty_max: float) -> float:
    """Return how many times the messages a transmitter may be on for."""
    of_messages = used.duty - resting.duty
    with np.errstate(divide="ignore"):
        times = np.divide(duty_max - resting.duty, of_messages)
    return float(np.median(np.min(times, axis=-1)))


def largest(
    node: Node,
    shape: Callable[[int], Topology],
    below: int,
    interval_s: float,
    rpl: Rpl | None = None,
    *,
    duty_max: float = 1.0,
) -> int:
    """Return the number of nodes of the largest network that works; 0 for none.

    It works for sure: where a network saturates is not looked for by events.

    Parameters
    ----------
    below
        A number of nodes with which it does not work.
    """

    def works(nodes: int) -> bool:
        network = shape(nodes)
        only = deciding(node, network, np.array([interval_s]), rpl)
        used = consumption(node, network, interval_s, rpl, only=only)
        return int(np.median(used.region(duty_max))) == Region.WORKS

    fine, fails = 0, 1
    while fails < below and works(fails):
        fine, fails = fails, 2 * fails
    fails = min(fails, below)
    while fails - fine > 1:
        middle = (fine + fails) // 2
        fine, fails = (middle, fails) if works(middle) else (fine, middle)
    return fine


def doubts(node: Node, topology: Topology, interval_s: float) -> list[str]:
    """Return what a medium access leaves out of its figures, in this network."""
    flow = flows(topology)
    children = np.bincount(np.asarray(topology.parents))
    around = Neighbourhood(
        children=int(children.max()),
        neighbours=max(len(near) for near in topology.neighbours),
        messages_per_s=float(children.max() * flow.sent.max()) / interval_s,
    )
    own = node.mac.doubts(node.hop(), around)
    return [*own, *_collisions(node, topology, interval_s)]


def _collisions(node: Node, topology: Topology, interval_s: float) -> Iterator[str]:
    """Yield how many messages collide, if nobody listens before sending."""
    lost = float(np.median(collided(node, topology, interval_s)))
    if lost >= _WARN_FROM_SHARE:
        yield (
            f"nodes send without listening first: {lost:.0%} of the messages collide "
            "at the receiver, and are lost."
        )
