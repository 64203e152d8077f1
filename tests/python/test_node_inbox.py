# SPDX-License-Identifier: Apache-2.0
"""What waits in a node's inbox: acknowledged when taken, neither lost nor doubled."""

from __future__ import annotations

import json
from collections import Counter
from typing import TYPE_CHECKING

import pytest
from killing import KilledError, Steps
from link_toys import WIRES, Wire, registered
from toy_home import Heard, Home, Listener
from toy_pair import Machine, Two

from samara.link.node import inbox, kinds, local_server, messages
from samara.link.node.events import Received
from samara.link.node.inbox import Cost, Inbox, kept_in
from samara.link.node.local_server import LocalServer, _Client
from samara.link.node.messages import Ack, DeliveryStatus, Part
from samara.link.node.node import Node
from samara.link.node.sending import NotAcknowledgedError
from samara.link.node.state import RECEIVED_AHEAD
from samara.link.node.state_file import FILE, StateError

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

LONG = bytes(range(256)) * 4
KEPT, UNKNOWN, SILENT = "keeps the message", "does not know it", "no acknowledgement"


@pytest.fixture(autouse=True)
def machine(monkeypatch: pytest.MonkeyPatch) -> Machine:
    monkeypatch.setattr(kinds, "kinds", registered)
    monkeypatch.setitem(WIRES, "w", Wire())
    return Machine(monkeypatch)


@pytest.fixture
def home(tmp_path: Path) -> Iterator[Home]:
    made = Home(tmp_path)
    yield made
    made.close()


def answers(home: Home, end: str = "a") -> list[Ack]:
    """Return all acknowledgements that an end was sent."""
    payloads = [bytes.fromhex(json.loads(each)[1]) for each in home.wire.sent_to[end]]
    parsed = [messages.parse(each) for each in payloads]
    return [each for each in parsed if isinstance(each, Ack)]


def statuses(home: Home) -> list[DeliveryStatus]:
    return [each.status for each in answers(home)]


# Listeners: one, none, slow, several.


def test_it_is_acknowledged_when_a_listener_has_taken_it(home: Home) -> None:
    listener = home.listen()
    assert home.send(b"one") is None
    assert home.send(LONG) is None
    assert listener.messages == [b"one", LONG]
    assert not any(each.is_repeated for each in listener.heard)
    assert len({each.name for each in listener.heard}) == 2
    assert statuses(home) == [DeliveryStatus.DELIVERED] * 2
    assert len(home.server.inbox or ()) == kept_in(home.b.state._path.parent) == 0  # noqa: SLF001


def test_nobody_is_there_to_take_it(home: Home) -> None:
    assert KEPT in str(home.send(b"one"))
    # Each time that it asked, at once.
    assert statuses(home) == [DeliveryStatus.WAITING] * 3
    home.a.send(b"unasked")
    home.turns()
    assert home.server.status()["undelivered"] == 2
    listener = home.listen()
    home.turns()
    assert listener.messages == [b"one", b"unasked"]
    assert not any(each.is_repeated for each in listener.heard)
    assert home.server.status()["undelivered"] == 0
    # In case that it still waits.
    assert statuses(home)[3:] == [DeliveryStatus.DELIVERED]
    assert home.send(b"two") is None


def test_who_asks_once_is_told_that_nobody_is_there(home: Home) -> None:
    assert KEPT in str(home.send(b"one", retries=0))
    observer = home.listen(takes=False)
    assert KEPT in str(home.send(b"two", retries=0))
    assert observer.messages == [b"one", b"two"]


