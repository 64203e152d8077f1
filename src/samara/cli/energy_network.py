# SPDX-License-Identifier: Apache-2.0
"""`samara energy network`: lives over numbers of nodes and intervals."""

from typing import Annotated

import numpy as np
import typer

from samara.cli import energy_files, energy_tables
from samara.cli.energy_files import Output
from samara.cli.energy_options import (
    BandLimit,
    Delivery,
    Described,
    Edges,
    Intervals,
    Preset,
    Sink,
    Topology,
    describes_node,
    numbers_of,
)
from samara.cli.energy_progress import progress
from samara.cli.json_lines import Json, print_json
from samara.energy import catalogue, presets, topology
from samara.energy.network import contours, taken_by_security
from samara.energy.pictures import paint_networks
from samara.energy.runs import part


@describes_node()
def network(  # noqa: PLR0913 - one parameter an option
    *,
    preset: Preset = "honest",
    shape: Topology = "tree",
    sink: Sink = topology.CORNER,
    nodes: Annotated[
        str,
        typer.Option(metavar="FIRST:LAST[:STEP]", help="Numbers of nodes."),
    ] = "10:60",
    edges: Edges = None,
    delivery: Delivery = 1.0,
    interval: Intervals = "60:3600",
    band: BandLimit = None,
    output: Output = None,
    as_json: Json = False,
    described: Described,
) -> None:
    """Compute how long networks live, and which share of that security costs.

    The values are as data sheets state them, without tolerances. Networks that
    saturate, or that send for longer than a band allows, are marked and have no
    life. -o draws contours; what does not work is hatched.

    \b
    Examples:
      samara energy network --topology tree --nodes 10:60 --interval 60:3600
      samara energy network --preset paper-software --topology chain \\
        --nodes 10:50 --interval 250:3600 -o paper.svg
      samara energy network --radio cc1350 --band eu868 -o eu868.csv
    """
    link = topology.Link(delivery, delivery)
    made = topology.shaped(shape, sink, link)
    sizes = [int(each) for each in numbers_of("--nodes", nodes, whole=True)]
    title = shape
    if edges is not None:
        read = topology.read_edges(edges)
        sizes, made, title = [read.nodes], lambda _: read, str(edges)
    intervals_s = np.array(numbers_of("--interval", interval))
    scenario = described.scenario()
    duty_max = 1.0
    if band is not None:
        duty_max = catalogue.band_for(scenario.radio, band).duty_cycle.value
    case = presets.case(preset, scenario)
    with progress("networks") as tell:
        secured, without = (
            contours(
                each,
                made,
                sizes,
                intervals_s,
                rpl=case.rpl,
                duty_max=duty_max,
                tell=part(tell, done, 2),
            )
            for done, each in enumerate((case.secured, case.plain))
        )
    life_s = np.asarray(case.life_s(secured.power_w))
    whole_s = np.asarray(case.life_s(without.power_w))
    grid = energy_tables.Grid(
        sizes,
        intervals_s,
        life_s,
        taken_by_security(whole_s, life_s),
        secured.region,
        secured.bottleneck_share,
    )
    if as_json:
        for row in grid.rows():
            print_json("network_life", row)
    else:
        energy_tables.print_grid(grid, title)
    energy_files.write(
        output,
        list(grid.rows()),
        lambda figure, colours: paint_networks(
            figure, sizes, intervals_s, grid.panels(), grid.region, colours
        ),
        (8.0, 3.6),
    )
