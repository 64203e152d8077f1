# SPDX-License-Identifier: Apache-2.0
"""A network in the course of time: what happens in each window, and at each node."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Annotated

import numpy as np

from samara.energy.events import Count, TransmissionResult, in_windows
from samara.energy.flows import SINK
from samara.energy.load import verdict
from samara.energy.network import consumption
from samara.energy.network_lifetimes import Delivery, OneNetworkRequest
from samara.energy.remarks import network_remarks
from samara.energy.requests import Interval
from samara.errors import MisuseError
from samara.records import (
    Answer,
    Between,
    Field,
    Parameter,
    Progress,
    Record,
    Remark,
    Title,
    record_class,
    request_class,
)
from samara.records.numbers import digits
from samara.records.usual import Seed
from samara.units import HOURS

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from numpy.typing import NDArray

    from samara.energy import topology
    from samara.energy.events import Hop, SimulatedTraffic
    from samara.energy.supply import Supply

    Array = NDArray[np.float64]

_HOUR_S = 3600.0
_WEEK_H = 168.0
_YEAR_H = 8784.0
_HOPS_MAX = 1000
_CELLS_MAX = 200_000
"""Windows times nodes: what an answer has of each."""


@request_class
class TimelineRequest(OneNetworkRequest):
    """A network of nodes that send to a sink, in the course of time."""

    nodes: Annotated[
        int, Parameter(help="Nodes besides the sink.", values=Between(1, 1000))
    ] = 12
    delivery: Delivery = 0.9
    interval_s: Interval = 600.0
    hours: Annotated[
        float,
        Parameter(
            help="Hours that are simulated.",
            unit=HOURS,
            values=Between(0.01, _YEAR_H),
        ),
    ] = _WEEK_H
    step: Annotated[
        float,
        Parameter(
            help="Hours of each window of time.",
            unit=HOURS,
            values=Between(0.01, _YEAR_H),
        ),
    ] = 6.0
    hops: Annotated[
        int,
        Parameter(
            help="Transmissions that are listed of each window: the first ones of it.",
            values=Between(0, _HOPS_MAX),
        ),
    ] = 0
    seed: Seed = 0


@record_class
class NetworkTimelineNode(Record):
    """A node of the network."""

    node: Annotated[int, Field("Its number, from 1; 0 is the sink.")]
    parent: Annotated[int, Field("The node that it sends to.")]
    hops: Annotated[int, Field("From it to the sink.")]
    neighbours: Annotated[
        tuple[int, ...], Field("Who hears it, and whom it hears; the sink among them.")
    ]
    delivery: Annotated[
        float, Field("Share of its frames that arrive at the parent.", unit="1")
    ]
    battery_j: Annotated[
        float,
        Field(
            "What its battery gives at the mean power of the closed form, without"
            " self-discharge.",
            unit="J",
        ),
    ]


@record_class
class NetworkTimelineHop:
    """One transmission of a frame."""

    ended_h: Annotated[float, Field("When it ended.", unit="h")]
    sender: Annotated[int, Field("Who sent it; 0 is the sink.")]
    receiver: Annotated[int | None, Field("Who it was for; null: for all around.")]
    frame: Annotated[str, Field("`data`, or of routing: `dio`, `dao`.")]
    fate: Annotated[
        str,
        Field(
            "`lost`; `arrived`, but its acknowledgement was lost; `acknowledged`; or"
            " `broadcast`."
        ),
    ]


@record_class
class NetworkTimelineStep(Record):
    """What happens in a window of time. Lists have a value for each node from 1 on."""

    start_h: Annotated[
        float, Field("When it begins.", heading="from", unit="h", digits="g")
    ]
    end_h: Annotated[float, Field("When it ends.", heading="to", unit="h", digits="g")]
    made: Annotated[int, Field("Messages that nodes made.", heading="made")]
    delivered: Annotated[
        int, Field("Messages that reached the sink.", heading="delivered")
    ]
    lost: Annotated[
        int,
        Field("Messages that found no room in a queue; routing's too.", heading="lost"),
    ]
    waiting: Annotated[
        int, Field("Messages in queues at its end.", heading="waiting", rank=2)
    ]
    latency_s: Annotated[
        float | None,
        Field(
            "Mean from making a message to its delivery; null: none was delivered.",
            heading="latency",
            unit="s",
        ),
    ]
    busiest: Annotated[
        int, Field("The node that draws the most in it.", heading="busiest\nnode")
    ]
    busiest_power_uw: Annotated[
        float, Field("Its mean power.", heading="its\npower", unit="µW")
    ]
    lowest_left: Annotated[
        float,
        Field(
            "The lowest of `left`.",
            heading="least\ncharge",
            unit="%",
            own_unit="1",
            digits=".4g",
            rank=2,
        ),
    ]
    sent: Annotated[
        tuple[int, ...], Field("Frames that it sent, repetitions and routing's too.")
    ]
    repeated: Annotated[
        tuple[int, ...], Field("Of these, sent again since they were not acknowledged.")
    ]
    received: Annotated[tuple[int, ...], Field("Frames that it received for itself.")]
    overheard: Annotated[tuple[int, ...], Field("Frames for others that it heard.")]
    energies_j: Annotated[
        tuple[float, ...], Field("What it took from its battery.", unit="J")
    ]
    left: Annotated[
        tuple[float, ...],
        Field("Share of its battery that is left at the end of the window.", unit="1"),
    ]
    hops: Annotated[
        tuple[NetworkTimelineHop, ...],
        Field("The first transmissions in it, as many as `--hops` asks for."),
    ]


@record_class
class NetworkTimeline(Record):
    """The whole time."""

    seed: Annotated[int, Field("Of the run.")]
    hours: Annotated[float, Field("How long it is.", unit="h")]
    made: Annotated[int, Field("Messages that nodes made.")]
    delivered: Annotated[int, Field("Of these, delivered.")]
    lost: Annotated[int, Field("Messages lost; routing's too.")]
    waiting: Annotated[int, Field("Messages in queues at the end.")]
    latency_s: Annotated[
        float | None, Field("Mean from making a message to its delivery.", unit="s")
    ]
    busiest: Annotated[int, Field("The node that draws the most.")]
    first_empty_h: Annotated[
        float | None,
        Field(
            "End of the window in which the first battery is empty; null: in none.",
            unit="h",
        ),
    ]


def network_timeline(
    request: TimelineRequest,
) -> Answer[NetworkTimelineNode | NetworkTimelineStep | NetworkTimeline]:
    """Yield the nodes of a network, what happens in each window of time, and the whole.

    Raises
    ------
    MisuseError, samara.crypto.UnknownNameError
        As `NodeRequest.scenario`; or there is no such shape or place of the sink, or
        the answer would be too long.
    NotMeasuredError
        When the bench has not measured what secures the frames.
    """
    yield from request.notices()
    scenario = request.scenario()
    node, rpl, used = scenario.node(), scenario.rpl, request.topology
    ends_h = _ends_h(request, used.nodes)
    load = verdict(node, used, request.interval_s, rpl, shape=request.shapes)
    closed = consumption(node, used, request.interval_s, rpl)
    charges = _Charges(scenario.supply(), closed.total_w)
    yield from _nodes(used, charges)
    yield Title(_title(request, used), empty="")
    traffics = in_windows(
        node,
        used,
        request.interval_s,
        rpl,
        ends_s=[each * _HOUR_S for each in ends_h],
        seed=request.seed,
        log_max=request.hops,
    )
    steps = []
    for start_h, end_h, traffic in zip([0.0, *ends_h], ends_h, traffics, strict=False):
        steps.append(_step(start_h, end_h, traffic, charges))
        yield steps[-1]
        yield Progress(end_h / ends_h[-1], "windows")
    whole = _whole(request.seed, steps)
    yield whole
    yield from _remarks(whole)
    yield Remark(scenario.in_words())
    yield Remark(load.in_words(request.shape_in_words))
    yield from network_remarks(scenario, used, request.interval_s)


def _ends_h(request: TimelineRequest, nodes: int) -> list[float]:
    """Return the ends of the windows.

    Raises
    ------
    MisuseError
        When there are too many for so many nodes.
    """
    count = math.ceil(request.hours / request.step - 1e-9)
    if count * max(nodes, request.hops) > _CELLS_MAX:
        message = (
            f"{count:,} windows of {nodes:,} nodes and {request.hops:,} hops are more "
            f"than {_CELLS_MAX:,} values: give a longer --step, or fewer --hours, "
            "--nodes or --hops"
        )
        raise MisuseError(message)
    return [*(request.step * each for each in range(1, count)), request.hours]


class _Charges:
    """What the batteries of all nodes have left.

    Parameters
    ----------
    cells
        The battery, of which each node has one.
    mean_w
        Mean power of each node: what can be taken out depends on it.
    """

    def __init__(self, cells: Supply, mean_w: Array) -> None:
        self.whole_j = np.asarray(cells.energy_j(mean_w), dtype=np.float64)
        self.left_j = self.whole_j.copy()
        self._lost_per_s = float(cells.self_discharge_per_s)

    def take(self, power_w: Array, duration_s: float) -> Array:
        """Take a mean power for some time; return which share is left of each.

        What a battery loses by itself is a share of what is left.
        """
        kept = math.exp(-self._lost_per_s * duration_s)
        taken_j = power_w * duration_s
        if self._lost_per_s:
            taken_j = power_w * ((1 - kept) / self._lost_per_s)
        self.left_j = np.maximum(self.left_j * kept - taken_j, 0.0)
        return np.asarray(self.left_j / self.whole_j)


def _nodes(used: topology.Topology, charges: _Charges) -> Iterator[NetworkTimelineNode]:
    for number in range(1, used.nodes + 1):
        yield NetworkTimelineNode(
            number,
            used.parents[number - 1],
            _hops(used.parents, number),
            tuple(sorted(used.neighbours[number])),
            used.uplinks[number - 1].delivery,
            float(charges.whole_j[number - 1]),
        )


def _hops(parents: Sequence[int], node: int) -> int:
    hops = 0
    while node != SINK:
        node, hops = parents[node - 1], hops + 1
    return hops


def _step(
    start_h: float, end_h: float, found: SimulatedTraffic, charges: _Charges
) -> NetworkTimelineStep:
    duration_s = (end_h - start_h) * _HOUR_S
    power_w, left = found.total_w, charges.take(found.total_w, duration_s)
    busiest = int(np.argmax(power_w))
    repeated = found.frames[Count.SENT] - found.frames[Count.FIRST_SENT]
    return NetworkTimelineStep(
        start_h=start_h,
        end_h=end_h,
        made=found.made,
        delivered=found.delivered,
        lost=found.lost + found.collided + found.lost_on_links,
        waiting=found.waiting,
        latency_s=found.latency_s if found.delivered else None,
        busiest=busiest + 1,
        busiest_power_uw=float(power_w[busiest]) * 1e6,
        lowest_left=float(left.min()),
        sent=_whole_numbers(found.frames[Count.SENT]),
        repeated=_whole_numbers(repeated),
        received=_whole_numbers(found.frames[Count.RECEIVED]),
        overheard=_whole_numbers(found.frames[Count.OVERHEARD]),
        energies_j=tuple(map(float, power_w * duration_s)),
        left=tuple(map(float, left)),
        hops=tuple(map(_hop, found.hops)),
    )


def _hop(logged: Hop) -> NetworkTimelineHop:
    return NetworkTimelineHop(
        logged.ended_s / _HOUR_S,
        logged.sender,
        None if logged.fate is TransmissionResult.BROADCAST else logged.receiver,
        logged.frame.name.lower(),
        logged.fate.name.lower(),
    )


def _whole_numbers(counts: Array) -> tuple[int, ...]:
    return tuple(map(int, counts))


def _whole(seed: int, steps: Sequence[NetworkTimelineStep]) -> NetworkTimeline:
    delivered = sum(each.delivered for each in steps)
    latency_sum_s = sum(each.delivered * (each.latency_s or 0.0) for each in steps)
    taken_j = np.sum([each.energies_j for each in steps], axis=0)
    empty = (each.end_h for each in steps if each.lowest_left <= 0)
    return NetworkTimeline(
        seed=seed,
        hours=steps[-1].end_h,
        made=sum(each.made for each in steps),
        delivered=delivered,
        lost=sum(each.lost for each in steps),
        waiting=steps[-1].waiting,
        latency_s=latency_sum_s / delivered if delivered else None,
        busiest=int(np.argmax(taken_j)) + 1,
        first_empty_h=next(empty, None),
    )


def _title(request: TimelineRequest, used: topology.Topology) -> str:
    shape = "network" if request.edges else request.shape or "tree"
    nodes = "1 node" if used.nodes == 1 else f"{used.nodes:,} nodes"
    return (
        f"{request.hours:g} h of a {shape} of {nodes}, each with a message every "
        f"{request.interval_s:g} s"
    )


def _remarks(whole: NetworkTimeline) -> Iterator[Remark]:
    latency = f"; mean latency {digits(whole.latency_s)} s" if whole.latency_s else ""
    yield Remark(
        f"{whole.delivered:,} of {whole.made:,} messages delivered, {whole.lost:,} "
        f"lost, {whole.waiting:,} waiting{latency}. Node {whole.busiest} draws the "
        "most."
    )
    if whole.first_empty_h is not None:
        yield Remark(
            f"The first battery is empty within {whole.first_empty_h:g} h. The node "
            "goes on here as if it had a new one."
        )
    yield Remark(
        "All quantities are as data sheets state them; what differs from window to "
        "window is chance. `samara energy simulate` has the ranges."
    )
