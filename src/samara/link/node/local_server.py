# SPDX-License-Identifier: Apache-2.0
"""The clients of a node that stays up, at its local socket.

A client has one message on its way at a time, and is not read from meanwhile. What
is written to it waits in a buffer of bounded size: a listener that does not read
loses events, and is told how many. Nothing that a client does makes the loop wait.
"""

from __future__ import annotations

import os
import select
from collections import deque
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
    from samara.link.node.service import Service

CLIENTS_MAX: Final = 16
OUTPUT_SIZE_MAX: Final = 8 << 20
"""Bytes that wait for a client before events are dropped."""
UNHEARD_MESSAGES: Final = 1000
"""Messages that are kept while nobody listens."""
UNHEARD_SIZE_MAX: Final = 1 << 20
"""Bytes of these, unless it is only one."""

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

    Raises
    ------
    samara.link.node.local_socket.LocalError
        When the socket cannot be made.
    """

    due_s = None

    def __init__(self, service: Service, folder: Path) -> None:
        self._service, self._folder = service, folder
        self._socket = local_socket.bound(folder)
        self._clients: list[_Client] = []
        self._unheard: deque[Received] = deque()
        self._unheard_size = self._dropped = 0

    def fileno(self) -> int:
        """Return the descriptor of the listening socket."""
        return self._socket.fileno()

    def wanted(self, *, may_send: bool) -> int:
        """Wait for clients, unless there are too many."""
        del may_send
        return select.POLLIN if len(self._clients) < CLIENTS_MAX else 0

    def work(self, ready: int) -> None:
        """Take a new client."""
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
        """Hand an event to all listeners, or keep a message until there is one."""
        listeners = [each for each in self._clients if each.listening]
        lines = _Lines(event)
        for each in listeners:
            each.hear(lines)
        if not listeners and isinstance(event, Received):
            self._keep(event)
        return True

    def _keep(self, event: Received) -> None:
        self._unheard.append(event)
        self._unheard_size += len(event.message)
        while len(self._unheard) > 1 and (
            len(self._unheard) > UNHEARD_MESSAGES
            or self._unheard_size > UNHEARD_SIZE_MAX
        ):
            self._unheard_size -= len(self._unheard.popleft().message)
            self._dropped += 1

    def begin(self, listener: _Client) -> None:
        """Hand what was kept to a listener that is new."""
        if self._dropped:
            listener.tell(f"{self._dropped} messages came while nobody listened")
            self._dropped = 0
        while self._unheard and listener.listening:
            event = self._unheard.popleft()
            self._unheard_size -= len(event.message)
            listener.hear(_Lines(event))

    def status(self) -> dict[str, Any]:
        """Return what `samara node status` shows of the process."""
        return {
            "pid": os.getpid(),
            "listeners": sum(bool(each.listening) for each in self._clients),
            "waiting": self._service.waiting,
            "unheard": len(self._unheard),
        }

    @property
    def warning(self) -> str | None:
        """What users of the link have to be warned of, if anything."""
        return self._service.node.warning

    def forget(self, client: _Client) -> None:
        """Note that a client is gone."""
        self._clients.remove(client)

    def close(self) -> None:
        """Take no more clients."""
        self._socket.close()
        local_socket.removed(self._folder)


class _Lines:
    """The lines of an event: made once, and only as they are wanted."""

    def __init__(self, event: Event) -> None:
        self.event = event
        self._made: dict[bool, bytes] = {}

    def get(self, *, receipts: bool) -> bytes:
        if receipts not in self._made:
            fields = local_lines.from_event(self.event, receipts=receipts)
            self._made[receipts] = local_lines.line_of(fields)
        return self._made[receipts]


@dataclass(slots=True)
class _Listening:
    """What a client wants to hear."""

    receipts: bool
    left: int | None
    """Messages; None: no limit."""


class _Client:
    """One connection."""

    due_s = None

    def __init__(
        self, connection: socket.socket, service: Service, server: LocalServer
    ) -> None:
        self._socket, self._service, self._server = connection, service, server
        self._input, self._output = bytearray(), bytearray()
        self._is_busy = self._is_closed = False
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
        reading = 0 if self._is_busy or self._output else select.POLLIN
        return reading | (select.POLLOUT if self._output else 0)

    def work(self, ready: int) -> None:
        if ready & select.POLLOUT:
            self._flush()
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

    def hear(self, lines: _Lines) -> None:
        """Write an event, unless too much is waiting."""
        wanted = self.listening
        if wanted is None or self._is_closed:
            return
        if len(self._output) > OUTPUT_SIZE_MAX:
            self._dropped += 1
            return
        if self._dropped:
            text = f"{self._dropped} events were dropped: this listener is too slow"
            self.tell(text)
            self._dropped = 0
        self._append(lines.get(receipts=wanted.receipts))
        if isinstance(lines.event, Received) and wanted.left is not None:
            wanted.left -= 1
            if not wanted.left:
                self.listening = None
                self._write({"type": "end"})

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
        """Do what the next line asks, if nothing else is being done."""
        while not (self._is_busy or self._is_closed):
            end = self._input.find(b"\n", self._searched)
            if end < 0:
                self._searched = len(self._input)
                if self._searched > LINE_SIZE_MAX:
                    self._service.detach(self)
                return
            line, self._searched = bytes(self._input[:end]), 0
            del self._input[: end + 1]
            try:
                self._do(local_lines.parse(line))
            except (LineError, MisuseError) as error:
                self._fail(error)

    def _do(self, fields: dict[str, Any]) -> None:
        match fields["type"]:
            case "send":
                self._is_busy = True
                self._service.submit(_order_of(fields, self._sent))
            case "listen":
                count = _number(fields, "count", None)
                if count == 0:
                    message = "count is at least 1"
                    raise LineError(message)
                self.listening = _Listening(_flag(fields, "receipts"), count)
                self._write({"type": "listening"})
                self._server.begin(self)
            case "status":
                self._write({"type": "status", **self._server.status()})
            case other:
                answer = local_requests.answer_to(fields, self._service.node)
                if answer is None:
                    message = f"there is no request {other!r}"
                    raise LineError(message)
                self._write(answer)

    def _sent(self, result: Sent | MisuseError) -> None:
        if isinstance(result, Sent):
            self._is_busy = False
            self._write(local_lines.from_sent(result))
        else:
            self._fail(result)

    def _fail(self, error: Exception) -> None:
        self._is_busy = False
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


def _flag(fields: dict[str, Any], name: str) -> bool:
    value = fields.get(name, False)
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
