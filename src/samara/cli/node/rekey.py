# SPDX-License-Identifier: Apache-2.0
"""Agree with a neighbour on a new key, over the air.

The neighbour must listen. Old and new key are used side by side until each node
has seen that the other uses the new one; then the old one is removed. Counters of
the new key start at zero. If either node is killed, both go on from where they
were when they run again. Nodes of ieee802154 with a level that authenticates and
key id mode 1 to 3 can do this, and do it by themselves before a frame counter ends.

With --group the first node of a network changes the key for messages to all: it
goes to all whom it has invited, and by them to those whom they have invited. Both
keys are used side by side until each has the new one.

With --offline the node gets new keys and counters without the other one, and a new
pair.json. Use it for other kinds of link, and after a node was restored from a
backup, copied or damaged. The other node keeps the old keys until it is made
again: remove its directory, then run `samara node init` with --pair-with. If the
command is interrupted, the node has either the old keys or the new ones.

\b
Examples:
  samara node rekey alice
  samara node rekey hub --neighbour bob
  samara node rekey hub --group
  samara node rekey alice --offline
  rm -r bob; samara node init bob --pair-with alice
"""

import shlex
from typing import Annotated

import typer

from samara.cli.node.arguments import ANSWER_S, Directory, Timeout
from samara.cli.node.output import EVENTS
from samara.cli.node.settling import settled
from samara.cli.shared.answering import prints
from samara.cli.shared.diagnostics import ExitCode, MisuseError, warn
from samara.cli.shared.json_lines import Json, print_json
from samara.link.node import folder as folders
from samara.link.node import networks, rekeying
from samara.link.node.link import BROADCAST
from samara.link.node.opening import refuse_if_up
from samara.link.node.settling import Settled


def _rekey(
    folder: Directory,
    *,
    neighbour: Annotated[
        str | None,
        typer.Option(
            metavar="NAME",
            help="Neighbour to agree with. Default: the only neighbour.",
        ),
    ] = None,
    group: Annotated[
        bool,
        typer.Option(
            "--group",
            help="Change the key for messages to all, which the first node of the"
            " network draws.",
        ),
    ] = False,
    offline: Annotated[
        bool,
        typer.Option(
            "--offline",
            help="Draw new keys without the other node, which must be made again.",
        ),
    ] = False,
    timeout: Timeout = ANSWER_S,
    as_json: Json = False,
) -> int:
    if group:
        if offline or neighbour is not None:
            message = "--group changes one key: leave out --offline and --neighbour"
            raise MisuseError(message)
    elif neighbour == BROADCAST:
        message = "--neighbour names one neighbour; --group changes the key of all"
        raise MisuseError(message)
    if not offline:
        # Before the link is opened: it may not be there.
        networks.check_renewable(folders.read(folder).link)
        to = BROADCAST if group else neighbour
        about = None if to is None else [to]
        return settled(
            folder, timeout, lambda node: node.renew(to), about, as_json=as_json
        )
    if neighbour is not None:
        message = "--offline changes all keys of a node: leave out --neighbour"
        raise MisuseError(message)
    refuse_if_up(folder, "--offline")
    rekeying.rekey(folder)
    if as_json:
        print_json("rekeyed", {"node": folder, "pair": folder / folders.PAIR})
    else:
        print(
            f"{folder}: made, with new keys\n"
            f"next, make the other node: samara node init DIR --pair-with "
            f"{shlex.quote(str(folder))}"
        )
    made = folders.read(folder)
    if text := folders.warning_of(made.link, made.end):
        warn(text)
    return ExitCode.DONE


command = prints(Settled, *EVENTS)(_rekey)
