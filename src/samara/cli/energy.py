# SPDX-License-Identifier: Apache-2.0
"""`samara energy`: what messages take of a battery, and how long it lasts."""

from collections.abc import Mapping
from typing import Annotated, Any

import typer

from samara.cli import energy_files, energy_tables
from samara.cli.energy_files import Output
from samara.cli.energy_network import network
from samara.cli.energy_options import (
    COMPARED,
    Described,
    Draws,
    Interval,
    describes_node,
)
from samara.cli.energy_paper import show_paper
from samara.cli.energy_progress import progress
from samara.cli.energy_quantities import airtime, depends
from samara.cli.energy_simulate import simulate
from samara.cli.json_lines import Json, print_json
from samara.cli.outcome import MisuseError
from samara.cli.repeatable import Seed
from samara.energy import lives
from samara.energy.bars import paint_parts, paint_ranges
from samara.energy.parts import Part

app = typer.Typer(
    help="Compute the energy of messages, and how long batteries last.",
    no_args_is_help=False,
)

_GIVEN = "as given"


@app.command("message")
@describes_node(without=("battery", "celsius"))
def message(
    *,
    interval: Interval = 300.0,
    draws: Draws = 2000,
    seed: Seed = 0,
    output: Output = None,
    as_json: Json = False,
    described: Described,
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
        told = lives.message(scenario, interval, draws=draws, seed=seed)
    if as_json:
        print_json("energy_message", {"scenario": scenario, **told.as_json()})
    else:
        energy_tables.print_message(scenario, told)
    parts_uj = {str(part): float(told.energy_j[part]) * 1e6 for part in Part}
    energy_files.write(
        output,
        [{"part": part, "energy_uj": value} for part, value in parts_uj.items()],
        lambda figure, colours: paint_parts(figure, parts_uj, colours, "µJ a message"),
        (7.2, 4.2),
    )


@app.command("life")
@describes_node()
def life(  # noqa: PLR0913 - one parameter an option
    *,
    interval: Interval = 300.0,
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
    described: Described,
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
    scenarios = {
        name: described.scenario(changed)
        if changed is not None
        else described.scenario().unsecured()
        for name, changed in _compared(items, described.link_options).items()
    }
    with progress("drawing") as tell:
        told = lives.compare(scenarios, interval, draws=draws, seed=seed, tell=tell)
    for each in told:
        if as_json:
            print_json("battery_life", each.as_json())
    if not as_json:
        energy_tables.print_lives(told, scenarios[_GIVEN], interval)
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
        lambda figure, colours: paint_ranges(
            figure.subplots(), years, colours[0], "years"
        ),
    )


def _compared(
    items: list[str], given: Mapping[str, Any]
) -> dict[str, dict[str, Any] | None]:
    """Return options of the link for what is asked for, and each of --compare.

    None stands for no security.
    """
    found: dict[str, dict[str, Any] | None] = {_GIVEN: dict(given)}
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


app.command("network")(network)
app.command("simulate")(simulate)
app.command("depends")(depends)
app.command("airtime")(airtime)
app.command("paper")(show_paper)
