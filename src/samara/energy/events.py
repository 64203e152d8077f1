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
- a medium access that sends without listening first loses the messages of which each
  copy meets another's at the sink, without capture;
- each node sends a message every interval, at a time of the interval that is drawn
  for each message; the intervals of each node begin at a time of its own, drawn too;
- with a schedule, a radio is in one cell at a time: that of a sender and that of its
  receiver have to be free;
- requests for data take their share of the medium, and connections without data theirs
  of their central, and are not among the events: such nodes are all next to the sink;
- a message is sent again until it is acknowledged, or once if nobody acknowledges;
  queues have room for `QUEUE_MAX`, and what does not fit is lost and counted;
- the network has been at rest for long: Trickle's intervals are at their longest.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import IntEnum
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from samara._core import NetworkEvents
from samara.energy.flows import SINK
from samara.energy.parts import Part, Parts
from samara.energy.security import Sealing
from samara.energy.steps import result_of
from samara.energy.topology import flows
from samara.errors import MisuseError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from numpy.typing import NDArray

    from samara.energy.copies import Copies
    from samara.energy.node import Node
    from samara.energy.quantity import Value
    from samara.energy.routing import Rpl
    from samara.energy.steps import Steps
    from samara.energy.topology import Topology
    from samara.energy.transceiver import RadioTimes

    Counts = NDArray[np.float64]

DAY_S = 86_400.0
QUEUE_MAX = 1000
_STEPS_MIN = 200
"""How often a run tells how far it is, at least."""
_STEP_HOPS = 20_000
"""Transmissions after which a run can be interrupted: some hundredths of a second."""
_SEED_MAX = 2**64 - 1
_LEFT_MIN = 1e-6
"""What is left where what is not among the events takes more than all."""
_NEVER = 1e-300
"""The share of frames that arrive where a slot is too short for them."""


class Frame(IntEnum):
    """Kinds of frames, in the order of `NetworkEvents`."""

    DATA = 0
    DIO = 1
    DAO = 2


class Count(IntEnum):
    """Counters of each node, in the order of `NetworkEvents`."""

    SENT = 0
    FIRST_SENT = 1
    RECEIVED = 2
    FIRST_RECEIVED = 3
    OVERHEARD = 4


class TransmissionResult(IntEnum):
    """What became of a transmission, in the order of `NetworkEvents`."""

    LOST = 0
    ARRIVED = 1
    """Its acknowledgement was lost."""
    ACKNOWLEDGED = 2
    BROADCAST = 3


class Hop(NamedTuple):
    """One transmission of a frame from a node to its parent, or to all around."""

    ended_s: float
    sender: int
    receiver: int
    """The sender itself where it is broadcast."""
    frame: Frame
    fate: TransmissionResult

    @classmethod
    def of(cls, logged: tuple[float, int, int, int, int]) -> Hop:
        """Return what `NetworkEvents` has logged."""
        ended_s, sender, receiver, frame, fate = logged
        return cls(ended_s, sender, receiver, Frame(frame), TransmissionResult(fate))


@dataclass(frozen=True)
class SimulatedTraffic:
    """Counts and powers of one simulated run of a network."""

    power_w: Parts
    """Of each node from 1 on."""
    made: int
    """Messages of nodes."""
    delivered: int
    """Messages that reached the sink."""
    lost: int
    """Messages that found no room in a queue; routing's too."""
    waiting: int
    """Messages in queues at the end."""
    collided: int
    """Messages that met others on the air, since nobody listened before sending."""
    lost_on_links: int
    """Messages that did not arrive over a link, and are not sent again, since nobody
    acknowledges them."""
    latency_s: float
    """Mean time from making a message to its delivery; not a number for none."""
    events: int
    frames: Counts
    """By `Count`, and node from 1 on: of all kinds of frames."""
    hops: Sequence[Hop] = ()
    """The first transmissions, as many as were to be logged."""

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
) -> SimulatedTraffic:
    """Return what happens in a network in some time, as `simulated` computes it."""
    return result_of(
        simulated(node, topology, interval_s, rpl, duration_s=duration_s, seed=seed)
    )


def simulated(
    node: Node,
    topology: Topology,
    interval_s: float,
    rpl: Rpl | None = None,
    *,
    duration_s: float = DAY_S,
    seed: int = 0,
) -> Steps[SimulatedTraffic]:
    """Compute what happens in a network in some time.

    Parameters
    ----------
    node
        All nodes are alike; its values are numbers, not draws.
    seed
        The same seed gives the same traffic.

    Raises
    ------
    MisuseError
        When the medium access cannot relay and nodes would have to, or a time is
        not above zero.
    """
    _check(node, topology, interval_s, duration_s, seed)
    network = _Network.of(node, topology, rpl)
    run = kernel(node, topology, interval_s, network.rpl, seed)
    begun = _Seen.begun(run)
    hops = float(flows(topology).sent.sum()) * duration_s / interval_s
    steps = max(_STEPS_MIN, int(hops / _STEP_HOPS))
    for step in range(1, steps + 1):
        run.advance(duration_s * step / steps)
        yield step / steps
    return network.traffic(begun, _Seen.of(run, duration_s))


