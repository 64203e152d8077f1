# SPDX-License-Identifier: Apache-2.0
"""Nodes that stay up: their loop, their socket, and clients of all manners."""

from __future__ import annotations

import json
import os
import select
import socket
import stat
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager
from typing import TYPE_CHECKING, Any

import pytest
from kept_up import PATIENCE_S, Up, line, medium, until
from link_toys import WIRES, Wire, registered
from node_numbers import INTERRUPTED, SENT, counts_in

from samara.errors import MisuseError
from samara.link.node import folder as folders
from samara.link.node import inbox, kinds, local_server, local_socket
from samara.link.node.events import Event, Notice, Received
from samara.link.node.link import LinkEndedError
from samara.link.node.local_client import RemoteNode
from samara.link.node.local_server import LocalServer
from samara.link.node.local_socket import LocalError
from samara.link.node.node import Node
from samara.link.node.sending import NotAcknowledgedError
from samara.link.node.service import QUEUE_MESSAGES, Order, Service

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from samara.link.node.sending import Sent


@pytest.fixture
def where(tmp_path: Path) -> Iterator[dict[str, Any]]:
    """Make nodes `a` and `b`, and return where their medium is."""
    folders.make_pair(tmp_path / "a", "ieee802154", {})
    folders.make_second(tmp_path / "b", tmp_path / "a", {})
    with medium() as options:
        yield options


@pytest.fixture
def pair(tmp_path: Path, where: dict[str, Any]) -> Iterator[tuple[Up, Up]]:
    with Up(tmp_path / "a", where) as a, Up(tmp_path / "b", where) as b:
        yield a, b
    assert a.error is None
    assert b.error is None


def heard(node: RemoteNode, count: int) -> list[bytes]:
    """Wait for so many messages."""
    return [each.message for each in received(node, count)]


def received(node: RemoteNode, count: int) -> list[Received]:
    found: list[Received] = []
    end_s = time.monotonic() + PATIENCE_S
    while len(found) < count and time.monotonic() < end_s:
        found += [e for e in node.receive(0.1) if isinstance(e, Received)]
    return found


def acknowledged(node: RemoteNode, message: bytes, listener: RemoteNode) -> Sent:
    """Send a message, which a listener takes meanwhile; it says so with its next call.

    It has heard the message when this returns.
    """
    with ThreadPoolExecutor() as pool:
        sending = pool.submit(node.send, message, acknowledged=True)
        assert heard(listener, 1) == [message]
        assert not [e for e in listener.receive(0) if isinstance(e, Received)]
        return sending.result(PATIENCE_S)


def narrowed(connection: socket.socket) -> bool:
    """Let little wait in a connection that a node accepts."""
    connection.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, 1)
    return True


def test_all_listeners_receive_what_a_client_sends(pair: tuple[Up, Up]) -> None:
    a, b = pair
    long = bytes(range(256)) * 40
    with a.client() as sender, b.client() as one, b.client() as other:
        other.receipts = False
        for listener in (one, other):
            listener.receive(0)
        sent = sender.send(b"21.5 C")
        assert not sent.is_acknowledged
        (first,) = received(one, 1)
        assert first.message == b"21.5 C"
        assert first.carriers == tuple(each.carrier for each in sent.transmissions)
        assert first.receipt.parts == sent.receipt.parts
        again = acknowledged(sender, long, one)
        assert again.is_acknowledged
        first, second = received(other, 2)
        assert (first.message, second.message) == (b"21.5 C", long)
        assert again.receipt.payloads == len(second.carriers)
        assert b.status()["listeners"] == 2
        assert b.status()["undelivered"] == 0


