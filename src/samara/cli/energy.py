# SPDX-License-Identifier: Apache-2.0
"""`samara energy`: what messages take of a battery, and how long it lasts."""

from pathlib import Path
from typing import Annotated, Any

import numpy as np
import typer

from samara.cli import energy_files, energy_tables
from samara.cli.energy_files import Output
from samara.cli.energy_network import simulate
from samara.cli.energy_options import (
    COMPARED,
    Battery,
    Bytes,
    Celsius,
    Device,
    Draws,
    Intervals,
    Json,
    KindOfLink,
    Mac,
    Radio,
    Seed,
    Sink,
    WakeInterval,
    described,
    numbers_of,
)
from samara.cli.energy_paper import show_paper
from samara.cli.energy_quantities import airtime, depends
from samara.cli.json_lines import print_json
from samara.cli.link_options import takes_link_options
from samara.cli.outcome import MisuseError
from samara.energy import catalogue, lives, presets, topology
from samara.energy.bars import paint_parts, paint_ranges
from samara.energy.network import contours, taken_by_security
from samara.energy.parts import Part

app = typer.Typer(
    help="Compute the energy of messages, and how long batteries last.",
    no_args_is_help=False,
)


app.command("simulate")(simulate)
app.command("depends")(depends)
app.command("airtime")(airtime)
app.command("paper")(show_paper)


@app.command("message")
@takes_link_options(lambda option: option.changes_receipt)
def message(  # noqa: PLR0913 - one parameter an option
    *,
    link: KindOfLink = "ieee802154",
    size: Bytes = 20,
    interval: Annotated[
        float,
        typer.Option(
            "--interval",
            metavar="S",
            min=0.001,
            help="Seconds from one message to the next: listening and sleep until "
            "then are a part of the message's energy.",
        ),
    ] = 300.0,
    device: Device = "atmega128rfa1",
    radio: Radio = None,
    mac: Mac = None,
    wake_interval: WakeInterval = None,
    draws: Draws = 2000,
    seed: Seed = 0,
    output: Output = None,
    as_json: Json = False,
    link_options: dict[str, Any],
) -> None:
    """Show the energy that its sender spends on one message, by part.

    Parts: data, security bytes, listening, receiving, control, cipher, durable
    counter writes, sleep. They add up to the total. The total is also given as a
    range: the 10th, 50th and 90th percentile of draws from the tolerances of data
    sheets.

    \b
    Examples:
      samara energy message --level 6 --bytes 20 --mac box-mac-2
      samara energy message --link rf-serial --bytes 14 --device atmega328p
      samara energy message --mac tsch --interval 60 --device cortex-m4 --json
    """
    scenario = described(link, size, device, radio, mac, wake_interval, link_options)
    told = lives.message(scenario, interval, draws=draws, seed=seed)
    if as_json:
        print_json("energy_message", {"scenario": scenario, **told.as_json()})
    else:
        energy_tables.print_message(scenario, told)
    parts_uj = {str(part): float(told.energy_j[part]) * 1e6 for part in Part}
    energy_files.write(
        output,
        [{"part": part, "energy_uj": value} for part, value in parts_uj.items()],
        lambda axes, colours: paint_parts(axes, parts_uj, colours[0], "µJ a message"),
    )


@app.command("life")
@takes_link_options(lambda option: option.changes_receipt)
def life(  # noqa: PLR0913 - one parameter an option
    *,
    link: KindOfLink = "ieee802154",
    size: Bytes = 20,
    interval: Annotated[
        float,
        typer.Option(
            "--interval",
            metavar="S",
            min=0.001,
            help="Seconds from one message to the next.",
        ),
    ] = 300.0,
    device: Device = "atmega128rfa1",
    radio: Radio = None,
    mac: Mac = None,
    wake_interval: WakeInterval = None,
    battery: Battery = "2xaa-alkaline",
    celsius: Celsius = 20.0,
    compare: Annotated[
        list[str] | None,
        typer.Option(
            metavar="ITEM,...",
            help=f"Compare with: {COMPARED}. Repeatable. Default: none.",
        ),
    ] = None,
    draws: Draws = 2000,
    seed: Seed = 0,
    output: Output = None,
    as_json: Json = False,
    link_options: dict[str, Any],
) -> None:
    """Compute how long the battery of a node lasts that sends to a sink in range.

    Years are a range: the 10th, 50th and 90th percentile of all draws. "Taken" is
    the share of the life without security that security costs, in the same draws.

    \b
    Examples:
      samara energy life --bytes 20 --interval 300 --battery cr2032
      samara energy life --compare none,5,6,7 --mac contikimac
      samara energy life --level 6 --compare none --compare suite=ascon-aead128
    """
    items = [item for text in compare or ["none"] for item in text.split(",")]
    scenarios = {}
    for name, changed in _compared(items, link_options).items():
        one = described(
            link, size, device, radio, mac, wake_interval, changed or {},
            battery=battery, celsius=celsius,
        )  # fmt: skip
        scenarios[name] = one if changed is not None else one.unsecured()
    told = lives.compare(scenarios, interval, draws=draws, seed=seed)
    for each in told:
        if as_json:
            print_json("battery_life", each.as_json())
    if not as_json:
        energy_tables.print_lives(told, battery, interval)
    rows = [
        {
            "name": each.name,
            "frame_bytes": each.frame_bytes,
            "years_10": each.years.low,
            "years_50": each.years.middle,
            "years_90": each.years.high,
            "taken_hours": each.taken_hours.middle,
            "taken": each.taken,
        }
        for each in told
    ]
    years = {each.name: each.years for each in told}
    energy_files.write(
        output,
        rows,
        lambda axes, colours: paint_ranges(axes, years, colours[0], "years"),
    )


