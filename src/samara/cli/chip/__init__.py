# SPDX-License-Identifier: Apache-2.0
"""`samara chip`: what the Grain-128 core costs in hardware."""

import typer

from samara.cli.chip import compare, cores, fpga, power, report, synth

app = typer.Typer(
    help="Measure what the Grain-128 core costs in gates, time and energy.",
    no_args_is_help=True,
)
app.command("cores")(cores.command)
app.command("synth")(synth.synth)
app.command("power")(power.power_)
app.command("fpga")(fpga.fpga_)
app.command("compare")(compare.command)
app.command("report")(report.report_)
