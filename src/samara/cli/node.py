# SPDX-License-Identifier: Apache-2.0
"""`samara node`: make nodes, and show what they are. See also `node_messages`."""

import shlex
from collections.abc import Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.markup import escape

from samara.cli.advised import advised
from samara.cli.completion import one_of
from samara.cli.json_lines import print_json
from samara.cli.link_options import takes_link_options
from samara.cli.node_messages import Directory, Json, listen, send
from samara.cli.node_networks import forget, introduce, invite, join, rekey
from samara.cli.node_up import up
from samara.cli.outcome import MisuseError, warn
from samara.cli.printable import printable_text
from samara.cli.tables import Column, console, print_table
from samara.link.node import folder as folders
from samara.link.node import health, networks, rekeying
from samara.link.node.inbox import kept_in
from samara.link.node.kinds import kind, kinds
from samara.link.node.local_client import RemoteNode
from samara.link.node.node import TOTALS
from samara.link.node.quantities import Number, Value
from samara.link.node.state import is_in_use
from samara.link.node.state_file import numbers_in

app = typer.Typer(
    help="Exchange messages over a link; keys and counters survive a crash.",
    no_args_is_help=False,
)
app.command("send")(send)
app.command("listen")(listen)
app.command("up")(up)
app.command("invite")(invite)
app.command("join")(join)
app.command("introduce")(introduce)
app.command("forget")(forget)
app.command("rekey")(rekey)


@app.command("init")
@takes_link_options(lambda _: True)
def init(  # noqa: PLR0913 - one parameter an option
    folder: Directory,
    *,
    link: Annotated[
        str | None,
        typer.Option(
            metavar="LINK",
            autocompletion=one_of(kinds),
            help=f"Make the first node of a pair, for this kind of link: "
            f"{', '.join(kinds())}.",
        ),
    ] = None,
    pair_with: Annotated[
        Path | None,
        typer.Option(
            metavar="DIR|FILE",
            help="Make the second node of a pair, from the directory of the first node"
            " or from its file pair.json.",
        ),
    ] = None,
    advice: Annotated[
        Path | None,
        typer.Option(
            "--advise",
            metavar="FILE",
            help="Make the first node of a pair with the link and the options that "
            "`samara advise --json` recommended and that FILE contains. - reads stdin.",
        ),
    ] = None,
    network: Annotated[
        bool,
        typer.Option(
            "--network",
            help="Make the first node of a network instead of a pair: it invites its"
            " neighbours.",
        ),
    ] = False,
    group: Annotated[
        bool,
        typer.Option(
            "--group",
            help="With --network: draw a key that all share, for messages to all.",
        ),
    ] = False,
    name: Annotated[
        str | None,
        typer.Option(
            metavar="NAME",
            help="With --network: the name by which neighbours know the node. Default:"
            " the name of the directory.",
        ),
    ] = None,
    allow_unauthenticated: Annotated[
        bool,
        typer.Option(
            "--allow-unauthenticated",
            help="Make nodes that accept forged messages and replays.",
        ),
    ] = False,
    link_options: dict[str, Any],
) -> None:
    """Create a node: a directory with its identity, keys and counters.

    Two nodes make a pair. The first, made with --link, draws the keys of both and
    sets how they communicate. The second is made from the first with --pair-with,
    once. If it is to run on another machine, move the file pair.json from the first
    node's directory there over a confidential channel: it contains the keys.

    With --network, the node is alone at first, and gets as many neighbours as it
    invites: see `samara node invite` and `samara node join`.

    Security levels 0 and 4 of ieee802154, and all framings of rf-serial but sealed,
    do not authenticate messages; they need --allow-unauthenticated.

    \b
    Examples:
      samara node init alice --link ieee802154
      samara node init bob --pair-with alice
      samara node init hub --link ieee802154 --network
      samara node init left --link rf-serial --port /dev/ttyUSB0 --baud 115200
      samara node init right --pair-with left --port /dev/ttyUSB1
      samara node init near --link sdr --radio uhd: --frequency 868.3e6
      samara advise --device atmega328p --layer link --json |
        samara node init sensor --advise -
    """
    if advice is not None:
        link, link_options = advised(advice, link, link_options)
    if (link is None) == (pair_with is None):
        message = "give --link for the first node of a pair, --pair-with for the second"
        raise MisuseError(message)
    if network:
        _make_network(folder, link, name, link_options, group=group)
    elif name is not None or group:
        message = "--name and --group are for networks: give --network with them"
        raise MisuseError(message)
    elif pair_with is None:
        folders.make_pair(
            folder,
            str(link),
            link_options,
            allow_unauthenticated=allow_unauthenticated,
        )
        _print_made(folder)
    else:
        if pair_with.is_dir():
            rekeying.finish(pair_with)
        made = folders.make_second(folder, pair_with, link_options)
        print(f"{folder}: made, the second node of a pair over {made}")
    _warn_of(folder)


