# SPDX-License-Identifier: Apache-2.0
"""Receive counters with a durable bound: few writes, no replay, nothing lost."""

from __future__ import annotations

import contextlib
from typing import TYPE_CHECKING

import pytest
from link_toys import WIRES, Wire, registered
from node_numbers import EXPECTED, RECEIVED, SENT, counts_in
from toy_pair import Machine, Two, kill

from samara.link.node import bounds, kinds, messages
from samara.link.node.counter import SKIPPED_MAX
from samara.link.node.messages import Restarted, Skip, Steady
from samara.link.node.quantities import Number, Quantity, Value
from samara.link.node.state import RECEIVED_AHEAD, State
from samara.link.node.state_file import FILE
from samara.link.node.witness import Witness

if TYPE_CHECKING:
    from pathlib import Path

MESSAGES = 1000


@pytest.fixture(autouse=True)
def machine(monkeypatch: pytest.MonkeyPatch) -> Machine:
    return Machine(monkeypatch)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    State.make(tmp_path)
    return tmp_path


def advance(state: State, count: int) -> None:
    first = state.get(EXPECTED) or 0
    for value in range(first + 1, first + 1 + count):
        state.advance({EXPECTED: value}, {EXPECTED: RECEIVED_AHEAD}, {RECEIVED: value})


