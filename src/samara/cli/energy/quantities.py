# SPDX-License-Identifier: Apache-2.0
"""`samara energy airtime`: what messages take of a band."""

from collections.abc import Mapping
from dataclasses import astuple, replace
from typing import Annotated, Any

import typer

from samara.cli import output_files
from samara.cli.completion import one_of
from samara.cli.energy.options import (
    Draws,
    describes_node,
    of_bands,
)
from samara.cli.json_lines import Json, print_json
from samara.cli.output_files import Output
from samara.cli.repeatable import Seed
from samara.cli.tables import console, print_text
from samara.energy import airtime as airtimes
from samara.energy import catalogue, ranges
from samara.energy.bars import paint_bars
from samara.energy.quantity import Sampled
from samara.energy.requests import NodeRequest
from samara.figure import Figure, Origin
from samara.records.numbers import digits


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
    draws: Draws = ranges.DRAWS,
    seed: Seed = 0,
    output: Output = None,
    as_json: Json = False,
    described: NodeRequest,
) -> None:
    """Compute the air time of a message, and how many messages an hour allows.

    Strobes, preambles and repetitions of the medium access count. What a node
    sends for others, its acknowledgements, and messages that are lost and sent again
    are not in it. Each answer is a range, the 10th, 50th and 90th percentile of draws,
    where it depends on quantities with a tolerance, such as how long a radio takes to
    turn around; else it is one value, of bit rates, sizes and duty cycles, which are
    settings.

    \b
    Examples:
      samara energy airtime --band eu868 --level 6 --bytes 20
      samara energy airtime --band eu868-low --mac x-mac --radio sx1262
    """
    scenario = described.scenario()
    found = catalogue.band_for(scenario.radio, band)
    told = airtimes.airtime(scenario.node(), found)
    spread = airtimes.airtime(scenario.node(Sampled(draws, seed)), found).ranges()
    checked = found.duty_cycle.checked
    limit = Figure(
        float(told.messages_per_hour),
        "1/hour",
        Origin.ESTIMATED if checked else Origin.ASSUMED,
        f"duty cycle of {found.duty_cycle.value:.1%}: {found.duty_cycle.source}",
    )
    on_air = "bytes of the frame at the radio's bit rate"
    frame = Figure(float(told.frame_s), "s", Origin.ESTIMATED, on_air)
    whole = Figure(float(told.transmit_s), "s", Origin.ESTIMATED, on_air)
    times_ms = {"one frame": frame.value * 1e3, "one message": whole.value * 1e3}
    row: dict[str, Any] = {"band": band}
    for name, key, figure, scale in (
        ("frame_ms", "frame", frame, 1e3),
        ("transmit_ms", "transmit", whole, 1e3),
        ("messages_per_hour", "messages_per_hour", limit, 1.0),
    ):
        row[name] = figure.value * scale
        of_draws = astuple(spread[key])
        row |= {
            f"{name}_{q}": v * scale for q, v in zip(_PERCENT, of_draws, strict=True)
        }
    if as_json:
        figures = {"frame": frame, "transmit": whole, "messages_per_hour": limit}
        fields = {
            "range": {
                name: {
                    share: replace(figure, value=value)
                    for share, value in zip(_SHARES, astuple(spread[name]), strict=True)
                }
                for name, figure in figures.items()
            },
            "varies": [
                name for name in figures if not airtimes.is_one_value(spread[name])
            ],
        }
        print_json("airtime", {"band": band, **figures, **fields})
    else:
        print_text(console(), f"{found.title}: {limit.source}.")
        _print_airtime(scenario.mac, row, spread)
    output_files.write(
        output,
        [row],
        lambda figure, colours: paint_bars(
            figure.subplots(), times_ms, colours[0], "ms on the air"
        ),
    )


_PERCENT = (10, 50, 90)
_SHARES = ("low", "median", "high")


def _print_airtime(
    mac: str, row: Mapping[str, Any], spread: Mapping[str, ranges.Range]
) -> None:
    screen = console()
    for name, key, text in (
        ("frame_ms", "frame", "One frame: {} ms on the air{}."),
        ("transmit_ms", "transmit", f"One message with {mac}: {{}} ms sending{{}}."),
        ("messages_per_hour", "messages_per_hour", "Allowed: {} messages an hour{}."),
    ):
        varies = not airtimes.is_one_value(spread[key])
        of_draws = ", ".join(digits(row[f"{name}_{q}"]) for q in _PERCENT)
        more = f"; 10, 50 and 90 % of draws: {of_draws}" if varies else ""
        decimals = 1 if key == "messages_per_hour" else 3
        print_text(screen, text.format(f"{row[name]:,.{decimals}f}", more))
    if all(map(airtimes.is_one_value, spread.values())):
        print_text(
            screen,
            "The range of each is one value: the bit rate, the bytes of the frame and "
            "the duty cycle are settings, and nothing else is in it.",
        )
