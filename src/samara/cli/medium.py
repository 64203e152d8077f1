# SPDX-License-Identifier: Apache-2.0
"""`samara medium`: the air between nodes of IEEE 802.15.4."""

import contextlib
import json
import signal
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import IO, Annotated

import typer
from rich.table import Table

from samara.cli import files
from samara.cli.ending import when_asked
from samara.cli.outcome import MisuseError, say
from samara.cli.running import forget_output
from samara.cli.tables import console
from samara.link.ieee802154 import zep
from samara.link.ieee802154.air import Conditions
from samara.link.ieee802154.medium import Medium, Statistics
from samara.link.ieee802154.pcap import LinkType, Writer


def medium(  # noqa: PLR0913 - one parameter an option
    *,
    host: Annotated[
        str, typer.Option(metavar="ADDRESS", help="Where to listen.")
    ] = "127.0.0.1",
    port: Annotated[
        int, typer.Option(min=0, max=65535, help="Its UDP port; 0 takes a free one.")
    ] = zep.PORT,
    airtime: Annotated[
        bool,
        typer.Option(help="Let frames take their time: 32 us a byte, one at a time."),
    ] = True,
    delay: Annotated[
        float, typer.Option(metavar="SECONDS", help="Added to each frame.")
    ] = 0.0,
    loss: Annotated[
        float, typer.Option(metavar="P", help="Chance that a receiver misses a frame.")
    ] = 0.0,
    duplication: Annotated[
        float, typer.Option(metavar="P", help="Chance that it gets a frame twice.")
    ] = 0.0,
    seed: Annotated[int, typer.Option(help="Another seed, other losses.")] = 0,
    pcap: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Capture all frames; - is stdout."),
    ] = None,
    link_type: Annotated[
        int, typer.Option(help="Of the capture: 195 with FCS, 230 without, 283 TAP.")
    ] = int(LinkType.WITH_FCS),
    as_json: Annotated[
        bool, typer.Option("--json", help="Statistics at the end, as JSON.")
    ] = False,
) -> None:
    """Join nodes of IEEE 802.15.4: frames in ZEP packets over UDP.

    Runs until Ctrl-C, and then tells what it has seen. Each frame goes to all
    others that have sent something before, be it a hello. RIOT's native nodes and
    Wireshark speak ZEP, too. Only this machine can reach it unless --host says
    otherwise: who can reach it hears everything and can send anything, as on a
    radio.

    \b
    Examples:
      samara medium
      samara medium --loss 0.1 --seed 7 --pcap air.pcap --json
      samara medium --pcap - --link-type 230 | tshark -r -
    """
    conditions = Conditions(airtime, delay, loss, duplication, seed)
    # Who looks on may leave; the medium stays.
    signal.signal(signal.SIGPIPE, signal.SIG_IGN)
    with (
        _sniffer(pcap, _link_type(link_type)) as sniffer,
        Medium(host, port, conditions, sniffer) as running,
    ):
        say(f"the medium is at {host} port {running.port}; Ctrl-C ends it")
        running.run(when_asked())
    # With a capture on stdout, the figures would end up in it.
    stream = sys.stderr if pcap == files.STANDARD_STREAM else sys.stdout
    _print(running.statistics, stream, as_json=as_json)


def _link_type(number: int) -> LinkType:
    try:
        return LinkType(number)
    except ValueError:
        message = f"--link-type takes 195, 230 or 283, not {number}"
        raise MisuseError(message) from None


@contextlib.contextmanager
def _sniffer(path: Path | None, link_type: LinkType) -> Iterator[Writer | None]:
    if path is None:
        yield None
        return
    files.refuse_screen(path)
    with contextlib.suppress(BrokenPipeError), _opened(path) as file:
        yield Writer(file, link_type)


@contextlib.contextmanager
def _opened(path: Path) -> Iterator[IO[bytes]]:
    # As it grows: it is to be read while the medium runs.
    if path == files.STANDARD_STREAM:
        yield sys.stdout.buffer
        try:
            sys.stdout.buffer.flush()
        except BrokenPipeError:
            # Who looked on has left, and what is left for them can go.
            forget_output()
        return
    with path.open("wb") as file:
        yield file


def _print(statistics: Statistics, stream: IO[str], *, as_json: bool) -> None:
    fields = statistics.as_json()
    if as_json:
        print(json.dumps(fields, indent=2), file=stream)
        return
    table = Table("the medium has seen", "count")
    table.columns[1].justify = "right"
    for name, count in fields.items():
        table.add_row(name.replace("_", " "), f"{count:,}")
    screen = console()
    screen.file = stream
    screen.print(table)
