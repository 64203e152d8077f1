# SPDX-License-Identifier: Apache-2.0
"""Simulate a network by events, and compare it with the closed form.

Messages wait in queues until the medium is free, are lost and sent again, and
routing sends by Trickle. Powers and lives are ranges: the 10th, 50th and 90th
percentile of all runs, each with a draw of all quantities from their tolerances,
which the closed form has, too. The last line says which of both to believe. Runs
are spread over --workers processes, or over a Dask cluster; the answer to a seed
is the same everywhere.

\b
Examples:
  samara energy simulate --topology chain --nodes 30 --interval 300
  samara energy simulate --topology grid --sink centre --nodes 80 --runs 8
  samara energy simulate --edges house.csv --interval 60 --hours 48 --json
"""

from typing import Annotated

import numpy as np
import typer

from samara.cli import output_files
from samara.cli.energy import simulated_tables
from samara.cli.energy.options import (
    Delivery,
    Edges,
    Interval,
    Sink,
    Topology,
    describes_node,
)
from samara.cli.json_lines import Json, print_json
from samara.cli.output_files import Output
from samara.cli.progress import progress
from samara.cli.repeatable import PROCESSORS, Cluster, Seed
from samara.energy import runs, topology
from samara.energy.bars import paint_powers
from samara.energy.capacity import capacity
from samara.energy.network import consumption
from samara.energy.quantity import QUANTILES, Draw, Once, nominal
from samara.energy.requests import NodeRequest
from samara.workers import workers as parallel

_HOUR_S = 3600.0
_LONG = 5e6
"""Transmissions that take longer than processes take to begin: some seconds."""


@describes_node()
def _simulate(  # noqa: PLR0913 - one parameter an option
    *,
    shape: Topology = "tree",
    sink: Sink = topology.CORNER,
    nodes: Annotated[
        int, typer.Option(min=1, max=100_000, help="Nodes besides the sink.")
    ] = 30,
    edges: Edges = None,
    delivery: Delivery = 1.0,
    interval: Interval = 300.0,
    hours: Annotated[
        float,
        typer.Option(
            metavar="HOURS", min=0.01, max=100_000, help="Hours that are simulated."
        ),
    ] = 24.0,
    times: Annotated[
        int,
        typer.Option(
            "--runs",
            min=1,
            max=10_000,
            help="Runs, each with the next seed and its own draw of all quantities.",
        ),
    ] = 20,
    stated: Annotated[
        bool,
        typer.Option(
            "--stated",
            help="Take all quantities as data sheets state them: runs then differ by "
            "their seeds alone. Default: draw them for each run.",
        ),
    ] = False,
    workers: Annotated[
        int | None,
        typer.Option(
            "--workers",
            "--jobs",
            min=1,
            help="Parallel processes on this machine. Results do not depend on it. "
            "Default: the number of processors, or 1 where the runs are short.",
        ),
    ] = None,
    cluster: Cluster = None,
    seed: Seed = 0,
    output: Output = None,
    as_json: Json = False,
    described: NodeRequest,
) -> None:
    scenario = described.scenario()
    made = topology.shaped(shape, sink, topology.Link(delivery, delivery))
    used = topology.read_edges(edges) if edges else made(nodes)
    seeds = range(seed, seed + times)
    draws: list[Draw] = [nominal if stated else Once(each) for each in seeds]
    networks = [
        runs.Network(scenario.node(draw), used, interval, scenario.rpl, hours * _HOUR_S)
        for draw in draws
    ]
    # Which share of the bound is carried hardly depends on what is drawn.
    as_stated, rpl = scenario.node(), scenario.rpl
    needed = consumption(as_stated, used, interval, rpl).needs_capacity
    carries = capacity(as_stated, used, rpl) if needed else None
    count = workers or (PROCESSORS if networks[0].hops * times > _LONG else 1)
    found = []
    # One run is simulated here: it tells how far it is.
    with progress("runs") as tell, parallel(min(count, times), cluster) as pool:
        outcomes = runs.simulated(networks, seeds, pool, tell)
        for own, network, draw, outcome in zip(
            seeds, networks, draws, outcomes, strict=True
        ):
            closed = consumption(network.node, used, interval, network.rpl)
            run = simulated_tables.Run(own, closed, outcome, scenario.supply(draw))
            found.append(run)
            if as_json:
                told = simulated_tables.Simulated.of([run], network, carries)
                print_json("network_simulation", told.as_run())
    told = simulated_tables.Simulated.of(found, networks[0], carries)
    if as_json:
        print_json("network_simulation_range", told.as_range())
    else:
        node = scenario.in_words()
        simulated_tables.print_simulated(told, node, drawn=not stated)
    closed_w, events_w = told.closed_by_node_w, told.events_by_node_w
    by_run_w = np.array([each.outcome.total_w for each in found]) * 1e6
    bands_uw = np.quantile(by_run_w, QUANTILES, axis=0)
    rows = [
        {
            "node": number + 1,
            "closed_form_power_uw": closed_w[number] * 1e6,
            "events_power_uw": events_w[number] * 1e6,
            **{
                f"events_power_uw_{share * 100:.0f}": bands_uw[at, number]
                for at, share in enumerate(QUANTILES)
            },
        }
        for number in range(used.nodes)
    ]
    output_files.write(
        output,
        rows,
        lambda figure, colours: paint_powers(
            figure.subplots(), closed_w, events_w, bands_uw / 1e6, colours
        ),
    )


command = _simulate
