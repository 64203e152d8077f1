# SPDX-License-Identifier: Apache-2.0
"""`samara randomness`: statistical tests of keystreams and of any other source."""

import typer

from samara.cli.randomness import avalanche, report, run, sources

app = typer.Typer(
    help="Test keystreams, and the output of any program, for randomness.",
    no_args_is_help=True,
)
app.command("run")(run.run_)
app.command("sources")(sources.command)
app.command("report")(report.report_)
app.command("avalanche")(avalanche.avalanche_)