def test_a_listener_is_slow(home: Home) -> None:
    """Who asks again meanwhile is told that it waits, and then that it was taken."""
    listener = home.listen()
    listener.takes_at_once = False
    home.a.link.answer_time_s = 60.0  # type: ignore[misc]
    sending = home.a.delivering(b"one", acknowledged=True)
    for asked in range(3):
        next(sending)
        home.turns()
        home.a.receive(0)
        # The first answer is left to the listener.
        assert statuses(home) == [DeliveryStatus.WAITING] * asked
    assert not home.a.has_answer
    listener.take()
    home.turns()
    home.a.receive(0)
    assert home.a.has_answer
    with pytest.raises(StopIteration):
        next(sending)
    assert listener.messages == [b"one"]
    assert statuses(home) == [
        DeliveryStatus.WAITING,
        DeliveryStatus.WAITING,
        DeliveryStatus.DELIVERED,
    ]


def test_nobody_is_told_twice_what_was_taken_late(home: Home) -> None:
    """A sender waits for the answer about its last message only."""
    listener = home.listen()
    listener.takes_at_once = False
    for message in (b"one", b"two", b"three"):
        assert home.send(message, retries=0)
    listener.take()
    home.turns()
    delivered = [
        each for each in answers(home) if each.status is DeliveryStatus.DELIVERED
    ]
    assert delivered == [Ack(2, DeliveryStatus.DELIVERED)]
    assert home.server.status()["undelivered"] == 0


def test_the_first_of_several_takes_it_and_all_hear_it(home: Home) -> None:
    slow, observer, quick = home.listen(), home.listen(takes=False), home.listen()
    slow.takes_at_once = False
    for number in range(3):
        assert home.send(b"%d" % number) is None
    for each in (slow, observer, quick):
        assert each.messages == [b"0", b"1", b"2"]
        assert not any(heard.is_repeated for heard in each.heard)
    # What is taken already is no mistake.
    slow.take()
    home.turns()
    assert slow.answers == []
    assert statuses(home) == [DeliveryStatus.DELIVERED] * 3


def test_a_listener_is_killed_before_and_after_it_has_taken(home: Home) -> None:
    first = home.listen()
    first.takes_at_once = False
    for message in (b"taken", b"used", b"waits"):
        home.a.send(message)
    home.turns()
    first.untaken = first.untaken[:1]
    first.take()
    home.turns()
    home.leave(first)
    home.turns()
    second = home.listen()
    home.turns()
    assert second.heard == [
        Heard(each.message, each.name, is_repeated=True) for each in first.heard[1:]
    ]


def test_a_listener_that_ends_has_taken_what_it_said(home: Home) -> None:
    listener = home.listen()
    assert home.send(b"one") is None
    listener.takes_at_once = False
    home.a.send(b"two")
    home.turns()
    # Both are there when it is gone.
    listener.take()
    home.leave(listener)
    home.turns()
    assert home.server.status()["undelivered"] == 0


def test_who_asked_for_so_many_gets_no_more(home: Home) -> None:
    for number in range(3):
        home.a.send(b"%d" % number)
    home.turns()
    two = home.listen(count=2)
    home.turns()
    assert two.messages == [b"0", b"1"]
    assert two.answers == [{"type": "end"}]
    assert home.server.status()["undelivered"] == 1


