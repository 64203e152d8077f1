# SPDX-License-Identifier: Apache-2.0
"""A node that stays up: one loop that serves its link and what is attached to it.

The loop waits for the link, for attachments (`samara.link.node.attachment`) and for
answers to acknowledged messages, all at once and in one thread. It never waits in a
call: a message in parts goes out part by part, and while an acknowledgement is due
everything else goes on. Messages to be sent wait in a queue of bounded length; who
submits them is told when it is full.
"""

from __future__ import annotations

import contextlib
import select
import time
from collections import deque
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from samara.errors import MisuseError
from samara.link.node.alarms import Alarms, in_words
from samara.link.node.events import Notice, Received, Refused
from samara.link.node.link import CALL_AGAIN_S, LinkEndedError
from samara.link.node.sending import RETRIES, Sent

if TYPE_CHECKING:
    from collections.abc import Callable, Generator, Iterator

    from samara.link.node.attachment import Attachment
    from samara.link.node.events import Event
    from samara.link.node.node import Node

QUEUE_MESSAGES: Final = 64
"""Messages that wait to be sent."""


@dataclass(frozen=True, slots=True)
class Order:
    """A message that is to be sent."""

    message: bytes
    on_done: Callable[[Sent | MisuseError], None]
    """Called once, with what was sent or why it was not."""
    to: str | None = None
    is_acknowledged: bool = False
    retries: int = RETRIES


class Service:
    """The loop of a node that stays up.

    Parameters
    ----------
    node
        The node. The loop is the only one to use it, besides attachments that it
        calls.
    tell
        Called with a sentence about the link, such as that it is away, or about what
        was refused.
    """

    def __init__(self, node: Node, tell: Callable[[str], None]) -> None:
        self.node = node
        node.waits_for_line = False
        node.stay_up()
        self.tell = tell
        """Takes a sentence for who runs the node."""
        self._attachments: list[Attachment] = []
        self._orders: deque[Order] = deque()
        self._current: _Delivery | None = None
        self._was_taken = False
        self.received = 0
        """Messages since the start."""
        self.alarms = Alarms()
        """What was refused since the start."""

    def attach(self, attachment: Attachment) -> None:
        """Serve an attachment from now on."""
        self._attachments.append(attachment)

    def detach(self, attachment: Attachment) -> None:
        """Close an attachment, and serve it no more."""
        if attachment in self._attachments:
            self._attachments.remove(attachment)
            attachment.close()

    @property
    def waiting(self) -> int:
        """Messages that wait to be sent, the one on its way included."""
        return len(self._orders) + (self._current is not None)

    @property
    def has_room(self) -> bool:
        """Whether another message can be submitted."""
        return len(self._orders) < QUEUE_MESSAGES

    def submit(self, order: Order) -> None:
        """Have a message sent, after those that were submitted before.

        Raises
        ------
        MisuseError
            When `has_room` is false.
        """
        if not self.has_room:
            message = f"{QUEUE_MESSAGES} messages wait to be sent: try again later"
            raise MisuseError(message)
        self._orders.append(order)

    def run(self, is_over: Callable[[], bool]) -> None:
        """Serve everything until told to end, or until the link has ended.

        Raises
        ------
        MisuseError
            When link or state can no longer be used.
        """
        for _ in self.turns(is_over):
            pass

    def turns(self, is_over: Callable[[], bool]) -> Generator[None, None, None]:
        """Serve everything as `run`, and yield after each turn of the loop."""
        try:
            while not is_over():
                self._serve(self._ready())
                self._step()
                yield
        except LinkEndedError as error:
            self.tell(str(error))
        finally:
            self._end()

    def _ready(self) -> dict[int, int]:
        """Wait until there is something to do; return what descriptors are ready."""
        may_send = self._may_send()
        poll = select.poll()
        poll.register(self.node.link.fileno(), select.POLLIN)
        for each in self._attachments:
            if wanted := each.wanted(may_send=may_send):
                poll.register(each.fileno(), wanted)
        return dict(poll.poll(self._wait_ms()))

    def _wait_ms(self) -> float:
        now_s = time.monotonic()
        times_s = [each.due_s for each in self._attachments if each.due_s is not None]
        if self._current is not None:
            times_s.append(self._current.resume_s)
        if self._current is None and self._orders:
            times_s.append(now_s)
        ready_s = self.node.link.ready_s
        if ready_s > now_s:
            # What is sent next has to wait for the line in any case.
            times_s = [max(ready_s, each) for each in [*times_s, ready_s]]
        end_s = min([*times_s, now_s + CALL_AGAIN_S])
        return max(end_s - now_s, 0.0) * 1000

    def _may_send(self) -> bool:
        """Whether a message of an attachment could be sent at once.

        Not between the parts of another message: the receiver would give that up.
        """
        if self._current is not None and not self._current.awaits_answer:
            return False
        return time.monotonic() >= self.node.link.ready_s

    def taken(self, name: str) -> None:
        """Acknowledge a message that was kept, by its id: somebody has taken it."""
        self.node.taken(name)
        self._was_taken = True

    def _serve(self, ready: dict[int, int]) -> None:
        self._hand_on(self.node.receive(0))
        self._hand_on(self.node.confirm())
        now_s = time.monotonic()
        for each in list(self._attachments):
            # One before it may have detached it.
            if each not in self._attachments:
                continue
            state = ready.get(each.fileno(), 0)
            if state or (each.due_s is not None and now_s >= each.due_s):
                each.work(state)
        if self._was_taken:
            self._was_taken = False
            self._hand_on(self.node.confirm())

    def _hand_on(self, events: list[Event]) -> None:
        for event in self.alarms.limited(events):
            self.received += isinstance(event, Received)
            if isinstance(event, Notice):
                self.tell(event.text)
            if isinstance(event, Refused):
                self.tell(in_words(event))
            for each in list(self._attachments):
                if each.take(event):
                    if isinstance(event, Received) and event.id is not None:
                        self.taken(event.id)
                    break

    def _step(self) -> None:
        """Send the next part of a message, or the next message, if it is time."""
        if self._current is None:
            if not self._orders:
                return
            self._current = _Delivery(self.node, self._orders.popleft())
        if time.monotonic() < self.node.link.ready_s:
            return
        if self._current.step():
            self._current = None

    def _end(self) -> None:
        for event in self.alarms.rest():
            self.tell(in_words(event))
        orders = [*self._orders]
        self._orders.clear()
        if self._current is not None:
            orders.insert(0, self._current.order)
            self._current.close()
            self._current = None
        for order in orders:
            order.on_done(MisuseError("the node was stopped; the message was not sent"))
        for each in list(self._attachments):
            self.detach(each)


