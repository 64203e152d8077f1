# SPDX-License-Identifier: Apache-2.0
"""A serial line that is slow, or stands still, ends no node."""

from __future__ import annotations

import contextlib
import os
import threading
import time
import tty
from types import SimpleNamespace
from typing import TYPE_CHECKING

import pytest

from samara.link.node import folder as folders
from samara.link.node import serial_line as lines
from samara.link.node.events import Received
from samara.link.node.link import LinkError
from samara.link.node.node import Node
from samara.link.node.serial_line import AHEAD_S, STALL_S, Line, StallError
from samara.link.rfserial.modem import Pair, Settings
from samara.link.rfserial.modem_ports import Ports

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

BAUD = 9600


class Clock:
    """Time that passes when it is slept, and a port that takes what it is told to."""

    def __init__(self, port: int) -> None:
        self.now_s = 100.0
        self.takes = 1 << 30
        self.written: list[tuple[float, int]] = []
        self._port = port
        self.baudrate = BAUD

    def monotonic(self) -> float:
        return self.now_s

    def sleep(self, time_s: float) -> None:
        self.now_s += time_s

    def fileno(self) -> int:
        return self._port

    def write(self, _: int, data: bytes) -> int:
        if not self.takes:
            raise BlockingIOError
        taken = min(self.takes, len(data))
        self.written.append((self.now_s, taken))
        return taken


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    clock = Clock(0)
    monkeypatch.setattr(lines, "time", clock)
    monkeypatch.setattr(lines, "os", SimpleNamespace(write=clock.write))
    return clock


def test_a_line_is_never_far_ahead(clock: Clock) -> None:
    line = Line(clock)
    line.put(bytes(2000))
    assert line.unwritten == 2000 - int(AHEAD_S * BAUD / 10)
    assert line.ready_s > clock.now_s + 1
    line.wait()
    assert sum(size for _, size in clock.written) == 2000
    start_s = clock.written[0][0]
    sent = 0
    for at_s, size in clock.written:
        sent += size
        assert sent * 10 / BAUD <= at_s - start_s + AHEAD_S + 1e-9
    # All but what may be ahead is over by then, and the line was never idle.
    assert clock.now_s - start_s == pytest.approx(2000 * 10 / BAUD - AHEAD_S, abs=0.1)
    assert line.ready_s <= clock.now_s


def test_a_port_that_takes_nothing_is_given_up(clock: Clock) -> None:
    line = Line(clock)
    clock.takes = 0
    line.put(bytes(10))
    with pytest.raises(StallError, match="10 were dropped"):
        line.wait()
    assert STALL_S < clock.now_s - 100 < STALL_S + 1
    assert line.unwritten == 0
    before_s = clock.now_s
    with pytest.raises(StallError):
        line.put(bytes(10))
    assert clock.now_s == before_s
    clock.takes = 5
    line.put(bytes(10))
    line.wait()
    assert sum(size for _, size in clock.written) == 10


@pytest.fixture
def modems() -> Iterator[Ports]:
    """Two modems of 9600 baud, and as slow on the air."""
    is_over = threading.Event()
    with Ports(Pair(Settings(baud=BAUD))) as ports:
        thread = threading.Thread(target=ports.run, args=(is_over.is_set,))
        thread.start()
        yield ports
        is_over.set()
        thread.join()


def test_more_than_the_line_carries_is_neither_lost_nor_the_end(
    modems: Ports, tmp_path: Path
) -> None:
    folders.make_pair(tmp_path / "a", "rf-serial", {"baud": BAUD})
    folders.make_second(tmp_path / "b", tmp_path / "a", {})
    messages = [bytes([number]) * 300 for number in range(8)]
    with (
        Node(tmp_path / "a", {"port": modems.paths[0]}) as a,
        Node(tmp_path / "b", {"port": modems.paths[1]}) as b,
    ):
        a.waits_for_line = False
        heard: list[bytes] = []
        left = list(messages)
        end_s = time.monotonic() + 60
        while len(heard) < len(messages) and time.monotonic() < end_s:
            if left and time.monotonic() >= a.link.ready_s:
                a.send(left.pop(0))
            a.receive(0)
            heard += [e.message for e in b.receive(0.02) if isinstance(e, Received)]
    assert heard == messages
    assert modems.overruns == 0


def fill(terminal: int) -> None:
    """Write to a terminal that does not block until it takes no more."""
    with contextlib.suppress(BlockingIOError):
        while True:
            os.write(terminal, bytes(4096))


def test_a_modem_that_is_stuck_is_reported_and_receiving_goes_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(lines, "STALL_S", 0.2)
    folders.make_pair(tmp_path / "a", "rf-serial", {})
    ours, theirs = os.openpty()
    tty.setraw(theirs)
    where = {"port": os.ttyname(theirs)}
    with Node(tmp_path / "a", where) as a:
        os.set_blocking(theirs, False)
        a.waits_for_line = False
        notices: list[str] = []
        end_s = time.monotonic() + 60
        while not notices and time.monotonic() < end_s:
            # Nobody reads: the terminal fills, and then nothing goes out. The system
            # may make room a little later, so that a message still gets through.
            fill(theirs)
            if not a.link.ready_s:
                a.send(b"21.5 C")
            notices += [each.text for each in a.receive(0.05)]  # type: ignore[union-attr]
        assert "takes no bytes" in notices[0]
        with pytest.raises(LinkError, match="takes no bytes"):
            a.send(b"again")
    os.close(ours)
    os.close(theirs)
