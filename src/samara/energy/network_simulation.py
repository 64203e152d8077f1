# SPDX-License-Identifier: Apache-2.0
"""A network simulated by events, in several runs, beside the closed form."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Annotated, Any

import numpy as np

from samara.energy import runs, topology
from samara.energy.capacity import searched
from samara.energy.load import verdict
from samara.energy.network import LOAD_TRUSTED, collided, consumption
from samara.energy.network_lifetimes import OneNetworkRequest
from samara.energy.quantity import QUANTILES, Draw, SingleDraw, nominal
from samara.energy.remarks import network_remarks
from samara.energy.simulated import COUNTS, Run, Simulated
from samara.energy.steps import with_progress
from samara.records import (
    Answer,
    Between,
    Field,
    Parameter,
    Progress,
    Record,
    Remark,
    Written,
    record_class,
    request_class,
)
from samara.records.numbers import digits
from samara.records.tables import Cell, Column, Row, Table, label, words
from samara.records.usual import Cluster, Seed, parallel_processes
from samara.units import HOURS
from samara.workers import workers as parallel

if TYPE_CHECKING:
    from collections.abc import Iterator

    from samara.energy.ranges import Range
    from samara.energy.scenario import Scenario
    from samara.energy.steps import Steps

_HOUR_S = 3600.0
_LONG = 5e6
"""Transmissions that take longer than processes take to begin: some seconds."""
_FEW = 10
"""Runs below which 10 % and 90 % are those of the ends."""


@request_class
class SimulateRequest(OneNetworkRequest):
    """A network of nodes that send to a sink, and how often it is simulated."""

    hours: Annotated[
        float,
        Parameter(
            help="Hours that are simulated.", unit=HOURS, values=Between(0.01, 100_000)
        ),
    ] = 24.0
    runs: Annotated[
        int,
        Parameter(
            help="Runs, each with the next seed and its own draw of all quantities.",
            values=Between(1, 10_000),
        ),
    ] = 20
    stated: Annotated[
        bool,
        Parameter(
            help="Take all quantities as data sheets state them: runs then differ by "
            "their seeds alone. Default: draw them for each run.",
        ),
    ] = False
    workers: Annotated[
        int | None,
        parallel_processes("the number of processors, or 1 where the runs are short"),
    ] = None
    cluster: Cluster = None
    seed: Seed = 0


@record_class
class NetworkSimulation(Record):
    """One run."""

    seed: Annotated[int, Field("Of the run.")]
    load: Annotated[
        float, Field("Share of saturation; at most this where `capacity` is `null`.")
    ]
    capacity: Annotated[
        float | None,
        Field(
            "The load at which queues grow, as a share of the bound by the medium or a "
            "schedule."
        ),
    ]
    region: Annotated[
        str, Field("Whether it works: `works`, `doubtful`, `illegal`, `saturated`.")
    ]
    bottleneck: Annotated[int, Field("The node that draws the most.")]
    bottleneck_share: Annotated[float, Field("Share of all messages that it sends.")]
    closed_form_power_uw: Annotated[float, Field("Its power by the closed form.")]
    events_power_uw: Annotated[float, Field("Its power by events.")]
    closed_form_life_days: Annotated[
        float | None, Field("Life of the network by the closed form.")
    ]
    events_life_days: Annotated[float | None, Field("Life of the network by events.")]
    made: Annotated[int, Field("Messages that nodes made.")]
    delivered: Annotated[int, Field("Of these, delivered.")]
    lost: Annotated[int, Field("Of these, lost.")]
    waiting: Annotated[int, Field("Of these, still in queues.")]
    collided: Annotated[
        int, Field("Of these, lost on the air: nobody listens before sending.")
    ]
    lost_on_links: Annotated[
        int, Field("Of these, lost over links: nobody acknowledges messages.")
    ]
    closed_form_collided: Annotated[
        float, Field("Share of messages that collide, by the closed form.")
    ]
    latency_s: Annotated[float, Field("Mean from making a message to its delivery.")]
    events: Annotated[int, Field("Number of events.")]
    believe: Annotated[
        str,
        Field(
            "`both`, `events`, `closed form`, or `neither`: then both lives are `null`."
        ),
    ]


@record_class
class NetworkSimulationRange(Record):
    """All runs."""

    runs: Annotated[int, Field("Their number.")]
    load: Annotated[float, Field("Share of saturation, the median.")]
    capacity: Annotated[float | None, Field("As of a run.")]
    region: Annotated[str, Field("The worst of a run.")]
    bottleneck: Annotated[int, Field("The node that draws the most in the mean.")]
    bottleneck_share: Annotated[float, Field("Share of all messages that it sends.")]
    closed_form_power_uw_10: Annotated[float, Field("10 % of the runs are below.")]
    closed_form_power_uw_50: Annotated[float, Field("50 % of the runs are below.")]
    closed_form_power_uw_90: Annotated[float, Field("90 % of the runs are below.")]
    events_power_uw_10: Annotated[float, Field("10 % of the runs are below.")]
    events_power_uw_50: Annotated[float, Field("50 % of the runs are below.")]
    events_power_uw_90: Annotated[float, Field("90 % of the runs are below.")]
    closed_form_life_days_10: Annotated[
        float | None, Field("10 % of the runs are below.")
    ]
    closed_form_life_days_50: Annotated[
        float | None, Field("50 % of the runs are below.")
    ]
    closed_form_life_days_90: Annotated[
        float | None, Field("90 % of the runs are below.")
    ]
    events_life_days_10: Annotated[float | None, Field("10 % of the runs are below.")]
    events_life_days_50: Annotated[float | None, Field("50 % of the runs are below.")]
    events_life_days_90: Annotated[float | None, Field("90 % of the runs are below.")]
    made: Annotated[int, Field("Messages that nodes made in all runs.")]
    delivered: Annotated[int, Field("Of these, delivered.")]
    lost: Annotated[int, Field("Of these, lost.")]
    waiting: Annotated[int, Field("Of these, still in queues.")]
    collided: Annotated[
        int, Field("Of these, lost on the air: nobody listens before sending.")
    ]
    lost_on_links: Annotated[
        int, Field("Of these, lost over links: nobody acknowledges messages.")
    ]
    closed_form_collided: Annotated[
        float, Field("Share of messages that collide, by the closed form.")
    ]
    latency_s: Annotated[float, Field("Mean from making a message to its delivery.")]
    events: Annotated[int, Field("Number of events.")]
    believe: Annotated[str, Field("As of a run.")]


@record_class
class NodePower:
    """Power that one node of the network draws."""

    node: Annotated[int, Field("Its number, from 1.")]
    closed_form_power_uw: Annotated[float, Field("Mean over the runs.")]
    events_power_uw: Annotated[float, Field("Mean over the runs.")]
    events_power_uw_10: Annotated[float, Field("10 % of the runs are below.")]
    events_power_uw_50: Annotated[float, Field("50 % of the runs are below.")]
    events_power_uw_90: Annotated[float, Field("90 % of the runs are below.")]


def simulate_network(
    request: SimulateRequest,
) -> Answer[NetworkSimulation | NetworkSimulationRange]:
    """Yield what happens in a network in each run, and in all of them.

    Raises
    ------
    MisuseError, samara.crypto.UnknownNameError
        As `NodeRequest.scenario`; or there is no such shape, place of the sink or
        cluster.
    NotMeasuredError
        When the bench has not measured what secures the frames.
    """
    yield from request.notices()
    yield Progress(None, "runs")
    scenario = request.scenario()
    used, draws = request.topology, _draws_of(request)
    networks = [
        runs.Network(
            scenario.node(draw),
            used,
            request.interval_s,
            scenario.rpl,
            request.hours * _HOUR_S,
        )
        for draw in draws.values()
    ]
    carries = yield from with_progress(
        _carries(scenario, used, request.interval_s), "saturation"
    )
    found = []
    count = request.workers or _workers_for(networks)
    # One run is simulated here: it says how far it is.
    with parallel(min(count, request.runs), request.cluster) as pool:
        given = iter(zip(draws.items(), networks, strict=True))
        for each in runs.simulated(networks, list(draws), pool):
            if isinstance(each, Progress):
                yield each
                continue
            (seed, draw), network = next(given)
            closed = consumption(network.node, used, network.interval_s, network.rpl)
            meets = float(np.median(collided(network.node, used, network.interval_s)))
            found.append(Run(seed, closed, each, meets, scenario.supply(draw)))
            yield _one_run(Simulated.of(found[-1:], network, carries))
    whole = Simulated.of(found, networks[0], carries)
    yield _all_runs(whole)
    yield _beside(whole)
    yield from _remarks(whole, has_draws=not request.stated)
    load = verdict(
        scenario.node(),
        used,
        request.interval_s,
        scenario.rpl,
        capacity=carries,
        shape=request.shapes,
    )
    yield Remark(load.in_words(request.shape_in_words))
    yield Remark(scenario.in_words())
    yield from network_remarks(scenario, used, request.interval_s)
    yield Written(_powers(whole), whole)


def _draws_of(request: SimulateRequest) -> dict[int, Draw]:
    """Return the draw of each seed."""
    seeds = range(request.seed, request.seed + request.runs)
    return {each: nominal if request.stated else SingleDraw(each) for each in seeds}


def _carries(
    scenario: Scenario, used: topology.Topology, interval_s: float
) -> Steps[float | None]:
    """Compute which share of the bound is carried, if anything depends on it.

    It hardly depends on what is drawn.
    """
    node, rpl = scenario.node(), scenario.rpl
    if not consumption(node, used, interval_s, rpl).needs_capacity:
        return None
    return (yield from searched(node, used, rpl))


def _workers_for(networks: list[runs.Network]) -> int:
    is_long = networks[0].hops * len(networks) > _LONG
    return (os.cpu_count() or 1) if is_long else 1


def _one_run(found: Simulated) -> NetworkSimulation:
    (run,) = found.runs
    values: dict[str, Any] = {
        name: None if each is None else each.middle
        for name, each in found.ranges().items()
    }
    return NetworkSimulation(run.seed, **_common(found), **values, **_counts(found))


def _all_runs(found: Simulated) -> NetworkSimulationRange:
    values: dict[str, Any] = {
        f"{name}_{share}": None if each is None else getattr(each, which)
        for name, each in found.ranges().items()
        for share, which in (("10", "low"), ("50", "middle"), ("90", "high"))
    }
    return NetworkSimulationRange(
        len(found.runs), **_common(found), **values, **_counts(found)
    )


def _common(found: Simulated) -> dict[str, Any]:
    return {
        "load": found.load,
        "capacity": found.capacity,
        "region": found.region.name.lower(),
        "bottleneck": found.bottleneck,
        "bottleneck_share": found.bottleneck_share,
    }


def _counts(found: Simulated) -> dict[str, Any]:
    return {
        **{name: found.count(name) for name in COUNTS},
        "closed_form_collided": found.closed_collided,
        "latency_s": found.latency_s,
        "events": found.count("events"),
        "believe": found.believed,
    }


def _powers(found: Simulated) -> list[NodePower]:
    bands_uw = found.bands_by_node_uw(QUANTILES)
    return [
        NodePower(
            number + 1,
            float(closed_w) * 1e6,
            float(events_w) * 1e6,
            *(float(each) for each in bands_uw[:, number]),
        )
        for number, (closed_w, events_w) in enumerate(
            zip(found.closed_by_node_w, found.events_by_node_w, strict=True)
        )
    ]


def _beside(found: Simulated) -> Table:
    """Return the closed form and events as a table."""
    ranges = found.ranges()
    columns = [Column(f"µW,\n{q}\xa0%") for q in (10, 50, 90)]
    columns += [Column(f"days,\n{q}\xa0%") for q in (10, 50, 90)]
    rows = [
        Row(
            [
                words(name),
                *_cells(ranges[f"{key}_power_uw"]),
                *_cells(ranges[f"{key}_life_days"]),
            ]
        )
        for name, key in (("closed form", "closed_form"), ("events", "events"))
    ]
    title = (
        f"{found.events_by_node_w.size} nodes; node {found.bottleneck} draws the most, "
        f"and sends {found.bottleneck_share:.0%} of all messages"
    )
    return Table("network-simulation", title, [label("by"), *columns], rows)


def _cells(each: Range | None) -> list[Cell]:
    if each is None:
        return [Cell(None, "-")] * 3
    return [Cell(one, digits(one)) for one in (each.low, each.middle, each.high)]


_BELIEVED = {
    "both": f"Believe both: the load is below {LOAD_TRUSTED:.0%} of saturation, where "
    "queues grow.",
    "events": "Believe the events: the closed form knows no queues.",
    "closed form": f"Believe the closed form: the load is below {LOAD_TRUSTED:.0%} of "
    "saturation, where queues grow, and the time that was simulated is short for a "
    "mean. Give more --hours or --runs.",
    "neither": "Believe neither: queues grow, so that messages are lost in the end, or "
    "less than half of them arrives anyway.",
}


def _remarks(found: Simulated, *, has_draws: bool) -> Iterator[Remark]:
    yield Remark(_runs_in_words(len(found.runs), has_draws=has_draws))
    made, delivered, lost, waiting, met, lost_on_links = map(found.count, COUNTS)
    yield Remark(
        f"{delivered:,} of {made:,} messages delivered, {lost:,} lost, {waiting:,} "
        f"waiting; mean latency {found.latency_s:,.2f} s. Load "
        f"{'' if found.capacity else 'at most '}{found.load:.0%} of saturation."
    )
    if met or found.closed_collided:
        yield Remark(
            f"{met:,} messages ({met / max(made, 1):.2%}) collided on the air, and are "
            f"lost; the closed form has {found.closed_collided:.2%}."
        )
    if lost_on_links:
        yield Remark(
            f"{lost_on_links:,} messages ({lost_on_links / made:.2%}) were lost over "
            "links: nobody acknowledges them, and they are sent once."
        )
    yield Remark(_BELIEVED[found.believed])


def _runs_in_words(count: int, *, has_draws: bool) -> str:
    """Return what the range is of."""
    own = (
        "its own draw of all quantities from their tolerances"
        if has_draws
        else "all quantities as data sheets state them"
    )
    if count == 1:
        return f"One run, with {own}: one value. Give more --runs for a range."
    few = "" if count >= _FEW else " Give more --runs: these are few for a range."
    return f"10, 50 and 90 % of {count:,} runs, each with its own seed and {own}.{few}"