class _Delivery:
    """A message on its way."""

    def __init__(self, node: Node, order: Order) -> None:
        self._node, self.order = node, order
        self._steps: Generator[float, None, Sent] = node.delivering(
            order.message,
            to=order.to,
            acknowledged=order.is_acknowledged,
            retries=order.retries,
        )
        self.resume_s = 0.0
        """When the next step is due; before that when an answer has arrived."""
        self.awaits_answer = False

    def step(self) -> bool:
        """Do the next step of sending if it is due; return whether it was the last."""
        if self.awaits_answer and not (
            self._node.has_answer or time.monotonic() >= self.resume_s
        ):
            return False
        result: Sent | MisuseError
        try:
            wait_s = next(self._steps)
        except StopIteration as done:
            result = done.value
        except MisuseError as error:
            # Of this message only: what else fails shows when the link is received
            # from.
            result = error
        else:
            self.awaits_answer = wait_s > 0
            self.resume_s = time.monotonic() + wait_s
            return False
        self.order.on_done(result)
        return True

    def close(self) -> None:
        """Stop sending the message."""
        self._steps.close()


def serving(
    node: Node,
    attach: Callable[[Service], None],
    is_over: Callable[[], bool],
) -> Generator[str, None, None]:
    """Return what serves a node until told to end, and yields what happens.

    When it returns, clients can connect: so a caller can say that the node is up.

    Parameters
    ----------
    attach
        Attaches what is served besides the link.

    Raises
    ------
    MisuseError
        When link or state can no longer be used.
    """
    said: deque[str] = deque()
    service = Service(node, said.append)
    attach(service)
    return _served(service, said, is_over)


def _served(
    service: Service, said: deque[str], is_over: Callable[[], bool]
) -> Generator[str, None, None]:
    """Serve a node; yield sentences about what happens."""
    try:
        with contextlib.closing(service.turns(is_over)) as turns:
            for _ in turns:
                yield from _taken(said)
    except MisuseError:
        yield from _taken(said)
        raise
    yield from _taken(said)


def _taken(said: deque[str]) -> Iterator[str]:
    while said:
        yield said.popleft()
