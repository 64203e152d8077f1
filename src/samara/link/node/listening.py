# SPDX-License-Identifier: Apache-2.0
"""Listening to a node: what happens, as it happens."""

from __future__ import annotations

import contextlib
import time
from typing import TYPE_CHECKING, Any, Protocol

from samara.link.node.alarms import Alarms
from samara.link.node.events import Event, Received
from samara.link.node.link import LinkEndedError
from samara.link.node.opening import opened

if TYPE_CHECKING:
    from collections.abc import Callable, Generator, Mapping
    from pathlib import Path

# How often a wait is interrupted to see whether it is over.
_POLL_INTERVAL_S = 0.2


class Ready(Protocol):
    """What is called once, when the link is listened to: nothing later is missed."""

    def __call__(self, warning: str | None) -> None:
        """Take what users of the link have to be warned of, if anything."""
        ...


def listen(  # noqa: PLR0913 - all but the directory by name
    folder: Path,
    link_options: Mapping[str, Any] | None = None,
    *,
    count: int | None = None,
    timeout_s: float | None = None,
    takes: bool = True,
    receipts: bool = True,
    ready: Ready = lambda warning: None,  # noqa: ARG005 - named as it is called
    is_over: Callable[[], bool] = lambda: False,
) -> Generator[Event, None, None]:
    """Yield what a node receives, and what else happens to its link.

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
    ready
        Called when the link is listened to.
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
        ready(node.warning)
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
