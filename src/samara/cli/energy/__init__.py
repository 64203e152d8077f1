# SPDX-License-Identifier: Apache-2.0
"""`samara energy`: what messages take of a battery, and how long it lasts."""

import typer

from samara.cli.energy import airtime, depends, life, message
from samara.cli.energy.network import network
from samara.cli.energy.paper import show_paper
from samara.cli.energy.simulate import simulate

app = typer.Typer(
    help="Compute the energy of messages, and how long batteries last.",
    no_args_is_help=False,
)


app.command("message")(message.command)
app.command("life")(life.command)
app.command("network")(network)
app.command("simulate")(simulate)
app.command("depends")(depends.command)
app.command("airtime")(airtime.command)
app.command("paper")(show_paper)