def in_windows(  # noqa: PLR0913 - the last ones by name
    node: Node,
    topology: Topology,
    interval_s: float,
    rpl: Rpl | None = None,
    *,
    ends_s: Sequence[float],
    seed: int = 0,
    log_max: int = 0,
) -> Iterator[SimulatedTraffic]:
    """Yield what happens in a network in each window of time, one after the other.

    Parameters
    ----------
    ends_s
        The ends of the windows, ascending; the first one begins at 0.
    log_max
        The transmissions that are logged in each window.

    Raises
    ------
    MisuseError
        As `simulated`.
    """
    _check(node, topology, interval_s, ends_s[-1], seed)
    network = _Network.of(node, topology, rpl)
    run = kernel(node, topology, interval_s, network.rpl, seed, log_max)
    before = _Seen.begun(run)
    for end_s in ends_s:
        run.advance(end_s)
        after = _Seen.of(run, end_s)
        hops = [Hop.of(each) for each in run.take_log()]
        yield replace(network.traffic(before, after), hops=hops)
        before = after


def _check(
    node: Node, topology: Topology, interval_s: float, duration_s: float, seed: int
) -> None:
    if not node.mac.relays and max(topology.parents) > SINK:
        message = (
            f"nodes that pass on messages cannot use {node.mac.title!r}: give "
            "--topology star, in which all nodes send to the sink"
        )
        raise MisuseError(message)
    if not (0 < interval_s < np.inf and 0 < duration_s < np.inf):
        message = "an interval and a duration are above 0 seconds, and finite"
        raise MisuseError(message)
    if not 0 <= seed <= _SEED_MAX:
        message = f"a seed is from 0 to 2^64 - 1, not {seed}"
        raise MisuseError(message)


@dataclass(frozen=True, slots=True)
class _Seen:
    """What a simulation has counted up to a time."""

    time_s: float
    counts: Counts
    """By `Count`, `Frame`, and node from 1 on."""
    made: int
    delivered: int
    lost: int
    waiting: int
    collided: int
    lost_on_links: int
    latency_sum_s: float
    events: int

    @classmethod
    def of(cls, run: NetworkEvents, time_s: float) -> _Seen:
        return cls(
            time_s,
            np.array(run.counts(), dtype=np.float64)[:, :, 1:],
            run.made,
            run.delivered,
            run.lost,
            run.waiting,
            run.collided,
            run.lost_on_links,
            run.latency_sum_s,
            run.events,
        )

    @classmethod
    def begun(cls, run: NetworkEvents) -> _Seen:
        """Return what was counted at the beginning: not even what is planned."""
        return replace(cls.of(run, 0.0), events=0)


@dataclass(frozen=True, slots=True)
class _Network:
    """The nodes of a simulation, whose counts become powers."""

    node: Node
    rpl: Rpl | None
    neighbours: Counts

    @classmethod
    def of(cls, node: Node, topology: Topology, rpl: Rpl | None) -> _Network:
        rpl = rpl if node.mac.relays else None
        return cls(node, rpl, _neighbours(topology))

    def traffic(self, before: _Seen, after: _Seen) -> SimulatedTraffic:
        """Return what happened between two times."""
        counts = after.counts - before.counts
        duration_s = after.time_s - before.time_s
        delivered = after.delivered - before.delivered
        latency_sum_s = after.latency_sum_s - before.latency_sum_s
        used = _Used(self.node, self.rpl, counts, duration_s, self.neighbours)
        return SimulatedTraffic(
            power_w=used.power_w(),
            made=after.made - before.made,
            delivered=delivered,
            lost=after.lost - before.lost,
            waiting=after.waiting,
            collided=after.collided - before.collided,
            lost_on_links=after.lost_on_links - before.lost_on_links,
            latency_s=latency_sum_s / delivered if delivered else np.nan,
            events=after.events - before.events,
            frames=counts.sum(axis=1),
        )


def _frame_bytes(frame: Frame, rpl: Rpl | None) -> float | None:
    """Return the size of a frame without security; None for the node's own."""
    if frame is Frame.DATA or rpl is None:
        return None
    return rpl.dio_bytes if frame is Frame.DIO else rpl.dao_bytes


