# SPDX-License-Identifier: Apache-2.0
"""Waiting until neighbours have answered about keys, joining or an introduction."""

from __future__ import annotations

from collections.abc import Callable, Collection  # noqa: TC003 - read at run time
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from samara.link.node.event_lines import EventRecord, MessageDisplay, answers_of
from samara.link.node.events import Notice as LinkNotice
from samara.link.node.events import Refused
from samara.link.node.local_client import RemoteNode
from samara.link.node.node import Node
from samara.records import (
    Answer,
    Digest,
    Field,
    Line,
    Notice,
    Record,
    Refusal,
    record_class,
)

if TYPE_CHECKING:
    from collections.abc import Generator, Sequence

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


def answers_from_neighbours(
    folder: Path,
    timeout_s: float,
    begin: Callable[[Node | RemoteNode], None] = lambda _: None,
    about: Collection[str] | None = None,
) -> Answer[Settled | EventRecord]:
    """Ask neighbours for something, yield what happens, and at last what came of it.

    Parameters
    ----------
    folder
        The node's directory. A process that keeps it up does what there is to do.
    timeout_s
        How long to wait, in s.
    begin
        Asks the neighbours. Default: they have been asked before.
    about
        As `samara.link.node.node.Node.unsettled` takes it.

    Raises
    ------
    MisuseError
        When the node cannot be used, or there is no such neighbour.
    """
    said: set[str] = set()
    with RemoteNode.of(folder) or Node(folder) as node:
        begin(node)
        waiting = _noting(node.waiting_for_answers(timeout_s, about), said)
        unsettled = yield from answers_of(waiting, MessageDisplay())
        refused = node.refused(about or ())
    yield from _result(
        Settled(
            node=folder,
            done=not (unsettled or refused),
            unsettled=tuple(unsettled),
            refused=tuple(refused),
        ),
        said,
    )


def _noting(
    waiting: Generator[Event, None, Sequence[str]], said: set[str]
) -> Generator[Event, None, Sequence[str]]:
    """Yield the events of a wait, and note what they say."""
    while True:
        try:
            event = next(waiting)
        except StopIteration as done:
            unsettled: Sequence[str] = done.value
            return unsettled
        if isinstance(event, LinkNotice):
            said.add(event.text)
        if isinstance(event, Refused):
            said.add(event.reason)
        yield event


def _result(found: Settled, said: set[str]) -> Answer[Settled]:
    for text in found.refused:
        # An event may have said it.
        if text not in said:
            yield Notice(text)
    for text in found.unsettled:
        yield Notice(f"{text}; {found.node} asks again whenever it listens or sends")
    yield Digest([found], [Line(f"{found.node}: done")] if found.done else [])
    if not found.done:
        yield Refusal()
