# SPDX-License-Identifier: Apache-2.0
"""What each node of a network draws, and when the first of them has no more.

Each node sends a message every interval, and passes on those of its subtree. With
``λ`` messages a second and, at a node, ``s`` transmissions, ``r`` receptions and ``o``
transmissions for others that it hears, a node draws

    P = idle (1 - busy) + sleep + λ (s send + r receive + o overhear) + routing
        + beacons of neighbours

where ``busy`` is the share of time in which its radio is on for messages. All of it is
a mean that holds as long as queues do not grow: waiting for a free medium costs
nothing. So it holds up to saturation, the load at which queues grow without a bound.
Two bounds of that have a closed form (`Consumption`); between them
`samara.energy.capacity` finds it by events. Beyond `LOAD_TRUSTED` of saturation queues
need long to settle, and beyond saturation the closed form says nothing.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from enum import IntEnum, StrEnum
from functools import reduce
from typing import TYPE_CHECKING, Any

import numpy as np

from samara.energy.node_events import NodeEvents, OfRouting, column
from samara.energy.parts import Part, Parts
from samara.energy.security import Sealing
from samara.energy.topology import GOOD, flows
from samara.errors import MisuseError

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from numpy.typing import NDArray

    from samara.energy.flows import Flows
    from samara.energy.node import Node
    from samara.energy.node_events import Seconds
    from samara.energy.quantity import Value
    from samara.energy.routing import Rpl
    from samara.energy.topology import Topology

    Array = NDArray[np.float64]

LOAD_TRUSTED = 0.9
"""Below this share of the load at which a network saturates, the closed form is
believed."""
DELIVERED = 0.9
"""A network works if at least this share of its messages arrives."""
DELIVERED_LEAST = 0.5
"""It cannot if less than this share does."""
_AT_A_TIME = 1000
"""Nodes of which all draws are in memory at once."""


class Region(IntEnum):
    """Whether a network works. A higher value is worse."""

    WORKS = 0
    """Queues do not grow, and at least `DELIVERED` of the messages arrive."""
    DOUBTFUL = 1
    """Close to saturation, where it is to be simulated; or less of them arrives."""
    ILLEGAL = 2
    """A transmitter is on for longer than its band allows."""
    SATURATED = 3
    """More is sent than the medium, or a node's schedule, can carry: queues grow. Or
    less than `DELIVERED_LEAST` of the messages arrives."""


class Limit(StrEnum):
    """What a network has too little of where it cannot work."""

    MEDIUM = "medium"
    SENDER = "sender"
    """The time of a node that sends."""
    RECEIVER = "receiver"
    """The schedule of a node that receives."""
    SLOT = "slot"
    """The length of a slot, in which a frame has to fit."""
    LINK = "link"
    """Links that lose messages which nobody sends again."""
    AIR = "air"
    """Time on the air, where nobody listens before sending."""
    DUTY = "duty"
    """The time that the law gives a transmitter."""


@dataclass(frozen=True, slots=True)
class Consumption:
    """Powers of the nodes of a network. The last axis is the nodes, from 1 on."""

    power_w: Parts
    load: Array
    """Share of time in which the medium around each node, or its schedule, is taken,
    with what does not overlap: above 1 queues grow, whoever sends first."""
    load_most: Array
    """Share of time in which each node sends or has to wait for others within two
    hops, if no two of them send at once: where all are below 1, no queue grows."""
    duty: Array
    """Share of time in which each transmitter is on."""
    delivered: Array
    """Share of the messages of each node that arrive, while queues do not grow: all if
    they are sent again until they are acknowledged."""
    share: Array
    """Share of all messages that each node sends, its own and others'; without draws
    and intervals."""

    @property
    def total_w(self) -> Array:
        """The whole power of each node."""
        return np.asarray(self.power_w.total, dtype=np.float64)

    @property
    def bottleneck(self) -> NDArray[np.intp]:
        """The node, from 1 on, that draws the most; of equals, the first."""
        return np.asarray(np.argmax(self.total_w, axis=-1) + 1)

    def region(
        self, duty_max: float = 1.0, capacity: float | None = None
    ) -> NDArray[np.int64]:
        """Return the `Region` of the whole network.

        Parameters
        ----------
        duty_max
            The share of time in which a transmitter may be on.
        capacity
            The `load` at which the network saturates (`samara.energy.capacity`). None:
            not known; what may be above `LOAD_TRUSTED` of it is then doubtful.
        """
        load, duty = self.load.max(axis=-1), self.duty.max(axis=-1)
        most = self.load_most.max(axis=-1) if capacity is None else load / capacity
        delivered = self.delivered.min(axis=-1)
        return np.select(
            [
                (load > (capacity or 1.0)) | (delivered < DELIVERED_LEAST),
                duty > duty_max,
                (most > LOAD_TRUSTED) | (delivered < DELIVERED),
            ],
            [Region.SATURATED, Region.ILLEGAL, Region.DOUBTFUL],
            Region.WORKS,
        )

    @property
    def needs_capacity(self) -> bool:
        """Whether the region, anywhere, depends on where the network saturates."""
        load, most = self.load.max(axis=-1), self.load_most.max(axis=-1)
        return bool(((load <= 1) & (most > LOAD_TRUSTED)).any())


@dataclass(frozen=True, slots=True)
class MediumShare:
    """Share of time that transmissions take. The last axis is the nodes."""

    per_message: Any
    """Seconds, while every node sends one message."""
    of_routing: Any
    """Share of the time, whatever the interval."""

    def __add__(self, other: MediumShare) -> MediumShare:
        """Return both, one after the other."""
        return MediumShare(
            self.per_message + other.per_message, self.of_routing + other.of_routing
        )

    def at(self, rate: Any) -> Any:  # noqa: ANN401 - a number or an array
        """Return the share of the time, of so many messages a second of each node."""
        return rate * self.per_message + self.of_routing

    def rate_max(self, share: float = 1.0) -> float:
        """Return the messages a second of each node that take a share of the time.

        Of draws the median; below zero when routing alone takes more.
        """
        with np.errstate(divide="ignore"):
            rates = np.divide(share - self.of_routing, self.per_message)
        return float(np.median(np.min(rates, axis=-1)))


@dataclass(frozen=True, slots=True)
class LoadBounds:
    """What takes time that transmissions of others cannot use, and what may."""

    lower: Mapping[Limit, MediumShare]
    """None of them lets its own transmissions overlap."""
    upper: Sequence[MediumShare]
    """Of each node and all that keep it from sending; the largest counts."""

    def load(self, rate: Any) -> Any:  # noqa: ANN401 - a number or an array
        """Return `Consumption.load`, of so many messages a second of each node."""
        return reduce(np.maximum, (one.at(rate) for one in self.lower.values()))

    def load_most(self, rate: Any) -> Any:  # noqa: ANN401 - a number or an array
        """Return `Consumption.load_most`."""
        return reduce(np.maximum, (one.at(rate) for one in self.upper))

    @property
    def rates(self) -> tuple[float, float]:
        """Messages a second of each node: queues do not grow below, and do above."""
        bounds = (self.upper, self.lower.values())
        fine, grows = (min(one.rate_max() for one in each) for each in bounds)
        return fine, grows

    def scarcest(self, rate: float) -> Limit:
        """Return what there is the least of, of so many messages a second."""
        loads = {
            limit: float(np.median(np.max(one.at(rate), axis=-1)))
            for limit, one in self.lower.items()
        }
        return max(loads, key=loads.__getitem__)


def consumption(
    node: Node,
    topology: Topology,
    interval_s: Value,
    rpl: Rpl | None = None,
    *,
    only: Sequence[int] | None = None,
    events: NodeEvents | None = None,
) -> Consumption:
    """Return what each node of a network draws.

    Parameters
    ----------
    node
        All nodes are alike.
    interval_s
        From one message of a node to its next.
    rpl
        What is sent to find and keep the ways; None for fixed ones. Leaves, whose
        medium access passes on nothing, have fixed ones: a sleepy end device does not
        hear its parent's DIO.
    only
        The nodes that are told, in place of all: counted from 0.
    events
        Those of the node, if networks of other sizes are asked for too: they are
        computed once.

    Raises
    ------
    MisuseError
        When nodes would have to pass on messages and the medium access has none
        that can.
    """
    return _model(node, topology, interval_s, rpl, only, events).consumption()


def collided(node: Node, topology: Topology, interval_s: Value) -> Value:
    """Return the share of messages that collide, if nobody listens before sending."""
    copies = node.sent_blind()
    if copies is None:
        return 0.0
    return copies.lost((topology.nodes - 1) / interval_s)


def deciding(
    node: Node,
    topology: Topology,
    intervals_s: Array,
    rpl: Rpl | None = None,
    events: NodeEvents | None = None,
) -> list[int]:
    """Return the nodes, counted from 0, of which one has the most of anything.

    Some at a time are looked at: a million nodes in all draws need no memory.
    """
    # Of nodes to which the same happens, one stands for all.
    distinct = flows(topology).distinct
    events = events or node_events(node, rpl)
    found: set[int] = set()
    for first in range(0, len(distinct), _AT_A_TIME):
        some = distinct[first : first + _AT_A_TIME]
        one = consumption(node, topology, intervals_s, rpl, only=some, events=events)
        for values in (
            one.total_w, one.load, one.load_most, one.duty, -one.delivered
        ):  # fmt: skip
            found |= {some[each] for each in np.argmax(values, axis=-1).ravel()}
    return sorted(found)


def of_deciding_nodes(
    node: Node,
    topology: Topology,
    intervals_s: Array,
    rpl: Rpl | None = None,
    events: NodeEvents | None = None,
) -> Consumption:
    """Return what nodes draw, of which one has the most of anything."""
    chosen = flows(topology).distinct
    events = events or node_events(node, rpl)
    if len(chosen) > _AT_A_TIME:
        chosen = deciding(node, topology, intervals_s, rpl, events)
    return consumption(node, topology, intervals_s, rpl, only=chosen, events=events)


def node_events(node: Node, rpl: Rpl | None) -> NodeEvents:
    """Return what events take a node; leaves send nothing to keep the ways."""
    return NodeEvents(node, rpl if node.mac.relays else None)


def load_bounds(node: Node, topology: Topology, rpl: Rpl | None = None) -> LoadBounds:
    """Return the bounds of the load of a network, for any interval.

    Raises
    ------
    MisuseError
        As `consumption` does.
    """
    return _model(node, topology, math.inf, rpl).taken()


def _model(
    node: Node,
    topology: Topology,
    interval_s: Value,
    rpl: Rpl | None,
    only: Sequence[int] | None = None,
    events: NodeEvents | None = None,
) -> _Model:
    if not node.mac.relays and max(topology.parents) > 0:
        message = (
            f"nodes that pass on messages cannot use {node.mac.title!r}: give "
            "--topology star, in which all nodes send to the sink"
        )
        raise MisuseError(message)
    every = flows(topology if node.mac.acknowledges else _sent_once(topology))
    chosen = every if only is None else every.of(only)
    heard: Any = 1.0
    if not node.mac.acknowledges:
        shares = np.array([link.delivery for link in topology.uplinks])
        heard = shares if only is None else shares[only]
    return _Model(
        events or node_events(node, rpl), chosen, column(1 / interval_s), heard
    )


def _sent_once(topology: Topology) -> Topology:
    """Return a network whose nodes never send a message again."""
    if all(link == GOOD for link in topology.uplinks):
        return topology
    return replace(topology, uplinks=[GOOD] * topology.nodes)


@dataclass(frozen=True, slots=True)
class _Model:
    """One network; rates are of events a second, with the nodes as their last axis."""

    events: NodeEvents
    flows: Flows
    rate: Any
    """Messages of each node."""
    heard: Any = 1.0
    """Share of the messages of each node that its link does not lose for good."""

    @property
    def node(self) -> Node:
        """All nodes are like it."""
        return self.events.node

    @property
    def rpl(self) -> Rpl | None:
        """What is sent to keep the ways; None for fixed ones."""
        return self.events.rpl

    def consumption(self) -> Consumption:
        on = self._share_of_time(lambda times: times.on_s)
        power_w = (
            self.events.idle_w * np.maximum(1 - on, 0.0)
            + self.events.sleep_w
            + self.events.beacons_w * self.flows.neighbours
            + self._of_messages_w()
            + self._of_routing_w()
        )
        shape = np.broadcast_shapes(
            *(np.shape(each) for each in power_w.amounts.values())
        )
        every = {
            part: np.broadcast_to(own, shape) for part, own in power_w.amounts.items()
        }
        duty = self._share_of_time(lambda times: times.transmit_s)
        duty = duty + self.events.idle_sending
        taken = self.taken()
        return Consumption(
            Parts(every),
            load=np.broadcast_to(taken.load(self.rate), shape),
            load_most=np.broadcast_to(taken.load_most(self.rate), shape),
            duty=np.broadcast_to(duty, shape),
            delivered=np.broadcast_to(self._delivered(), shape),
            share=self.flows.share,
        )

    def _delivered(self) -> Any:  # noqa: ANN401 - a number or an array
        """Return the share of messages that are heard, and that met no others."""
        copies = self.node.sent_blind()
        if copies is None:
            return self.heard
        alone = replace(
            copies,
            air_s=column(copies.air_s),
            period_s=column(copies.period_s),
            frequencies=column(copies.frequencies),
        )
        return self.heard * (1 - alone.lost(self.rate * (self.flows.siblings - 1)))

    def _of_messages_w(self) -> Parts:
        events, flow, rate = self.events, self.flows, self.rate
        sealed, sent = events.send_j.split((Part.CIPHER, Part.COUNTER))
        opened, received = events.receive_j.split((Part.CIPHER, Part.COUNTER))
        # A message that has to be sent again is sealed again only when each copy
        # is; one that was received before is a replay, and not opened.
        each_copy = self.node.security.sealing is Sealing.EVERY_COPY
        relayed = flow.messages - 1
        power_w: Parts = (
            sent * (rate * flow.sent)
            + sealed * (rate * (flow.sent if each_copy else flow.messages))
            + received * (rate * flow.received)
            + opened * (rate * relayed)
            + events.overhear_j * (rate * flow.overheard)
        )
        return power_w

    def _of_routing_w(self) -> Parts:
        rpl, each = self.rpl, self.events.routing_j
        if rpl is None or each is None:
            return Parts()
        flow = self.flows
        dio = rpl.dio_per_s(flow.neighbours)
        return (
            each.send_dio * dio
            + each.receive_dio * (dio * flow.neighbours)
            + each.send_dao * (rpl.dao_per_s * flow.sent)
            + each.receive_dao * (rpl.dao_per_s * flow.received)
            + each.overhear_dao * (rpl.dao_per_s * flow.overheard)
        )

    def _share_of_time(self, time_of: Callable[..., Value]) -> Array:
        """Return for which share of time something is so, for messages and routing."""
        flow = self.flows
        per_event = [column(time_of(each)) for each in self.events.times]
        counts = (flow.sent, flow.received, flow.overheard)
        share = self.rate * sum(
            seconds * count for seconds, count in zip(per_event, counts, strict=True)
        )
        rpl, each = self.rpl, self.events.routing_times
        if rpl is not None and each is not None:
            share = share + self._routing_share(
                rpl, OfRouting(*(column(time_of(one)) for one in each))
            )
        return np.asarray(share, dtype=np.float64)

    def _routing_share(self, rpl: Rpl, seconds: OfRouting[Any]) -> Any:  # noqa: ANN401 - a number or an array
        flow, per_s = self.flows, rpl.dio_per_s(self.flows.neighbours)
        return (
            seconds.send_dio * per_s
            + seconds.receive_dio * (per_s * flow.neighbours)
            + seconds.send_dao * (rpl.dao_per_s * flow.sent)
            + seconds.receive_dao * (rpl.dao_per_s * flow.received)
            + seconds.overhear_dao * (rpl.dao_per_s * flow.overheard)
        )

    def taken(self) -> LoadBounds:
        """Return how much of the time is taken, at least and at most."""
        schedule, flow = self._schedule(), self.flows
        least = {Limit.SENDER: schedule, Limit.SLOT: self._slots()}
        if not self.node.mac.shares_medium:
            if not self._is_scheduled:
                return LoadBounds(least, [*least.values()])
            if not self.node.mac.cell_takes_sender:
                least[Limit.RECEIVER] = self._receiver(flow.for_parent)
                return LoadBounds(least, [*least.values()])
            least[Limit.RECEIVER] = self._receiver(flow.at_parent)
            # A frame waits while its sender or its receiver is in another cell.
            waits = self._receiver(flow.at_both)
            return LoadBounds(least, [schedule, least[Limit.SLOT], waits])
        around = self._medium(flow.around, flow.neighbours + 1, flow.neighbours)
        # Who has the fewest neighbours sends DIO most often.
        waits = self._medium(flow.in_reach, flow.others_in_reach, flow.fewest_in_reach)
        most = schedule + self._own_dio() + waits
        return LoadBounds({**least, Limit.MEDIUM: around}, [most])

    def _slots(self) -> MediumShare:
        """Return what a frame takes of its slot, if it does not fit into it."""
        share = self.events.slot_share
        return MediumShare(0.0, column(np.where(share > 1, share, 0.0)))

    def _schedule(self) -> MediumShare:
        """Return the time in which each node cannot begin to send."""
        return self._of_each(self.flows.sent, self.events.service_s)

    @property
    def _is_scheduled(self) -> bool:
        return bool(np.any(self.events.cell_s.message))

    def _receiver(self, sent: Array) -> MediumShare:
        """Return the share of its schedule that each node's parent needs.

        A radio is in one cell at a time: what all children send has to fit, and what
        the parent itself sends.
        """
        met = self.flows.siblings * column(self.node.met_share())
        return self._of_each(sent, self.events.cell_s) + MediumShare(0.0, met)

    def _of_each(self, sent: Array, each: Seconds) -> MediumShare:
        """Return the time that transmissions of messages and DAO take, one by one."""
        of_messages = sent * each.message
        if self.rpl is None:
            return MediumShare(of_messages, 0.0)
        return MediumShare(of_messages, self.rpl.dao_per_s * sent * each.dao)

    def _own_dio(self) -> MediumShare:
        """Return the time in which each node sends its own DIO."""
        if self.rpl is None:
            return MediumShare(0.0, 0.0)
        dio_s = self.events.dio_service_s
        return MediumShare(0.0, dio_s * self.rpl.dio_per_s(self.flows.neighbours))

    def _medium(self, sent: Array, senders: Array, neighbours: Array) -> MediumShare:
        """Return the time that transmissions take, if none of them overlap.

        Parameters
        ----------
        sent
            Transmissions while every node sends one message.
        senders
            How many nodes send DIO.
        neighbours
            Of each of them.
        """
        rpl, each = self.rpl, self.events.routing_times
        of_messages = sent * self.events.held_s
        # Who asks for data is next to the sink, as all others are.
        requests = self.flows.siblings * self.events.requesting
        if rpl is None or each is None:
            return MediumShare(of_messages, requests)
        return MediumShare(
            of_messages,
            requests
            + rpl.dao_per_s * sent * column(each.send_dao.on_s)
            + senders * rpl.dio_per_s(neighbours) * column(each.send_dio.on_s),
        )
