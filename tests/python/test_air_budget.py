# SPDX-License-Identifier: Apache-2.0
"""The duty cycle of a region: kept in each hour, stored before anything is sent."""

from __future__ import annotations

import itertools
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from links import Cable

from samara.link.node import folder as folders
from samara.link.node.events import Notice
from samara.link.node.link import LinkError
from samara.link.node.node import Node
from samara.link.node.state import State
from samara.link.rfserial.modules import air_budget
from samara.link.rfserial.modules.air_budget import HOUR_S, AirBudget
from samara.link.rfserial.modules.regions import Region

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

REGION = Region("toy", "a toy", 0.01, "a toy")


class Store:
    """Keeps records in memory."""

    def __init__(self) -> None:
        self._records: dict[str, Any] = {}

    def records(self) -> Mapping[str, Any]:
        return self._records

    def store(self, numbers: Mapping[Any, Any], records: Mapping[str, Any]) -> None:
        assert numbers == {}
        self._records.update(records)


class Clock:
    """A clock that is set by hand."""

    def __init__(self, now_s: float = 1.8e9) -> None:
        self.now_s = now_s

    def __call__(self) -> float:
        return self.now_s


def most_in_an_hour(sent: list[tuple[float, float]]) -> float:
    """Return the longest time on the air in an hour, wherever it begins."""
    return max(
        sum(on_s for when, on_s in sent if begin <= when < begin + HOUR_S)
        for begin, _ in sent
    )


@given(
    st.lists(st.tuples(st.floats(0, 900), st.floats(0.01, 36)), min_size=1, max_size=60)
)
def test_no_hour_has_more_than_its_share(steps: list[tuple[float, float]]) -> None:
    clock, store = Clock(), Store()
    sent: list[tuple[float, float]] = []
    for pause_s, air_s in steps:
        # A new object each time: as after a restart.
        wait_s = AirBudget(store, REGION, clock).book(air_s)
        clock.now_s += wait_s
        sent.append((clock.now_s, air_s))
        clock.now_s += pause_s
    assert most_in_an_hour(sent) <= 36 + 1e-6
    assert len(store.records()[air_budget.RECORD]["sent"]) <= 722


def test_what_fits_does_not_wait_and_the_rest_waits_as_long_as_needed() -> None:
    clock = Clock(1.8e9)
    budget = AirBudget(Store(), REGION, clock)
    assert [budget.book(12) for _ in range(3)] == [0, 0, 0]
    assert budget.used_s() == 36
    # An hour after the first, and up to ten seconds because times are rounded up.
    assert HOUR_S <= budget.book(1) <= HOUR_S + 10
    clock.now_s += 2 * HOUR_S + 20
    assert budget.used_s() == 0
    assert budget.book(36) == 0


def test_what_never_fits_is_refused_and_does_not_count() -> None:
    budget = AirBudget(Store(), REGION, Clock())
    with pytest.raises(LinkError, match="takes 40 s on the air, and toy allows 36 s"):
        budget.book(40)
    assert budget.used_s() == 0


def test_what_was_booked_for_later_is_in_front() -> None:
    clock = Clock()
    budget = AirBudget(Store(), REGION, clock)
    budget.book(30)
    later_s = budget.book(20)
    assert later_s >= HOUR_S
    # It would fit now, and would change the order.
    assert budget.book(1) >= later_s - 10


def test_a_clock_that_is_set_back_blocks_for_no_more_than_two_hours() -> None:
    clock = Clock()
    budget = AirBudget(Store(), REGION, clock)
    budget.book(36)
    clock.now_s -= 1e8
    assert budget.book(1) <= 2 * HOUR_S + 20


def test_a_node_knows_after_a_restart_what_was_sent(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    given: dict[str, Any] = {"module": "hc-12-fu4", "region": "eu433"}
    folders.make_pair(tmp_path / "a", "rf-serial", given)
    with Cable() as cable:
        where = {"port": cable.ports[0]}
        for count in itertools.count(1):
            with Node(tmp_path / "a", where) as a:
                a.waits_for_line = False
                a.send(bytes(20))
            with State(tmp_path / "a") as state:
                (entry,) = state.records()[air_budget.RECORD]["sent"][:1]
            assert entry[1] > 0.7
            if count == 2:
                break
    with State(tmp_path / "a") as state:
        used = sum(on_s for _, on_s in state.records()[air_budget.RECORD]["sent"])
    # 35 bytes and 13 around them, at 500 bit/s.
    assert used == pytest.approx(2 * 48 * 8 / 500)
    wait_s = waited(tmp_path / "a", monkeypatch)
    assert "duty cycle of eu433 (10 % of an hour) is used up" in wait_s


def waited(folder: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """Return what a node says that has used its hour up; nothing leaves it."""
    with State(folder) as state:
        record = state.records()[air_budget.RECORD]
        when = record["sent"][-1][0]
        state.store({}, {air_budget.RECORD: {"sent": [[when, 360.0]]}})
    with Cable() as cable, Node(folder, {"port": cable.ports[0]}) as a:
        flushed: list[int] = []
        monkeypatch.setattr(a.link, "flush", lambda: flushed.append(1))
        (notice,) = list(a.sending(b"more"))
        assert isinstance(notice, Notice)
        assert flushed == [1]
        # The parts of a message wait together; a loop is told when to come again.
        assert a.link.ready_s > 3000
        assert a.receive(0) == []
        return notice.text
