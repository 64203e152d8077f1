# SPDX-License-Identifier: Apache-2.0
"""Changing keys of a node: with a neighbour over the air, of a group, or offline."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

from samara.errors import MisuseError
from samara.extras import need
from samara.link.node import folder as folders
from samara.link.node import networks, rekeying
from samara.link.node.event_lines import EventRecord  # noqa: TC001 - read at run time
from samara.link.node.link import BROADCAST
from samara.link.node.making import lines_of_first, warning_of_node
from samara.link.node.neighbour_answers import Settled, answers_from_neighbours
from samara.link.node.opening import refuse_if_up
from samara.link.node.requests import ANSWER_S, NodeRequest, Timeout
from samara.records import (
    Answer,
    Digest,
    Field,
    Parameter,
    Record,
    record_class,
    request_class,
)


@request_class
class RekeyRequest(NodeRequest):
    """A key of a node that is to be changed."""

    neighbour: Annotated[
        str | None,
        Parameter(
            metavar="NAME",
            help="Neighbour to agree with.",
            default_text="the only neighbour",
        ),
    ] = None
    group: Annotated[
        bool,
        Parameter(
            help="Change the key for messages to all, which the first node of the"
            " network draws."
        ),
    ] = False
    edhoc: Annotated[
        bool,
        Parameter(
            help="Agree by EDHOC: whoever learns the old key later cannot compute the"
            " new one. Neighbours that have joined with EDHOC always do.",
        ),
    ] = False
    offline: Annotated[
        bool,
        Parameter(
            help="Draw new keys without the other node, which must be made again."
        ),
    ] = False
    timeout_s: Timeout = ANSWER_S


@record_class
class Rekeyed(Record):
    """A node that has new keys, which the other one does not have yet."""

    node: Annotated[Path, Field("Its directory.")]
    pair: Annotated[Path, Field("File with the keys of the other end.")]


def rekey(request: RekeyRequest) -> Answer[Rekeyed | Settled | EventRecord]:
    """Change a key, and yield what came of it.

    Raises
    ------
    MisuseError
        When the node cannot be used, or its link cannot do it.
    """
    _check(request)
    if request.offline:
        yield from _offline(request.node)
        return
    # Before the link is opened: it may not be there.
    networks.check_renewable(folders.read(request.node).link)
    to = BROADCAST if request.group else request.neighbour
    about = None if to is None else [to]
    edhoc = request.edhoc
    yield from answers_from_neighbours(
        request.node, request.timeout_s, lambda node: node.renew(to, edhoc=edhoc), about
    )


def _check(request: RekeyRequest) -> None:
    """Refuse options that exclude each other."""
    if request.edhoc and (request.group or request.offline):
        message = "--edhoc agrees with one neighbour: leave out --group and --offline"
        raise MisuseError(message)
    if request.edhoc:
        need("lakers", "edhoc")
    if request.group:
        if request.offline or request.neighbour is not None:
            message = "--group changes one key: leave out --offline and --neighbour"
            raise MisuseError(message)
    elif request.neighbour == BROADCAST:
        message = "--neighbour names one neighbour; --group changes the key of all"
        raise MisuseError(message)
    elif request.offline and request.neighbour is not None:
        message = "--offline changes all keys of a node: leave out --neighbour"
        raise MisuseError(message)


def _offline(node: Path) -> Answer[Rekeyed]:
    refuse_if_up(node, "--offline")
    rekeying.rekey(node)
    yield Digest([Rekeyed(node, node / folders.PAIR)], lines_of_first(node))
    yield from warning_of_node(node)
