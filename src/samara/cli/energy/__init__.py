# SPDX-License-Identifier: Apache-2.0
"""`samara energy`: what messages take of a battery, and how long it lasts."""

import typer

from samara.cli import output_files
from samara.cli.energy import airtime, depends, life
from samara.cli.energy import tables as energy_tables
from samara.cli.energy.network import network
from samara.cli.energy.options import (
    Draws,
    Interval,
    describes_node,
)
from samara.cli.energy.paper import show_paper
from samara.cli.energy.simulate import simulate
from samara.cli.json_lines import Json, print_json
from samara.cli.output_files import Output
from samara.cli.progress import progress
from samara.cli.repeatable import Seed
from samara.energy.bars import paint_parts
from samara.energy.message import message as energy_of_message
from samara.energy.parts import Part
from samara.energy.requests import NodeRequest

app = typer.Typer(
    help="Compute the energy of messages, and how long batteries last.",
    no_args_is_help=False,
)


@app.command("message")
@describes_node(without=("battery", "celsius"))
def message(
    *,
    interval: Interval = 300.0,
    draws: Draws = 2000,
    seed: Seed = 0,
    output: Output = None,
    as_json: Json = False,
    described: NodeRequest,
) -> None:
    """Show the energy that its sender spends on one message, by part.

    Parts: data, security bytes, listening, receiving, control, cipher, durable
    counter writes, sleep. They add up to the total; listening and sleep are those
    from one message to the next. The total is also given as a range: the 10th, 50th
    and 90th percentile of draws from the tolerances of data sheets.

    \b
    Examples:
      samara energy message --level 6 --bytes 20 --mac box-mac-2
      samara energy message --link rf-serial --bytes 14 --device atmega328p
      samara energy message --mac tsch --interval 60 --device cortex-m4 --json
    """
    scenario = described.scenario()
    with progress("drawing"):
        told = energy_of_message(scenario, interval, draws=draws, seed=seed)
    if as_json:
        print_json("energy_message", {"scenario": scenario, **told.as_json()})
    else:
        energy_tables.print_message(scenario, told)
    parts_uj = {str(part): float(told.energy_j[part]) * 1e6 for part in Part}
    output_files.write(
        output,
        [{"part": part, "energy_uj": value} for part, value in parts_uj.items()],
        lambda figure, colours: paint_parts(figure, parts_uj, colours, "µJ a message"),
        (7.2, 4.2),
    )


app.command("life")(life.command)
app.command("network")(network)
app.command("simulate")(simulate)
app.command("depends")(depends.command)
app.command("airtime")(airtime.command)
app.command("paper")(show_paper)