def _compared(
    items: list[str], given: dict[str, Any]
) -> dict[str, dict[str, Any] | None]:
    """Return options of the link for what is asked for, and each of --compare.

    None stands for no security.
    """
    found: dict[str, dict[str, Any] | None] = {"as given": given}
    for item in items:
        if item == "none":
            found[item] = None
        elif item.isdecimal():
            found[f"level {item}"] = {**given, "level": int(item)}
        elif item.startswith("suite=") and item != "suite=":
            found[item.removeprefix("suite=")] = {
                **given,
                "suite": item.removeprefix("suite="),
            }
        else:
            problem = f"--compare {item!r} is not valid: expected {COMPARED}"
            raise MisuseError(problem)
    return found


@app.command("network")
@takes_link_options(lambda option: option.changes_receipt)
def network(  # noqa: PLR0913 - one parameter an option
    *,
    preset: Annotated[
        str,
        typer.Option(
            metavar="NAME",
            help="honest: as the other options say. paper-hardware, paper-software: "
            "as Altolini et al.; of the other options only --topology, --sink, "
            "--nodes, --interval, --band and -o apply.",
        ),
    ] = "honest",
    shape: Annotated[
        str,
        typer.Option(
            "--topology", metavar="NAME", help=f"{', '.join(topology.SHAPES)}."
        ),
    ] = "tree",
    sink: Sink = topology.CORNER,
    nodes: Annotated[
        str,
        typer.Option(metavar="FIRST:LAST[:STEP]", help="Numbers of nodes."),
    ] = "10:60",
    interval: Intervals = "60:3600",
    link: KindOfLink = "ieee802154",
    size: Bytes = 20,
    device: Device = "atmega128rfa1",
    radio: Radio = None,
    mac: Mac = None,
    wake_interval: WakeInterval = None,
    battery: Battery = "2xaa-alkaline",
    celsius: Celsius = 20.0,
    band: Annotated[
        str | None,
        typer.Option(
            metavar="NAME",
            help="Band whose duty cycle counts: "
            f"{', '.join(each.name for each in catalogue.bands())}. Default: none.",
        ),
    ] = None,
    output: Annotated[
        Path | None,
        typer.Option(
            "-o",
            metavar="FILE",
            help="Write the contours as FILE: .png, .svg or .csv by its name.",
        ),
    ] = None,
    as_json: Json = False,
    link_options: dict[str, Any],
) -> None:
    """Compute how long networks live, and which share of that security costs.

    The values are as data sheets state them, without tolerances. Networks that
    saturate, or that send for longer than a band allows, are marked.

    \b
    Examples:
      samara energy network --topology tree --nodes 10:60 --interval 60:3600
      samara energy network --preset paper-software --topology chain \\
        --nodes 10:50 --interval 250:3600 -o paper.svg
      samara energy network --radio cc1350 --band eu868 -o eu868.csv
    """
    made = topology.shaped(shape, sink)
    if output is not None:
        energy_tables.check_output(output)
    sizes = [int(each) for each in numbers_of("--nodes", nodes, whole=True)]
    intervals_s = np.array(numbers_of("--interval", interval))
    scenario = described(
        link, size, device, radio, mac, wake_interval, link_options,
        battery=battery, celsius=celsius,
    )  # fmt: skip
    duty_max = 1.0
    if band is not None:
        duty_max = catalogue.band_for(scenario.radio, band).duty_cycle.value
    case = presets.case(preset, scenario)
    secured, without = (
        contours(
            each,
            made,
            sizes,
            intervals_s,
            rpl=case.rpl,
            duty_max=duty_max,
        )
        for each in (case.secured, case.plain)
    )
    life_s = np.asarray(case.life_s(secured.power_w))
    whole_s = np.asarray(case.life_s(without.power_w))
    grid = energy_tables.Grid(
        sizes, intervals_s, life_s, taken_by_security(whole_s, life_s), secured.region
    )
    if as_json:
        for row in grid.rows():
            print_json("network_life", row)
    else:
        energy_tables.print_grid(grid, shape)
    if output is not None:
        energy_tables.write_grid(grid, output)
