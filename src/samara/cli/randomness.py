# SPDX-License-Identifier: Apache-2.0
"""`samara randomness`: statistical tests of keystreams and of any other source."""

import typer

from samara.cli.randomness_avalanche import avalanche_
from samara.cli.randomness_report import report_
from samara.cli.randomness_run import run_
from samara.cli.randomness_sources import sources_

app = typer.Typer(
    help="Test keystreams, and the output of any program, for randomness.",
    no_args_is_help=True,
)
app.command("run")(run_)
app.command("sources")(sources_)
app.command("report")(report_)
app.command("avalanche")(avalanche_)
