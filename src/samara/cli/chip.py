# SPDX-License-Identifier: Apache-2.0
"""`samara chip`: what the Grain-128 core costs in hardware."""

import typer

from samara.cli.chip_compare import compare_
from samara.cli.chip_cores import cores_
from samara.cli.chip_fpga import fpga_
from samara.cli.chip_power import power_
from samara.cli.chip_report import report_
from samara.cli.chip_synth import synth

app = typer.Typer(
    help="Measure what the Grain-128 core costs in gates, time and energy.",
    no_args_is_help=True,
)
app.command("cores")(cores_)
app.command("synth")(synth)
app.command("power")(power_)
app.command("fpga")(fpga_)
app.command("compare")(compare_)
app.command("report")(report_)
