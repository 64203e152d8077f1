# SPDX-License-Identifier: Apache-2.0
"""Run a network of nodes with IPv6, each in a network namespace of its own.

Makes nodes with a key for each pair of neighbours, the simulated air between
them (over rf-serial two modems), interfaces, addresses and routes. Packets for
other nodes than neighbours are forwarded hop by hop. Runs until Ctrl-C; then
everything is gone, also if the command is killed. Needs root.

\b
Examples:
  samara ip lab
  samara ip lab --nodes 5 --topology star --loss 0.05 --pcap air.pcap
  samara ip lab --nodes 2 --level 7 --json
  samara ip lab --link rf-serial --baud 9600
"""

import shlex
import time
from pathlib import Path
from typing import Annotated, Any

import typer

from samara.cli.ip.options import Prefix
from samara.cli.shared.completion import one_of
from samara.cli.shared.diagnostics import say
from samara.cli.shared.json_lines import print_json
from samara.cli.shared.link_options import takes_link_options
from samara.cli.shared.repeatable import Seed
from samara.cli.shared.stop_signals import stop_on_signals
from samara.cli.shared.tables import Column, console, print_table
from samara.crypto.names import find
from samara.link.node.kinds import kind, kinds
from samara.net.addresses import DEFAULT_PREFIX, prefix_of
from samara.net.lab import Lab, Member
from samara.net.plan import Plan
from samara.net.topology import NODES_MAX, NODES_MIN, TOPOLOGIES, Network

_LINK = "ieee802154"
_NODES = 3
_PAIR = 2
# What the air and all nodes must have in common, though it says where the link is.
_RATES = ("baud", "rate")
_LOOK_S = 0.2


@takes_link_options(lambda option: not option.at_each_run or option.name in _RATES)
def _lab(  # noqa: PLR0913 - one parameter an option
    *,
    nodes: Annotated[
        int | None,
        typer.Option(
            metavar="COUNT",
            help=f"Number of nodes, {NODES_MIN} to {NODES_MAX}. Default: {_NODES};"
            f" {_PAIR} over links that join two nodes.",
        ),
    ] = None,
    topology: Annotated[
        str,
        typer.Option(
            metavar="TOPOLOGY",
            help=f"Who is whose neighbour: {', '.join(TOPOLOGIES)}. Default: chain.",
            show_default=False,
        ),
    ] = "chain",
    link: Annotated[
        str,
        typer.Option(
            metavar="LINK",
            autocompletion=one_of(kinds),
            help="Kind of link; those other than ieee802154 join two nodes. Default:"
            f" {_LINK}.",
            show_default=False,
        ),
    ] = _LINK,
    loss: Annotated[
        float,
        typer.Option(
            metavar="P",
            min=0.0,
            max=1.0,
            help="Probability that a receiver misses a frame; over rf-serial, a packet"
            " of the modem. Default: 0.",
            show_default=False,
        ),
    ] = 0.0,
    seed: Seed = 0,
    prefix: Prefix = str(DEFAULT_PREFIX),
    capture: Annotated[
        Path | None,
        typer.Option(
            "--pcap",
            metavar="FILE",
            help=f"Write all frames on the air to a capture file, as an eavesdropper"
            f" gets them; {_LINK} only.",
        ),
    ] = None,
    keep: Annotated[
        bool,
        typer.Option("--keep", help="Keep the directory with the nodes at the end."),
    ] = False,
    as_json: Annotated[
        bool, typer.Option("--json", help="Print JSON Lines (docs/json.md).")
    ] = False,
    link_options: dict[str, Any],
) -> None:
    link = kind(link).name
    if nodes is None:
        nodes = _NODES if link == _LINK else _PAIR
    find("topology", topology, dict.fromkeys(TOPOLOGIES))
    plan = Plan(
        network=Network.of(topology, nodes),
        link=link,
        options=link_options,
        # A lab is there to compare.
        allow_unauthenticated=True,
        loss=loss,
        seed=seed,
        prefix=prefix_of(prefix),
        keeps_nodes=keep,
        capture=capture,
    )
    is_over = stop_on_signals()
    with Lab(plan, say) as running:
        _print_members(plan, running, as_json=as_json)
        kept = f"; they are kept in {running.folder}" if keep else ""
        say(f"{nodes} nodes are up; press Ctrl-C to end all of them{kept}")
        while not is_over():
            running.check()
            time.sleep(_LOOK_S)


def _print_members(plan: Plan, running: Lab, *, as_json: bool) -> None:
    members, medium = running.members, running.where[1].get("medium")
    for member in members if as_json else ():
        fields = {
            "node": member.name,
            "directory": member.folder,
            "medium": medium,
            "address": str(member.address),
            "neighbours": _neighbours(plan, member),
            "pid": member.child.pid,
            "enter": shlex.join(member.entrance),
        }
        print_json("lab_node", fields)
    if as_json:
        return
    columns = (
        Column("node"),
        Column("neighbours"),
        Column("address", rank=0),
        Column("run a program there", rank=0, wraps=True),
    )
    rows = [
        (
            member.name,
            " ".join(_neighbours(plan, member)),
            str(member.address),
            f"{shlex.join(member.entrance)} PROGRAM",
        )
        for member in members
    ]
    print_table(console(), columns, rows, empty="no nodes")
    first = shlex.join(members[0].entrance)
    print(f"\nTry: {first} ping -c 3 {members[-1].address}", flush=True)
    if medium is not None:
        other = "" if plan.prefix == DEFAULT_PREFIX else f" --prefix {plan.prefix}"
        nodes = f"{shlex.quote(str(running.folder))}/n*"
        print(f"See: samara ip watch {nodes} --medium {medium}{other}", flush=True)


def _neighbours(plan: Plan, member: Member) -> list[str]:
    return [f"n{number}" for number in plan.network.neighbours(member.number)]


command = _lab
