# SPDX-License-Identifier: Apache-2.0
"""Frames that others have overtaken: accepted once, and then not counted as lost."""

from __future__ import annotations

import random
import socket
from contextlib import contextmanager
from typing import TYPE_CHECKING

import pytest
from node_numbers import EXPECTED

from samara.link.ieee802154 import Security, TableError
from samara.link.ieee802154.air import zep
from samara.link.node import folder as folders
from samara.link.node.node import Lost, Node, Received, Refused
from samara.link.node.quantities import Value
from samara.link.node.state_file import numbers_in

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from samara.link.node.node import Event

WINDOW = 64


class Air:
    """A medium whose frames a test delivers itself."""

    def __init__(self, medium: socket.socket) -> None:
        self._medium = medium
        self.where = f"127.0.0.1:{medium.getsockname()[1]}"

    def taken(self) -> bytes:
        """Return the next frame that a node sends."""
        while True:
            datagram, _ = self._medium.recvfrom(2048)
            packet = zep.parse(datagram)
            if isinstance(packet, zep.Data):
                return datagram

    def joined(self) -> tuple[str, int]:
        """Return who has said hello."""
        node: tuple[str, int]
        datagram, node = self._medium.recvfrom(2048)
        assert isinstance(zep.parse(datagram), zep.Hello)
        return node

    def deliver(self, node: tuple[str, int], *datagrams: bytes) -> None:
        """Let frames arrive at a node."""
        for datagram in datagrams:
            self._medium.sendto(datagram, node)


@pytest.fixture
def air() -> Iterator[Air]:
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as medium:
        medium.bind(("127.0.0.1", 0))
        medium.settimeout(60)
        yield Air(medium)


def frames_of(folder: Path, air: Air, messages: list[bytes]) -> list[bytes]:
    """Send messages, and return the packets they became."""
    with Node(folder, {"paced": False}) as node:
        frames = []
        for message in messages:
            node.send(message)
            frames.append(air.taken())
    return frames


@contextmanager
def listening(folder: Path, air: Air) -> Iterator[Callable[..., list[Event]]]:
    """Run a node; return what delivers packets to it and returns the events."""
    with Node(folder, {"paced": False}) as node:
        at = air.joined()

        def hear(*datagrams: bytes) -> list[Event]:
            air.deliver(at, *datagrams)
            events: list[Event] = []
            while sum(not isinstance(each, Lost) for each in events) < len(datagrams):
                events += node.receive(1)
            return events

        yield hear


def make(folder: Path, air: Air, **options: object) -> None:
    folders.make_pair(folder / "a", "ieee802154", {"medium": air.where, **options})
    folders.make_second(folder / "b", folder / "a", {})


def received(events: list[Event]) -> list[bytes]:
    return [each.message for each in events if isinstance(each, Received)]


def lost(events: list[Event]) -> int:
    return sum(each.transmissions for each in events if isinstance(each, Lost))


def refused(events: list[Event]) -> int:
    return sum(isinstance(each, Refused) for each in events)


def test_without_the_option_a_late_frame_is_lost_and_refused(
    air: Air, tmp_path: Path
) -> None:
    make(tmp_path, air)
    first, second = frames_of(tmp_path / "a", air, [b"first", b"second"])
    with listening(tmp_path / "b", air) as hear:
        events = hear(second, first)
    assert (received(events), lost(events), refused(events)) == ([b"second"], 1, 1)


def test_with_it_each_frame_is_received_once_or_lost(air: Air, tmp_path: Path) -> None:
    make(tmp_path, air, late_frames=True)
    messages = [b"%d" % number for number in range(300)]
    frames = frames_of(tmp_path / "a", air, messages)
    chance = random.Random(1)  # noqa: S311 - repeatable
    arriving = [number for number in range(300) if chance.random() < 0.8]
    # Each is late by less than the window.
    arriving.sort(key=lambda number: number + chance.random() * 50)
    with listening(tmp_path / "b", air) as hear:
        events = hear(*(frames[number] for number in arriving))
        assert received(events) == [messages[number] for number in arriving]
        assert refused(events) == 0
        again = hear(*frames[-WINDOW:])
        late = [number for number in range(300 - WINDOW, 300) if number not in arriving]
        assert received(again) == [messages[number] for number in late]
    events += again
    gone = [number for number in range(300 - WINDOW - 1) if number not in arriving]
    # One of 64 below the highest, which may be the last or the one before it.
    assert abs(lost(events) - len(gone)) <= 1


def test_the_window_survives_a_restart(air: Air, tmp_path: Path) -> None:
    make(tmp_path, air, late_frames=True)
    frames = frames_of(tmp_path / "a", air, [b"%d" % number for number in range(70)])
    with listening(tmp_path / "b", air) as hear:
        assert received(hear(frames[40], frames[3])) == [b"40", b"3"]
    with listening(tmp_path / "b", air) as hear:
        assert refused(hear(frames[3], frames[40])) == 2
        assert received(hear(frames[4], frames[39])) == [b"4", b"39"]
        events = hear(frames[69])
        # 0 to 4 have left the window; of them, two had arrived.
        assert lost(events) == 3
    with listening(tmp_path / "b", air) as hear:
        assert refused(hear(frames[2], frames[4], frames[5])) == 2
        assert refused(hear(frames[39], frames[40], frames[69])) == 3


def test_after_it_was_interrupted_a_window_is_empty(air: Air, tmp_path: Path) -> None:
    """As when receive counters are reserved ahead, and a node is killed."""
    make(tmp_path, air, late_frames=True)
    frames = frames_of(tmp_path / "a", air, [b"%d" % number for number in range(30)])
    with listening(tmp_path / "b", air) as hear:
        hear(frames[10])
    value = numbers_in(tmp_path / "b")[EXPECTED]
    assert value == Value(11, 2**10 - 1)
    with Node(tmp_path / "b", {"paced": False}) as node:
        air.joined()
        node.state.store({EXPECTED: 20})
    with listening(tmp_path / "b", air) as hear:
        assert refused(hear(*frames[:20])) == 20
        assert received(hear(frames[22], frames[20])) == [b"22", b"20"]


def test_a_state_with_windows_in_python() -> None:
    security = Security(bytes(7) + b"\1", keys=1, devices=1, late=True)
    with pytest.raises(TableError):
        security.missing(0, 0)
    strict = Security(bytes(7) + b"\1", keys=1, devices=1)
    assert strict.missing(0, 0) == 0
