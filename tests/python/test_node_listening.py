# SPDX-License-Identifier: Apache-2.0
"""`samara.link.node.listening`, and the records of what is heard and sent."""

from __future__ import annotations

import json
import time
from typing import TYPE_CHECKING, Any

import pytest

from samara.figure import Figure, Origin
from samara.link.node.events import Alarm, Incomplete, Lost, Notice, Received, Refused
from samara.link.node.folder import make_pair, make_second
from samara.link.node.listening import Ready, listen
from samara.link.node.message_records import record_of, record_of_sent
from samara.link.node.node import Node
from samara.records.json_lines import record_line

if TYPE_CHECKING:
    from pathlib import Path

    from quiet_air import Air

    from samara.link.node.events import Event
    from samara.link.node.receipt import Receipt

FIRST, SECOND = b"21.5 C", b"\x1b\xff22 C"


@pytest.fixture
def pair(tmp_path: Path, air: Air) -> tuple[Path, Path]:
    assert not air.sent
    first, second = tmp_path / "first", tmp_path / "second"
    make_pair(first, "ieee802154", {"level": 5}, witnesses=tmp_path / "witnesses")
    make_second(second, first, {}, tmp_path / "witnesses")
    return first, second


def heard(pair: tuple[Path, Path], **limits: Any) -> list[Event]:  # noqa: ANN401 - of `listen`
    """Let one node listen, and the other one send two messages when it is ready."""
    with Node(pair[0]) as sender:
        limits.setdefault("timeout_s", 20.0)
        events: list[Event] = []
        for each in listen(pair[1], **limits):
            if isinstance(each, Ready):
                assert each.warning is None
                sender.send(FIRST)
                sender.send(SECOND)
            else:
                events.append(each)
        return events


def test_a_listener_ends_after_its_count(pair: tuple[Path, Path], air: Air) -> None:
    begin_s = time.monotonic()
    events = heard(pair, count=2)
    assert [each.message for each in events if isinstance(each, Received)] == [
        FIRST,
        SECOND,
    ]
    assert air.radios == []
    assert time.monotonic() - begin_s < 20


def test_a_listener_ends_after_its_time(pair: tuple[Path, Path]) -> None:
    events = heard(pair, count=3, timeout_s=0.3)
    assert len(events) == 2
    assert heard(pair, timeout_s=0.0) == []


def test_a_listener_ends_when_it_is_told(pair: tuple[Path, Path]) -> None:
    asked: list[None] = []

    def is_over() -> bool:
        asked.append(None)
        return len(asked) > 1

    begin_s = time.monotonic()
    assert len(heard(pair, is_over=is_over)) == 2
    assert time.monotonic() - begin_s < 20
    assert len(asked) == 2


def test_a_message_received_is_a_record(pair: tuple[Path, Path], air: Air) -> None:
    _, event = heard(pair, count=2)
    assert isinstance(event, Received)
    fields = json.loads(record_line(record_of(event)))
    receipt = fields.pop("receipt")
    assert fields == {
        "type": "received",
        "source": None,
        "to_all": False,
        "id": None,
        "repeated": False,
        "bytes": 6,
        "hex": "1bff32322043",
        "text": "\x1b\\xff22 C",
        "air": [air.sent[1].hex()],
        "clock_s": event.clock_s,
    }
    assert list(receipt)[:4] == ["link", "direction", "protection", "suite"]
    assert receipt["direction"] == "received"
    assert receipt["parts"]["message"] == 6
    assert receipt["units"][0]["bytes"] == len(air.sent[1])
    assert receipt["calls"][0]["verb"] == "open"


def test_a_message_sent_is_a_record_with_what_it_cost(
    pair: tuple[Path, Path], air: Air
) -> None:
    cost = Figure(2.0, "J", Origin.ASSUMED, "a test")

    def costed(receipt: Receipt) -> Receipt:
        return receipt.with_figures({"crypto_energy": cost})

    with Node(pair[0]) as sender:
        sent = sender.send(FIRST)
    fields = json.loads(record_line(record_of_sent(sent, costed)))
    receipt = fields.pop("receipt")
    assert fields == {
        "type": "sent",
        "air": [air.sent[0].hex()],
        "attempts": [1],
        "clock_s": sent.clock_s,
        "acknowledged": False,
        "frames_missed": 0,
        "device_samples": None,
    }
    assert receipt["figures"]["crypto_energy"]["value"] == 2.0
    assert receipt["link_bytes"] == len(air.sent[0])


@pytest.mark.parametrize(
    ("event", "line"),
    [
        (Lost(3, "bob"), '{"type": "lost", "transmissions": 3, "source": "bob"}'),
        (Incomplete(2), '{"type": "incomplete", "missing": 2, "source": null}'),
        (
            Refused("old", Alarm.REPLAY, 4),
            '{"type": "refused", "reason": "old", "kind": "replay", "count": 4}',
        ),
        (Notice("it is away"), '{"type": "notice", "text": "it is away"}'),
    ],
    ids=lambda value: type(value).__name__,
)
def test_other_events_are_records(event: Event, line: str) -> None:
    assert record_line(record_of(event)) == line