def _make_network(
    folder: Path,
    link: str | None,
    name: str | None,
    options: dict[str, Any],
    *,
    group: bool,
) -> None:
    if link is None:
        message = "--network makes the first node of a network: give --link with it"
        raise MisuseError(message)
    networks.make(folder, link, name, options, group=group)
    print(
        f"{folder}: made, the first node of a network\n"
        f"next, invite others: samara node invite "
        f"{shlex.quote(str(folder))} -o FILE"
    )


def _print_made(folder: Path) -> None:
    print(
        f"{folder}: made, with new keys\n"
        f"next, make the other node: samara node init DIR --pair-with "
        f"{shlex.quote(str(folder))}"
    )


@app.command("status")
def status(folder: Directory, *, as_json: Json = False) -> None:
    """Show a node's settings, counters, and totals of what it has received.

    \b
    Examples:
      samara node status alice
      samara node status alice --json
    """
    rekeying.finish(folder)
    node = folders.read(folder)
    numbers = numbers_in(folder)
    totals = {str(of): numbers.get(of, Value(0)).value for of in TOTALS}
    counters = _counters_of(numbers)
    kept = kept_in(folder)
    in_use = is_in_use(folder)
    refused = None if in_use else health.why_refused(folder, node.identity)
    service = _service_of(folder)
    known = networks.known(folder, node.link)
    if as_json:
        fields = {
            "node": str(folder),
            "link": node.link,
            "in_use": in_use,
            "service": service,
            "kept": kept,
            "refused": refused,
            "warning": folders.warning_of(node.link, node.end),
            "settings": node.end.settings,
            "totals": totals,
            "counters": counters,
            "neighbours": known.neighbours,
            "invitations": known.invitations,
        }
        print_json("node", fields)
        return
    shown = {"kind of link": node.link, "in use": "yes" if in_use else "no"}
    if service is not None:
        shown["kept up by"] = (
            f"process {service['pid']}, listeners: {service['listeners']}"
        )
        shown["messages to be sent"] = f"{service['waiting']:,}"
        shown |= _security_of(service["security"])
    shown["messages that nobody has taken yet"] = f"{kept:,}"
    if refused is not None:
        shown["cannot be used"] = refused
    # A kind may have a setting "link": rf-serial has, the number of the link.
    shown |= kind(node.link).described(node.end.settings)
    shown |= {
        f"neighbour {name or 'at the other end'}": text
        for name, text in known.described()
    }
    shown |= {f"messages {name}": f"{count:,}" for name, count in totals.items()}
    shown |= {name: f"{count:,}" for name, count in counters.items()}
    _print_status(folder, shown)
    _warn_of(folder)


def _counters_of(numbers: Mapping[Number, Value]) -> dict[str, int]:
    """Return the counters of a node in words, with the bounds that they continue at."""
    counters = {n: value for n, value in numbers.items() if n not in TOTALS}
    shown = {str(number): value.value for number, value in counters.items()}
    shown |= {
        f"skipped to {number}": value.value
        for number, value in counters.items()
        if value.is_bound
    }
    return dict(sorted(shown.items()))


def _service_of(folder: Path) -> dict[str, Any] | None:
    """Return what the process tells that keeps the node up, if there is one."""
    remote = RemoteNode.of(folder)
    if remote is None:
        return None
    with remote:
        return remote.status()


def _security_of(security: dict[str, Any]) -> dict[str, str]:
    """Return what a process has refused since its start, by kind."""
    last = {each["kind"]: each for each in security["last"]}
    return {
        f"refused since the start: {kind}": f"{count:,}; "
        f"{_at(last[kind]['time_s'])}: {last[kind]['reason']}"
        for kind, count in security["counts"].items()
    }


def _at(time_s: float) -> str:
    return f"{datetime.fromtimestamp(time_s, tz=UTC).astimezone():%Y-%m-%d %H:%M:%S}"


def _print_status(folder: Path, shown: dict[str, str]) -> None:
    rows = [
        (name.replace("_", " "), escape(printable_text(text)))
        for name, text in shown.items()
    ]
    columns = (Column("setting"), Column("value", rank=0, wraps=True))
    print_table(console(), columns, rows, empty="no settings", title=f"node {folder}")


def _warn_of(folder: Path) -> None:
    node = folders.read(folder)
    if text := folders.warning_of(node.link, node.end):
        warn(text)