def test_who_reads_too_little_goes_on_where_it_was(
    home: Home, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It loses nothing that waits, and is told what another one has taken."""
    slow = home.listen(takes=False)
    monkeypatch.setattr(local_server, "OUTPUT_SIZE_MAX", -1)
    for number in range(3):
        home.a.send(b"%d" % number)
        home.turns()
    assert slow.messages == []
    monkeypatch.setattr(local_server, "OUTPUT_SIZE_MAX", 1000)
    quick = home.listen(count=1)
    assert quick.messages == [b"0"]
    home.a.send(b"3")
    home.turns()
    assert slow.messages == [b"1", b"2", b"3"]
    assert slow.notices == ["1 events were dropped: this listener is too slow"]


def test_what_a_client_has_taken_is_heard_while_it_sends(home: Home) -> None:
    """Or two nodes that wait for each other would wait in vain."""
    listener = home.listen()
    home.turns()
    listener.takes_at_once = False
    message = {"type": "send", "hex": "00", "acknowledged": True, "retries": 0}
    home.a.link.answer_time_s = home.b.link.answer_time_s = 60.0  # type: ignore[misc]
    listener.say(message)
    home.turns()
    sending = home.a.delivering(b"crossing", acknowledged=True)
    next(sending)
    home.turns()
    listener.take()
    listener.say({"type": "status"})
    home.turns()
    assert listener.answers == []
    # What it was sent itself comes first.
    assert [each.message for each in home.a.receive(0)] == [b"\0"]  # type: ignore[union-attr]
    home.a.receive(0)
    with pytest.raises(StopIteration) as done:
        next(sending)
    assert done.value.value.is_acknowledged
    home.a.confirm()
    home.turns()
    assert [each["type"] for each in listener.answers] == ["sent", "status"]


def test_words_about_what_was_taken(home: Home) -> None:
    listener = home.listen()
    wrong: list[object] = [None, "x", [1], {}]
    for ids in wrong:
        listener.say({"type": "taken", "ids": ids})
    listener.say({"type": "listen", "takes": 1})
    listener.say({"type": "taken", "ids": ["0" * 16, "", "x"]})
    home.turns()
    assert [each["type"] for each in listener.answers] == ["failed"] * 5
    assert home.send(b"one") is None


def test_the_inbox_takes_no_durable_write_of_its_own(home: Home) -> None:
    """As many as `test_node_acknowledged` allows without one, for 1000 messages."""
    listener = home.listen()
    for number in range(1000):
        assert home.send(b"%d" % number) is None
        # What the other one asks, and whether it is told.
        home.a.receive(0)
        home.a.confirm()
    assert listener.messages == [b"%d" % number for number in range(1000)]
    print(f"durable writes: {home.b.state.durable_writes}")
    assert home.b.state.durable_writes <= 8 * 2 + 3 + 1000 // RECEIVED_AHEAD + 3


# Bounds.


@pytest.mark.parametrize(("name", "most"), [("MESSAGES_MAX", 3), ("SIZE_MAX", 3 * 30)])
def test_as_many_are_kept_as_there_is_room_for(
    home: Home, monkeypatch: pytest.MonkeyPatch, name: str, most: int
) -> None:
    monkeypatch.setattr(inbox, name, most)
    sent = [b"%030d" % number for number in range(5)]
    for each in sent[:3]:
        assert KEPT in str(home.send(each))
    assert home.server.status()["undelivered"] == 3
    assert home.notices == []
    # One more: the first has to go, and whoever has sent it is never told otherwise.
    assert KEPT in str(home.send(sent[3]))
    assert len(home.notices) == 1
    assert "the oldest is dropped" in home.notices[0]
    assert KEPT in str(home.send(sent[4]))
    # Once, until somebody takes one.
    assert len(home.notices) == 1
    home.restart()
    assert home.server.status()["undelivered"] == 3
    listener = home.listen()
    home.turns()
    assert listener.messages == sent[2:]


def test_a_listener_is_told_what_was_dropped(
    home: Home, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(inbox, "MESSAGES_MAX", 2)
    for number in range(5):
        home.a.send(b"%d" % number)
    home.turns()
    listener = home.listen()
    home.turns()
    assert listener.notices == ["3 messages were dropped: nobody took them"]
    assert listener.messages == [b"3", b"4"]
    again = home.listen()
    home.turns()
    assert again.notices == []


def test_a_message_that_is_larger_than_all_others_may_be_waits_alone(
    home: Home, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(inbox, "SIZE_MAX", 100)
    assert KEPT in str(home.send(b"first"))
    assert KEPT in str(home.send(bytes(101)))
    listener = home.listen()
    home.turns()
    assert listener.messages == [bytes(101)]


def test_who_asks_about_a_dropped_message_is_told(
    home: Home, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(inbox, "MESSAGES_MAX", 1)
    home.a.link.answer_time_s = 60.0  # type: ignore[misc]
    sending = home.a.delivering(b"asked", acknowledged=True)
    next(sending)
    home.turns()
    home.a.receive(0)
    home.a.send(b"in its place")
    home.turns()
    assert statuses(home) == [DeliveryStatus.WAITING]
    # It asks again, as it does after a while.
    next(sending)
    home.turns()
    home.a.receive(0)
    with pytest.raises(NotAcknowledgedError, match=UNKNOWN):
        next(sending)


def test_a_message_before_the_last_one_is_not_confirmed(
    home: Home, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It may have been dropped."""
    listener = home.listen()
    listener.takes_at_once = False
    home.a.link.answer_time_s = 60.0  # type: ignore[misc]
    sending = home.a.delivering(b"dropped", acknowledged=True)
    next(sending)
    home.turns()
    listener.takes_at_once = True
    listener.untaken = []
    sending.close()
    monkeypatch.setattr(inbox, "MESSAGES_MAX", 1)
    assert home.send(b"the next") is None
    home.a.link.send(bytes.fromhex(json.loads(home.wire.sent_to["b"][0])[1]))
    home.turns()
    assert statuses(home) == [DeliveryStatus.DELIVERED, DeliveryStatus.UNKNOWN]


# After the end of a process.


def facts(event: Received) -> Sequence[object]:
    return (
        event.message,
        event.source,
        event.carriers,
        event.clock_s,
        event.to_all,
        event.receipt.as_json(),
    )


def test_what_waits_is_as_it_was_after_a_restart(home: Home) -> None:
    sent = [b"", LONG, b"\xf5\x00", b"text"]
    for number, each in enumerate(sent):
        if number % 2:
            home.send(each)
        else:
            home.a.send(each)
            home.turns()
    before = [each.event for each in home.server.inbox or ()]
    home.restart()
    after = [each.event for each in home.server.inbox or ()]
    assert [each.message for each in after] == sent
    assert [facts(each) for each in after] == [facts(each) for each in before]
    assert [each.id for each in after] == [each.id for each in before]
    assert all(each.is_repeated for each in after)
    # Those that arrive now come after them.
    home.a.send(b"new")
    home.turns()
    listener = home.listen()
    home.turns()
    assert listener.messages == [*sent, b"new"]
    assert [each.is_repeated for each in listener.heard] == [True] * 4 + [False]


def test_a_node_that_is_not_kept_up_hands_out_what_is_left(tmp_path: Path) -> None:
    home = Home(tmp_path)
    home.a.link.answer_time_s = 60.0  # type: ignore[misc]
    sending = home.a.delivering(b"asked", acknowledged=True)
    next(sending)
    home.a.send(b"unasked")
    home.turns()
    home.close_b()
    assert kept_in(tmp_path / "b") == 2
    with Node(tmp_path / "b") as b:
        events = [e for e in b.receive(0) if isinstance(e, Received)]
        assert [(e.message, e.is_repeated) for e in events] == [
            (b"asked", True),
            (b"unasked", True),
        ]
        assert kept_in(tmp_path / "b") == 2
        home.a.receive(0)
        next(sending)
        assert not [e for e in b.receive(0) if isinstance(e, Received)]
        assert kept_in(tmp_path / "b") == 0
        b.confirm()
        home.a.receive(0)
        with pytest.raises(StopIteration):
            next(sending)
    home.a.close()


def test_an_error_while_messages_are_used_acknowledges_nothing(tmp_path: Path) -> None:
    two = Two(tmp_path)
    a, b = two.nodes.values()
    a.link.answer_time_s = 60.0  # type: ignore[misc]
    sending = a.delivering(b"asked", acknowledged=True)
    next(sending)

    def use() -> None:
        with b:
            assert any(isinstance(each, Received) for each in b.receive(0))
            raise ZeroDivisionError

    # As when it cannot be written to a full disk.
    with pytest.raises(ZeroDivisionError):
        use()
    assert not two.wire.waiting["a"]
    a.close()


def test_two_requests_at_once_about_a_message_that_was_lost(tmp_path: Path) -> None:
    """As they wait for a node that was killed before it handed the message on."""
    two = Two(tmp_path)
    two.stay_up()
    asks = Part(7, 0, b"x", is_last=True, wants_ack=True, is_acknowledged=True)
    two.nodes["a"].link.send(messages.build(asks))
    two.nodes["b"].receive(0)
    two.restart("b")
    for _ in range(2):
        two.nodes["a"].link.send(messages.build(asks))
    two.talk_of("b")
    payloads = [bytes.fromhex(json.loads(each)[1]) for each in two.wire.waiting["a"]]
    found = [p for p in map(messages.parse, payloads) if isinstance(p, Ack)]
    assert found == [Ack(7, DeliveryStatus.UNKNOWN)]
    two.close()


def test_a_message_and_its_counters_are_stored_in_one_transaction(
    home: Home, monkeypatch: pytest.MonkeyPatch
) -> None:
    listener = home.listen()
    steps = Steps(monkeypatch, is_after=False)
    steps.count_in(Inbox, "write")

    def idle() -> None:
        try:
            home.turns()
        except KilledError:
            steps.is_armed = False
            home.restart()
            home.leave(listener)
            again.append(home.listen())
            # The frame that was not stored: nobody has taken it.
            home.wire.waiting["b"] += home.wire.sent_to["b"]
            home.turns()

    home.wire.when_idle = idle
    for is_steady in (False, True):
        again: list[Listener] = []
        if is_steady:
            # A bound is stored with the first message, and the next ones are noted.
            home.settle()
            assert home.send(b"before") is None
        steps.arm(0)
        assert home.send(b"one") is None
        (listener,) = again
        assert [(h.message, h.is_repeated) for h in listener.heard] == [(b"one", False)]


def event(message: bytes, source: str) -> Received:
    cost = Cost((), None, ())
    due = cost.receipt(None, message)  # type: ignore[arg-type]
    return Received(message, due, source, (), 1.0)


def test_whoever_gets_a_name_next_is_not_acknowledged_for_the_one_before(
    tmp_path: Path,
) -> None:
    two = Two(tmp_path)
    state = two.nodes["b"].state
    kept = Inbox(state, two.nodes["b"].link)
    kept.make_table()
    for source, message in (("bob", b"1"), ("carol", b"2"), ("bob", b"3")):
        kept.keep(event(message, source), Cost((), None, ()), int(message))
    state.advance({}, also=kept.write)
    assert kept.has("bob", 1)
    assert kept.has("carol", 2)
    assert not kept.has("carol", 1)
    kept.forget("bob")
    state.store({}, also=lambda database: inbox.forget(database, "bob"))
    for each in (kept, Inbox(state, two.nodes["b"].link)):
        asked = [(one.event.source, one.asked) for one in each]
        assert asked == [("bob", None), ("carol", 2), ("bob", None)]
        assert [each.has("bob", 1), each.has("carol", 2)] == [False, True]
    two.close()


DAMAGE = (
    "id = 'x'",
    "id = 'g123456789abcdef'",
    "cost = ''",
    "cost = '{}'",
    "cost = '[]'",
    'cost = \'{"carriers": [{}], "delivery_s": null, "answers": []}\'',
    'cost = \'{"carriers": 1, "delivery_s": null, "answers": []}\'',
)


@pytest.mark.parametrize("damage", DAMAGE)
def test_a_damaged_message_is_refused(home: Home, tmp_path: Path, damage: str) -> None:
    home.send(b"one")
    changing = f"UPDATE inbox SET {damage}"  # noqa: S608 - from above
    home.b.state.use(lambda database: database.execute(changing))
    home.close_b()
    with pytest.raises(StateError, match="damaged"):
        Node(tmp_path / "b")
    assert (tmp_path / "b" / FILE).exists()


# Kills, at each step from the reception to the acknowledgement.

UNDER_WAY, AFTERWARDS = 2, 2
CASES = [
    ("b", "kill", False),
    ("b", "kill", True),
    ("b", "power", False),
    ("b", "restored", False),
    ("listener", "kill", False),
    ("listener", "kill", True),
]


class Killing:
    """Messages to a listener, one of which somebody is killed at."""

    def __init__(self, home: Home, machine: Machine, steps: Steps, how: str) -> None:
        self.home, self._machine, self._steps, self._how = home, machine, steps, how
        self._number = 0
        self.heard: list[Heard] = []
        self.sent: list[bytes] = []
        self.acknowledged: list[bytes] = []
        self._listener = home.listen()
        home.wire.when_idle = self._turns

    def run(self, at: int) -> bool:
        """Kill at a step; return whether there was one."""
        self.home.settle()
        self._backup = self.home.files()
        self._was_killed = False
        self._steps.arm(at)
        for _ in range(UNDER_WAY):
            self._send()
        self._steps.is_armed = False
        self.home.settle()
        for _ in range(AFTERWARDS):
            assert self._send()
        return self._was_killed

    def end(self) -> None:
        self.heard += self._listener.heard

    def _send(self) -> bool:
        message = b"%d" % self._number
        self._number += 1
        self.sent.append(message)
        is_acknowledged = self.home.send(message, retries=5) is None
        if is_acknowledged:
            self.acknowledged.append(message)
        return is_acknowledged

    def _turns(self) -> None:
        try:
            self.home.turns()
        except KilledError:
            self._was_killed, self._steps.is_armed = True, False
            self._end()
            self.home.turns()

    def _end(self) -> None:
        # The listener is gone with the node, or alone.
        self.heard += self._listener.heard
        self.home.leave(self._listener)
        if self._steps_of_node:
            if self._how == "power":
                self._machine.restart()
            self.home.kill()
            if self._how == "restored":
                for path, content in self._backup.items():
                    path.write_bytes(content)
            self.home.start()
            # All that was on the air before.
            self.home.wire.waiting["b"] += self.home.wire.sent_to["b"]
        self._listener = self.home.listen()

    _steps_of_node = True


@pytest.mark.slow
@pytest.mark.parametrize(("victim", "how", "is_after"), CASES)
def test_killed_at_each_step_nothing_acknowledged_is_lost(
    home: Home,
    monkeypatch: pytest.MonkeyPatch,
    machine: Machine,
    victim: str,
    how: str,
    is_after: bool,  # noqa: FBT001 - a case
) -> None:
    steps = Steps(monkeypatch, is_after=is_after)
    killing = Killing(home, machine, steps, how)
    if victim == "b":
        steps.count_node(lambda: home.b)
        steps.count_in(LocalServer, "take")
        steps.count_in(Inbox, "write")
        for name in ("fill", "_flush", "_read", "_do"):
            steps.count_in(_Client, name)
    else:
        killing._steps_of_node = False  # noqa: SLF001
        for name in ("lines", "use", "take"):
            steps.count_in(Listener, name)
    kills = 0
    while killing.run(kills):
        kills += 1
    killing.end()
    print(f"{kills} kills, {len(killing.heard)} heard of {len(killing.sent)}")
    assert kills > 3 * UNDER_WAY
    heard = Counter(each.message for each in killing.heard)
    assert set(killing.acknowledged) <= set(heard)
    assert len(killing.acknowledged) >= AFTERWARDS * kills
    # Once, or marked, and by the same id.
    first = Counter(each.message for each in killing.heard if not each.is_repeated)
    assert max(first.values()) == 1
    names = {(each.message, each.name) for each in killing.heard}
    assert len(names) == len(heard)
    # A kill between what a listener uses and what it takes makes a repetition.
    assert how == "restored" or heard.total() > len(heard)
    # In their order.
    order = list(dict.fromkeys(each.message for each in killing.heard))
    assert order == [each for each in killing.sent if each in heard]
    assert home.server.status()["undelivered"] == 0