def test_what_nobody_hears_is_kept_for_the_next_listener(
    pair: tuple[Up, Up], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(inbox, "MESSAGES_MAX", 3)
    a, b = pair
    with a.client() as sender:
        for number in range(5):
            sender.send(b"%d" % number)
        until(lambda: b.status()["undelivered"] == 3)
        with pytest.raises(NotAcknowledgedError, match="keeps the message"):
            sender.send(b"5", acknowledged=True)
    with b.client() as listener:
        listener.count = 2
        events: list[Event] = []
        while len(events) < 3:
            events += listener.receive(PATIENCE_S)
        assert events[0] == Notice("3 messages were dropped: nobody took them")
        assert [e.message for e in events if isinstance(e, Received)] == [b"3", b"4"]
        # It asked for two: the third is for somebody else.
        with b.client() as other:
            assert [(e.message, e.is_repeated) for e in received(other, 3)] == [
                (b"3", True),
                (b"4", True),
                (b"5", False),
            ]
    until(lambda: b.status()["undelivered"] == 0)


def test_a_listener_that_fails_takes_nothing(pair: tuple[Up, Up]) -> None:
    """What it was given may not have come to where it should."""
    a, b = pair

    def fail() -> None:
        with b.client() as listener:
            assert heard(listener, 1) == [b"one"]
            raise ZeroDivisionError

    with a.client() as sender:
        sender.send(b"one")
    with pytest.raises(ZeroDivisionError):
        fail()
    until(lambda: b.status()["listeners"] == 0)
    with b.client() as listener:
        (again,) = received(listener, 1)
        assert (again.message, again.is_repeated) == (b"one", True)
    until(lambda: b.status()["undelivered"] == 0)


def test_a_listener_that_does_not_read_loses_events_and_stops_nobody(
    pair: tuple[Up, Up], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(local_server, "OUTPUT_SIZE_MAX", 1000)
    # As little as the kernel allows waits in the socket, so that short messages fill
    # it: of long ones a busy machine loses frames.
    monkeypatch.setattr(local_socket, "is_allowed", narrowed)
    a, b = pair
    slow = b.raw()
    slow.sendall(b'{"type": "listen"}\n')
    assert json.loads(line(slow)) == {"type": "listening"}
    message = bytes(10_000)
    slow.settimeout(PATIENCE_S)
    with (
        a.client() as sender,
        b.client() as listener,
        slow,
        slow.makefile("rb") as lines,
    ):
        listener.receive(0)
        for _ in range(3):
            acknowledged(sender, message, listener)
        types: list[str] = []
        while "notice" not in types:
            fields = json.loads(lines.readline())
            types.append(fields["type"])
            assert len(types) < 20, types
            # What was dropped is told with the next event that is not.
            sender.send(b"next")
        assert "received" in types
        assert "events were dropped" in fields["text"]
        assert int(fields["text"].split()[0]) > 0


def test_other_events_wait_for_a_listener_in_bounded_memory(
    where: dict[str, Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each event is written to the listener or counted for it."""
    monkeypatch.setattr(local_server, "OUTPUT_SIZE_MAX", 1000)
    with Node(tmp_path / "a", where) as node, ExitStack() as stack:
        server = LocalServer(Service(node, print), tmp_path / "a")
        stack.callback(server.close)
        listener = local_socket.connected(tmp_path / "a", PATIENCE_S)
        assert listener is not None
        stack.enter_context(listener)
        server.work(select.POLLIN)
        (client,) = server._clients  # noqa: SLF001 - no loop runs here
        listener.sendall(b'{"type": "listen"}\n')
        client.work(select.POLLIN)
        for _ in range(100):
            server.take(Notice("x" * 100))
        client.work(select.POLLOUT)
        server.take(Notice("the last"))
        client.close()
        lines = [json.loads(each) for each in listener.makefile("rb")]
    texts = [each["text"] for each in lines if each["type"] == "notice"]
    *text, dropped, last = texts
    assert last == "the last"
    assert set(text) == {"x" * 100}
    assert len(text) < 10
    count = 100 - len(text)
    assert dropped == f"{count} events were dropped: this listener is too slow"


def test_nothing_that_clients_write_ends_the_node(
    pair: tuple[Up, Up], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(local_server, "LINE_SIZE_MAX", 1000)
    _, b = pair
    lines = (
        b"\n",
        b"[]",
        b"[" * 900,
        b"{}",
        b'{"type": 1}',
        b'{"type": "x"}',
        b"\xff",
        b'{"type": "send"}',
        b'{"type": "send", "hex": "0"}',
        b'{"type": "send", "hex": "00", "to": 1}',
        b'{"type": "send", "hex": "00", "to": "nobody"}',
        b'{"type": "send", "hex": "00", "acknowledged": 1}',
        b'{"type": "send", "hex": "00", "retries": -1}',
        b'{"type": "send", "hex": "00", "retries": true}',
        b'{"type": "send", "hex": "00", "retries": 1e3}',
        b'{"type": "listen", "count": 0}',
        b'{"type": "listen", "receipts": "yes"}',
    )
    with b.raw() as client:
        client.settimeout(PATIENCE_S)
        for each in lines:
            client.sendall(each.strip() + b"\n")
            answer = json.loads(line(client))
            assert answer["type"] == "failed", each
            assert answer["text"]
        client.sendall(b'{"type": "status"}\n{"type": "status"}\n')
        assert [json.loads(line(client))["type"] for _ in range(2)] == ["status"] * 2
        client.sendall(bytes(1002))
        assert client.recv(1) == b""
    b.raw().close()
    half = b.raw()
    half.sendall(b'{"type": "se')
    half.close()
    gone = b.raw()
    gone.sendall(b'{"type": "send", "hex": "00", "acknowledged": true, "retries": 0}\n')
    gone.close()
    assert b.status()["pid"] == os.getpid()


def test_there_are_so_many_clients_and_no_more(pair: tuple[Up, Up]) -> None:
    _, b = pair
    with ExitStack() as stack:
        for _ in range(local_server.CLIENTS_MAX):
            client = stack.enter_context(b.raw())
        connection = local_socket.connected(b.folder, PATIENCE_S)
        assert connection is not None
        with connection:
            assert not select.select([connection], [], [], 0.3)[0]
            client.close()
            assert json.loads(line(connection))["type"] == "up"


def test_what_waits_for_an_acknowledgement_stops_nothing_else(
    tmp_path: Path, where: dict[str, Any]
) -> None:
    with Up(tmp_path / "a", where) as a:
        waiting = a.raw()
        waiting.sendall(b'{"type": "send", "hex": "00", "acknowledged": true}\n')
        with a.client() as other:
            until(lambda: other.status()["waiting"] == 1)
        with Node(tmp_path / "b", where) as b, a.client() as listener:
            listener.receive(0)
            b.send(b"hello")
            assert heard(listener, 1) == [b"hello"]
        answer = threading.Thread(target=a.stop)
        answer.start()
        waiting.settimeout(PATIENCE_S)
        assert json.loads(line(waiting)) == {
            "type": "failed",
            "text": "the node was stopped; the message was not sent",
        }
        answer.join()
        waiting.close()
    assert a.error is None


def test_an_absent_receiver_is_reported(tmp_path: Path, where: dict[str, Any]) -> None:
    with (
        Up(tmp_path / "a", where) as a,
        a.client() as sender,
        pytest.raises(NotAcknowledgedError, match="no acknowledgement"),
    ):
        sender.send(b"anybody?", acknowledged=True, retries=0)


def test_clients_notice_the_end(tmp_path: Path, where: dict[str, Any]) -> None:
    with Up(tmp_path / "a", where) as a, a.client() as listener, a.client() as sender:
        listener.receive(0)
        sender.send(b"one")
        a.stop()
        with pytest.raises(LinkEndedError, match="has ended"):
            received(listener, 1)
        with pytest.raises(NotAcknowledgedError, match="may have been sent"):
            sender.send(b"two")
    assert RemoteNode.of(tmp_path / "a") is None
    assert not (tmp_path / "a" / "socket").exists()
    numbers = counts_in(tmp_path / "a")
    assert (numbers[INTERRUPTED], numbers[SENT]) == (0, 1)


def test_a_second_process_is_refused_and_takes_nothing_away(
    tmp_path: Path, where: dict[str, Any]
) -> None:
    with Up(tmp_path / "a", where) as a:
        with Up(tmp_path / "a", where) as second:
            pass
        assert "another process is using the node" in str(second.error)
        a.client().close()


def test_a_socket_that_was_left_is_replaced(
    tmp_path: Path, where: dict[str, Any]
) -> None:
    # As a process leaves it that is killed.
    local_socket.bound(tmp_path / "a").close()
    assert (tmp_path / "a" / "socket").exists()
    assert RemoteNode.of(tmp_path / "a") is None
    with Up(tmp_path / "a", where) as a:
        a.client().close()


def test_only_the_owner_can_connect(tmp_path: Path, where: dict[str, Any]) -> None:
    with Up(tmp_path / "a", where) as a:
        mode = (a.folder / "socket").stat().st_mode
        assert stat.S_IMODE(mode) == 0o600
    (tmp_path / "a").chmod(0o750)
    with pytest.raises(LocalError, match="chmod 700"):
        local_socket.bound(tmp_path / "a")


def test_processes_of_others_are_turned_away(
    pair: tuple[Up, Up], monkeypatch: pytest.MonkeyPatch
) -> None:
    _, b = pair
    monkeypatch.setattr(os, "geteuid", lambda: 1)
    ours, theirs = socket.socketpair()
    with ours, theirs:
        # Root may, whoever the owner is.
        assert local_socket.is_allowed(ours) == (os.getuid() in (0, 1))
    monkeypatch.setattr(local_socket, "is_allowed", lambda _: False)
    connection = local_socket.connected(b.folder, PATIENCE_S)
    assert connection is not None
    with connection:
        assert connection.recv(1) == b""


def test_a_long_path_is_no_hindrance(tmp_path: Path) -> None:
    folder = tmp_path / ("x" * 100) / ("y" * 100)
    folder.mkdir(parents=True)
    folder.chmod(0o700)
    with local_socket.bound(folder) as listening:
        assert (folder / "socket").is_socket()
        connection = local_socket.connected(folder, PATIENCE_S)
        assert connection is not None
        listening.accept()[0].close()
        connection.close()


# The loop, without sockets.


@pytest.fixture
def toys(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Iterator[tuple[Node, Node]]:
    monkeypatch.setattr(kinds, "kinds", registered)
    monkeypatch.setitem(WIRES, "w", Wire())
    folders.make_pair(tmp_path / "a", "toy", {"wire": "w"})
    folders.make_second(tmp_path / "b", tmp_path / "a", {})
    with Node(tmp_path / "a") as a, Node(tmp_path / "b") as b:
        yield a, b


class Source:
    """Sends what is written to a pipe, and takes what begins with its mark."""

    due_s = None

    def __init__(self, node: Node) -> None:
        self._node = node
        self._out, self.pipe = os.pipe()
        self.taken: list[bytes] = []
        self.is_closed = False

    def fileno(self) -> int:
        return self._out

    def wanted(self, *, may_send: bool) -> int:
        return select.POLLIN if may_send else 0

    def work(self, ready: int) -> None:
        assert ready & select.POLLIN
        self._node.send(os.read(self._out, 1))

    def take(self, event: Event) -> bool:
        if not isinstance(event, Received) or event.message[:1] != b"!":
            return False
        self.taken.append(event.message)
        return True

    def close(self) -> None:
        self.is_closed = True
        os.close(self._out)
        os.close(self.pipe)


@contextmanager
def running(service: Service, steps: int) -> Iterator[None]:
    """Let a loop go round so many times."""
    yield
    rounds = iter(range(steps))
    service.run(lambda: next(rounds, None) is None)


def test_attachments_send_and_take(toys: tuple[Node, Node]) -> None:
    a, b = toys
    service, first, second = Service(a, print), Source(a), Source(a)
    service.attach(first)
    service.attach(second)
    with running(service, 8):
        os.write(first.pipe, b"12")
        os.write(second.pipe, b"3")
        b.send(b"!for the first")
        b.send(b"for nobody")
    assert sorted(e.message for e in b.receive(0) if isinstance(e, Received)) == [
        b"1",
        b"2",
        b"3",
    ]
    assert first.taken == [b"!for the first"]
    assert second.taken == []
    assert first.is_closed
    assert second.is_closed


def test_a_line_that_is_busy_holds_sources_back(
    toys: tuple[Node, Node], monkeypatch: pytest.MonkeyPatch
) -> None:
    a, b = toys
    service, source = Service(a, print), Source(a)
    service.attach(source)
    done: list[Any] = []
    with running(service, 3):
        monkeypatch.setattr(type(a.link), "ready_s", time.monotonic() + 1000)
        os.write(source.pipe, b"1")
        service.submit(Order(b"one", done.append))
        b.send(b"!heard all the same")
    assert source.taken == [b"!heard all the same"]
    assert b.receive(0) == []
    assert [str(each) for each in done] == [
        "the node was stopped; the message was not sent"
    ]


def test_no_more_than_a_queue_of_messages_waits(toys: tuple[Node, Node]) -> None:
    a, _ = toys
    service = Service(a, print)
    for _ in range(QUEUE_MESSAGES):
        assert service.has_room
        service.submit(Order(b"", lambda _: None))
    with pytest.raises(MisuseError, match="try again later"):
        service.submit(Order(b"", lambda _: None))


def test_a_message_that_cannot_be_sent_fails_alone(toys: tuple[Node, Node]) -> None:
    a, b = toys
    service = Service(a, print)
    done: list[Any] = []
    with running(service, 4):
        service.submit(Order(bytes(2 << 20), done.append))
        service.submit(Order(b"next", done.append))
    assert "1048576 bytes" in str(done[0])
    assert [e.message for e in b.receive(0) if isinstance(e, Received)] == [b"next"]
