# SPDX-License-Identifier: Apache-2.0
"""`samara modem`: two emulated serial radios."""

import signal
from collections.abc import Callable
from pathlib import Path
from typing import Annotated, Any

import typer

from samara.cli.shared.answering import prints
from samara.cli.shared.control import Control, attended
from samara.cli.shared.diagnostics import MisuseError, say
from samara.cli.shared.json_lines import print_json, print_record
from samara.cli.shared.repeatable import Seed
from samara.cli.shared.stop_signals import stop_on_signals
from samara.cli.shared.tables import Column, console, print_table
from samara.link.rfserial.modem import ASSUMPTIONS, PACKET_OVERHEAD, Air, Pair, Side
from samara.link.rfserial.modem_commands import AIR_RATES, Settings
from samara.link.rfserial.modem_ports import Ports
from samara.link.rfserial.settings import DEFAULT_BAUD, PACKET_SIZES
from samara.link.rfserial.steering import ModemPacket, actions, packet_of
from samara.steering import ControlDone, ControlRefused

_FACTORY = Settings()


@prints(ControlDone, ControlRefused, ModemPacket)
def modem(  # noqa: PLR0913 - one parameter an option
    *,
    baud: Annotated[
        int,
        typer.Option(
            metavar="RATE",
            help=f"Baud rate of the serial ports (ATBD). Default: {DEFAULT_BAUD}.",
            show_default=False,
        ),
    ] = DEFAULT_BAUD,
    packet_size: Annotated[
        int,
        typer.Option(
            metavar="BYTES",
            min=PACKET_SIZES[0],
            max=PACKET_SIZES[-1],
            help=f"Packet size in bytes (ATPK). Default: {_FACTORY.packet_size}.",
            show_default=False,
        ),
    ] = _FACTORY.packet_size,
    timeout_ms: Annotated[
        int,
        typer.Option(
            metavar="MS",
            min=0,
            max=65_535,
            help="Milliseconds that a packet which is not full waits for more bytes"
            f" (ATRO). Default: {_FACTORY.timeout_ms}.",
            show_default=False,
        ),
    ] = _FACTORY.timeout_ms,
    air_rate: Annotated[
        int,
        typer.Option(
            metavar="RATE",
            help="Bit rate on the air in bit/s (ATDR). Values: "
            f"{', '.join(map(str, AIR_RATES.values()))}. Default: {AIR_RATES[1]}.",
            show_default=False,
        ),
    ] = AIR_RATES[1],
    loss: Annotated[
        float,
        typer.Option(
            metavar="P",
            min=0,
            max=1,
            help="Probability that a packet is lost. Default: 0.",
            show_default=False,
        ),
    ] = 0.0,
    bit_errors: Annotated[
        float,
        typer.Option(
            metavar="P",
            min=0,
            max=1,
            help="Bit error rate on the air. Default: 0.",
            show_default=False,
        ),
    ] = 0.0,
    crc: Annotated[
        bool,
        typer.Option(
            help="Drop damaged packets. That real modems do so is an assumption."
            " Default: --crc.",
            show_default=False,
        ),
    ] = True,
    seed: Seed = 0,
    link_a: Annotated[
        Path | None,
        typer.Option(
            metavar="PATH",
            help="Make a symbolic link to the first port at this path. Default: none.",
        ),
    ] = None,
    link_b: Annotated[
        Path | None,
        typer.Option(
            metavar="PATH",
            help="Make a symbolic link to the second port at this path. Default: none.",
        ),
    ] = None,
    assumptions: Annotated[
        bool,
        typer.Option(
            "--assumptions",
            help="List the assumptions of the emulation, and exit.",
        ),
    ] = False,
    control: Control = False,
    as_json: Annotated[
        bool,
        typer.Option("--json", help="Print ports and statistics as JSON Lines."),
    ] = False,
) -> None:
    """Emulate two serial radios, whose ports are connected over simulated air.

    The ports are pseudo terminals, and are opened like any serial port. Bytes take
    as long as on real serial lines and on the air, and a packet that is not full
    waits for more bytes. A second of silence and +++ start command mode, as on an
    SRF or XRF, with ATPK, ATRO, ATBD and others; ATDN ends it. Runs until Ctrl-C,
    then prints statistics.

    \b
    Examples:
      samara modem
      samara modem --baud 9600 --timeout-ms 100 --link-a modem-a --link-b modem-b
      samara modem --loss 0.05 --seed 7 --json
      samara modem --assumptions
      echo '{"do": "set", "loss": 0.2}' | samara modem --control
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
    # A reader of the output may end; the links must be removed all the same.
    signal.signal(signal.SIGPIPE, signal.SIG_IGN)
    as_json = as_json or control
    with Ports(pair, links) as ports:
        _say_ports(ports, settings, links, as_json=as_json)
        ports.run(_controlled(pair) if control else stop_on_signals())
    _print_statistics(ports, as_json=as_json)


def _controlled(pair: Pair) -> Callable[[], bool]:
    pair.on_passed = lambda passed: print_record(packet_of(passed))
    return attended(stop_on_signals(), actions(pair))


def _air_rate_number(rate: int) -> int:
    for number, known in AIR_RATES.items():
        if known == rate:
            return number
    rates = ", ".join(str(known) for known in AIR_RATES.values())
    message = f"--air-rate must be one of {rates}, not {rate}"
    raise MisuseError(message)


def _say_ports(
    ports: Ports, settings: Settings, links: dict[Side, Path], *, as_json: bool
) -> None:
    places = [str(links.get(side, ports.paths[side])) for side in Side]
    if as_json:
        print_json("modem", _described(places, settings))
    else:
        print(*places, sep="\n", flush=True)
        say("two modems are at these ports; press Ctrl-C to stop")


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
        print_json("modem_statistics", fields)
        return
    rows = [
        (name.replace("_", " "), f"{first:,}", f"{fields['b'][name]:,}")
        for name, first in fields["a"].items()
    ]
    heads = (Column(name, numeric=True, rank=0) for name in ("modem a", "modem b"))
    print_table(console(), (Column("count"), *heads), rows, empty="nothing was sent")


def _print_assumptions(*, as_json: bool) -> None:
    if as_json:
        for row in ASSUMPTIONS:
            fields = {"name": row.name, "assumed": row.value, "why": row.why}
            print_json("assumption", fields)
        return
    columns = (
        Column("not published", wraps=True),
        Column("assumed", rank=0, wraps=True),
        Column("reason", rank=0, wraps=True),
    )
    rows = [(row.name, row.value, row.why) for row in ASSUMPTIONS]
    print_table(console(), columns, rows, empty="none")
