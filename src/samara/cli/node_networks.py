# SPDX-License-Identifier: Apache-2.0
"""`samara node invite`, `join`, `introduce`, `forget`, `rekey`: neighbours and keys."""

import contextlib
import os
import shlex
import time
from collections.abc import Callable, Collection, Iterator, Sequence
from pathlib import Path
from typing import Annotated, Any

import typer

from samara.atomic_files import MODE_OF_OWNER, replacing
from samara.cli import files
from samara.cli.json_lines import Json, print_json
from samara.cli.link_options import takes_link_options
from samara.cli.node_messages import Directory
from samara.cli.node_output import Output
from samara.cli.outcome import ExitCode, MisuseError, say, warn
from samara.extras import need
from samara.link.node import folder as folders
from samara.link.node import networks, rekeying
from samara.link.node.kinds import BROADCAST, Invited
from samara.link.node.local_client import RemoteNode
from samara.link.node.networks import INVITED_FOR_S
from samara.link.node.node import Event, Node, Notice, Refused
from samara.link.node.records import check_secret

_HOUR_S = 3600
# Ten years.
_EXPIRES_MOST = 87_600
_ANSWER_S = 10.0
# Far above the longest invitation.
_TEXT_MAX = 4096
_Timeout = Annotated[
    float,
    typer.Option(
        min=0,
        metavar="SECONDS",
        help=f"How long to wait for the neighbour. Default: {_ANSWER_S:g} s.",
        show_default=False,
    ),
]


def invite(  # noqa: PLR0913 - one parameter an option
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
    with _members(folder) as of:
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
    with _members(folder) as of:
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


@takes_link_options(
    lambda option: option.at_each_run,
    lambda option: "as the invitation has it" if option.in_invitation else None,
)
def join(
    folder: Directory,
    *,
    invitation: Annotated[
        Path,
        typer.Option(
            metavar="FILE|-",
            help="File with the invitation, which is removed when it has been used;"
            " - reads stdin.",
        ),
    ],
    timeout: _Timeout = _ANSWER_S,
    as_json: Json = False,
    link_options: dict[str, Any],
) -> int:
    """Make a node from an invitation, once, and join the network.

    The node that has made the invitation must listen. If it does not answer in time,
    exit status 1 says so; the new node then asks again whenever it listens or sends. If
    it refuses, because the invitation was used already or has expired by its clock,
    exit status 1 and a sentence say that.

    \b
    Examples:
      samara node join bob --invitation bob.invitation
      samara node join bob --invitation - --medium 10.0.0.1:17754
    """
    if invitation != files.STANDARD_STREAM:
        check_secret(invitation)
    with files.reading(invitation) as file:
        content = file.read(_TEXT_MAX)
    link = networks.join(folder, content.decode("ascii", "replace"), link_options)
    if invitation != files.STANDARD_STREAM:
        invitation.unlink()
    own = folders.read(folder).end.settings["name"]
    if as_json:
        print_json("joined", {"node": folder, "name": own, "link": link})
    else:
        print(
            f"{folder}: made, with the name {own} in a network over {link}", flush=True
        )
    return _settled(folder, timeout, lambda _: None, as_json=as_json)


def forget(
    folder: Directory,
    name: Annotated[str, typer.Argument(metavar="NAME", help="Neighbour to forget.")],
    *,
    as_json: Json = False,
) -> None:
    """Remove a neighbour and the keys that are shared with it.

    Its frames are refused from now on. It is not told, and keeps its keys. If this node
    has drawn the key for messages to all, a new one takes its place, which goes to all
    other neighbours that it has invited; the output says when more is to be done. To
    have the neighbour back, invite it again.

    \b
    Examples:
      samara node forget hub bob
    """
    with _members(folder) as of:
        told = of.forget(name)
    if as_json:
        print_json("forgotten", {"node": folder, "name": name, "told": told})
    else:
        print(f"{folder}: {name} is no neighbour any more")
    for text in told:
        say(text)


def introduce(
    folder: Directory,
    first: Annotated[str, typer.Argument(metavar="NAME", help="One neighbour.")],
    second: Annotated[str, typer.Argument(metavar="NAME", help="Another neighbour.")],
    *,
    timeout: _Timeout = _ANSWER_S,
    as_json: Json = False,
) -> int:
    """Make two neighbours of a node neighbours of each other.

    This node draws a key for them, and sends it to each under the key that it shares
    with that one. It knows the key at that time: the two rely on this node not to keep
    it, and to name the right nodes. They must listen, and hear each other if they are
    to talk. If one knows the other already, the two keep their key. The network needs
    a security level that encrypts and authenticates, 5 to 7.

    If one does not answer in time, exit status 1 says so; this node then asks again
    whenever it listens or sends, also after it was killed.

    \b
    Examples:
      samara node introduce hub bob carol
    """
    names = " ".join(sorted((first, second)))
    return _settled(
        folder,
        timeout,
        lambda node: node.introduce(first, second),
        [names],
        as_json=as_json,
    )


def rekey(
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
    timeout: _Timeout = _ANSWER_S,
    as_json: Json = False,
) -> int:
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
        return _settled(
            folder, timeout, lambda node: node.renew(to), about, as_json=as_json
        )
    if neighbour is not None:
        message = "--offline changes all keys of a node: leave out --neighbour"
        raise MisuseError(message)
    _refuse_if_up(folder, "--offline")
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


@contextlib.contextmanager
def _members(folder: Path) -> Iterator[networks.Members | RemoteNode]:
    """Give what changes neighbours: the process that keeps a node up, or this one."""
    remote = RemoteNode.of(folder)
    if remote is None:
        with networks.members(folder) as of:
            yield of
    else:
        with remote:
            yield remote


def _refuse_if_up(folder: Path, what: str) -> None:
    if (remote := RemoteNode.of(folder)) is not None:
        remote.close()
        message = (
            f"{what} changes the files of a node that is at rest: stop the `samara "
            f"node up` of {folder} first"
        )
        raise MisuseError(message)


def _settled(
    folder: Path,
    timeout_s: float,
    begin: Callable[[Node | RemoteNode], None],
    about: Collection[str] | None = None,
    *,
    as_json: bool,
) -> int:
    """Begin something with neighbours, and wait until it is settled."""
    output = Output(as_json=as_json, receipts=False, device=None)
    told: set[str] = set()

    def hand_on(event: Event) -> None:
        if isinstance(event, Notice):
            told.add(event.text)
        if isinstance(event, Refused):
            told.add(event.reason)
        output.event(event)

    with RemoteNode.of(folder) or Node(folder) as node:
        begin(node)
        unsettled = node.settle(timeout_s, hand_on, about)
        refused = node.refused(about or ())
    for text in refused:
        # Without --json an event has said it.
        if as_json or text not in told:
            say(text)
    return _ended(folder, unsettled, refused, as_json=as_json)


def _ended(
    folder: Path, unsettled: Sequence[str], refused: Sequence[str], *, as_json: bool
) -> int:
    """Say whether all is settled; return the exit status."""
    for text in unsettled:
        say(f"{text}; {folder} asks again whenever it listens or sends")
    is_done = not (unsettled or refused)
    if as_json:
        fields = {"node": folder, "done": is_done}
        print_json("settled", {**fields, "unsettled": unsettled, "refused": refused})
    elif is_done:
        print(f"{folder}: done")
    return ExitCode.DONE if is_done else ExitCode.REFUSED
