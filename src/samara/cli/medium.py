# SPDX-License-Identifier: Apache-2.0
"""`samara medium`: the simulated air between nodes of IEEE 802.15.4."""

import contextlib
import signal
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import IO, Annotated

import typer
from rich.console import Console

from samara.atomic_files import naming
from samara.cli.running import forget_output
from samara.cli.shared import files
from samara.cli.shared.answering import prints
from samara.cli.shared.control import Control, attended
from samara.cli.shared.diagnostics import MisuseError, say
from samara.cli.shared.json_lines import print_json
from samara.cli.shared.repeatable import Seed
from samara.cli.shared.stop_signals import stop_on_signals
from samara.cli.shared.tables import Column, console, print_table
from samara.link.ieee802154.air import zep
from samara.link.ieee802154.air.channel import Conditions
from samara.link.ieee802154.air.medium import Medium, Statistics
from samara.link.ieee802154.air.steering import MediumMissed, Steering
from samara.link.ieee802154.air.topology import Topology
from samara.link.ieee802154.captures.pcap import LinkType, Writer
from samara.steering import ControlDone, ControlRefused


@prints(ControlDone, ControlRefused, MediumMissed)
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
            min=0,
            max=60,
            help="Additional delay of each frame in seconds. Default: 0.",
            show_default=False,
        ),
    ] = 0.0,
    loss: Annotated[
        float,
        typer.Option(
            metavar="P",
            min=0,
            max=1,
            help="Probability that a receiver misses a frame. Default: 0.",
            show_default=False,
        ),
    ] = 0.0,
    duplication: Annotated[
        float,
        typer.Option(
            metavar="P",
            min=0,
            max=1,
            help="Probability that a receiver gets a frame twice. Default: 0.",
            show_default=False,
        ),
    ] = 0.0,
    loss_of: Annotated[
        list[str] | None,
        typer.Option(
            metavar="SENDER:RECEIVER=P",
            help="Probability that a receiver misses a frame of one sender"
            " (repeatable). Both are addresses: 4 hex digits (short) or 16 (extended)."
            " Default: --loss.",
            show_default=False,
        ),
    ] = None,
    topology: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE",
            help="CSV file of directed links, with the columns sender,receiver and, if"
            " wanted, loss; nodes hear nobody else. Default: all hear all.",
            show_default=False,
        ),
    ] = None,
    reorder: Annotated[
        float,
        typer.Option(
            metavar="P",
            min=0,
            max=1,
            help="Probability that a frame arrives after the one that follows it, or"
            " 0.1 s later if none does. Default: 0.",
            show_default=False,
        ),
    ] = 0.0,
    csma: Annotated[
        bool,
        typer.Option(
            "--csma",
            help="Let the nodes contend by unslotted CSMA-CA (macMinBE 3, macMaxBE 5, 4"
            " backoffs of 320 µs periods); the medium does it for them.",
        ),
    ] = False,
    collisions: Annotated[
        bool,
        typer.Option(
            "--collisions",
            help="Lose frames that overlap at a receiver. Without --csma, nodes send"
            " without sensing the channel.",
        ),
    ] = False,
    seed: Seed = 0,
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
    control: Control = False,
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

    Without --csma and --collisions one frame is on the air at a time: the others
    wait, as if carrier sensing were perfect and free. With them, nodes that do not
    hear each other (--topology) collide at one that hears both.

    \b
    Examples:
      samara medium
      samara medium --topology chain.csv --csma --collisions
      samara medium --loss-of 12ab:34cd=0.2 --loss-of 34cd:12ab=0.05
      samara medium --loss 0.1 --seed 7 --pcap air.pcap --json
      samara medium --pcap - --link-type 230 | tshark -r -
      echo '{"do": "lose", "count": 10}' | samara medium --control
    """
    if control and pcap == files.STANDARD_STREAM:
        message = "--control excludes --pcap -: both would be on stdout"
        raise MisuseError(message)
    if (csma or collisions) and not airtime:
        message = "--csma and --collisions exclude --no-airtime: frames must take time"
        raise MisuseError(message)
    conditions = Conditions(
        paced=airtime,
        delay_s=delay,
        loss=loss,
        duplication=duplication,
        seed=seed,
        reorder=reorder,
        csma=csma,
        collisions=collisions,
    )
    who_hears_whom = _topology(topology, loss_of or [])
    # A reader of the capture may end; the medium continues.
    signal.signal(signal.SIGPIPE, signal.SIG_IGN)
    with (
        _sniffer(pcap, _link_type(link_type)) as sniffer,
        _medium(host, port, conditions, sniffer, who_hears_whom) as running,
    ):
        say(f"the medium is at {host} port {running.port}; press Ctrl-C to stop")
        is_over = stop_on_signals()
        if control:
            steering = Steering(running)
            is_over = attended(is_over, steering.actions(), steering.news)
        running.run(is_over)
    # With a capture on stdout, the figures would end up in it.
    stream = sys.stderr if pcap == files.STANDARD_STREAM else sys.stdout
    _print(running.statistics, stream, as_json=as_json or control)


def _topology(path: Path | None, losses: list[str]) -> Topology:
    links = Topology() if path is None else Topology.read(path)
    return links.with_losses(losses)


def _medium(
    host: str,
    port: int,
    conditions: Conditions,
    sniffer: Writer | None,
    topology: Topology,
) -> Medium:
    try:
        return Medium(host, port, conditions, sniffer, topology)
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
    with naming(path), path.open("wb") as file:
        yield file


def _print(statistics: Statistics, stream: IO[str], *, as_json: bool) -> None:
    if as_json:
        print_json("medium", statistics.as_json(), stream=stream)
        return
    counts = statistics.counts()
    rows = [(name.replace("_", " "), f"{count:,}") for name, count in counts.items()]
    columns = (Column("packets of the medium"), Column("count", numeric=True, rank=0))
    screen = console()
    screen.file = stream
    print_table(screen, columns, rows, empty="no packets")
    if statistics.links:
        _print_links(statistics, screen)


def _print_links(statistics: Statistics, screen: Console) -> None:
    columns = (
        Column("sender"),
        Column("receiver"),
        Column("delivered", numeric=True, rank=0),
        Column("lost", numeric=True, rank=0),
        Column("collided", numeric=True, rank=1),
    )
    rows = [
        (*names, f"{link.delivered:,}", f"{link.lost:,}", f"{link.collided:,}")
        for names, link in sorted(statistics.links.items())
    ]
    print_table(screen, columns, rows, empty="no links", title="frames by link")
