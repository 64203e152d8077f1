# SPDX-License-Identifier: Apache-2.0
"""The clients of a node that stays up, at its local socket.

Messages are kept in the inbox of the node (`samara.link.node.inbox`). Each listener is
written all of them, those that came before it included; a message leaves the inbox, and
is acknowledged, as soon as one of them says that it has taken it. Observers are
listeners that take nothing.

A client has one message on its way at a time; meanwhile nothing else is done for it,
except that what it has taken is acknowledged. What is written to it waits in a buffer
of bounded size: a listener that does not read loses events, and messages that another
one has taken, and is told how many. Nothing that a client does makes the loop wait.
"""

from __future__ import annotations

import contextlib
import os
import select
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from samara.errors import MisuseError
from samara.link.node import local_lines, local_requests, local_socket
from samara.link.node.events import Received
from samara.link.node.local_lines import LINE_SIZE_MAX, LineError
from samara.link.node.sending import RETRIES, NotAcknowledgedError, Sent
from samara.link.node.service import Order

if TYPE_CHECKING:
    import socket
    from pathlib import Path

    from samara.link.node.events import Event
    from samara.link.node.inbox import InboxMessage
    from samara.link.node.service import Service

CLIENTS_MAX: Final = 16
OUTPUT_SIZE_MAX: Final = 8 << 20
"""Bytes that wait for a client before events are dropped."""

_READ_SIZE = 65_536
_RETRIES_MAX = 1_000_000


class LocalServer:
    """The local socket of a node, where clients connect.

    Parameters
    ----------
    service
        The loop that serves it.
    folder
        Directory of the node.
    keeps
        Whether messages are kept for listeners. Without it others have to take them.

    Raises
    ------
    samara.link.node.local_socket.LocalError
        When the socket cannot be made.
    """

    due_s = None

    def __init__(self, service: Service, folder: Path, *, keeps: bool = True) -> None:
        self._service, self._folder = service, folder
        self.inbox = service.node.keep() if keeps else None
        """Where messages wait to be taken."""
        self._socket = local_socket.bound(folder)
        self._clients: list[_Client] = []

    def fileno(self) -> int:
        """Return the descriptor of the listening socket."""
        return self._socket.fileno()

    def wanted(self, *, may_send: bool) -> int:
        """Wait for clients, unless there are too many."""
        del may_send
        return select.POLLIN if len(self._clients) < CLIENTS_MAX else 0

    def work(self, ready: int) -> None:
        """Accept a new client."""
        del ready
        try:
            connection, _ = self._socket.accept()
        except OSError:
            # It is gone already, or there are no descriptors left.
            return
        if not local_socket.is_allowed(connection):
            connection.close()
            return
        connection.settimeout(0)
        client = _Client(connection, self._service, self)
        self._clients.append(client)
        self._service.attach(client)

    def take(self, event: Event) -> bool:
        """Hand an event to all listeners; messages stay until one has taken them."""
        for each in self._clients:
            if isinstance(event, Received):
                each.fill(event.id)
            else:
                each.hear(event)
        return not isinstance(event, Received)

    def status(self) -> dict[str, Any]:
        """Return what `samara node status` shows of the process."""
        return {
            "pid": os.getpid(),
            "listeners": sum(bool(each.listening) for each in self._clients),
            "waiting": self._service.waiting,
            "undelivered": 0 if self.inbox is None else len(self.inbox),
            "security": self._service.alarms.status(),
        }

    @property
    def warning(self) -> str | None:
        """What users of the link have to be warned of, if anything."""
        return self._service.node.warning

    def forget(self, client: _Client) -> None:
        """Remove a client that has disconnected."""
        self._clients.remove(client)

    def close(self) -> None:
        """Take no more clients."""
        self._socket.close()
        local_socket.removed(self._folder)


@dataclass(slots=True)
class _Listening:
    """What a client wants to hear."""

    receipts: bool
    takes: bool
    """Whether it says what it has taken."""
    messages_left: int | None
    """Messages; None: no limit."""
    since: int
    """The number of the first message that arrived after it had begun."""
    last: int = 0
    """The number of the last message that it was written."""


