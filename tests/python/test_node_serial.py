# SPDX-License-Identifier: Apache-2.0
"""Nodes at serial ports, in one process: what they count, and how long they wait."""

from __future__ import annotations

import os
import time
from typing import TYPE_CHECKING, Any

import pytest
from links import Cable
from node_numbers import EXPECTED, LOST, RECEIVED, SENT, counts_in

from samara.link.node import folder as folders
from samara.link.node.events import Alarm
from samara.link.node.node import Event, Lost, Node, Received, Refused
from samara.link.node.state import State

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path


@pytest.fixture
def cable() -> Iterator[Cable]:
    with Cable() as cable:
        yield cable


def make(folder: Path, **given: Any) -> None:  # noqa: ANN401 - options of the link
    folders.make_pair(folder / "a", "rf-serial", given, allow_unauthenticated=True)
    folders.make_second(folder / "b", folder / "a", {})


def heard(node: Node, count: int = 1) -> list[Event]:
    events: list[Event] = []
    end_s = time.monotonic() + 60
    while len(events) < count and time.monotonic() < end_s:
        events += node.receive(0.1)
    return events


def test_losses_are_counted_once(cable: Cable, tmp_path: Path) -> None:
    make(tmp_path)
    where = [{"port": port} for port in cable.ports]
    with Node(tmp_path / "b", where[1]) as b:
        with Node(tmp_path / "a", where[0]) as a:
            a.send(b"one")
            assert [type(each) for each in heard(b)] == [Received]
        with State(tmp_path / "a") as state:
            state.counter(SENT).take()
            state.counter(SENT).take()
        with Node(tmp_path / "a", where[0]) as a:
            a.send(b"two")
            first, second = heard(b, 2)
            assert (first, type(second)) == (Lost(2), Received)
            a.send(b"three")
            assert [type(each) for each in heard(b)] == [Received]
            again = a.send(b"four").transmissions[0].carrier.encoded
            assert [type(each) for each in heard(b)] == [Received]
            os.write(a.link.fileno(), again)
            assert heard(b) == [Refused("message 5 was received before", Alarm.REPLAY)]
    numbers = counts_in(tmp_path / "b")
    assert (numbers[LOST], numbers[RECEIVED], numbers[EXPECTED]) == (
        2,
        4,
        6,
    )


def test_totals_outlast_a_node(cable: Cable, tmp_path: Path) -> None:
    make(tmp_path)
    where = [{"port": port} for port in cable.ports]
    for number in range(1, 4):
        with Node(tmp_path / "a", where[0]) as a, Node(tmp_path / "b", where[1]) as b:
            a.send(b"once more")
            assert [type(each) for each in heard(b)] == [Received]
        assert counts_in(tmp_path / "b")[RECEIVED] == number


def test_an_answer_is_awaited_as_long_as_the_line_takes(
    cable: Cable, tmp_path: Path
) -> None:
    make(tmp_path, baud=9600)
    with Node(tmp_path / "a", {"port": cable.ports[0]}) as a:
        assert a.link.answer_time_s == 1.0
        sent = a.send(bytes(950)).transmissions[0].carrier.encoded
        # 10 bits a byte, there and back.
        assert a.link.answer_time_s == pytest.approx(1 + 2 * len(sent) * 10 / 9600)


@pytest.mark.parametrize("framing", ["plain", "cbc-hex", "cbc-hex-padded"])
def test_what_has_no_counters_is_received_without(
    framing: str, cable: Cable, tmp_path: Path
) -> None:
    make(tmp_path, framing=framing)
    ports = cable.ports
    with (
        Node(tmp_path / "a", {"port": ports[0]}) as a,
        Node(tmp_path / "b", {"port": ports[1]}) as b,
    ):
        for _ in range(2):
            a.send(b"21.5 C")
            (event,) = heard(b)
            assert isinstance(event, Received)
            assert event.message == b"21.5 C"
    assert EXPECTED not in counts_in(tmp_path / "b")


def test_messages_without_marks_are_kept_apart(cable: Cable, tmp_path: Path) -> None:
    make(tmp_path, framing="plain")
    with Node(tmp_path / "a", {"port": cable.ports[0]}) as a:
        a.send(b"one")
        ready_s = a.link.ready_s
        a.send(b"two")
        assert time.monotonic() >= ready_s > 0
