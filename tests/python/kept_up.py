# SPDX-License-Identifier: Apache-2.0
"""Nodes that stay up, each in a thread of the test."""

from __future__ import annotations

import contextlib
import json
import threading
import time
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, Self

from samara.link.ieee802154.air.channel import Conditions
from samara.link.ieee802154.air.medium import Medium
from samara.link.node import local_socket
from samara.link.node.events import Received
from samara.link.node.link import LinkEndedError
from samara.link.node.local_client import RemoteNode
from samara.link.node.local_server import LocalServer
from samara.link.node.node import Node
from samara.link.node.service import Service

if TYPE_CHECKING:
    import socket
    from collections.abc import Callable, Iterator
    from pathlib import Path

PATIENCE_S = 60.0


class Up:
    """A node that a thread keeps up."""

    def __init__(self, folder: Path, where: dict[str, Any]) -> None:
        self.folder, self._where = folder, where
        self._is_over, self._is_up = threading.Event(), threading.Event()
        self.notices: list[str] = []
        self.error: BaseException | None = None
        self._thread = threading.Thread(target=self._run)

    def __enter__(self) -> Self:
        self._thread.start()
        assert self._is_up.wait(PATIENCE_S)
        return self

    def __exit__(self, *_: object) -> None:
        self.stop()

    def stop(self) -> None:
        self._is_over.set()
        self._thread.join()

    def _run(self) -> None:
        try:
            # SQLite wants to be used by the thread that opened it.
            with Node(self.folder, self._where) as node:
                service = Service(node, self.notices.append)
                service.attach(LocalServer(service, self.folder))
                node.link.fileno()
                self._is_up.set()
                service.run(self._is_over.is_set)
        except BaseException as error:  # noqa: BLE001 - judged by the test
            self.error = error
        finally:
            self._is_up.set()

    def client(self) -> RemoteNode:
        remote = RemoteNode.of(self.folder)
        assert remote is not None
        return remote

    def status(self) -> dict[str, Any]:
        with self.client() as client:
            return client.status()

    def raw(self) -> socket.socket:
        """Return a connection that has been greeted."""
        connection = local_socket.connected(self.folder, PATIENCE_S)
        assert connection is not None
        assert json.loads(line(connection))["type"] == "up"
        return connection


@contextmanager
def taking(up: Up) -> Iterator[list[Received]]:
    """Listen to a node in a thread, which takes messages; give those it was given."""
    is_over, taken = threading.Event(), list[Received]()

    def take() -> None:
        with contextlib.suppress(LinkEndedError), up.client() as client:
            client.receive(0)
            is_listening.set()
            while not is_over.is_set():
                taken.extend(e for e in client.receive(0.05) if isinstance(e, Received))

    is_listening, thread = threading.Event(), threading.Thread(target=take)
    thread.start()
    assert is_listening.wait(PATIENCE_S)
    try:
        yield taken
    finally:
        is_over.set()
        thread.join()


def line(connection: socket.socket) -> bytes:
    found = b""
    while not found.endswith(b"\n"):
        data = connection.recv(1)
        assert data, found
        found += data
    return found


def until(condition: Callable[[], bool]) -> None:
    end_s = time.monotonic() + PATIENCE_S
    while not condition():
        assert time.monotonic() < end_s
        time.sleep(0.01)


@contextmanager
def medium() -> Iterator[dict[str, Any]]:
    """Run a medium; give the options that say where it is."""
    is_over = threading.Event()
    with Medium("127.0.0.1", 0, Conditions(paced=False)) as air:
        thread = threading.Thread(target=air.run, args=(is_over.is_set,))
        thread.start()
        try:
            yield {"medium": f"127.0.0.1:{air.port}", "paced": False}
        finally:
            is_over.set()
            thread.join()
