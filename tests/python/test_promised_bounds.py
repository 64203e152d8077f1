# SPDX-License-Identifier: Apache-2.0
"""Bounds that docstrings of nodes promise: the value at the bound, and one beyond."""

from __future__ import annotations

from types import SimpleNamespace
from typing import TYPE_CHECKING

import pytest
from quiet_air import quiet_air
from test_secured_acks import Pair

from samara.link.ieee802154.keys import timers
from samara.link.ieee802154.mac import mac, secured_acks
from samara.link.node import bounds
from samara.link.node.quantities import COUNTER_LIMIT

if TYPE_CHECKING:
    from pathlib import Path

JUST = 1e-6


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> SimpleNamespace:
    """Return the clock of everything here; a test sets it."""
    now = SimpleNamespace(now_s=0.0)
    for module in (bounds, timers):
        given = SimpleNamespace(monotonic=lambda: now.now_s)
        monkeypatch.setattr(module, "time", given)
    return now


def test_acknowledgements_leave_the_last_counters_to_messages(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    # With key id mode 0 no new key is asked for, which would use counters, too.
    pair = Pair(tmp_path, quiet_air(monkeypatch), key_id_mode=0)
    table = pair.b.link._table  # type: ignore[attr-defined] # noqa: SLF001
    table.counter(None).next = COUNTER_LIMIT - secured_acks.KEPT - 1
    assert pair.a.send(b"the last that is acknowledged").frames_missed == 0
    assert COUNTER_LIMIT - table.counter(None).next == secured_acks.KEPT == 65_536
    assert pair.a.send(b"one beyond").frames_missed == 1
    assert COUNTER_LIMIT - table.counter(None).next == secured_acks.KEPT
    pair.events += pair.b.receive(0)
    assert pair.messages() == [b"the last that is acknowledged", b"one beyond"]
    # They are there for messages.
    pair.hears(pair.a)
    assert pair.b.send(b"from b").frames_missed == 0
    pair.close()


def test_a_neighbour_is_told_to_skip_ever_more_rarely(clock: SimpleNamespace) -> None:
    kept = bounds.Bounds(None, None, lambda *_: None)  # type: ignore[arg-type]
    of = kept._of("bob")  # noqa: SLF001

    def is_due() -> bool:
        return kept._is_due(of)  # noqa: SLF001

    assert is_due()
    clock.now_s = 1e6
    assert not is_due()
    for pause_s in (1, 2, 4, 8, 16, 32, 60, 60, 60):
        clock.now_s = start_s = (of.sent_s or 0.0) + pause_s - JUST
        kept.note_refused()
        assert not is_due(), pause_s
        clock.now_s = start_s + JUST
        assert is_due(), pause_s
    # Nothing was refused since.
    clock.now_s += 1e6
    assert not is_due()
    # Who asks about a message that is not known is told at once.
    kept.note_unknown("bob")
    assert is_due()


def test_a_question_is_repeated_ever_more_rarely(clock: SimpleNamespace) -> None:
    retries = timers.RetryTimers()
    bob, other = timers.QuestionId("bob", 1), timers.QuestionId("bob", 2)
    carol = timers.QuestionId("carol", 1)
    assert retries.is_due(bob)
    for doubled in (*range(12), 12, 13):
        start_s = clock.now_s
        pause_s = min(2.0**doubled, 3600.0)
        retries.note_asked(bob)
        clock.now_s = start_s + pause_s - JUST
        assert not retries.is_due(bob), pause_s
        clock.now_s = start_s + pause_s
        assert retries.is_due(bob), pause_s
    # One that is heard again is asked soon, and no sooner.
    for each in (bob, carol):
        retries.note_asked(each)
        retries.note_asked(each)
    retries.note_heard("bob")
    clock.now_s += 1.0 - JUST
    assert not retries.is_due(bob)
    clock.now_s += JUST
    assert retries.is_due(bob)
    assert not retries.is_due(carol)
    # Another question to the same one is new, and what is put off begins with that.
    assert retries.is_due(other)
    retries.put_off(other, 100.0)
    for pause_s in (100.0, 200.0):
        start_s = clock.now_s
        clock.now_s = start_s + pause_s - JUST
        assert not retries.is_due(other), pause_s
        clock.now_s = start_s + pause_s
        assert retries.is_due(other), pause_s
        retries.note_asked(other)
    # What is not asked any more begins anew.
    retries.note_asked(bob)
    retries.note_asked(carol)
    retries.keep({carol})
    assert retries.is_due(bob)
    assert not retries.is_due(carol)
    retries.hurry("carol")
    assert retries.is_due(carol)


@pytest.mark.parametrize(("age_s", "repeated"), [(2.0, True), (2.0 + JUST, False)])
def test_a_frame_that_comes_much_later_is_a_replay(
    age_s: float, *, repeated: bool
) -> None:
    latest = mac._Latest(b"frame", b"answer", 0.0)  # noqa: SLF001
    assert latest.is_repeated(b"frame", age_s) == repeated
    assert not latest.is_repeated(b"other", age_s)
