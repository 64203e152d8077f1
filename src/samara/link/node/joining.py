# SPDX-License-Identifier: Apache-2.0
"""Making a node from an invitation, and joining the network of who has invited it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field
from pathlib import Path
from typing import Annotated, Any

from samara.link.node import folder as folders
from samara.link.node import networks
from samara.link.node.comparing import code_of
from samara.link.node.event_lines import EventRecord  # noqa: TC001 - read at run time
from samara.link.node.link_parameters import LinkOptions
from samara.link.node.neighbour_answers import Settled, answers_from_neighbours
from samara.link.node.records import check_secret
from samara.link.node.requests import ANSWER_S, NodeRequest, Timeout
from samara.records import (
    Answer,
    Digest,
    Field,
    Line,
    Parameter,
    Record,
    record_class,
    request_class,
)
from samara.standard_streams import STANDARD_STREAM, reading

# Far above the longest invitation.
_TEXT_MAX = 4096


@request_class
class JoinRequest(NodeRequest):
    """A node that is to be made from an invitation."""

    invitation: Annotated[
        Path,
        Parameter(
            metavar="FILE|-",
            help="File with the invitation, which is removed when it has been used;"
            " - reads stdin.",
        ),
    ]
    edhoc: Annotated[
        bool,
        Parameter(
            help="Refuse an invitation that was not made with --edhoc. One that was is"
            " used so in any case.",
        ),
    ] = False
    timeout_s: Timeout = ANSWER_S
    link_options: Annotated[
        Mapping[str, Any],
        LinkOptions(
            lambda option: option.at_each_run,
            lambda option: "as the invitation has it" if option.in_invitation else None,
        ),
    ] = field(default_factory=dict)
    """Options of the kind of link that say where it is, by name."""


@record_class
class Joined(Record):
    """A node that was made from an invitation."""

    node: Annotated[Path, Field("Its directory.")]
    name: Annotated[str, Field("Its own.")]
    link: Annotated[str, Field("The kind of its link.")]
    code: Annotated[
        str | None,
        Field(
            "If it joins by EDHOC: the code that `node invite` has printed, too.",
            optional=True,
        ),
    ] = None


def join(request: JoinRequest) -> Answer[Joined | Settled | EventRecord]:
    """Make a node from an invitation; yield it, and then what came of joining.

    Raises
    ------
    MisuseError
        When it cannot be made so; then nothing is left of it.
    """
    is_file = request.invitation != STANDARD_STREAM
    if is_file:
        check_secret(request.invitation)
    with reading(request.invitation) as file:
        text = file.read(_TEXT_MAX).decode("ascii", "replace")
    link, by_edhoc = networks.joined(
        request.node, text, request.link_options, edhoc=request.edhoc
    )
    if is_file:
        request.invitation.unlink()
    name = folders.read(request.node).end.settings["name"]
    said = f"{request.node}: made, with the name {name} in a network over {link}"
    lines = [Line(said)]
    code = code_of(text) if by_edhoc else None
    if code is not None:
        lines.append(Line(f"code to compare with that of the invitation: {code}"))
    yield Digest([Joined(request.node, name, link, code)], lines)
    yield from answers_from_neighbours(request.node, request.timeout_s)
