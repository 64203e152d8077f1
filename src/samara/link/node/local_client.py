# SPDX-License-Identifier: Apache-2.0
"""A node that another process keeps up, used as if it were opened here."""

from __future__ import annotations

import contextlib
import select
import time
from typing import TYPE_CHECKING, Any, Self

from samara.errors import MisuseError
from samara.link.node import local_lines, local_socket
from samara.link.node.events import Received
from samara.link.node.link import LinkEndedError
from samara.link.node.local_socket import LocalError
from samara.link.node.members import Change, Invited, OscoreSecret
from samara.link.node.sending import RETRIES, NotAcknowledgedError

if TYPE_CHECKING:
    import socket
    from collections.abc import Collection, Generator, Sequence
    from pathlib import Path

    from samara.link.node.events import Event
    from samara.link.node.sending import Sent

# Longer than the process may be busy with one call.
_TIMEOUT_S = 30.0
_READ_SIZE = 1 << 20
# Returned at once: what is returned is taken only with the next call.
_EVENTS_MOST = 32
# How often the process is asked how far it is about keys.
_ASKED_AGAIN_S = 0.05


class RemoteNode:
    """The node of a process that keeps it up; `RemoteNode.of` connects to it.

    It has the methods of `samara.link.node.node.Node` that exchange messages, and
    those that change neighbours and keys.
    """

    def __init__(self, connection: socket.socket, folder: Path) -> None:
        self._socket, self._folder = connection, folder
        self._input, self._searched = bytearray(), 0
        self._is_listening = False
        self.warning: str | None = None
        self.receipts = True
        """Whether received messages are to have their receipts."""
        self.count: int | None = None
        """How many messages are to be received; None: no limit."""
        self.takes = True
        """Whether messages that were returned count as taken, so that they are
        acknowledged and leave the inbox of the node."""
        self._returned: list[str] = []

    @classmethod
    def of(cls, folder: Path) -> Self | None:
        """Return the node of a directory, or None when no process keeps it up.

        Raises
        ------
        LocalError
            When a process does that does not answer, or has another format.
        """
        connection = local_socket.connected(folder, _TIMEOUT_S)
        if connection is None:
            return None
        node = cls(connection, folder)
        try:
            greeting = node._next(_TIMEOUT_S)
        except LinkEndedError:
            # It was about to end.
            connection.close()
            return None
        except BaseException:
            connection.close()
            raise
        if greeting is None or greeting.get("format") != local_lines.FORMAT:
            connection.close()
            message = (
                f"the process that keeps {folder} up does not answer, or is of another "
                "version of samara: restart it"
            )
            raise LocalError(message)
        node.warning = greeting["warning"]
        return node

    def __enter__(self) -> Self:
        return self

    def __exit__(self, error: type[BaseException] | None, *_: object) -> None:
        # After an error it is not known what of it was used.
        if error is None:
            self.close()
        else:
            self._socket.close()

    def close(self) -> None:
        """Take what `receive` returned, and disconnect."""
        self._take()
        self._socket.close()

    def send(
        self,
        message: bytes,
        *,
        to: str | None = None,
        acknowledged: bool = False,
        retries: int = RETRIES,
    ) -> Sent:
        """Have a message sent, as `Node.send`."""
        self._ask(
            {
                "type": "send",
                "hex": message.hex(),
                "to": to,
                "acknowledged": acknowledged,
                "retries": retries,
            }
        )
        try:
            fields = self._answer(None)
        except LinkEndedError:
            text = (
                f"the process that keeps {self._folder} up ended: the message may have "
                "been sent"
            )
            raise NotAcknowledgedError(text) from None
        return local_lines.sent_of(fields)

    def sending(
        self,
        message: bytes,
        *,
        to: str | None = None,
        acknowledged: bool = False,
        retries: int = RETRIES,
    ) -> Generator[Event, None, Sent]:
        """Have a message sent as `Node.sending`; listeners get what arrives then."""
        yield from ()
        return self.send(message, to=to, acknowledged=acknowledged, retries=retries)

    def receive(self, timeout_s: float) -> list[Event]:
        """Wait for something to arrive, as `Node.receive`.

        What was returned before counts as handed on: the process is told, and
        acknowledges it. Messages that are not returned, or that are returned to a
        process which is killed before its next call, are kept for the next listener.

        Raises
        ------
        LinkEndedError
            When the process has ended.
        """
        if not self._is_listening:
            self._ask(
                {
                    "type": "listen",
                    "receipts": self.receipts,
                    "takes": self.takes,
                    "count": self.count,
                }
            )
            self._answer(_TIMEOUT_S)
            self._is_listening = True
        self._take()
        events: list[Event] = []
        while len(events) < _EVENTS_MOST:
            fields = self._next(0 if events else timeout_s)
            if fields is None:
                break
            if (event := local_lines.event_of(fields)) is not None:
                events.append(event)
            if isinstance(event, Received):
                self._returned.append(str(event.id))
        return events

    def _take(self) -> None:
        """Tell the process that what was returned was taken."""
        ids, self._returned = self._returned, []
        if ids and self.takes:
            self._ask({"type": "taken", "ids": ids})

    def status(self) -> dict[str, Any]:
        """Return what the process tells of itself."""
        fields = self._request("status")
        return {name: value for name, value in fields.items() if name != "type"}

    def invite(
        self, name: str | None, ends_s: int | None, *, edhoc: bool = False
    ) -> Invited:
        """Have an invitation drawn, as `Node.invite`; its records are not here."""
        fields = self._request("invite", name=name, ends_s=ends_s, edhoc=edhoc)
        return Invited(fields["invitation"], fields["name"], Change())

    def withdraw(self, name: str) -> None:
        """Have an open invitation removed, as `Node.withdraw`."""
        self._request("withdraw", name=name)

    def take_oscore(self, name: str | None) -> OscoreSecret:
        """Have a secret for OSCORE given out, as `Node.take_oscore`."""
        fields = self._request("take_oscore", name=name)
        names = ("secret", "salt", "sender", "recipient")
        parts = {each: bytes.fromhex(fields[each]) for each in names}
        return OscoreSecret(**parts, generation=fields["generation"])

    def forget(self, name: str) -> Sequence[str]:
        """Have a neighbour removed, as `Node.forget`."""
        notices: list[str] = self._request("forget", name=name)["left_to_do"]
        return notices

    def renew(self, to: str | None = None, *, edhoc: bool = False) -> None:
        """Have a new key asked for, as `Node.renew`."""
        self._request("renew", neighbour=to, edhoc=edhoc)

    def introduce(self, first: str, second: str) -> None:
        """Have two neighbours introduced to each other, as `Node.introduce`."""
        self._request("introduce", first=first, second=second)

    def refused(self, about: Collection[str]) -> Sequence[str]:
        """Return why introductions failed, as `Node.refused`."""
        refused: list[str] = self._request("keys", about=list(about))["refused"]
        return refused

    def wait_for_answers(
        self, timeout_s: float, about: Collection[str] | None = None
    ) -> Sequence[str]:
        """Wait as `Node.wait_for_answers`; listeners get what arrives meanwhile."""
        names = None if about is None else list(about)
        end_s = time.monotonic() + timeout_s
        while True:
            unsettled: list[str] = self._request("keys", about=names)["unsettled"]
            left_s = end_s - time.monotonic()
            if not unsettled or left_s <= 0:
                return unsettled
            time.sleep(min(left_s, _ASKED_AGAIN_S))

    def waiting_for_answers(
        self, timeout_s: float, about: Collection[str] | None = None
    ) -> Generator[Event, None, Sequence[str]]:
        """Wait as `wait_for_answers`; there are no events, which listeners get."""
        yield from ()
        return self.wait_for_answers(timeout_s, about)

    def _request(self, kind: str, **fields: object) -> dict[str, Any]:
        """Ask for something that is answered at once."""
        self._ask({"type": kind, **fields})
        try:
            return self._answer(_TIMEOUT_S)
        except LinkEndedError:
            message = (
                f"the process that keeps {self._folder} up ended: `samara node status` "
                "shows whether it was done"
            )
            raise LocalError(message) from None

    def _ask(self, fields: dict[str, Any]) -> None:
        self._socket.settimeout(_TIMEOUT_S)
        # That it has ended shows when the answer is read.
        with contextlib.suppress(BrokenPipeError, ConnectionResetError):
            try:
                self._socket.sendall(local_lines.line_of(fields))
            except TimeoutError:
                raise self._silent() from None

    def _answer(self, timeout_s: float | None) -> dict[str, Any]:
        fields = self._next(timeout_s)
        if fields is None:
            raise self._silent()
        match fields["type"]:
            case "not_acknowledged":
                raise NotAcknowledgedError(fields["text"])
            case "failed":
                raise MisuseError(fields["text"])
        return fields

    def _silent(self) -> LocalError:
        message = f"the process that keeps {self._folder} up does not answer"
        return LocalError(message)

    def _next(self, timeout_s: float | None) -> dict[str, Any] | None:
        """Return the next object, or None when there is none in time."""
        end_s = None if timeout_s is None else time.monotonic() + timeout_s
        while True:
            end = self._input.find(b"\n", self._searched)
            if end >= 0:
                line, self._searched = bytes(self._input[:end]), 0
                del self._input[: end + 1]
                return local_lines.parse(line)
            self._searched = len(self._input)
            left_s = None if end_s is None else max(end_s - time.monotonic(), 0.0)
            if not select.select([self._socket], [], [], left_s)[0]:
                return None
            try:
                data = self._socket.recv(_READ_SIZE)
            except ConnectionResetError:
                data = b""
            if not data:
                message = f"the process that keeps {self._folder} up has ended"
                raise LinkEndedError(message)
            self._input += data
