# SPDX-License-Identifier: Apache-2.0
"""Waiting until something is settled with neighbours: keys, joining, introductions."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from samara.link.node.local_client import RemoteNode
from samara.link.node.node import Node
from samara.records import Field, Record, record_class

if TYPE_CHECKING:
    from collections.abc import Callable, Collection

    from samara.link.node.events import Event


@record_class
class Settled(Record):
    """What came of it when neighbours were asked for something."""

    node: Annotated[Path, Field("The node's directory.")]
    done: Annotated[bool, Field("Whether all have answered, and none has refused.")]
    unsettled: Annotated[
        tuple[str, ...],
        Field("Texts: what neighbours have not answered yet; the node asks again."),
    ]
    refused: Annotated[
        tuple[str, ...],
        Field("Texts: why an introduction or a request to join failed."),
    ]


def settle(
    folder: Path,
    timeout_s: float,
    hand_on: Callable[[Event], None],
    *,
    begin: Callable[[Node | RemoteNode], None] = lambda _: None,
    about: Collection[str] | None = None,
) -> Settled:
    """Begin something with neighbours, and wait until it is settled.

    Parameters
    ----------
    folder
        The node's directory. A process that keeps it up does what there is to do.
    timeout_s
        How long to wait, in s.
    hand_on
        Called with what the node receives meanwhile.
    begin
        Asks the neighbours. Default: they have been asked before.
    about
        As `samara.link.node.node.Node.unsettled` takes it.

    Raises
    ------
    MisuseError
        When the node cannot be used, or there is no such neighbour.
    """
    with RemoteNode.of(folder) or Node(folder) as node:
        begin(node)
        unsettled = node.settle(timeout_s, hand_on, about)
        refused = node.refused(about or ())
    return Settled(
        node=folder,
        done=not (unsettled or refused),
        unsettled=tuple(unsettled),
        refused=tuple(refused),
    )