def test_most_values_are_not_waited_for_and_survive_a_kill(folder: Path) -> None:
    state = State(folder)
    advance(state, MESSAGES)
    assert state.durable_writes == -(-MESSAGES // (RECEIVED_AHEAD + 1))
    assert counts_in(folder)[EXPECTED] == MESSAGES
    kill(state)
    with State(folder) as again:
        assert (again.get(EXPECTED), again.get(RECEIVED)) == (MESSAGES, MESSAGES)
        assert again.skipped(EXPECTED) is None
        advance(again, 1)
        assert again.durable_writes == 0


def test_a_good_end_needs_no_notes(folder: Path, machine: Machine) -> None:
    with State(folder) as state:
        advance(state, 3)
    machine.restart()
    with State(folder) as again:
        assert again.get(EXPECTED) == 3
        assert again.skipped(EXPECTED) is None


def test_after_a_power_failure_numbers_continue_at_their_bounds(
    folder: Path, machine: Machine
) -> None:
    state = State(folder)
    assert state.counter(SENT).take() == 0
    advance(state, 3)
    kill(state)
    machine.restart()
    for _ in range(2):
        # Killed again before anything has arrived.
        state = State(folder)
        assert state.get(EXPECTED) == 1 + RECEIVED_AHEAD
        assert state.skipped(EXPECTED) == 1 + RECEIVED_AHEAD
        assert state.counter(SENT).next == 1000 + RECEIVED_AHEAD
        kill(state)
    with State(folder) as state:
        advance(state, 1)
        assert state.skipped(EXPECTED) is None
    with State(folder) as state:
        assert state.get(EXPECTED) == 2 + RECEIVED_AHEAD
        assert state.counter(SENT).next == 1000


def test_other_numbers_are_not_taken_for_the_one_that_has_risen(
    folder: Path, machine: Machine
) -> None:
    state = State(folder)
    one, other = (Number(Quantity.EXPECTED, name) for name in ("one", "other"))
    for each in (one, other):
        state.advance({each: 1}, {each: RECEIVED_AHEAD})
        state.advance({each: 2}, {each: RECEIVED_AHEAD})
    kill(state)
    machine.restart()
    state = State(folder)
    state.advance({one: 300}, {one: RECEIVED_AHEAD})
    kill(state)
    with State(folder) as again:
        assert again.get(one) == 300
        assert again.get(other) == again.skipped(other) == 1 + RECEIVED_AHEAD


def test_notes_of_an_older_file_are_not_used(folder: Path) -> None:
    state = State(folder)
    advance(state, 10)
    kill(state)
    backup = (folder / FILE).read_bytes()
    state = State(folder)
    advance(state, 10)
    assert state.durable_writes == 0
    kill(state)
    # Into the same file: its place does not tell.
    (folder / FILE).write_bytes(backup)
    with State(folder) as again:
        assert again.get(EXPECTED) == again.skipped(EXPECTED) == 1 + RECEIVED_AHEAD


def test_a_note_without_its_witness_is_used(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    state = State(folder)
    advance(state, 10)
    with monkeypatch.context() as patched:
        patched.setattr(Witness, "record_unsynced", lambda *_: 1 / 0)
        with contextlib.suppress(ZeroDivisionError):
            advance(state, 1)
    kill(state)
    with State(folder) as again:
        assert again.get(EXPECTED) == 11


def test_a_window_is_as_durable_as_its_number(folder: Path, machine: Machine) -> None:
    state = State(folder)
    for writes, value in enumerate([Value(5, 7), Value(6, 8)], start=1):
        state.advance({EXPECTED: value})
        assert state.durable_writes == writes
    kill(state)
    machine.restart()
    with State(folder) as state:
        assert (state.get(EXPECTED), state.window(EXPECTED)) == (6, 8)


@pytest.mark.parametrize("fails", [False, True])
def test_a_window_is_not_used_beside_a_bound(
    folder: Path, machine: Machine, *, fails: bool
) -> None:
    state = State(folder)
    for count in (5, 6):
        value = Value(count, 2**64 - 1 - count)
        state.advance({EXPECTED: value}, {EXPECTED: RECEIVED_AHEAD})
    assert state.durable_writes == 1
    kill(state)
    if fails:
        machine.restart()
    with State(folder) as state:
        found = state.get(EXPECTED), state.window(EXPECTED)
        expected = (5 + RECEIVED_AHEAD, None) if fails else (6, 2**64 - 7)
        assert found == expected


def test_counters_skip_forwards_and_not_far(folder: Path) -> None:
    with State(folder) as state:
        counter = state.counter(SENT)
        assert counter.take() == 0
        assert not counter.skip_to(1)
        assert not counter.skip_to(2 + SKIPPED_MAX)
        assert counter.skip_to(1 + SKIPPED_MAX)
        assert counter.take() == 1 + SKIPPED_MAX
        assert not counter.skip_to(5)
    with State(folder) as state:
        assert state.counter(SENT).next == 2 + SKIPPED_MAX


PAYLOADS = [
    Skip(2**32 - 1),
    Skip(0, 2**32 - 1),
    Steady(asks=True),
    Steady(asks=False),
    Steady(asks=False, skips_ids=True),
]


@pytest.mark.parametrize("payload", PAYLOADS)
def test_payloads_are_read_as_they_were_written(payload: Skip | Steady) -> None:
    assert messages.parse(messages.build(payload)) == payload


def test_older_versions_go_on_when_they_are_told_to_skip() -> None:
    assert messages.build(Skip(7))[:2] == messages.build(Restarted())
    # Of a yes they read whether it is 0.
    assert messages.build(Steady(asks=False, skips_ids=True)) == b"\xf5\x04\x02"


# Two nodes.


@pytest.fixture
def two(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Two:
    monkeypatch.setattr(kinds, "kinds", registered)
    monkeypatch.setitem(WIRES, "w", Wire())
    return Two(tmp_path)


def numbers(first: int, count: int) -> list[bytes]:
    return [b"%d" % number for number in range(first, first + count)]


def test_a_thousand_messages_take_a_few_writes(two: Two) -> None:
    two.stay_up()
    two.send("a", 0, MESSAGES)
    assert two.heard["b"] == numbers(0, MESSAGES)
    writes = two.nodes["b"].state.durable_writes
    # Eight until the neighbour was asked, one reservation to ask it.
    assert writes <= 8 + 3 + MESSAGES // RECEIVED_AHEAD + 1
    two.talk(100)
    assert two.nodes["b"].state.durable_writes == writes
    two.restart("b")
    two.send("a", MESSAGES, 1)
    assert two.heard["b"] == numbers(0, MESSAGES + 1)
    two.close()


@pytest.mark.parametrize("ends", ["", "a", "b"])
def test_nodes_that_do_not_both_stay_up_store_each_message(two: Two, ends: str) -> None:
    two.stay_up(ends)
    two.send("a", 0, 100)
    assert two.nodes["b"].state.durable_writes >= 100
    assert len(two.wire.sent) <= 100 + 2
    two.close()


@pytest.mark.parametrize("failing", ["a", "b", "ab", "ba"])
def test_after_a_power_failure_nothing_is_refused_for_ever(
    two: Two, failing: str, machine: Machine
) -> None:
    two.stay_up()
    two.send("a", 0, 20)
    two.send("b", 0, 20)
    assert two.nodes["a"].state.durable_writes < 20
    machine.restart()
    old = list(two.wire.sent)
    for end in failing:
        two.restart(end)
    # What was played before is refused, and what comes now is not.
    for end in "ab":
        two.wire.waiting[end] += old
    two.talk(4)
    two.send("a", 20, 5)
    two.send("b", 20, 5)
    for end in "ab":
        assert two.heard[end] == numbers(0, 25)
    two.close()


def test_a_neighbour_that_did_not_hear_it_is_told_again(
    two: Two, machine: Machine, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(bounds, "_RESENT_AFTER_S", 0.0)
    two.stay_up()
    two.send("a", 0, 20)
    machine.restart()
    two.wire.arrives = lambda _: False
    two.restart("b")
    two.talk()
    two.wire.arrives = lambda _: True
    two.send("a", 20, 1)
    two.talk()
    two.send("a", 21, 1)
    assert two.heard["b"] == [*numbers(0, 20), b"21"]
    two.close()


def test_an_acknowledged_message_crosses_a_power_failure(
    two: Two, machine: Machine
) -> None:
    two.stay_up()
    two.send("a", 0, 20)
    machine.restart()
    two.restart("b")
    two.wire.when_idle = lambda: two.talk_of("b")
    two.nodes["a"].send(b"x" * 50, acknowledged=True)
    assert two.heard["b"] == [*numbers(0, 20), b"x" * 50]
    two.close()