class _Client:
    """One connection."""

    due_s = None

    def __init__(
        self, connection: socket.socket, service: Service, server: LocalServer
    ) -> None:
        self._socket, self._service, self._server = connection, service, server
        self._input, self._output = bytearray(), bytearray()
        self._is_busy = self._is_closed = False
        self._held: bytes | None = None
        self._searched = self._dropped = 0
        self.listening: _Listening | None = None
        self._write(
            {
                "type": "up",
                "format": local_lines.FORMAT,
                "pid": os.getpid(),
                "warning": server.warning,
            }
        )

    def fileno(self) -> int:
        return self._socket.fileno()

    def wanted(self, *, may_send: bool) -> int:
        del may_send
        # It may say what it has taken before it has read all; but who asks has to read
        # the answers.
        is_read = self._held is None and len(self._output) <= OUTPUT_SIZE_MAX
        reading = select.POLLIN if is_read else 0
        return reading | (select.POLLOUT if self._output else 0)

    def work(self, ready: int) -> None:
        if ready & select.POLLOUT:
            self._flush()
            self.fill()
        if ready & (select.POLLIN | select.POLLHUP | select.POLLERR):
            self._read()
        self._do_next()

    def take(self, event: Event) -> bool:
        # The server hands it on to all.
        del event
        return False

    def close(self) -> None:
        self._flush()
        self._is_closed = True
        self._socket.close()
        self._server.forget(self)

    # What it hears.

    def hear(self, event: Event) -> None:
        """Write an event, unless too much is waiting."""
        if self.listening is None or self._is_closed:
            return
        if len(self._output) > OUTPUT_SIZE_MAX:
            self._dropped += 1
            return
        self._tell_dropped()
        self._write(local_lines.from_event(event, receipts=False))

    def fill(self, last: str | None = None) -> None:
        """Write messages that wait, up to one or as far as there is room."""
        inbox = self._server.inbox
        while (wanted := self.listening) is not None and inbox is not None:
            if self._is_closed or len(self._output) > OUTPUT_SIZE_MAX:
                return
            kept = inbox.first_after(wanted.last)
            number = inbox.end if kept is None else kept.number
            # Others have taken what is missing, or it had to make room.
            self._dropped += max(number - max(wanted.last + 1, wanted.since), 0)
            wanted.last = number - 1
            if kept is None:
                return
            wanted.last = number
            self._tell_dropped()
            self._write_message(kept, wanted)
            if kept.event.id == last:
                return

    def _write_message(self, kept: InboxMessage, wanted: _Listening) -> None:
        is_late = kept.number < wanted.since
        event = kept.hand_out(is_late=is_late, takes=wanted.takes)
        self._write(local_lines.from_event(event, receipts=wanted.receipts))
        if wanted.messages_left is None:
            return
        wanted.messages_left -= 1
        if not wanted.messages_left:
            self.listening = None
            self._write({"type": "end"})

    def _tell_dropped(self) -> None:
        if self._dropped:
            text = f"{self._dropped} events were dropped: this listener is too slow"
            self.tell(text)
            self._dropped = 0

    def tell(self, text: str) -> None:
        """Write a notice."""
        self._write({"type": "notice", "text": text})

    # What it asks.

    def _read(self) -> None:
        try:
            data = self._socket.recv(_READ_SIZE)
        except BlockingIOError:
            return
        except OSError:
            data = b""
        if not data:
            self._service.detach(self)
            return
        self._input += data

    def _do_next(self) -> None:
        """Do what the next lines ask, as far as something else is not being done."""
        while not self._is_closed and not (self._is_busy and self._held is not None):
            line = self._next() if self._held is None else self._held
            is_early = self._is_busy and line is not None and not _is_taken(line)
            self._held = line if is_early else None
            if line is None or is_early:
                return
            try:
                self._do(local_lines.parse(line))
            except (LineError, MisuseError) as error:
                self._fail(error)

    def _next(self) -> bytes | None:
        """Return the next line, or None while there is none."""
        end = self._input.find(b"\n", self._searched)
        if end < 0:
            self._searched = len(self._input)
            if self._searched > LINE_SIZE_MAX:
                self._service.detach(self)
            return None
        line, self._searched = bytes(self._input[:end]), 0
        del self._input[: end + 1]
        return line

    def _do(self, fields: dict[str, Any]) -> None:
        match fields["type"]:
            case "send":
                self._service.submit(_order_of(fields, self._sent))
                self._is_busy = True
            case "listen":
                count = _number(fields, "count", None)
                if count == 0:
                    message = "count is at least 1"
                    raise LineError(message)
                takes = _flag(fields, "takes", default=True)
                self._listen(_flag(fields, "receipts"), takes, count)
            case "taken":
                for each in _ids(fields):
                    self._service.taken(each)
            case "status":
                self._write({"type": "status", **self._server.status()})
            case other:
                answer = local_requests.answer_to(fields, self._service.node)
                if answer is None:
                    message = f"there is no request {other!r}"
                    raise LineError(message)
                self._write(answer)

    def _listen(self, receipts: bool, takes: bool, count: int | None) -> None:  # noqa: FBT001
        self._write({"type": "listening"})
        inbox = self._server.inbox
        end = 0 if inbox is None else inbox.end
        if inbox is not None and inbox.dropped:
            self.tell(f"{inbox.dropped} messages were dropped: nobody took them")
            inbox.dropped = 0
        self.listening = _Listening(receipts, takes, count, end)
        self.fill()

    def _sent(self, result: Sent | MisuseError) -> None:
        self._is_busy = False
        if isinstance(result, Sent):
            self._write(local_lines.from_sent(result))
        else:
            self._fail(result)

    def _fail(self, error: Exception) -> None:
        is_refused = isinstance(error, NotAcknowledgedError)
        kind = "not_acknowledged" if is_refused else "failed"
        self._write({"type": kind, "text": str(error)})

    # What is written.

    def _write(self, fields: dict[str, Any]) -> None:
        self._append(local_lines.line_of(fields))

    def _append(self, line: bytes) -> None:
        if not self._is_closed:
            self._output += line

    def _flush(self) -> None:
        while self._output and not self._is_closed:
            try:
                sent = self._socket.send(self._output[:_READ_SIZE])
            except BlockingIOError:
                return
            except OSError:
                # It is gone; reading tells.
                self._output.clear()
                return
            del self._output[:sent]


