# SPDX-License-Identifier: Apache-2.0
"""Removing a neighbour of a node, and the keys that are shared with it."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

from samara.link.node.opening import members
from samara.link.node.requests import NodeRequest
from samara.records import (
    Answer,
    Digest,
    Field,
    Line,
    Notice,
    Parameter,
    Record,
    record_class,
    request_class,
)


@request_class
class ForgetRequest(NodeRequest):
    """A neighbour that is to be removed."""

    name: Annotated[
        str, Parameter(metavar="NAME", help="Neighbour to forget.", is_argument=True)
    ]


@record_class
class Forgotten(Record):
    """A neighbour that was removed."""

    node: Annotated[Path, Field("Directory of the node that has removed it.")]
    name: Annotated[str, Field("Of the neighbour.")]
    left_to_do: Annotated[tuple[str, ...], Field("Texts: what is left to be done.")]


def forget(request: ForgetRequest) -> Answer[Forgotten]:
    """Remove a neighbour: its frames are refused from now on.

    Raises
    ------
    MisuseError
        When the node cannot be used, or there is no such neighbour.
    """
    node, name = request.node, request.name
    with members(node) as of:
        notices = tuple(of.forget(name))
    line = Line(f"{node}: {name} is no neighbour any more")
    yield Digest([Forgotten(node, name, notices)], [line])
    for text in notices:
        yield Notice(text)
