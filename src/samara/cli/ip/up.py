# SPDX-License-Identifier: Apache-2.0
"""Give a node a network interface whose IPv6 packets cross the link.

The packets are compressed (RFC 6282), cut (RFC 4944) and secured as every message
of the node. The address of the interface follows from the prefix and the node's
address on the link. The command runs until Ctrl-C; the interface is gone then. It
needs root, or the capability CAP_NET_ADMIN.

Without root, --userspace carries UDP datagrams, such as those of CoAP: what a
client sends to --listen crosses the link, and leaves at the other node's
--forward. The other node may have an interface or --userspace, too.

\b
Examples:
  samara ip up alice
  samara ip up alice --netns a
  samara ip up bob --own-netns --json
  samara ip up alice --userspace --listen 5683
  samara ip up bob --userspace --forward 127.0.0.1:5690
"""

import contextlib
import functools
import os
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated, Any

import typer

from samara.cli.shared.diagnostics import MisuseError, say
from samara.cli.shared.json_lines import print_json
from samara.cli.shared.link_options import takes_link_options
from samara.cli.shared.stop_signals import stop_on_signals
from samara.net import namespaces
from samara.net.addresses import DEFAULT_PREFIX, prefix_of
from samara.net.interface import Statistics
from samara.net.proxy import COAP_PORT, UdpService
from samara.net.tun import DEFAULT_NAME
from samara.net.up import Up, Wanted, with_proxy, with_tun
from samara.net.watcher import tidied

Directory = Annotated[
    Path,
    typer.Argument(
        metavar="DIR", help="Directory with the node's identity, keys and counters."
    ),
]
_LOCALHOST = "127.0.0.1"


@takes_link_options(lambda option: option.at_each_run, "as the node was made")
def _up(  # noqa: PLR0913 - one parameter an option
    folder: Directory,
    *,
    tun: Annotated[
        str,
        typer.Option(
            metavar="NAME",
            help="Name of the interface; %d stands for the first free number."
            f" Default: {DEFAULT_NAME}.",
            show_default=False,
        ),
    ] = DEFAULT_NAME,
    netns: Annotated[
        str | None,
        typer.Option(
            metavar="NAME",
            help="Network namespace of the interface. If there is none of this name, it"
            " is made, and removed at the end. Default: that of the command.",
        ),
    ] = None,
    own_netns: Annotated[
        bool,
        typer.Option(
            "--own-netns",
            help="Put the interface into a new network namespace without a name, which"
            " lives as long as the command.",
        ),
    ] = False,
    prefix: Annotated[
        str,
        typer.Option(
            metavar="PREFIX",
            help="Prefix of the network, 64 bits; the same at all nodes."
            f" Default: {DEFAULT_PREFIX}.",
            show_default=False,
        ),
    ] = str(DEFAULT_PREFIX),
    userspace: Annotated[
        bool,
        typer.Option(
            "--userspace",
            help="Make no interface, but carry UDP datagrams of local sockets; needs"
            " --listen or --forward, and no root.",
        ),
    ] = False,
    listen: Annotated[
        str | None,
        typer.Option(
            metavar="[HOST:]PORT",
            help="With --userspace: local address to which clients send. Default host:"
            f" {_LOCALHOST}.",
        ),
    ] = None,
    forward: Annotated[
        str | None,
        typer.Option(
            metavar="[HOST:]PORT",
            help="With --userspace: local server that the other node's clients reach."
            f" Default host: {_LOCALHOST}.",
        ),
    ] = None,
    service_port: Annotated[
        int,
        typer.Option(
            min=1,
            max=65535,
            help="With --userspace: UDP port of the server in the network. Default:"
            f" {COAP_PORT} (CoAP).",
            show_default=False,
        ),
    ] = COAP_PORT,
    as_json: Annotated[
        bool, typer.Option("--json", help="Print JSON Lines (docs/json.md).")
    ] = False,
    link_options: dict[str, Any],
) -> None:
    if own_netns and netns is not None:
        message = "--netns and --own-netns exclude each other: give one of them"
        raise MisuseError(message)
    service = UdpService(service_port, _local(listen), _local(forward))
    if userspace != (service.listen is not None or service.forward is not None):
        message = "--userspace and --listen or --forward need each other: give both"
        raise MisuseError(message)
    if userspace and (own_netns or netns is not None):
        message = "--userspace makes no interface: leave out --netns and --own-netns"
        raise MisuseError(message)
    network = prefix_of(prefix)
    is_over = stop_on_signals()
    with contextlib.ExitStack() as stack:
        if userspace:
            opened = with_proxy(folder, link_options, network, service)
        else:
            place = None if netns is None else stack.enter_context(_namespace(netns))
            wanted = Wanted(tun, network, place, own_netns)
            opened = with_tun(folder, link_options, wanted)
        running = stack.enter_context(opened)
        _print_start(folder, running, _entrance(netns, own=own_netns), as_json=as_json)
        try:
            for text in running.serving(is_over):
                say(text)
        finally:
            print_statistics(running.interface.statistics, as_json=as_json)


