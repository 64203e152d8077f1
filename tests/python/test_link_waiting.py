# SPDX-License-Identifier: Apache-2.0
"""A loop can wait for a link: its descriptor is readable when something has arrived."""

from __future__ import annotations

import os
import select
import threading
import time
import tty
from contextlib import ExitStack, contextmanager
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

import pytest
from link_toys import WIRES, Wire, registered
from links import Cable

from samara.link.ieee802154.air.channel import Conditions
from samara.link.ieee802154.air.medium import Medium
from samara.link.node import folder as folders
from samara.link.node import kinds
from samara.link.node.node import Node, Received
from samara.phy.station import Inbox, ReceivedBurst

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

PATIENCE_S = 60


@contextmanager
def medium() -> Iterator[str]:
    is_over = threading.Event()
    with Medium("127.0.0.1", 0, Conditions(paced=False)) as running:
        thread = threading.Thread(target=running.run, args=(is_over.is_set,))
        thread.start()
        try:
            yield f"127.0.0.1:{running.port}"
        finally:
            is_over.set()
            thread.join()


@pytest.fixture(params=["ieee802154", "rf-serial", "toy"])
def pair(
    request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Iterator[tuple[Node, Node]]:
    link: str = request.param
    given: dict[str, Any] = {}
    where: list[dict[str, Any]] = [{}, {}]
    with ExitStack() as stack:
        if link == "ieee802154":
            where = [{"medium": stack.enter_context(medium())}] * 2
        elif link == "rf-serial":
            ports = stack.enter_context(Cable()).ports
            where = [{"port": port} for port in ports]
        else:
            monkeypatch.setattr(kinds, "kinds", registered)
            monkeypatch.setitem(WIRES, "w", Wire())
            given = {"wire": "w"}
        folders.make_pair(tmp_path / "a", link, given)
        folders.make_second(tmp_path / "b", tmp_path / "a", {})
        a, b = (
            stack.enter_context(Node(tmp_path / end, each))
            for end, each in zip("ab", where, strict=True)
        )
        yield a, b


def is_readable(node: Node, timeout_s: float) -> bool:
    return bool(select.select([node.link], [], [], timeout_s)[0])


def test_a_link_is_readable_when_a_message_has_arrived(pair: tuple[Node, Node]) -> None:
    a, b = pair
    b.receive(0)
    assert not is_readable(b, 0)
    for text in (b"one", b"two"):
        a.send(text)
        heard: list[Any] = []
        end_s = time.monotonic() + PATIENCE_S
        while not heard and time.monotonic() < end_s:
            assert is_readable(b, PATIENCE_S)
            heard += [e.message for e in b.receive(0) if isinstance(e, Received)]
        assert heard == [text]
        assert not is_readable(b, 0)


def test_the_queue_of_bursts_is_readable_while_bursts_wait_and_at_the_end() -> None:
    inbox = Inbox()

    def readable() -> bool:
        return bool(select.select([inbox], [], [], 0)[0])

    heard = ReceivedBurst(None, 0.0, 0.0)  # type: ignore[arg-type] # the bits do not matter
    assert not readable()
    inbox.put(heard)
    inbox.put(heard)
    assert readable()
    assert inbox.take(0, 1) == [heard]
    assert readable()
    assert inbox.take(0, 9) == [heard]
    assert not readable()
    inbox.end()
    assert readable()
    assert inbox.take(0, 9) == []
    assert readable()
    inbox.close()
    inbox.put(heard)


def test_a_call_that_does_not_wait_cuts_no_message(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The framing `plain` knows the end of a message by silence alone."""
    folders.make_pair(
        tmp_path / "a", "rf-serial", {"framing": "plain"}, allow_unauthenticated=True
    )
    clock = SimpleNamespace(now_s=100.0)
    clock.monotonic = lambda: clock.now_s
    monkeypatch.setattr("samara.link.rfserial.end.time", clock)
    ours, theirs = os.openpty()
    tty.setraw(theirs)
    with Node(tmp_path / "a", {"port": os.ttyname(theirs)}) as node:
        for piece in (b"21", b".5 C"):
            os.write(ours, piece)
            assert is_readable(node, PATIENCE_S)
            for _ in range(3):
                assert node.receive(0) == []
            clock.now_s += 0.1
        clock.now_s += 0.1
        (event,) = node.receive(0)
    os.close(ours)
    os.close(theirs)
    assert isinstance(event, Received)
    assert event.message == b"21.5 C"
