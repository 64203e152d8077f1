# SPDX-License-Identifier: Apache-2.0
"""`samara energy simulate`: a network by events, beside the closed form."""

from typing import Annotated

import numpy as np
import typer

from samara.cli import energy_files, energy_tables
from samara.cli.energy_files import Output
from samara.cli.energy_options import (
    Delivery,
    Described,
    Edges,
    Interval,
    Sink,
    Topology,
    describes_node,
    finite,
)
from samara.cli.energy_progress import progress
from samara.cli.json_lines import Json, print_json
from samara.cli.repeatable import PROCESSORS, Cluster, Seed, Workers
from samara.energy import runs, topology
from samara.energy.bars import paint_powers
from samara.energy.capacity import capacity
from samara.energy.network import consumption
from samara.workers import workers as parallel

_HOUR_S = 3600.0


@describes_node()
def simulate(  # noqa: PLR0913 - one parameter an option
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
            min=0.01, max=100_000, callback=finite, help="Hours that are simulated."
        ),
    ] = 24.0,
    times: Annotated[
        int,
        typer.Option(
            "--runs",
            min=1,
            max=10_000,
            help="Runs, each with the next seed; the power is their mean.",
        ),
    ] = 1,
    workers: Workers = PROCESSORS,
    cluster: Cluster = None,
    seed: Seed = 0,
    output: Output = None,
    as_json: Json = False,
    described: Described,
) -> None:
    """Simulate a network by events, and compare it with the closed form.

    Messages wait in queues until the medium is free, are lost and sent again, and
    routing sends by Trickle. The values are as data sheets state them. The last
    line says which of both to believe. Runs are spread over --workers processes, or
    over a Dask cluster; the answer to a seed is the same everywhere.

    \b
    Examples:
      samara energy simulate --topology chain --nodes 50 --interval 120
      samara energy simulate --topology grid --sink centre --nodes 80 --runs 8
      samara energy simulate --edges house.csv --interval 60 --hours 48 --json
    """
    scenario = described.scenario()
    node, rpl = scenario.node(), scenario.rpl
    made = topology.shaped(shape, sink, topology.Link(delivery, delivery))
    used = topology.read_edges(edges) if edges else made(nodes)
    closed = consumption(node, used, interval, rpl)
    network = runs.Network(node, used, interval, rpl, hours * _HOUR_S)
    # One run is simulated here: it tells how far it is.
    count = min(workers, times)
    found, cells = [], scenario.supply()
    carries = capacity(node, used, rpl) if closed.needs_capacity else None
    with progress("runs") as tell, parallel(count, cluster) as pool:
        for outcome in runs.simulated(network, range(seed, seed + times), pool, tell):
            found.append(outcome)
            if as_json:
                told = energy_tables.Simulated.of(
                    closed, [outcome], cells, network, carries
                )
                fields = {"seed": seed + len(found) - 1, **told.as_json()}
                print_json("network_simulation", fields)
    told = energy_tables.Simulated.of(closed, found, cells, network, carries)
    if not as_json:
        energy_tables.print_simulated(told, used.nodes, energy_tables.about(scenario))
    events_w = told.events_by_node_w
    rows = [
        {"node": node, "closed_form_power_uw": told_w * 1e6, "events_power_uw": w * 1e6}
        for node, (told_w, w) in enumerate(
            zip(closed.total_w, events_w, strict=True), start=1
        )
    ]
    energy_files.write(
        output,
        rows,
        lambda figure, colours: paint_powers(
            figure.subplots(), closed.total_w, np.asarray(events_w), colours
        ),
    )
