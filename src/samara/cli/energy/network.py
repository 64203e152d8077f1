# SPDX-License-Identifier: Apache-2.0
"""Compute how long networks live, and which share of that security costs.

Lives and shares are ranges: the 10th, 50th and 90th percentile of draws from the
tolerances of data sheets. Networks that saturate, or that send for longer than a
band allows, in at least one draw of ten, are marked and have no life. -o draws
contours: medians as lines, 10 % and 90 % dashed; what does not work is hatched.

\b
Examples:
  samara energy network --topology tree --nodes 10:60 --interval 60:3600
  samara energy network --preset paper -o paper.svg
  samara energy network --radio cc1350 --band eu868 -o eu868.csv
"""

from typing import Annotated

import numpy as np
import typer

from samara.cli import output_files
from samara.cli.completion import one_of
from samara.cli.energy import network_tables
from samara.cli.energy.options import (
    BandLimit,
    Delivery,
    Draws,
    Edges,
    Preset,
    Sink,
    describes_node,
    numbers_of,
)
from samara.cli.json_lines import Json, print_json
from samara.cli.output_files import Output
from samara.cli.progress import progress
from samara.cli.repeatable import Seed
from samara.energy import catalogue, presets, topology
from samara.energy.network_ranges import DRAWS, networks
from samara.energy.pictures import paint_networks
from samara.energy.requests import NodeRequest
from samara.units import COUNT, SECONDS


@describes_node()
def _network(  # noqa: PLR0913 - one parameter an option
    *,
    preset: Preset = "honest",
    shape: Annotated[
        str | None,
        typer.Option(
            "--topology",
            metavar="NAME",
            autocompletion=one_of(lambda: topology.SHAPES),
            help=f"Shape of the network: {', '.join(topology.SHAPES)}. Default: tree; "
            "chain with a preset of the paper.",
        ),
    ] = None,
    sink: Sink = topology.CORNER,
    nodes: Annotated[
        str | None,
        typer.Option(
            metavar="FIRST[:LAST[:STEP]]",
            help="Numbers of nodes. Default: 10:60; 10:50 with a preset of the paper.",
        ),
    ] = None,
    edges: Edges = None,
    delivery: Delivery = 1.0,
    interval: Annotated[
        str | None,
        typer.Option(
            "--interval",
            metavar="FIRST[:LAST[:STEP]]",
            help="Seconds from one message of a node to its next. Default: 60:3600; "
            "250:3600 with a preset of the paper. Default step: 1/49 of the range, "
            "which gives 50 values.",
        ),
    ] = None,
    band: BandLimit = None,
    draws: Draws = DRAWS,
    seed: Seed = 0,
    output: Output = None,
    as_json: Json = False,
    described: NodeRequest,
) -> None:
    scenario = described.scenario()
    case = presets.case(preset, scenario)
    is_own = preset == presets.CASES[0]
    title = shape or case.shape
    made = topology.shaped(title, sink, topology.Link(delivery, delivery))
    sizes = list(case.sizes)
    if nodes is not None:
        sizes = [int(each) for each in numbers_of("--nodes", nodes, COUNT, whole=True)]
    if edges is not None:
        read = topology.read_edges(edges)
        sizes, made, title = [read.nodes], lambda _: read, str(edges)
    between = interval or "{:g}:{:g}".format(*case.intervals_s)
    duty_max = 1.0
    if band is not None:
        duty_max = catalogue.band_for(scenario.radio, band).duty_cycle.value
    with progress("networks") as tell:
        told = networks(
            case,
            presets.case(preset, scenario, draws=draws, seed=seed) if is_own else None,
            made,
            sizes,
            np.array(numbers_of("--interval", between, SECONDS)),
            duty_max=duty_max,
            tell=tell,
        )
    if as_json:
        for row in network_tables.rows(told):
            print_json("network_life", row)
    else:
        node = scenario.in_words() if is_own else f"Node: of {preset}."
        network_tables.print_networks(told, title, node, drawn=is_own)
    output_files.write(
        output,
        list(network_tables.rows(told)),
        lambda figure, colours: paint_networks(
            figure,
            sizes,
            told.intervals_s,
            network_tables.panels(told),
            told.region,
            colours,
        ),
        (9.0, 4.2),
    )


command = _network
