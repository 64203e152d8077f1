# SPDX-License-Identifier: Apache-2.0
"""`samara energy depends` and `airtime`: quantities behind the answers."""

from typing import Annotated, Any

import typer

from samara.cli import energy_files
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
    WakeInterval,
    described,
)
from samara.cli.json_lines import print_json
from samara.cli.link_options import takes_link_options
from samara.cli.tables import Column, console, print_table, print_text
from samara.energy import airtime as airtimes
from samara.energy import catalogue, ranges
from samara.energy.bars import paint_influences, paint_parts
from samara.energy.quantity import Draw, Value
from samara.energy.supply import YEAR_S
from samara.energy.topology import chain
from samara.figure import Figure, Origin

Interval = Annotated[
    float,
    typer.Option(metavar="S", min=0.001, help="Seconds from one message to the next."),
]


@takes_link_options(lambda option: option.changes_receipt)
def depends(  # noqa: PLR0913 - one parameter an option
    *,
    link: KindOfLink = "ieee802154",
    size: Bytes = 20,
    interval: Interval = 300.0,
    device: Device = "atmega128rfa1",
    radio: Radio = None,
    mac: Mac = None,
    wake_interval: WakeInterval = None,
    battery: Battery = "2xaa-alkaline",
    celsius: Celsius = 20.0,
    output: Output = None,
    as_json: Json = False,
    link_options: dict[str, Any],
) -> None:
    """List what the life of a battery depends on, the strongest influence first.

    One quantity is moved at a time, from its 10 % to its 90 % quantile; the others
    stay as data sheets state them.

    \b
    Examples:
      samara energy depends --battery cr2032 --interval 60
      samara energy depends --mac tsch --device cortex-m4 --json
    """
    scenario = described(
        link, size, device, radio, mac, wake_interval, link_options,
        battery=battery, celsius=celsius,
    )  # fmt: skip

    def years(draw: Draw) -> Value:
        return scenario.life_s(chain(1), interval, draw) / YEAR_S

    found = ranges.ranking(years)
    energy_files.write(
        output,
        [each.as_json() for each in found],
        lambda axes, colours: paint_influences(axes, found, colours, "years"),
    )
    if as_json:
        for each in found:
            print_json("influence", {**each.as_json(), "unit": "year"})
        return
    rows = [
        [
            each.quantity,
            f"{each.at_low:.3f}",
            f"{each.at_high:.3f}",
            f"{each.swing:.3f}",
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
        title=f"What the life of {battery} depends on",
        empty="nothing: all quantities are exact",
    )


@takes_link_options(lambda option: option.changes_receipt)
def airtime(  # noqa: PLR0913 - one parameter an option
    *,
    band: Annotated[
        str,
        typer.Option(
            metavar="NAME",
            help=f"{', '.join(each.name for each in catalogue.bands())}.",
        ),
    ] = "eu868",
    link: KindOfLink = "ieee802154",
    size: Bytes = 20,
    device: Device = "cortex-m3",
    radio: Radio = "cc1350",
    mac: Mac = "always-listening",
    wake_interval: WakeInterval = None,
    output: Output = None,
    as_json: Json = False,
    link_options: dict[str, Any],
) -> None:
    """Compute the air time of a message, and how many messages an hour allows.

    Strobes, preambles and repetitions of the medium access count. What a node
    sends for others, and its acknowledgements, are not in it.

    \b
    Examples:
      samara energy airtime --band eu868 --level 6 --bytes 20
      samara energy airtime --band eu868-low --mac x-mac --radio sx1262
    """
    scenario = described(link, size, device, radio, mac, wake_interval, link_options)
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
    energy_files.write(
        output,
        [row],
        lambda axes, colours: paint_parts(axes, times_ms, colours[0], "ms on the air"),
    )
    if as_json:
        fields = {"frame": frame, "transmit": whole, "messages_per_hour": limit}
        print_json("airtime", {"band": band, **fields})
        return
    screen = console()
    print_text(screen, f"{found.title}: {limit.source}.")
    print_text(screen, f"One frame: {frame.value * 1e3:,.3f} ms on the air.")
    print_text(
        screen, f"One message with {scenario.mac}: {whole.value * 1e3:,.3f} ms sending."
    )
    print_text(screen, f"Allowed: {limit.value:,.1f} messages an hour.")