def kernel(  # noqa: PLR0913 - the last ones by name
    node: Node,
    topology: Topology,
    interval_s: float,
    rpl: Rpl | None,
    seed: int,
    log_max: int = 0,
    *,
    messages: Sequence[int] = (),
) -> NetworkEvents:
    """Return a network by events, at its beginning; of draws, the medians count.

    Parameters
    ----------
    messages
        How many each node makes in an interval, from node 1 on. Default: one.
    """
    medium_s, service_s, arrival_s, cell_s = [], [], [], []
    # Requests of all nodes that share the medium leave the rest of it to messages.
    left = _left(topology, node.requesting())
    # And connections without data leave the rest of a central's time.
    left_to_cells = _left(topology, node.met_share())
    copies = node.sent_blind()
    fits = max(float(np.median(each)) for each in node.each(node.mac.slot_share)) <= 1
    for frame in Frame:
        size = _frame_bytes(frame, rpl)
        held_s = (
            node.times(node.mac.broadcast, size).on_s
            if frame is Frame.DIO
            else node.times(node.mac.held_s, size)
        )
        medium_s.append(float(np.median(held_s)) / left)
        if copies is not None and frame is Frame.DATA:
            medium_s[-1] = max(medium_s[-1], float(np.median(copies.duration_s)))
        service_s.append(max(medium_s[-1], float(np.median(node.service_s(size)))))
        arrival_s.append(float(np.median(node.latency_s(size))))
        cell_s.append(
            float(np.median(node.times(node.mac.cell_s, size))) / left_to_cells
        )
    return NetworkEvents(
        parents=[SINK, *topology.parents],
        neighbours=[sorted(near) for near in topology.neighbours],
        delivery=[
            1.0,
            *(link.delivery if fits else _NEVER for link in topology.uplinks),
        ],
        ack_delivery=[1.0, *(link.ack_delivery for link in topology.uplinks)],
        medium_s=medium_s,
        service_s=service_s,
        arrival_s=arrival_s,
        cell_s=cell_s,
        cell_takes_sender=node.mac.cell_takes_sender,
        acknowledges=node.mac.acknowledges,
        shares_medium=node.mac.shares_medium,
        **_on_air(copies),
        interval_s=interval_s,
        messages=[1, *messages] if messages else [],
        dao_interval_s=rpl.dao_interval_s if rpl else 0.0,
        trickle_interval_s=rpl.interval_max_s if rpl else 0.0,
        redundancy=rpl.redundancy if rpl else 0,
        queue_max=QUEUE_MAX,
        log_max=log_max,
        seed=seed,
    )


def _left(topology: Topology, share: Value) -> float:
    """Return what nodes that are all next to the sink leave, if each has a share."""
    return max(1 - topology.nodes * float(np.median(share)), _LEFT_MIN)


def _on_air(copies: Copies | None) -> dict[str, Any]:
    """Return what `NetworkEvents` has to know of frames that may collide."""
    if copies is None:
        return {}
    return {
        "air_s": float(np.median(copies.air_s)),
        "air_period_s": float(np.median(copies.period_s)),
        "air_copies": copies.count,
        "frequencies": round(float(np.median(copies.frequencies))),
    }


def _neighbours(topology: Topology) -> Counts:
    return np.array([len(near) for near in topology.neighbours[1:]], dtype=np.float64)


@dataclass(frozen=True)
class _Used:
    """What took how much power."""

    node: Node
    rpl: Rpl | None
    counts: Counts
    """By `Count`, `Frame`, and node from 1 on."""
    duration_s: float
    neighbours: Counts
    """By node from 1 on: their beacons are not among the events."""

    def power_w(self) -> Parts:
        nodes = np.ones(self.counts.shape[-1])
        energy_j, on_s = Parts(), 0.0 * nodes
        for frame in Frame:
            if frame is Frame.DATA or self.rpl is not None:
                energy_j = energy_j + self._energy_j(frame)
                on_s = on_s + self._on_s(frame)
        # Who is busy for longer than there is time does not listen less than never.
        idle = np.maximum(1 - on_s / self.duration_s, 0.0)
        waiting_w: Parts = (
            self.node.idle_w() * idle
            + self.node.sleep_w() * nodes
            + self.node.beacons_w() * self.neighbours
        )
        return energy_j * (1 / self.duration_s) + waiting_w

    def _energy_j(self, frame: Frame) -> Parts:
        node, size = self.node, _frame_bytes(frame, self.rpl)
        count = {each: self.counts[each, frame] for each in Count}
        of_sealing = (Part.CIPHER, Part.COUNTER)
        sealed, sent = self._sending(frame, size).split(of_sealing)
        opened, received = self._receiving(frame, size).split(of_sealing)
        every_copy = node.security.sealing is Sealing.EVERY_COPY
        seals = count[Count.SENT if every_copy else Count.FIRST_SENT]
        energy_j: Parts = (
            sent * count[Count.SENT]
            + sealed * seals
            + received * count[Count.RECEIVED]
            + opened * count[Count.FIRST_RECEIVED]
            + node.overhear(size) * count[Count.OVERHEARD]
        )
        return energy_j

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

    def _on_s(self, frame: Frame) -> Counts:
        mac, size = self.node.mac, _frame_bytes(frame, self.rpl)
        is_dio = frame is Frame.DIO
        actions: list[tuple[Callable[..., RadioTimes], Count]] = [
            (mac.broadcast if is_dio else mac.send, Count.SENT),
            (mac.receive_broadcast if is_dio else mac.receive, Count.RECEIVED),
            (mac.overhear, Count.OVERHEARD),
        ]
        return np.asarray(
            sum(
                self.node.times(action, size).on_s * self.counts[each, frame]
                for action, each in actions
            )
        )
