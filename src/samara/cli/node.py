# SPDX-License-Identifier: Apache-2.0
"""`samara node`: make nodes, and show what they are. See also `node_messages`."""

from pathlib import Path
from typing import Annotated, Any

import typer
from rich.markup import escape

from samara.cli.advised import advised
from samara.cli.completion import one_of
from samara.cli.json_lines import print_json
from samara.cli.link_options import takes_link_options
from samara.cli.node_messages import Directory, Json, listen, send
from samara.cli.node_up import up
from samara.cli.outcome import MisuseError, warn
from samara.cli.printable import printable_text
from samara.cli.tables import Column, console, print_table
from samara.link.node import folder as folders
from samara.link.node import rekeying
from samara.link.node.kinds import kind, kinds
from samara.link.node.local_client import RemoteNode
from samara.link.node.node import TOTALS
from samara.link.node.state import is_in_use
from samara.link.node.state_file import numbers_in

app = typer.Typer(
    help="Exchange messages over a link; keys and counters survive a crash.",
    no_args_is_help=False,
)
app.command("send")(send)
app.command("listen")(listen)
app.command("up")(up)


@app.command("init")
@takes_link_options(lambda _: True)
def init(
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

    Security levels 0 and 4 of ieee802154, and all framings of rf-serial but sealed,
    do not authenticate messages; they need --allow-unauthenticated.

    \b
    Examples:
      samara node init alice --link ieee802154
      samara node init bob --pair-with alice
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
    if pair_with is None:
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


@app.command("rekey")
def rekey(folder: Directory) -> None:
    """Give a node new keys, and write a new pair.json for the other node.

    The settings are kept; counters start at zero; the old keys are deleted. Use it
    after a node was restored from a backup, copied or damaged. The other node keeps
    the old keys until it is made again: remove its directory, then run `samara node
    init` with --pair-with. If the command is interrupted, the node has either the
    old keys or the new ones.

    \b
    Examples:
      samara node rekey alice
      rm -r bob; samara node init bob --pair-with alice
    """
    rekeying.rekey(folder)
    _print_made(folder)
    _warn_of(folder)


def _print_made(folder: Path) -> None:
    print(
        f"{folder}: made, with new keys\n"
        f"next, make the other node: samara node init DIR --pair-with {folder}"
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
    totals = {name: numbers.get(name, 0) for name in TOTALS}
    counters = {n: v for n, v in sorted(numbers.items()) if n not in TOTALS}
    in_use = is_in_use(folder)
    service = _service_of(folder)
    if as_json:
        fields = {
            "node": str(folder),
            "link": node.link,
            "in_use": in_use,
            "service": service,
            "warning": folders.warning_of(node.link, node.end),
            "settings": node.end.settings,
            "totals": totals,
            "counters": counters,
        }
        print_json("node", fields)
        return
    shown = {"kind of link": node.link, "in use": "yes" if in_use else "no"}
    if service is not None:
        shown["kept up by"] = (
            f"process {service['pid']}, listeners: {service['listeners']}"
        )
        shown["messages to be sent"] = f"{service['waiting']:,}"
        shown["messages that nobody heard yet"] = f"{service['unheard']:,}"
    # A kind may have a setting "link": rf-serial has, the number of the link.
    shown |= kind(node.link).described(node.end.settings)
    shown |= {f"messages {name}": f"{count:,}" for name, count in totals.items()}
    shown |= {name: f"{count:,}" for name, count in counters.items()}
    _print_status(folder, shown)
    _warn_of(folder)


def _service_of(folder: Path) -> dict[str, Any] | None:
    """Return what the process tells that keeps the node up, if there is one."""
    remote = RemoteNode.of(folder)
    if remote is None:
        return None
    with remote:
        return remote.status()


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
