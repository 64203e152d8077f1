# SPDX-License-Identifier: Apache-2.0
"""A node of the toy link as `samara node up` keeps it up, and programs that listen.

All run in the thread of the test, one turn after the other, and talk through the local
socket: a test decides who is killed between which steps.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from link_toys import WIRES
from toy_pair import kill

from samara.link.node import folder as folders
from samara.link.node import local_socket
from samara.link.node.local_server import LocalServer
from samara.link.node.messages import Steady
from samara.link.node.node import Node
from samara.link.node.sending import NotAcknowledgedError
from samara.link.node.service import Service
from samara.link.node.state_file import FILE

if TYPE_CHECKING:
    import socket
    from pathlib import Path

TURNS = 6
"""Turns of everybody in which a message is received, taken and acknowledged."""


@dataclass(frozen=True, slots=True)
class Heard:
    """A message that a listener has used."""

    message: bytes
    name: str
    is_repeated: bool


class Listener:
    """A program that listens at the socket of a node."""

    def __init__(self, folder: Path, **options: Any) -> None:  # noqa: ANN401
        connection = local_socket.connected(folder, 1.0)
        assert connection is not None
        self._socket: socket.socket = connection
        self._socket.setblocking(False)  # noqa: FBT003 - socket's
        self._input = b""
        self.heard: list[Heard] = []
        self.notices: list[str] = []
        self.answers: list[dict[str, Any]] = []
        self.untaken: list[str] = []
        self.takes_at_once = options.get("takes", True)
        self.say({"type": "listen", **options})

    def say(self, fields: dict[str, Any]) -> None:
        self._socket.sendall(json.dumps(fields).encode() + b"\n")

    def turn(self) -> None:
        """Use what has arrived, and say so."""
        for fields in self.lines():
            self.use(fields)
        if self.takes_at_once:
            self.take()

    def lines(self) -> list[dict[str, Any]]:
        try:
            self._input += self._socket.recv(1 << 20)
        except BlockingIOError:
            return []
        *lines, self._input = self._input.split(b"\n")
        return [json.loads(each) for each in lines]

    def use(self, fields: dict[str, Any]) -> None:
        match fields["type"]:
            case "received":
                message = bytes.fromhex(fields["hex"])
                self.heard.append(Heard(message, fields["id"], fields["repeated"]))
                self.untaken.append(fields["id"])
            case "notice":
                self.notices.append(fields["text"])
            case "up" | "listening":
                pass
            case _:
                self.answers.append(fields)

    def take(self) -> None:
        """Say that what was used is taken."""
        if self.untaken:
            self.say({"type": "taken", "ids": self.untaken})
            self.untaken = []

    @property
    def messages(self) -> list[bytes]:
        return [each.message for each in self.heard]

    def kill(self) -> None:
        self._socket.close()


class Home:
    """Node `a`, which sends, and node `b`, which is kept up."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self.wire = WIRES["w"]
        folders.make_pair(folder / "a", "toy", {"wire": "w"})
        folders.make_second(folder / "b", folder / "a", {})
        self.a = Node(folder / "a")
        self.a.stay_up()
        self.listeners: list[Listener] = []
        self.notices: list[str] = []
        self.start()
        self.wire.when_idle = self.turns

    @property
    def b(self) -> Node:
        return self.service.node

    def start(self) -> None:
        self._is_up = True
        self.service = Service(Node(self._folder / "b"), self.notices.append)
        # Nothing is waited for.
        self.service._wait_ms = lambda: 0  # type: ignore[method-assign]  # noqa: SLF001
        self.server = LocalServer(self.service, self._folder / "b")
        self.service.attach(self.server)

    def settle(self) -> None:
        """Let both know of each other that they skip, as after some messages."""
        self.turns()
        for node in (self.a, self.b):
            node.receive(0)
            node._receiver.bounds.take(Steady(asks=False, skips_ids=True), None)  # noqa: SLF001

    def kill(self) -> None:
        """Leave the node as a process leaves it that is killed."""
        kill(self.b.state)
        for client in self.server._clients:  # noqa: SLF001 - as the kernel does
            client._socket.close()  # noqa: SLF001
        self.server._socket.close()  # noqa: SLF001

    def restart(self) -> None:
        self.kill()
        self.start()

    def listen(self, **options: Any) -> Listener:  # noqa: ANN401
        """Let a program listen, and hear what waits."""
        listener = Listener(self._folder / "b", **options)
        self.listeners.append(listener)
        self.turns()
        return listener

    def leave(self, listener: Listener) -> None:
        """Kill a listener."""
        self.listeners.remove(listener)
        listener.kill()

    def turn(self) -> None:
        self.service._serve(self.service._ready())  # noqa: SLF001 - one round of it
        self.service._step()  # noqa: SLF001
        for each in self.listeners:
            each.turn()

    def turns(self) -> None:
        for _ in range(TURNS):
            self.turn()

    def send(self, message: bytes, retries: int = 2) -> str | None:
        """Send an acknowledged message; return why it is not, if it is not."""
        try:
            self.a.send(message, acknowledged=True, retries=retries)
        except NotAcknowledgedError as error:
            return str(error)
        return None

    def files(self) -> dict[Path, bytes]:
        """Return what the files of the state of `b` contain."""
        paths = [self._folder / "b" / name for name in (FILE, f"{FILE}-wal")]
        return {path: path.read_bytes() for path in paths if path.exists()}

    def close_b(self) -> None:
        """End the process that keeps `b` up, in good order."""
        for each in self.listeners:
            each.kill()
        self.listeners.clear()
        if self._is_up:
            self._is_up = False
            self.service._end()  # noqa: SLF001 - as `run` does
            self.b.close()

    def close(self) -> None:
        self.close_b()
        self.a.close()
