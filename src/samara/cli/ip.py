# SPDX-License-Identifier: Apache-2.0
"""`samara ip`: IPv6 across links."""

import typer

from samara.cli.ip_lab import lab
from samara.cli.ip_up import up
from samara.cli.ip_watch import watch

app = typer.Typer(
    help="Carry IPv6 across links: every program runs over them.",
    no_args_is_help=False,
)
app.command("up")(up)
app.command("lab")(lab)
app.command("watch")(watch)
