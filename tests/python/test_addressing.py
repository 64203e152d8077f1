# SPDX-License-Identifier: Apache-2.0
"""Messages to and from several neighbours, whatever link they share."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import link_toys
import pytest
from link_toys import Wire
from node_numbers import IDS, SENT

from samara.link.node import folder as folders
from samara.link.node import kinds, messages
from samara.link.node.carriers import Carrier
from samara.link.node.link import (
    BROADCAST,
    Arrival,
    Batch,
    Link,
    NeighbourError,
    Transmission,
)
from samara.link.node.messages import Ack, DeliveryStatus, Part
from samara.link.node.node import Event, Incomplete, Lost, Node, Received
from samara.link.node.quantities import Number, Quantity
from samara.link.node.receipt import Direction, Receipt
from samara.link.node.receiving import Receiver
from samara.link.node.sending import NotAcknowledgedError, Sender
from samara.link.node.state import State

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path


@dataclass
class Bus(Link):
    """A link with neighbours; the test plays all of them."""

    kind = "bus"
    payload_size = 20
    answer_time_s = 0.0
    sent: list[tuple[str | None, messages.Payload]] = field(default_factory=list)
    waiting: list[Arrival] = field(default_factory=list)

    def fileno(self) -> int:
        message = "no test waits for a bus"
        raise AssertionError(message)

    def named(self, to: str | None) -> str | None:
        return to

    def send(self, payload: bytes, to: str | None = None) -> Transmission:
        self.sent.append((to, messages.parse(payload)))
        return Transmission(len(self.sent), Carrier(len(payload), payload), 0.0)

    def receive(self, timeout_s: float) -> Batch:
        del timeout_s
        batch, self.waiting = Batch(self.waiting), []
        return batch

    def receipt(
        self,
        direction: Direction,
        message: bytes,
        carriers: Sequence[Carrier],
        time_s: float | None,
        answers: Sequence[int] = (),
    ) -> Receipt:
        del time_s, answers
        return Receipt(
            link="bus",
            direction=direction,
            protection="none",
            suite=None,
            parts={"message": len(message)},
            packets=len(carriers),
            payloads=1,
        )

    def close(self) -> None:
        pass

    def arrives(self, source: str, payload: messages.Payload) -> None:
        data = messages.build(payload)
        self.waiting.append(Arrival(data, Carrier(len(data), data), source))


@dataclass
class End:
    """Both sides of a node on a bus."""

    bus: Bus
    state: State
    was_interrupted: bool = False
    events: list[Event] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.sender = Sender(
            self.bus,
            self.state.counter(IDS),
            was_interrupted=self.was_interrupted,
            receive=self.receive,
        )
        self.receiver = Receiver(self.bus, self.state, self.sender)

    def receive(self, timeout_s: float = 0.0) -> None:
        self.events += self.receiver.receive(timeout_s)

    def messages(self) -> list[tuple[str | None, bytes]]:
        received = [event for event in self.events if isinstance(event, Received)]
        return [(event.source, event.message) for event in received]


@pytest.fixture
def end(tmp_path: Path) -> Iterator[End]:
    State.make(tmp_path)
    with State(tmp_path) as state:
        yield End(Bus(), state)


def part(message_id: int, number: int, data: bytes, *, last: bool) -> Part:
    return Part(message_id, number, data, last, wants_ack=last, is_acknowledged=True)


def test_parts_of_two_neighbours_are_interleaved(end: End) -> None:
    """Both use the same id, which is unique at its sender only."""
    for number, last in ((0, False), (1, True)):
        for source in ("bob", "carol"):
            data = f"{source} {number} ".encode()
            end.bus.arrives(source, part(7, number, data, last=last))
    end.receive()
    assert end.messages() == [("bob", b"bob 0 bob 1 "), ("carol", b"carol 0 carol 1 ")]
    assert not any(isinstance(event, Incomplete) for event in end.events)
    end.receiver.confirm()
    delivered = Ack(7, DeliveryStatus.DELIVERED)
    assert end.bus.sent == [("bob", delivered), ("carol", delivered)]


def test_ids_of_one_neighbour_do_not_hide_those_of_another(end: End) -> None:
    end.bus.arrives("bob", part(900, 0, b"high", last=True))
    end.bus.arrives("carol", part(5, 0, b"low", last=True))
    end.receive()
    end.receiver.confirm()
    end.bus.arrives("bob", part(900, 0, b"high", last=True))
    end.bus.arrives("carol", part(6, 0, b"next", last=True))
    end.receive()
    assert end.messages() == [("bob", b"high"), ("carol", b"low"), ("carol", b"next")]


def test_another_neighbour_confirms_nothing(end: End) -> None:
    def answer(timeout_s: float) -> Batch:
        del timeout_s
        sent = [each for _, each in end.bus.sent if isinstance(each, Part)]
        for each in sent[-1:]:
            end.bus.arrives("mallory", Ack(each.message_id, DeliveryStatus.DELIVERED))
        batch, end.bus.waiting = Batch(end.bus.waiting), []
        return batch

    end.bus.receive = answer  # type: ignore[method-assign] # the test's own
    end.bus.answer_time_s = 0.01
    steps = end.sender.delivering(b"hello", "bob", 0)
    assert next(steps) == 0.01
    end.receive()
    assert not end.sender.has_ack
    with pytest.raises(NotAcknowledgedError):
        next(steps)


def test_each_neighbour_is_told_of_an_interruption_once(tmp_path: Path) -> None:
    State.make(tmp_path)
    with State(tmp_path) as state:
        end = End(Bus(), state, was_interrupted=True)
        for to in ("bob", "carol", "bob"):
            assert list(end.sender.delivering(b"hello", to)) == []
    receivers = [
        to for to, each in end.bus.sent if isinstance(each, messages.Restarted)
    ]
    assert receivers == ["bob", "carol"]
    assert len(end.bus.sent) == 5


def test_a_broadcast_is_not_acknowledged(end: End) -> None:
    with pytest.raises(NeighbourError, match="not acknowledged"):
        next(end.sender.delivering(b"hello", BROADCAST, 0))
    assert not end.bus.sent


def test_counters_that_are_used_up_are_reserved_together(tmp_path: Path) -> None:
    State.make(tmp_path)
    with State(tmp_path) as state:
        bob = Number(Quantity.SENT, "bob")
        counters = [state.counter(each) for each in (SENT, IDS, bob)]
        for _ in range(1000):
            assert len({each.take() for each in counters}) == 1
        assert state.durable_writes == 1
        assert [each.take() for each in counters] == [1000] * 3
        assert state.durable_writes == 2


@pytest.fixture
def pair(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    monkeypatch.setattr(kinds, "kinds", link_toys.registered)
    folders.make_pair(tmp_path / "a", "toy", {"wire": "only"})
    folders.make_second(tmp_path / "b", tmp_path / "a", {})
    link_toys.WIRES["only"] = Wire()
    yield tmp_path
    del link_toys.WIRES["only"]


@pytest.mark.parametrize("to", ["bob", BROADCAST])
def test_a_link_of_two_ends_takes_no_names(to: str, pair: Path) -> None:
    with Node(pair / "a") as a, pytest.raises(NeighbourError, match="joins two nodes"):
        a.send(b"hello", to=to)
    assert not link_toys.WIRES["only"].sent


def test_ids_go_on_above_the_counters_that_they_used_to_be(pair: Path) -> None:
    with State(pair / "a") as state:
        state.store({SENT: 70})
    with Node(pair / "a") as a:
        a.send(bytes(50))
    sent = link_toys.WIRES["only"].waiting["b"]
    with Node(pair / "b") as b:
        assert [type(each) for each in b.receive(0)] == [Lost, Received]
    assert not sent
    with State(pair / "a") as state:
        assert state.get(IDS) == 71
