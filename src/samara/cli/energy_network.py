# SPDX-License-Identifier: Apache-2.0
"""`samara energy simulate`: a network by events, beside the closed form."""

from pathlib import Path
from typing import Annotated, Any

import numpy as np
import typer
from rich.console import Console
from rich.progress import Progress

from samara.cli import energy_files, energy_tables
from samara.cli.energy_files import Output
from samara.cli.energy_options import (
    Battery,
    Bytes,
    Celsius,
    Device,
    Json,
    KindOfLink,
    Mac,
    Radio,
    Seed,
    Sink,
    WakeInterval,
    described,
)
from samara.cli.json_lines import print_json
from samara.cli.link_options import takes_link_options
from samara.energy import events, topology
from samara.energy.bars import paint_powers
from samara.energy.network import consumption

_HOUR_S = 3600.0


@takes_link_options(lambda option: option.changes_receipt)
def simulate(  # noqa: PLR0913 - one parameter an option
    *,
    shape: Annotated[
        str,
        typer.Option(
            "--topology", metavar="NAME", help=f"{', '.join(topology.SHAPES)}."
        ),
    ] = "tree",
    sink: Sink = topology.CORNER,
    nodes: Annotated[
        int, typer.Option(min=1, max=100_000, help="Nodes besides the sink.")
    ] = 30,
    edges: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE",
            help="CSV file with the columns from, to, delivery instead of --topology "
            "and --nodes. The sink is called sink.",
        ),
    ] = None,
    interval: Annotated[
        float,
        typer.Option(
            metavar="S", min=0.001, help="Seconds from one message to the next."
        ),
    ] = 300.0,
    hours: Annotated[
        float, typer.Option(min=0.01, max=100_000, help="Time that is simulated.")
    ] = 24.0,
    link: KindOfLink = "ieee802154",
    size: Bytes = 20,
    device: Device = "atmega128rfa1",
    radio: Radio = None,
    mac: Mac = None,
    wake_interval: WakeInterval = None,
    battery: Battery = "2xaa-alkaline",
    celsius: Celsius = 20.0,
    seed: Seed = 0,
    output: Output = None,
    as_json: Json = False,
    link_options: dict[str, Any],
) -> None:
    """Simulate a network by events, and compare it with the closed form.

    Messages wait in queues until the medium is free, are lost and sent again, and
    routing sends by Trickle. The values are as data sheets state them. The last
    line says which of both to believe.

    \b
    Examples:
      samara energy simulate --topology chain --nodes 50 --interval 120
      samara energy simulate --topology grid --sink centre --nodes 80
      samara energy simulate --edges house.csv --interval 60 --hours 48 --json
    """
    made = topology.shaped(shape, sink)
    scenario = described(
        link, size, device, radio, mac, wake_interval, link_options,
        battery=battery, celsius=celsius,
    )  # fmt: skip
    node, rpl = scenario.node(), scenario.rpl
    used = topology.read_edges(edges) if edges else made(nodes)
    closed = consumption(node, used, interval, rpl)
    screen = Console(stderr=True)
    with Progress(
        console=screen, transient=True, disable=not screen.is_terminal
    ) as progress:
        task = progress.add_task("", total=1.0)
        found = events.simulate(
            node,
            used,
            interval,
            rpl,
            duration_s=hours * _HOUR_S,
            seed=seed,
            tell=lambda share: progress.update(task, completed=share),
        )
    cells = scenario.supply()
    told = energy_tables.Simulated(
        region=int(closed.region()),
        load=float(closed.load.max()),
        closed_w=float(closed.total_w.max()),
        events_w=float(found.total_w.max()),
        closed_s=float(cells.life_s(float(closed.total_w.max()))),
        events_s=float(cells.life_s(float(found.total_w.max()))),
        bottleneck=int(np.argmax(found.total_w)) + 1,
        outcome=found,
    )
    if as_json:
        print_json("network_simulation", told.as_json())
    else:
        energy_tables.print_simulated(told, used.nodes)
    rows = [
        {"node": node, "closed_form_power_uw": told_w * 1e6, "events_power_uw": w * 1e6}
        for node, (told_w, w) in enumerate(
            zip(closed.total_w, found.total_w, strict=True), start=1
        )
    ]
    energy_files.write(
        output,
        rows,
        lambda axes, colours: paint_powers(
            axes, closed.total_w, np.asarray(found.total_w), colours
        ),
    )
