# SPDX-License-Identifier: Apache-2.0
"""`samara modem`: two serial radios that are not there."""

import json
import signal
import sys
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.table import Table

from samara.cli.ending import when_asked
from samara.cli.outcome import say
from samara.cli.tables import console
from samara.link.rfserial.modem import ASSUMPTIONS, PACKET_OVERHEAD, Air, Pair, Side
from samara.link.rfserial.modem_commands import AIR_RATES, Settings
from samara.link.rfserial.modem_ports import Ports
from samara.link.rfserial.settings import DEFAULT_BAUD, PACKET_SIZES


def modem(  # noqa: PLR0913 - one parameter an option
    *,
    baud: Annotated[
        int, typer.Option(metavar="BIT/S", help="Of the serial lines (ATBD).")
    ] = DEFAULT_BAUD,
    packet_size: Annotated[
        int,
        typer.Option(
            min=PACKET_SIZES[0], max=PACKET_SIZES[-1], help="Bytes of a packet (ATPK)."
        ),
    ] = 12,
    timeout_ms: Annotated[
        int,
        typer.Option(
            min=0, max=65535, help="How long a packet waits to be full (ATRO)."
        ),
    ] = 16,
    air_rate: Annotated[
        int, typer.Option(metavar="BIT/S", help="On the air (ATDR).")
    ] = AIR_RATES[1],
    loss: Annotated[
        float, typer.Option(metavar="P", help="Chance that a packet is lost.")
    ] = 0.0,
    bit_errors: Annotated[
        float, typer.Option(metavar="P", help="Chance that a bit on the air is wrong.")
    ] = 0.0,
    crc: Annotated[
        bool, typer.Option(help="Drop damaged packets; assumed of these modems.")
    ] = True,
    seed: Annotated[int, typer.Option(help="Another seed, other losses.")] = 0,
    link_a: Annotated[
        Path | None,
        typer.Option(metavar="PATH", help="Make a link to the first port there."),
    ] = None,
    link_b: Annotated[
        Path | None, typer.Option(metavar="PATH", help="And one to the second.")
    ] = None,
    assumptions: Annotated[
        bool, typer.Option("--assumptions", help="List what is assumed, and end.")
    ] = False,
    as_json: Annotated[
        bool,
        typer.Option("--json", help="Ports and statistics as JSON, a line each."),
    ] = False,
) -> None:
    """Emulate two serial radios: what goes into one port comes out of the other.

    The ports are pseudo terminals, to be opened like any serial port. Bytes take
    the time that they take on the serial lines and on the air; packets that are
    not full wait. A second of silence and +++ begin command mode, as on an SRF or
    XRF: ATPK, ATRO, ATBD and the others; ATDN ends it. Runs until Ctrl-C, and then
    tells what it has carried.

    \b
    Examples:
      samara modem
      samara modem --baud 9600 --timeout-ms 100 --link-a modem-a --link-b modem-b
      samara modem --loss 0.05 --seed 7 --json
      samara modem --assumptions
    """
    if assumptions:
        _print_assumptions(as_json=as_json)
        return
    settings = Settings(
        baud=baud,
        packet_size=packet_size,
        timeout_ms=timeout_ms,
        air_rate=_air_rate_number(air_rate),
    )
    pair = Pair(settings, Air(loss=loss, bit_errors=bit_errors, checksum=crc), seed)
    wanted = {Side.A: link_a, Side.B: link_b}
    links = {side: link for side, link in wanted.items() if link is not None}
    # Whoever reads the output may leave; the links are to be taken away all the same.
    signal.signal(signal.SIGPIPE, signal.SIG_IGN)
    with Ports(pair, links) as ports:
        _say_ports(ports, settings, links, as_json=as_json)
        ports.run(when_asked())
    _print_statistics(ports, as_json=as_json)


def _air_rate_number(rate: int) -> int:
    for number, known in AIR_RATES.items():
        if known == rate:
            return number
    rates = ", ".join(str(known) for known in AIR_RATES.values())
    message = f"--air-rate takes {rates}, not {rate}"
    raise ValueError(message)


def _say_ports(
    ports: Ports, settings: Settings, links: dict[Side, Path], *, as_json: bool
) -> None:
    places = [str(links.get(side, ports.paths[side])) for side in Side]
    if as_json:
        print(json.dumps(_described(places, settings)), flush=True)
    else:
        print(*places, sep="\n", flush=True)
        say("two modems are at these ports; Ctrl-C ends them")


def _described(places: list[str], settings: Settings) -> dict[str, Any]:
    return {
        "ports": places,
        "baud": settings.baud,
        "packet_size": settings.packet_size,
        "timeout_s": settings.timeout_ms / 1000,
        "air_rate": settings.air_bits_per_s,
        "packet_overhead": PACKET_OVERHEAD,
    }


def _print_statistics(ports: Ports, *, as_json: bool) -> None:
    fields = {**ports.pair.as_json(), "overruns": ports.overruns}
    if as_json:
        print(json.dumps(fields))
        return
    table = Table("the modems have seen", "a", "b")
    for column in table.columns[1:]:
        column.justify = "right"
    for name, first in fields["a"].items():
        second = fields["b"][name]
        table.add_row(name.replace("_", " "), f"{first:,}", f"{second:,}")
    console().print(table)


def _print_assumptions(*, as_json: bool) -> None:
    if as_json:
        rows = [
            {"name": row.name, "assumed": row.value, "why": row.why}
            for row in ASSUMPTIONS
        ]
        json.dump(rows, sys.stdout, indent=2)
        print()
        return
    table = Table("never published", "assumed", "why", show_lines=True)
    for row in ASSUMPTIONS:
        table.add_row(row.name, row.value, row.why)
    console().print(table)
