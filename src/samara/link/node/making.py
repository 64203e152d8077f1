# SPDX-License-Identifier: Apache-2.0
"""Making nodes: either one of a pair, or the first one of a network."""

from __future__ import annotations

import shlex
from collections.abc import Mapping
from dataclasses import field
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from samara.errors import MisuseError
from samara.link.node import exporting, networks, rekeying
from samara.link.node import folder as folders
from samara.link.node.advice import recommended_options
from samara.link.node.exporting import DeviceExported, ExportRequest
from samara.link.node.kinds import kind, kinds, link_of_options
from samara.link.node.link_parameters import LinkOptions
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

if TYPE_CHECKING:
    from collections.abc import Iterator


@request_class
class MakeRequest(NodeRequest):
    """A node that is to be made."""

    link: Annotated[
        str | None,
        Parameter(
            metavar="LINK",
            help="Make the first node of a pair, for this kind of link.",
            names=kinds,
            default_text="with options of one kind of link alone that one, else none",
        ),
    ] = None
    pair_with: Annotated[
        Path | None,
        Parameter(
            metavar="DIR|FILE",
            help="Make the second node of a pair, from the directory of the first node"
            " or from its file pair.json.",
        ),
    ] = None
    for_device: Annotated[
        Path | None,
        Parameter(
            metavar="FILE",
            help="The other end of the pair is a device: write its provisioning record "
            "to a new file, a C header (.h) or bytes (.bin), instead of pair.json.",
        ),
    ] = None
    advise: Annotated[
        Path | None,
        Parameter(
            metavar="FILE",
            help="Make the first node of a pair with the link and the options that "
            "`samara advise --json` recommended and that FILE contains. - reads stdin.",
        ),
    ] = None
    network: Annotated[
        bool,
        Parameter(
            help="Make the first node of a network instead of a pair: it invites its"
            " neighbours."
        ),
    ] = False
    group: Annotated[
        bool,
        Parameter(
            help="With --network: draw a key that all share, for messages to all."
        ),
    ] = False
    name: Annotated[
        str | None,
        Parameter(
            metavar="NAME",
            help="With --network: the name by which neighbours know the node.",
            default_text="the name of the directory",
        ),
    ] = None
    allow_unauthenticated: Annotated[
        bool, Parameter(help="Make nodes that accept forged messages and replays.")
    ] = False
    link_options: Annotated[Mapping[str, Any], LinkOptions(lambda _: True)] = field(
        default_factory=dict
    )
    """Options of the kind of link that were given, by name."""


@record_class
class NodeMade(Record):
    """A node that was made."""

    node: Annotated[Path, Field("Its directory.")]
    link: Annotated[str, Field("The kind of its link.")]
    pair: Annotated[
        Path | None,
        Field("File with the keys of the other end, if that is to be made next."),
    ]


def make(request: MakeRequest) -> Answer[NodeMade | DeviceExported]:
    """Make a node, and yield it.

    Raises
    ------
    MisuseError
        When it cannot be made so; then nothing is left of it.
    """
    link, options = request.link, dict(request.link_options)
    if request.advise is not None:
        link, options = recommended_options(request.advise, link, options)
    elif link is None and request.pair_with is None:
        link = link_of_options(options)
    if (link is None) == (request.pair_with is None):
        message = "give --link for the first node of a pair, --pair-with for the second"
        raise MisuseError(message)
    if not request.network and (request.name is not None or request.group):
        message = "--name and --group are for networks: give --network with them"
        raise MisuseError(message)
    if request.for_device is not None:
        yield from _with_device(request, request.for_device, link, options)
    elif request.pair_with is not None:
        yield _second(request, request.pair_with, options)
    else:
        yield _first(request, str(link), options)
    yield from warning_of_node(request.node)


def _with_device(
    request: MakeRequest, output: Path, link: str | None, options: Mapping[str, Any]
) -> Answer[NodeMade | DeviceExported]:
    """Make the first node of a pair, and the record of the device at its other end."""
    if link is None or request.network:
        message = (
            "--for-device is for the first node of a pair: give --link, without "
            "--pair-with and --network"
        )
        raise MisuseError(message)
    exporting.check_output(output)
    # With other keys, to know before anything is made that there is such a device.
    kind(link).device_record(kind(link).new_pair(options)[1])
    _first(request, link, options)
    # The device is what comes next: nothing is said of a second node.
    made = Line(f"{request.node}: made, with new keys")
    yield Digest([NodeMade(request.node, link, None)], [made])
    yield from exporting.export(ExportRequest(pair=request.node, output=output))


def _first(
    request: MakeRequest, link: str, options: Mapping[str, Any]
) -> Digest[NodeMade]:
    """Make the first node of a pair or of a network."""
    node = request.node
    if request.network:
        networks.make(node, link, request.name, options, group=request.group)
        lines = [
            Line(f"{node}: made, the first node of a network"),
            Line(f"next, invite others: samara node invite {_quoted(node)} -o FILE"),
        ]
        return Digest([NodeMade(node, link, None)], lines)
    allowed = request.allow_unauthenticated
    folders.make_pair(node, link, options, allow_unauthenticated=allowed)
    return Digest([NodeMade(node, link, node / folders.PAIR)], lines_of_first(node))


def _second(
    request: MakeRequest, pair_with: Path, options: Mapping[str, Any]
) -> Digest[NodeMade]:
    if request.network:
        message = "--network makes the first node of a network: give --link with it"
        raise MisuseError(message)
    if pair_with.is_dir():
        rekeying.finish(pair_with)
    link = folders.make_second(request.node, pair_with, options)
    line = Line(f"{request.node}: made, the second node of a pair over {link}")
    return Digest([NodeMade(request.node, link, None)], [line])


def lines_of_first(node: Path) -> list[Line]:
    """Return what people are told of a node whose other end is to be made."""
    return [
        Line(f"{node}: made, with new keys"),
        Line(
            "next, make the other node: samara node init DIR --pair-with "
            f"{_quoted(node)}"
        ),
    ]


def warning_of_node(node: Path) -> Iterator[Notice]:
    """Yield what users of a node that was made must know, if anything."""
    made = folders.read(node)
    if text := folders.warning_of(made.link, made.end):
        yield Notice(text, warns=True)


def _quoted(node: Path) -> str:
    return shlex.quote(str(node))
