# SPDX-License-Identifier: Apache-2.0
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

import shlex
from pathlib import Path
from typing import Annotated, Any

import typer

from samara.cli.advised import advised
from samara.cli.node.arguments import Directory
from samara.cli.shared.completion import one_of
from samara.cli.shared.diagnostics import MisuseError, warn
from samara.cli.shared.link_options import takes_link_options
from samara.link.node import folder as folders
from samara.link.node import networks, rekeying
from samara.link.node.kinds import kinds


def _init(  # noqa: PLR0913 - one parameter an option
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


def _warn_of(folder: Path) -> None:
    node = folders.read(folder)
    if text := folders.warning_of(node.link, node.end):
        warn(text)


command = takes_link_options(lambda _: True)(_init)
