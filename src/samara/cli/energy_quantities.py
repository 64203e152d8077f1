# SPDX-License-Identifier: Apache-2.0
"""`samara energy depends` and `airtime`: quantities behind the answers."""

from typing import Annotated

import typer

from samara.cli import energy_files, energy_tables
from samara.cli.completion import one_of
from samara.cli.energy_files import Output
from samara.cli.energy_options import Described, Interval, describes_node, of_bands
from samara.cli.energy_progress import progress
from samara.cli.energy_tables import digits
from samara.cli.json_lines import Json, print_json
from samara.cli.tables import Column, console, print_table, print_text
from samara.energy import airtime as airtimes
from samara.energy import catalogue, ranges
from samara.energy.bars import paint_bars, paint_influences
from samara.energy.quantity import Draw, Value, nominal
from samara.energy.scenario import Scenario
from samara.energy.supply import YEAR_S
from samara.energy.topology import chain
from samara.figure import Figure, Origin


@describes_node()
def depends(
    *,
    interval: Interval = 300.0,
    output: Output = None,
    as_json: Json = False,
    described: Described,
) -> None:
    """List what the life of a battery depends on, the strongest influence first.

    One quantity is moved at a time, from its 10 % to its 90 % quantile; the others
    stay as data sheets state them.

    \b
    Examples:
      samara energy depends --battery cr2032 --interval 60
      samara energy depends --mac tsch --device cortex-m4 --json
    """
    scenario = described.scenario()

    def years(draw: Draw) -> Value:
        return scenario.life_s(chain(1), interval, draw) / YEAR_S

    with progress("quantities"):
        found = ranges.ranking(years)
    if as_json:
        for each in found:
            print_json("influence", {**each.as_json(), "unit": "year"})
    else:
        _print_influences(found, scenario)
    energy_files.write(
        output,
        [each.as_json() for each in found],
        lambda figure, colours: paint_influences(
            figure.subplots(), found, float(years(nominal)), colours, "years"
        ),
    )


def _print_influences(found: list[ranges.Influence], scenario: Scenario) -> None:
    rows = [
        [
            each.quantity,
            digits(each.at_low),
            digits(each.at_high),
            digits(each.swing),
            "yes" if each.checked else "no",
        ]
        for each in found
    ]
    columns = [
        Column("quantity"),
        Column("years at\nits 10 %", numeric=True),
        Column("years at\nits 90 %", numeric=True),
        Column("swing,\nyears", numeric=True),
        Column("checked"),
    ]
    print_table(
        console(),
        columns,
        rows,
        title=f"What the life of {scenario.battery} depends on",
        caption=energy_tables.about(scenario),
        empty="nothing: all quantities are exact",
    )


@describes_node(
    without=("battery", "celsius"),
    device="cortex-m3",
    radio="cc1350",
    mac="always-listening",
)
def airtime(
    *,
    band: Annotated[
        str,
        typer.Option(
            metavar="NAME",
            autocompletion=one_of(of_bands),
            help=f"Band: {', '.join(of_bands())}.",
        ),
    ] = "eu868",
    output: Output = None,
    as_json: Json = False,
    described: Described,
) -> None:
    """Compute the air time of a message, and how many messages an hour allows.

    Strobes, preambles and repetitions of the medium access count. What a node
    sends for others, and its acknowledgements, are not in it.

    \b
    Examples:
      samara energy airtime --band eu868 --level 6 --bytes 20
      samara energy airtime --band eu868-low --mac x-mac --radio sx1262
    """
    scenario = described.scenario()
    found = catalogue.band_for(scenario.radio, band)
    told = airtimes.airtime(scenario.node(), found)
    checked = found.duty_cycle.checked
    limit = Figure(
        told.messages_per_hour,
        "1/hour",
        Origin.ESTIMATED if checked else Origin.ASSUMED,
        f"duty cycle of {found.duty_cycle.value:.1%}: {found.duty_cycle.source}",
    )
    on_air = "bytes of the frame at the radio's bit rate"
    frame = Figure(told.frame_s, "s", Origin.ESTIMATED, on_air)
    whole = Figure(told.transmit_s, "s", Origin.ESTIMATED, on_air)
    times_ms = {"one frame": frame.value * 1e3, "one message": whole.value * 1e3}
    row = {
        "band": band,
        "frame_ms": times_ms["one frame"],
        "transmit_ms": times_ms["one message"],
        "messages_per_hour": limit.value,
    }
    if as_json:
        fields = {"frame": frame, "transmit": whole, "messages_per_hour": limit}
        print_json("airtime", {"band": band, **fields})
    else:
        _print_airtime(found.title, scenario.mac, frame, whole, limit)
    energy_files.write(
        output,
        [row],
        lambda figure, colours: paint_bars(
            figure.subplots(), times_ms, colours[0], "ms on the air"
        ),
    )


def _print_airtime(
    band: str, mac: str, frame: Figure, whole: Figure, limit: Figure
) -> None:
    screen = console()
    print_text(screen, f"{band}: {limit.source}.")
    print_text(screen, f"One frame: {frame.value * 1e3:,.3f} ms on the air.")
    print_text(screen, f"One message with {mac}: {whole.value * 1e3:,.3f} ms sending.")
    print_text(screen, f"Allowed: {limit.value:,.1f} messages an hour.")
