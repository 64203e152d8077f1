# SPDX-License-Identifier: Apache-2.0
"""`samara medium`: the simulated air between nodes of IEEE 802.15.4."""

import contextlib
import signal
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import IO, Annotated

import typer

from samara.cli import files
from samara.cli.ending import when_asked
from samara.cli.json_lines import print_json
from samara.cli.outcome import MisuseError, say
from samara.cli.running import forget_output
from samara.cli.tables import Column, console, print_table
from samara.link.ieee802154 import zep
from samara.link.ieee802154.air import Conditions
from samara.link.ieee802154.medium import Medium, Statistics
from samara.link.ieee802154.pcap import LinkType, Writer


def medium(  # noqa: PLR0913 - one parameter an option
    *,
    host: Annotated[
        str,
        typer.Option(
            metavar="ADDRESS",
            help="IP address to listen on. Default: 127.0.0.1, this machine only.",
            show_default=False,
        ),
    ] = "127.0.0.1",
    port: Annotated[
        int,
        typer.Option(
            min=0,
            max=65535,
            help=f"UDP port to listen on; 0 takes a free one. Default: {zep.PORT}.",
            show_default=False,
        ),
    ] = zep.PORT,
    airtime: Annotated[
        bool,
        typer.Option(
            help="Deliver a frame after its air time (32 µs per byte), one frame at a"
            " time. Default: --airtime.",
            show_default=False,
        ),
    ] = True,
    delay: Annotated[
        float,
        typer.Option(
            metavar="SECONDS",
            help="Additional delay of each frame in seconds. Default: 0.",
            show_default=False,
        ),
    ] = 0.0,
    loss: Annotated[
        float,
        typer.Option(
            metavar="P",
            help="Probability that a receiver misses a frame, 0 to 1. Default: 0.",
            show_default=False,
        ),
    ] = 0.0,
    duplication: Annotated[
        float,
        typer.Option(
            metavar="P",
            help="Probability that a receiver gets a frame twice, 0 to 1. Default: 0.",
            show_default=False,
        ),
    ] = 0.0,
    seed: Annotated[
        int,
        typer.Option(
            help="Seed of the random numbers that choose lost frames. Default: 0.",
            show_default=False,
        ),
    ] = 0,
    pcap: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE",
            help="Write all frames to this pcap file; - is stdout. Default: none.",
        ),
    ] = None,
    link_type: Annotated[
        int,
        typer.Option(
            metavar="NUMBER",
            help="Link type of the pcap file: 195 with FCS, 230 without FCS, 283 TAP."
            f" Default: {int(LinkType.WITH_FCS)}.",
            show_default=False,
        ),
    ] = int(LinkType.WITH_FCS),
    as_json: Annotated[
        bool,
        typer.Option("--json", help="Print the statistics at the end as JSON Lines."),
    ] = False,
) -> None:
    """Connect IEEE 802.15.4 nodes: frames in ZEP packets over UDP.

    Runs until Ctrl-C, then prints statistics. Each frame is delivered to all other
    senders that have sent a packet before; a hello is enough. RIOT's native nodes
    and Wireshark use ZEP, too. Only programs on this machine can reach the medium
    unless --host is given. As on a radio, everybody who reaches it receives all
    frames and can send any.

    \b
    Examples:
      samara medium
      samara medium --loss 0.1 --seed 7 --pcap air.pcap --json
      samara medium --pcap - --link-type 230 | tshark -r -
    """
    conditions = Conditions(airtime, delay, loss, duplication, seed)
    # A reader of the capture may end; the medium continues.
    signal.signal(signal.SIGPIPE, signal.SIG_IGN)
    with (
        _sniffer(pcap, _link_type(link_type)) as sniffer,
        _medium(host, port, conditions, sniffer) as running,
    ):
        say(f"the medium is at {host} port {running.port}; press Ctrl-C to stop")
        running.run(when_asked())
    # With a capture on stdout, the figures would end up in it.
    stream = sys.stderr if pcap == files.STANDARD_STREAM else sys.stdout
    _print(running.statistics, stream, as_json=as_json)


def _medium(
    host: str, port: int, conditions: Conditions, sniffer: Writer | None
) -> Medium:
    try:
        return Medium(host, port, conditions, sniffer)
    except OSError as error:
        message = (
            f"cannot listen on {host} port {port}: {error.strerror}; if another medium "
            "runs there, use it, or choose another --port"
        )
        raise MisuseError(message) from None


def _link_type(number: int) -> LinkType:
    try:
        return LinkType(number)
    except ValueError:
        message = f"--link-type must be 195, 230 or 283, not {number}"
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
    # Written in place, so that it can be read while the medium runs.
    if path == files.STANDARD_STREAM:
        yield sys.stdout.buffer
        try:
            sys.stdout.buffer.flush()
        except BrokenPipeError:
            # The reader of the capture has ended: the rest is for nobody.
            forget_output()
        return
    with path.open("wb") as file:
        yield file


def _print(statistics: Statistics, stream: IO[str], *, as_json: bool) -> None:
    fields = statistics.as_json()
    if as_json:
        print_json("medium", fields, stream=stream)
        return
    rows = [(name.replace("_", " "), f"{count:,}") for name, count in fields.items()]
    columns = (Column("packets of the medium"), Column("count", numeric=True, rank=0))
    screen = console()
    screen.file = stream
    print_table(screen, columns, rows, empty="no packets")