def _order_of(fields: dict[str, Any], done: Any) -> Order:  # noqa: ANN401 - as Order's
    text, to = fields.get("hex"), fields.get("to")
    try:
        message = bytes.fromhex(text) if isinstance(text, str) else None
    except ValueError:
        message = None
    if message is None or not isinstance(to, str | None):
        problem = "send has hex digits in hex, and a name or null in to"
        raise LineError(problem)
    retries = _number(fields, "retries", RETRIES)
    return Order(message, done, to, _flag(fields, "acknowledged"), retries or 0)


def _is_taken(line: bytes) -> bool:
    """Whether a line says what was taken, which waits for nothing."""
    with contextlib.suppress(LineError):
        return bool(local_lines.parse(line)["type"] == "taken")
    return False


def _ids(fields: dict[str, Any]) -> list[str]:
    ids = fields.get("ids")
    if not isinstance(ids, list) or not all(isinstance(each, str) for each in ids):
        problem = "taken has a list of the ids of messages in ids"
        raise LineError(problem)
    return ids


def _flag(fields: dict[str, Any], name: str, *, default: bool = False) -> bool:
    value = fields.get(name, default)
    if not isinstance(value, bool):
        message = f"{name} is true or false"
        raise LineError(message)
    return value


def _number(fields: dict[str, Any], name: str, default: int | None) -> int | None:
    value = fields.get(name, default)
    if value is None:
        return None
    if type(value) is not int or not 0 <= value <= _RETRIES_MAX:
        message = f"{name} is a number from 0 to {_RETRIES_MAX}"
        raise LineError(message)
    return value
