# SPDX-License-Identifier: Apache-2.0
"""Listening to a node: what happens, as it happens."""

from __future__ import annotations

import contextlib
import time
from collections.abc import Callable  # noqa: TC003 - read at run time
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, Any

from samara.link.node.alarms import Alarms
from samara.link.node.event_lines import (
    Costed,
    EventRecord,
    MessageDisplay,
    answer_of,
    uncosted,
)
from samara.link.node.events import Event, Received
from samara.link.node.link import LinkEndedError
from samara.link.node.opening import opened
from samara.link.node.requests import RunningRequest
from samara.records import Answer, Between, Parameter, Refusal, request_class
from samara.records.answers import Notice
from samara.records.usual import seconds_until_end

if TYPE_CHECKING:
    from collections.abc import Generator, Iterator, Mapping
    from pathlib import Path

# How often a wait is interrupted to see whether it is over.
_POLL_INTERVAL_S = 0.2


@request_class
class ListenRequest(RunningRequest):
    """A node that is listened to."""

    count: Annotated[
        int | None,
        Parameter(
            help="Stop after this many messages.",
            values=Between(1),
            default_text="no limit",
        ),
    ] = None
    timeout_s: Annotated[
        float | None,
        seconds_until_end(
            "timeout",
            "no limit",
            details="; exit status 1 if fewer than --count messages arrived",
        ),
    ] = None
    raw: Annotated[
        bool,
        Parameter(help="Write the bytes of the messages as they are, and no more."),
    ] = False
    observe: Annotated[
        bool,
        Parameter(
            help="Take no messages: they are not acknowledged, and kept for another"
            " listener. For nodes that `samara node up` keeps up."
        ),
    ] = False
    receipt: Annotated[
        bool, Parameter(help="Print the receipt of each message, too.")
    ] = False


def heard(
    request: ListenRequest,
    *,
    is_over: Callable[[], bool] = lambda: False,
    costed: Costed | None = None,
    receipts: bool = True,
) -> Answer[EventRecord]:
    """Yield what a node receives, and what else happens to its link; see `listen`.

    Parameters
    ----------
    is_over
        Called several times a second: whether to end.
    costed
        Adds figures to receipts, which are then shown. Default: none.
    receipts
        Whether receipts of messages will be read.

    Raises
    ------
    MisuseError
        When the node cannot be used.
    """
    has_costs = costed is not None
    shown = MessageDisplay(
        costed or uncosted, request.receipt or has_costs, request.raw
    )
    events = listen(
        request.node,
        request.link_options,
        count=request.count,
        timeout_s=request.timeout_s,
        takes=not request.observe,
        receipts=receipts,
        is_over=is_over,
    )
    received = 0
    # What could not be shown is not acknowledged: the node is closed at once.
    with contextlib.closing(events):
        for event in events:
            if isinstance(event, Ready):
                yield from _beginning(request.node, event)
            else:
                yield answer_of(event, shown)
                received += isinstance(event, Received)
    if not is_over() and request.count is not None and received < request.count:
        yield Refusal()


def _beginning(node: Path, ready: Ready) -> Iterator[Notice]:
    if ready.warning is not None:
        yield Notice(ready.warning, warns=True)
    yield Notice(f"{node} listens; press Ctrl-C to stop")


@dataclass(frozen=True, slots=True)
class Ready:
    """The link is listened to: nothing later is missed."""

    warning: str | None
    """What users of the link have to be warned of, if anything."""


def listen(  # noqa: PLR0913 - all but the directory by name
    folder: Path,
    link_options: Mapping[str, Any] | None = None,
    *,
    count: int | None = None,
    timeout_s: float | None = None,
    takes: bool = True,
    receipts: bool = True,
    is_over: Callable[[], bool] = lambda: False,
) -> Generator[Event | Ready, None, None]:
    """Yield when a node is ready, what it receives, and what else happens to its link.

    If a process keeps the node up, messages come from that, those that waited for a
    listener first; otherwise the node is opened here. A message counts as handed on
    when the next event is asked for, and is acknowledged then; what was yielded last
    is not if the iterator is closed.
    `samara.link.node.message_records.record_of` makes records of events.

    Parameters
    ----------
    folder
        The node's directory.
    link_options
        Options of the link that differ from those it was made with, by name; none for a
        node that a process keeps up.
    count
        End after this many messages. Default: no limit.
    timeout_s
        End after this many seconds. Default: no limit.
    takes
        Whether messages are taken; if not they are kept for another listener.
    receipts
        Whether receipts of messages will be read.
    is_over
        Called several times a second: whether to end.

    Raises
    ------
    MisuseError
        When the node cannot be used.
    """
    end_s = None if timeout_s is None else time.monotonic() + timeout_s
    node = opened(
        folder, link_options or {}, receipts=receipts, count=count, takes=takes
    )
    alarms = Alarms()
    left = count
    with node, contextlib.suppress(LinkEndedError):
        events = node.receive(0)
        yield Ready(node.warning)
        while True:
            for event in alarms.limited(events):
                yield event
                if left is not None and isinstance(event, Received):
                    left -= 1
            if left is not None and left <= 0:
                break
            if is_over() or (end_s is not None and time.monotonic() >= end_s):
                break
            events = node.receive(_wait_s(end_s))
    yield from alarms.rest()


def _wait_s(end_s: float | None) -> float:
    if end_s is None:
        return _POLL_INTERVAL_S
    return max(min(end_s - time.monotonic(), _POLL_INTERVAL_S), 0.0)
