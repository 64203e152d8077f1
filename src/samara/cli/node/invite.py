# SPDX-License-Identifier: Apache-2.0
"""Make an invitation, with which one newcomer can join a network.

The invitation contains the key that the newcomer shares with this node: whoever
sees it can read and forge their messages. Bring it to the newcomer over a channel
that nobody else can read. This node accepts it once, from the first that proves to
have the key, while it listens, and for a day unless --expires says otherwise. With
--json it is printed only if --text is given.

\b
Examples:
  samara node invite hub --name bob -o bob.invitation
  samara node invite hub --name sensor-3 --qr --expires 1
  samara node invite hub --cancel bob
"""

import os
import time
from collections.abc import Callable
from pathlib import Path
from typing import Annotated

import typer

from samara.atomic_files import MODE_OF_OWNER, replacing
from samara.cli.node.arguments import Directory
from samara.cli.shared.diagnostics import MisuseError, say
from samara.cli.shared.json_lines import Json, print_json
from samara.extras import need
from samara.link.node import networks
from samara.link.node.local_client import RemoteNode
from samara.link.node.members import Invited
from samara.link.node.networks import INVITED_FOR_S
from samara.link.node.opening import members

_HOUR_S = 3600

# Ten years.
_EXPIRES_MOST = 87_600


def _invite(  # noqa: PLR0913 - one parameter an option
    folder: Directory,
    *,
    name: Annotated[
        str | None,
        typer.Option(
            metavar="NAME",
            help="Name of the newcomer: 1 to 20 letters, digits, dots, hyphens or"
            " underscores. Default: one with its short address.",
        ),
    ] = None,
    output: Annotated[
        Path | None,
        typer.Option(
            "--output",
            "-o",
            metavar="FILE",
            help="Write the invitation to a new file that only you can read.",
        ),
    ] = None,
    text: Annotated[
        bool, typer.Option("--text", help="Print the invitation, which is a secret.")
    ] = False,
    qr: Annotated[
        bool,
        typer.Option("--qr", help="Print the invitation, a secret, as a QR code."),
    ] = False,
    expires: Annotated[
        float,
        typer.Option(
            min=0,
            max=_EXPIRES_MOST,
            metavar="HOURS",
            help="Hours for which the invitation is accepted, by the clock of this "
            "node.",
        ),
    ] = INVITED_FOR_S / _HOUR_S,
    cancel: Annotated[
        str | None,
        typer.Option(
            metavar="NAME",
            help="Remove the open invitation of NAME; make none.",
        ),
    ] = None,
    as_json: Json = False,
) -> None:
    if cancel is not None:
        _cancel(folder, cancel, as_json=as_json)
        return
    if qr and as_json:
        message = "--qr draws on a terminal, and --json does not: give --text instead"
        raise MisuseError(message)
    if output is None and not (text or qr):
        message = "give -o FILE for the invitation, or --text or --qr to print it"
        raise MisuseError(message)
    show_qr = _qr_printer() if qr else None
    ends_s = int(time.time() + expires * _HOUR_S)
    with members(folder) as of:
        made = _invited(output, of, name, ends_s)
    if text or qr:
        say("warning: the invitation is a secret, and stays where the output goes")
    if as_json:
        fields = {"node": folder, "name": made.name, "output": output, "ends_s": ends_s}
        # The secret only if it is asked for, as without --json.
        print_json("invitation", fields | ({"text": made.text} if text else {}))
        return
    _print_invitation(made, output, text=text)
    if show_qr is not None:
        show_qr(made.text)


def _cancel(folder: Path, name: str, *, as_json: bool) -> None:
    with members(folder) as of:
        of.withdraw(name)
    if as_json:
        print_json("invitation_cancelled", {"node": folder, "name": name})
    else:
        print(f"{folder}: the invitation of {name} is not accepted any more")


def _print_invitation(made: Invited, output: Path | None, *, text: bool) -> None:
    if output is not None:
        print(f"{output}: an invitation for {made.name}")
    if text:
        print(made.text)


def _invited(
    output: Path | None,
    of: networks.Members | RemoteNode,
    name: str | None,
    ends_s: int | None,
) -> Invited:
    """Draw an invitation; if it is for a new file, write that: both, or neither."""
    if output is None:
        return of.invite(name, ends_s)
    if os.path.lexists(output):
        message = f"{output} exists: give another -o FILE, or remove it"
        raise MisuseError(message)
    made = None
    try:
        with replacing(output, exclusive=True, mode=MODE_OF_OWNER) as file:
            made = of.invite(name, ends_s)
            file.write(f"{made.text}\n".encode())
    except OSError:
        if made is not None:
            of.withdraw(made.name)
        raise
    return made


def _qr_printer() -> Callable[[str], None]:
    segno = need("segno", "qr")

    def show(text: str) -> None:
        segno.make(text, error="m", micro=False).terminal(compact=True)

    return show


command = _invite
