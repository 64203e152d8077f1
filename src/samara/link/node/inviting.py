# SPDX-License-Identifier: Apache-2.0
"""Making and cancelling invitations, with which newcomers join a network."""

from __future__ import annotations

import os
import time
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from samara.atomic_files import MODE_OF_OWNER, replacing
from samara.errors import MisuseError
from samara.link.node.comparing import code_of
from samara.link.node.networks import INVITED_FOR_S
from samara.link.node.opening import members
from samara.link.node.requests import NodeRequest
from samara.records import (
    Answer,
    Between,
    Digest,
    Field,
    Line,
    Notice,
    Parameter,
    Record,
    record_class,
    request_class,
)
from samara.units import HOURS

if TYPE_CHECKING:
    from collections.abc import Iterator

    from samara.link.node.local_client import RemoteNode
    from samara.link.node.members import Invited
    from samara.link.node.networks import Members

_HOUR_S = 3600
# Ten years.
_EXPIRES_MOST = 87_600


@request_class
class InviteRequest(NodeRequest):
    """An invitation that is to be made, or cancelled."""

    name: Annotated[
        str | None,
        Parameter(
            metavar="NAME",
            help="Name of the newcomer: 1 to 20 letters, digits, dots, hyphens or"
            " underscores.",
            default_text="one with its short address",
        ),
    ] = None
    output: Annotated[
        Path | None,
        Parameter(
            short="o",
            metavar="FILE",
            help="Write the invitation to a new file that only you can read.",
        ),
    ] = None
    text: Annotated[
        bool, Parameter(help="Print the invitation, which is a secret.")
    ] = False
    qr: Annotated[
        bool, Parameter(help="Print the invitation, a secret, as a QR code.")
    ] = False
    edhoc: Annotated[
        bool,
        Parameter(
            help="Let the newcomer agree on its first key by EDHOC: whoever learns the"
            " invitation later cannot read what was recorded.",
        ),
    ] = False
    expires_h: Annotated[
        float,
        Parameter(
            name="expires",
            help="Hours for which the invitation is accepted, by the clock of this "
            "node.",
            unit=HOURS,
            values=Between(0, _EXPIRES_MOST),
        ),
    ] = INVITED_FOR_S / _HOUR_S
    cancel: Annotated[
        str | None,
        Parameter(
            metavar="NAME",
            help="Remove the open invitation of NAME; make none.",
        ),
    ] = None


@record_class
class Invitation(Record):
    """An invitation that was made."""

    node: Annotated[Path, Field("Directory of the node that invites.")]
    name: Annotated[str, Field("Of the newcomer.")]
    output: Annotated[Path | None, Field("File with the invitation.")]
    ends_s: Annotated[int, Field("When it ends, in s since 1970.", unit="s")]
    code: Annotated[
        str | None,
        Field(
            "With --edhoc only: the code that `node join` has to print, too.",
            optional=True,
        ),
    ] = None
    text: Annotated[
        str | None,
        Field(
            "With --text only: the invitation, **which is a secret**.", optional=True
        ),
    ] = None


@record_class
class InvitationCancelled(Record):
    """An invitation that is not accepted any more."""

    node: Annotated[Path, Field("Directory of the node that had invited.")]
    name: Annotated[str, Field("Of the newcomer.")]


@dataclass(frozen=True, slots=True)
class QrCode:
    """An invitation that is to be shown as a QR code: a secret."""

    text: str


def invite(request: InviteRequest) -> Answer[Invitation | InvitationCancelled]:
    """Make an invitation and yield it, or cancel one.

    Raises
    ------
    MisuseError
        When the node cannot invite, or the file exists.
    """
    if request.cancel is not None:
        yield from _cancel(request.node, request.cancel)
        return
    if request.output is None and not (request.text or request.qr):
        message = "give -o FILE for the invitation, or --text or --qr to print it"
        raise MisuseError(message)
    ends_s = int(time.time() + request.expires_h * _HOUR_S)
    with members(request.node) as of:
        made = _invited(request, of, ends_s)
    if request.text or request.qr:
        text = "the invitation is a secret, and stays where the output goes"
        yield Notice(text, warns=True)
    # The secret only if it is asked for.
    secret = made.text if request.text else None
    code = code_of(made.text) if request.edhoc else None
    record = Invitation(request.node, made.name, request.output, ends_s, code, secret)
    yield Digest([record], _parts(request, made, code))


def _parts(
    request: InviteRequest, made: Invited, code: str | None
) -> Iterator[Line | QrCode]:
    if request.output is not None:
        yield Line(f"{request.output}: an invitation for {made.name}")
    if code is not None:
        yield Line(f"code to compare with that of {made.name}: {code}")
    if request.text:
        yield Line(made.text)
    if request.qr:
        yield QrCode(made.text)


def _cancel(node: Path, name: str) -> Answer[InvitationCancelled]:
    with members(node) as of:
        of.withdraw(name)
    line = Line(f"{node}: the invitation of {name} is not accepted any more")
    yield Digest([InvitationCancelled(node, name)], [line])


def _invited(request: InviteRequest, of: Members | RemoteNode, ends_s: int) -> Invited:
    """Draw an invitation; if it is for a new file, write that: both, or neither."""
    output, name, edhoc = request.output, request.name, request.edhoc
    if output is None:
        return of.invite(name, ends_s, edhoc=edhoc)
    if os.path.lexists(output):
        message = f"{output} exists: give another -o FILE, or remove it"
        raise MisuseError(message)
    made = None
    try:
        with replacing(output, exclusive=True, mode=MODE_OF_OWNER) as file:
            made = of.invite(name, ends_s, edhoc=edhoc)
            file.write(f"{made.text}\n".encode())
    except OSError:
        if made is not None:
            of.withdraw(made.name)
        raise
    return made