def _local(text: str | None) -> tuple[str, int] | None:
    """Return host and port of a local address.

    Raises
    ------
    MisuseError
        When it is none.
    """
    if text is None:
        return None
    host, _, port = text.rpartition(":")
    if not port.isascii() or not port.isdigit() or not 0 < int(port) < 1 << 16:
        message = f"a local address is written [HOST:]PORT, not {text!r}"
        raise MisuseError(message)
    return host.strip("[]") or _LOCALHOST, int(port)


@contextlib.contextmanager
def _namespace(name: str) -> Iterator[Path]:
    """Yield the file of a namespace, which is made if there is none."""
    place = namespaces.place_of(name)
    if place.exists():
        yield place
        return
    namespaces.make(name)
    with tidied(functools.partial(_removed, name)):
        yield place


def _removed(name: str) -> None:
    # Somebody else may have done it.
    with contextlib.suppress(namespaces.NamespaceError):
        namespaces.remove(name)


def _entrance(netns: str | None, *, own: bool) -> str:
    """Return what runs a program where the interface is."""
    if own:
        return f"nsenter --net --target {os.getpid()} "
    return "" if netns is None else f"ip netns exec {netns} "


def _print_start(folder: Path, running: Up, entrance: str, *, as_json: bool) -> None:
    neighbours = [str(address) for address in running.neighbours.values()]
    if running.node.warning is not None:
        say(f"warning: {running.node.warning}")
    if as_json:
        fields = {
            "node": folder,
            "interface": running.name or None,
            "address": str(running.address),
            "neighbours": neighbours,
            "pid": os.getpid(),
            "enter": entrance.strip(),
        }
        print_json("interface", fields)
        return
    if not running.name:
        say(f"{folder}: UDP datagrams cross the link; press Ctrl-C to stop")
        return
    say(
        f"{folder}: the interface {running.name} is up with {running.address}; press "
        "Ctrl-C to remove it"
    )
    for address in neighbours[:1]:
        print(f"try: {entrance}ping -c 3 {address}", file=sys.stderr, flush=True)


def print_statistics(statistics: Statistics, *, as_json: bool) -> None:
    """Print what crossed the link."""
    if as_json:
        print_json("interface_statistics", statistics.as_json())
        return
    say(
        f"packets sent: {statistics.packets_sent}, in payloads: "
        f"{statistics.payloads_sent}"
    )
    say(
        f"packets received: {statistics.packets_received}, in payloads: "
        f"{statistics.payloads_received}"
    )
    if statistics.payloads_lost:
        say(f"payloads lost on the way here: {statistics.payloads_lost}")
    for what in ("dropped", "refused"):
        for reason, count in getattr(statistics, what).items():
            say(f"{what}: {count}, {reason}")


command = _up
