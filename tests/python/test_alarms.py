# SPDX-License-Identifier: Apache-2.0
"""What is refused is counted, remembered, and told at a bounded rate."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from samara.link.node.alarms import INTERVAL_S, KEPT, REASON_SIZE_MAX, Alarms, in_words
from samara.link.node.events import Alarm, Lost, Notice, Refused

if TYPE_CHECKING:
    from samara.link.node.events import Event

FLOOD = 25


class Clocks:
    """The clocks of alarms."""

    def __init__(self) -> None:
        self.now_s = 0.0
        self.alarms = Alarms(lambda: self.now_s, lambda: 1e9 + self.now_s)

    def reported(self, *events: Event) -> list[Event]:
        return list(self.alarms.limited(events))


def flood(kind: Alarm = Alarm.REPLAY, count: int = FLOOD) -> list[Refused]:
    return [Refused(f"number {number}", kind) for number in range(count)]


def test_a_flood_is_reported_once_and_then_as_a_number() -> None:
    clocks = Clocks()
    assert clocks.reported(*flood()) == [Refused("number 0", Alarm.REPLAY)]
    clocks.now_s = INTERVAL_S - 0.001
    assert clocks.reported(*flood(count=2)) == []
    clocks.now_s = INTERVAL_S
    (notices,) = clocks.reported()
    assert notices == Refused("number 1", Alarm.REPLAY, FLOOD - 1 + 2)
    assert "replay: number 1 (26 of this kind)" in in_words(notices)
    clocks.now_s = 2 * INTERVAL_S - 0.001
    assert clocks.reported(*flood(count=1)) == []
    clocks.now_s = 2 * INTERVAL_S
    assert clocks.reported() == [Refused("number 0", Alarm.REPLAY)]
    # Nothing is held back now.
    clocks.now_s = 5 * INTERVAL_S
    assert clocks.reported() == []


def test_one_kind_hides_no_other_and_other_events_pass() -> None:
    clocks = Clocks()
    clocks.reported(*flood())
    copy = Refused("a copy", Alarm.COPIED_INVITATION)
    others: list[Event] = [Notice("away"), copy, Lost(2), Notice("back")]
    assert clocks.reported(*others) == others
    assert clocks.reported(*flood(Alarm.NOT_GENUINE, 2), copy) == [
        Refused("number 0", Alarm.NOT_GENUINE)
    ]
    assert clocks.alarms.status()["counts"] == {
        "replay": FLOOD,
        "copied invitation": 2,
        "not genuine": 2,
    }


def test_the_rest_is_reported_at_the_end_once() -> None:
    clocks = Clocks()
    clocks.reported(*flood(), *flood(Alarm.STRANGER, 1))
    assert list(clocks.alarms.rest()) == [
        Refused(f"number {FLOOD - 1}", Alarm.REPLAY, FLOOD - 1)
    ]
    assert list(clocks.alarms.rest()) == []


@pytest.mark.parametrize(("notices", "kept"), [(KEPT, KEPT), (KEPT + 1, KEPT)])
def test_the_last_of_each_kind_are_remembered(notices: int, kept: int) -> None:
    clocks = Clocks()
    clocks.reported(Refused("a copy", Alarm.COPIED_INVITATION))
    for number in range(notices):
        clocks.now_s = number * INTERVAL_S
        clocks.reported(*flood(count=2))
    copy, *last = sorted(
        clocks.alarms.status()["last"], key=lambda each: each["kind"] != copied
    )
    assert copy == {"kind": copied, "reason": "a copy", "count": 1, "time_s": 1e9}
    assert [each["time_s"] for each in last] == [
        1e9 + number * INTERVAL_S for number in range(notices - kept, notices)
    ]
    counts = [1, *([2] * (notices - 1))]
    assert [each["count"] for each in last] == counts[notices - kept :]


copied = Alarm.COPIED_INVITATION.value


@pytest.mark.parametrize("size", [REASON_SIZE_MAX, REASON_SIZE_MAX + 1])
def test_a_reason_that_is_remembered_has_a_bound(size: int) -> None:
    clocks = Clocks()
    clocks.reported(Refused("x" * size))
    (last,) = clocks.alarms.status()["last"]
    assert last["reason"] == "x" * REASON_SIZE_MAX


def test_what_stands_for_others_is_counted_as_them() -> None:
    clocks = Clocks()
    clocks.reported(Refused("many", Alarm.REPLAY, 7), Refused("one", Alarm.REPLAY))
    assert clocks.alarms.status()["counts"] == {"replay": 8}
