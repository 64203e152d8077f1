# SPDX-License-Identifier: Apache-2.0
"""The engine for exchanges about keys: what is asked follows from what is stored."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from functools import partial
from types import SimpleNamespace
from typing import TYPE_CHECKING, get_args

import pytest

from samara.link.ieee802154.keys import timers
from samara.link.ieee802154.keys.agreeing import Agreeing
from samara.link.ieee802154.keys.control import Confirm, Confirmed, Control, Retract
from samara.link.ieee802154.keys.exchanges import Exchange, Exchanges, Question
from samara.link.ieee802154.keys.introducing import Introducing
from samara.link.ieee802154.keys.joining import Joining
from samara.link.ieee802154.keys.neighbours import Neighbour, SharedKey
from samara.link.ieee802154.keys.regrouping import Regrouping
from samara.link.ieee802154.keys.renewing import Renewing
from samara.link.ieee802154.keys.timers import RetryTimers

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator

JUST = 1e-6
KEY = SharedKey(bytes(16))


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> SimpleNamespace:
    now = SimpleNamespace(now_s=1e6)
    given = SimpleNamespace(monotonic=lambda: now.now_s)
    monkeypatch.setattr(timers, "time", given)
    return now


@dataclass
class Stored(Exchange):
    """An exchange whose questions are those in a list, as if it were the state."""

    controls = (Confirmed,)
    open: list[tuple[str, int]] = field(default_factory=list)
    """Neighbour and step."""
    silent: set[str] = field(default_factory=set)
    """Those who speak without being asked."""
    refused_by: set[str] = field(default_factory=set)
    """Those of whom users were told already."""
    happened: list[str] = field(default_factory=list)

    def questions(self) -> Iterator[Question]:
        for name, step in self.open:
            words = "" if name in self.refused_by else f"{name} has not done {step}"
            said = None if name in self.silent else partial(Confirm, step)
            yield Question(name, step, name, words, said)

    def take(self, control: Control, name: str | None, key: SharedKey) -> None:
        assert key is KEY
        assert isinstance(control, Confirmed)
        self.happened.append(f"{name} answers {control.generation}")
        self.open = [each for each in self.open if each[0] != name]

    def advance(self) -> None:
        self.happened.append("advance")

    def seen(self, neighbour: Neighbour, key: SharedKey) -> None:
        assert key is KEY
        self.happened.append(f"{neighbour.name} seen")

    def refused(self, about: Collection[str]) -> list[str]:
        return [f"{name} refuses" for name in sorted(self.refused_by & set(about))]

    def close(self) -> None:
        self.happened.append("close")


@dataclass
class Other(Exchange):
    """An exchange that nobody is to answer."""

    controls = (Retract,)
    taken: list[Control] = field(default_factory=list)

    def take(self, control: Control, name: str | None, key: SharedKey) -> None:
        del name, key
        self.taken.append(control)


@dataclass
class Engine:
    """An engine, and what it has sent: the neighbour and the step."""

    stored: Stored
    other: Other = field(default_factory=Other)
    sent: list[tuple[str | None, int]] = field(default_factory=list)

    def __post_init__(self) -> None:
        both = (self.other, self.stored)
        self.exchanges = Exchanges(both, RetryTimers(), self._transmit)

    def _transmit(self, said: Control, to: str | None) -> None:
        assert isinstance(said, Confirm)
        self.sent.append((to, said.generation))

    def sends(self) -> list[tuple[str | None, int]]:
        """Go on, and return what is sent then."""
        self.sent.clear()
        self.exchanges.go_on()
        return list(self.sent)


def test_a_question_is_asked_at_once_and_ever_more_rarely(
    clock: SimpleNamespace,
) -> None:
    engine = Engine(Stored([("bob", 1), ("carol", 5)]))
    assert engine.sends() == [("bob", 1), ("carol", 5)]
    for pause_s in (1.0, 2.0, 4.0):
        start_s = clock.now_s
        clock.now_s = start_s + pause_s - JUST
        assert engine.sends() == []
        clock.now_s = start_s + pause_s
        assert engine.sends() == [("bob", 1), ("carol", 5)]
    # One that is heard is asked soon; the other one as before.
    engine.exchanges.seen(Neighbour("carol", 1, bytes(8), (KEY,)), KEY)
    assert engine.stored.happened[-1] == "carol seen"
    clock.now_s += 1.0
    assert engine.sends() == [("carol", 5)]
    # A user who wants it has one asked now.
    engine.sent.clear()
    engine.exchanges.ask("bob")
    assert engine.sent == [("bob", 1)]


def test_another_question_is_asked_at_once(clock: SimpleNamespace) -> None:
    engine = Engine(Stored([("bob", 1)]))
    assert engine.sends() == [("bob", 1)]
    engine.stored.open = [("bob", 2)]
    assert engine.sends() == [("bob", 2)]
    # So is the one of before, when it is asked anew.
    engine.stored.open = [("bob", 1), ("bob", 2)]
    assert engine.sends() == [("bob", 1)]
    clock.now_s += 1.0
    assert engine.sends() == [("bob", 1), ("bob", 2)]


def test_after_a_restart_the_same_is_asked(clock: SimpleNamespace) -> None:
    stored = Stored([("bob", 1), ("carol", 5)])
    engine = Engine(stored)
    for _ in range(10):
        clock.now_s += 1000.0
        engine.sends()
    assert Engine(stored).sends() == [("bob", 1), ("carol", 5)]


@pytest.mark.usefixtures("clock")
def test_an_answer_goes_to_its_exchange_and_all_go_on() -> None:
    engine = Engine(Stored([("bob", 1), ("carol", 5)]))
    engine.exchanges.take(Confirmed(1), "bob", KEY)
    assert engine.stored.happened == ["bob answers 1", "advance"]
    assert engine.sent == [("carol", 5)]
    assert engine.other.taken == []
    engine.exchanges.take(Retract(7), "bob", KEY)
    assert engine.other.taken == [Retract(7)]
    engine.exchanges.close()
    assert engine.stored.happened == ["bob answers 1", "advance", "advance", "close"]


@pytest.mark.usefixtures("clock")
def test_what_is_unsettled_is_told_by_what_it_is_about() -> None:
    stored = Stored([("bob", 1), ("carol", 5), ("dave", 2)], {"carol"}, {"dave"})
    engine = Engine(stored)
    # Who speaks next is not asked; what was told as refused still is.
    assert engine.sends() == [("bob", 1), ("dave", 2)]
    unsettled = engine.exchanges.unsettled
    assert unsettled() == ["bob has not done 1", "carol has not done 5"]
    assert unsettled(["carol", "dave", "erin"]) == ["carol has not done 5"]
    assert unsettled([]) == []
    assert engine.exchanges.refused(["dave", "bob"]) == ["dave refuses"]
    assert engine.exchanges.refused([]) == []


def test_each_payload_belongs_to_one_exchange() -> None:
    kinds: tuple[type[Exchange], ...] = (
        Joining,
        Renewing,
        Agreeing,
        Regrouping,
        Introducing,
    )
    taken = Counter(each for kind in kinds for each in kind.controls)
    assert taken == Counter(get_args(Control))
