# SPDX-License-Identifier: Apache-2.0
"""New keys that two nodes agree on over the air, killed at any point."""

from __future__ import annotations

import contextlib
import hashlib
import hmac
import json
import random
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import pytest
from killing import Killer, killed_during
from node_numbers import SENT
from quiet_air import Air, rounds

from samara.link.ieee802154.keys import renewing, timers
from samara.link.ieee802154.keys.renewing import (
    KEPT_FOR_RENEWAL,
    RENEWED_BEFORE_END,
    Agreed,
    derived,
)
from samara.link.node import folder as folders
from samara.link.node import networks, rekeying, state_file
from samara.link.node.link import NeighbourError
from samara.link.node.node import Node, Notice, Received
from samara.link.node.quantities import COUNTER_LIMIT, Number, Quantity
from samara.link.node.state import CounterEndError, State

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path


@dataclass
class Pair:
    """Two nodes that each know the other."""

    a: Path
    b: Path
    air: Air
    names: tuple[str | None, str | None] = (None, None)
    """Of b for a, and of a for b."""

    def files(self) -> bytes:
        """Return the content of all files of both."""
        folders_of = (self.a, self.b)
        return b"".join(p.read_bytes() for f in folders_of for p in f.iterdir())

    def shared(self) -> list[dict[str, Any]]:
        """Return the keys of both, as they are stored."""
        found = []
        for folder in (self.a, self.b):
            for name, record in state_file.records_in(folder).items():
                if "neighbour" in name:
                    found += record["keys"]
        return found


@pytest.fixture(params=["pair", "network"])
def pair(request: pytest.FixtureRequest, air: Air, tmp_path: Path) -> Pair:
    return made(tmp_path, air, request.param, {})


def made(folder: Path, air: Air, kind: str, given: dict[str, Any]) -> Pair:
    a, b = folder / "a", folder / "b"
    if kind == "pair":
        folders.make_pair(a, "ieee802154", given)
        folders.make_second(b, a, {})
        return Pair(a, b, air)
    networks.make(a, "ieee802154", None, given)
    networks.join(b, networks.invite(a, "b", None).text, {})
    with Node(a) as one, Node(b) as other:
        rounds(other, one)
    return Pair(a, b, air, ("b", "a"))


def messages(events: list[object]) -> list[bytes]:
    return [event.message for event in events if isinstance(event, Received)]


def test_both_change_to_one_new_key(pair: Pair) -> None:
    with Node(pair.a) as a, Node(pair.b) as b:
        a.send(b"before")
        assert messages(rounds(b)) == [b"before"]
        old = _current(a)
        a.renew()
        assert a.wait_for_answers(0) == [
            f"{pair.names[0] or 'the other node'} has not answered about a new key"
        ]
        rounds(b, a)
        assert a.wait_for_answers(0) == b.wait_for_answers(0) == []
        new = _current(a)
        assert new == _current(b) != old
        a.send(b"after")
        b.send(b"back")
        assert messages(rounds(a, b)) == [b"back", b"after"]
    # Of the old key nothing is left.
    content = pair.files()
    assert old not in content
    assert old.hex().encode() not in content
    assert [key["generation"] for key in pair.shared()] == [1, 1]
    assert pair.air.nonces_repeated() == 0
    with Node(pair.a) as a, Node(pair.b) as b:
        b.send(b"later")
        a.send(b"later")
        assert messages(rounds(a, b)) == [b"later", b"later"]
    assert pair.air.nonces_repeated() == 0
    assert not {SENT, Number(Quantity.SENT, "b")} & set(state_file.numbers_in(pair.a))


def test_a_key_that_is_gone_leaves_no_number(pair: Pair) -> None:
    # The message comes under the old key, together with what ends that one.
    with Node(pair.a) as a, Node(pair.b) as b:
        a.renew()
        b.receive(0)
        a.send(b"late")
        a.receive(0)
        assert messages([*b.receive(0)]) == [b"late"]
    expected = {
        each: value.value
        for each, value in state_file.numbers_in(pair.b).items()
        if each.quantity is Quantity.EXPECTED
    }
    assert expected == {Number(Quantity.EXPECTED, pair.names[1] or "", 1): 1}


def _current(node: Node) -> bytes:
    table = node.link._table  # type: ignore[attr-defined] # noqa: SLF001
    (neighbour,) = table.neighbours.values()
    return bytes(neighbour.current.key)


def test_a_key_of_before_opens_nothing(pair: Pair) -> None:
    with Node(pair.a) as a, Node(pair.b) as b:
        a.send(b"before")
        old = pair.air.sent[-1]
        pair.air.radios[-1].waiting.clear()
        b.renew()
        rounds(a, b, count=8)
        assert b.wait_for_answers(0) == []
        pair.air.hear_again(old)
        assert messages(rounds(b)) == []


def test_frames_on_their_way_are_opened_with_the_previous_key(
    pair: Pair, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("LATE_S", "REPEATED_AFTER_S"):
        monkeypatch.setattr(timers, name, 60.0)
    with Node(pair.a) as a, Node(pair.b) as b:
        a.renew()
        rounds(b, count=1)
        b.send(b"late")
        late = pair.air.radios[0].waiting.pop()
        rounds(a, b)
        assert a.wait_for_answers(0) == []
        assert len(pair.shared()) == 4
        pair.air.radios[0].waiting.append(late)
        assert messages(rounds(a)) == [b"late"]
    # Who ends removes it.
    assert len(pair.shared()) == 2


def test_one_who_has_not_followed_yet_is_heard(pair: Pair) -> None:
    with Node(pair.a) as a, Node(pair.b) as b:
        a.renew()
        rounds(b, a, count=1)
        # a has begun to use the new key, and b does not know that.
        b.send(b"under the old key")
        assert messages(rounds(a, count=2)) == [b"under the old key"]
        rounds(b, a)
        assert a.wait_for_answers(0) == []


def test_who_has_answered_waits_for_the_new_key_and_asks_nothing(pair: Pair) -> None:
    with Node(pair.a) as a, Node(pair.b) as b:
        a.renew()
        rounds(b, count=1)
        count = len(pair.air.sent)
        rounds(b, count=4)
        assert len(pair.air.sent) == count
        (waits,) = b.wait_for_answers(0)
        assert "has not answered about a new key" in waits
        rounds(a, b)
        assert a.wait_for_answers(0) == b.wait_for_answers(0) == []


def test_both_ask_at_once(pair: Pair) -> None:
    with Node(pair.a) as a, Node(pair.b) as b:
        a.renew()
        b.renew()
        rounds(a, b)
        assert a.wait_for_answers(0) == b.wait_for_answers(0) == []
        assert _current(a) == _current(b)
    assert [key["generation"] for key in pair.shared()] == [1, 1]


@pytest.mark.slow
def test_many_keys_one_after_another(pair: Pair) -> None:
    """The index in frames comes round after 127 of them."""
    with Node(pair.a) as a, Node(pair.b) as b:
        for number in range(130):
            node = (a, b)[number % 2]
            node.renew()
            rounds(b, a, count=3)
            assert node.wait_for_answers(0) == []
        a.send(b"hello")
        assert messages(rounds(b)) == [b"hello"]
    assert {key["generation"] for key in pair.shared()} == {130}


@pytest.mark.parametrize("loss", [0.3, 0.6])
def test_it_converges_whatever_is_lost(loss: float, pair: Pair) -> None:
    chance = random.Random(1)  # noqa: S311 - not for secrets
    pair.air.arrives = lambda _: chance.random() >= loss
    with Node(pair.a) as a, Node(pair.b) as b:
        for _ in range(5):
            a.renew()
            for _ in range(100):
                rounds(a, b, count=1)
                if not (a.wait_for_answers(0) or b.wait_for_answers(0)):
                    break
            assert _current(a) == _current(b)
    assert pair.air.nonces_repeated() == 0


FORMS = [
    {"level": 1},
    {"level": 7, "suite": "aes256", "key_id_mode": 3, "addresses": "extended"},
    {"suite": "grain128aead", "frame_version": 2015, "key_id_mode": 2},
]


@pytest.mark.parametrize("given", FORMS)
def test_all_forms_of_frames(given: dict[str, Any], air: Air, tmp_path: Path) -> None:
    """Also those that do not encrypt: no key is ever sent."""
    pair = made(tmp_path, air, "pair", given)
    with Node(pair.a) as a, Node(pair.b) as b:
        a.renew()
        rounds(b, a)
        assert a.wait_for_answers(0) == []
        new = _current(a)
        assert new == _current(b)
        assert not any(new in psdu for psdu in air.sent)


@pytest.mark.parametrize(
    ("given", "words"), [({"level": 4}, "authenticate"), ({"key_id_mode": 0}, "mode 0")]
)
def test_who_cannot_says_why(
    given: dict[str, Any], words: str, air: Air, tmp_path: Path
) -> None:
    del air
    a = tmp_path / "a"
    folders.make_pair(a, "ieee802154", given, allow_unauthenticated=True)
    with Node(a) as node, pytest.raises(NeighbourError, match=words):
        node.renew()


def test_the_derivation_is_hkdf() -> None:
    """As RFC 5869 has it, written out."""
    agreed = Agreed(7, b"A" * 16, b"B" * 16, b"asked by", b"answered", "aes128")
    secret = hmac.new(b"A" * 16 + b"B" * 16, b"k" * 16, hashlib.sha256).digest()
    info = b"samara ieee802154 renewal 1\0\0\0\x07asked byansweredaes128\x01"
    output = hmac.new(secret, info, hashlib.sha256).digest()
    assert derived(b"k" * 16, agreed) == output[:16]
    assert len(derived(b"k" * 32, agreed)) == 32
    changed = {
        derived(b"k" * 16, agreed),
        derived(b"l" * 16, agreed),
        derived(b"k" * 16, Agreed(8, b"A" * 16, b"B" * 16, b"", b"", "aes128")),
    }
    assert len(changed) == 3


# Counters that end


def _near_the_end(pair: Pair, left: int) -> None:
    number = Number(Quantity.SENT, pair.names[0] or "")
    with State(pair.a) as state:
        state.store({number: COUNTER_LIMIT - left})


@pytest.mark.parametrize("left", [RENEWED_BEFORE_END, KEPT_FOR_RENEWAL, 10])
def test_a_key_is_renewed_before_its_counter_ends(left: int, pair: Pair) -> None:
    _near_the_end(pair, left)
    with Node(pair.a) as a, Node(pair.b) as b:
        handed_on: list[object] = []
        pair.air.when_idle = lambda: handed_on.extend(b.receive(0))
        a.send(b"hello")
        handed_on += rounds(b)
        assert messages(handed_on) == [b"hello"]
        assert a.wait_for_answers(0) == []
    assert {key["generation"] for key in pair.shared()} == {1}
    with Node(pair.a) as a:
        counter = a.link._table.counter(pair.names[0])  # type: ignore[attr-defined] # noqa: SLF001
        assert counter.next < 10


@pytest.mark.parametrize("left", [RENEWED_BEFORE_END, KEPT_FOR_RENEWAL, 10])
def test_one_that_only_acknowledges_asks_for_a_new_key(left: int, pair: Pair) -> None:
    """And does not end when it cannot acknowledge any more."""
    _near_the_end(pair, left)
    with Node(pair.a) as a, Node(pair.b) as b:
        handed_on: list[object] = []
        pair.air.when_idle = _running(a, handed_on)
        b.send(b"hello", acknowledged=True)
        rounds(a, b)
        assert a.wait_for_answers(0) == b.wait_for_answers(0) == []
        assert messages(handed_on) == [b"hello"]
    assert {key["generation"] for key in pair.shared()} == {1}
    assert pair.air.nonces_repeated() == 0


def test_what_cannot_be_acknowledged_any_more_ends_nothing(
    pair: Pair, monkeypatch: pytest.MonkeyPatch
) -> None:
    _near_the_end(pair, KEPT_FOR_RENEWAL)
    with Node(pair.a) as a, Node(pair.b) as b:
        # As if the other one did not answer about keys.
        monkeypatch.setattr(renewing.Renewing, "ask_if_due", lambda _: None)
        steps = b.delivering(b"hello", acknowledged=True)
        next(steps)
        events = rounds(a)
        assert messages(events) == [b"hello"]
        assert any(
            "not acknowledged" in e.text for e in events if isinstance(e, Notice)
        )
        steps.close()


def test_a_counter_that_is_far_from_its_end_is_left_alone(pair: Pair) -> None:
    _near_the_end(pair, RENEWED_BEFORE_END + 1)
    with Node(pair.a) as a:
        a.send(b"hello")
        assert a.wait_for_answers(0) == []


def test_without_an_answer_the_last_values_are_kept(
    pair: Pair, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(timers, "REPEATED_AFTER_S", 0.2)
    _near_the_end(pair, KEPT_FOR_RENEWAL + 10)
    with Node(pair.a) as a:
        sent = 0
        with contextlib.suppress(CounterEndError):
            for sent in range(10):
                a.send(b"%d" % sent)
        # Of ten values three or so were for questions, each later than the one before.
        assert 3 <= sent < 10
        with pytest.raises(CounterEndError, match="samara node rekey"):
            a.send(b"one too many")
        with Node(pair.b) as b:
            a.renew()
            rounds(b, a)
            assert a.wait_for_answers(0) == []
            a.send(b"goes on")
            assert b"goes on" in messages(rounds(b))
    assert pair.air.nonces_repeated() == 0


# Killed at any point


@pytest.mark.slow
@pytest.mark.parametrize("victim", ["a", "b"])
@pytest.mark.parametrize("after", [False, True])
def test_killed_at_each_durable_write_it_converges(
    victim: str,
    after: bool,  # noqa: FBT001 - a parameter of the test
    air: Air,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """No nonce is used twice, and a message that is repeated arrives once."""
    writes = 0
    for at in range(100):
        folder = tmp_path / f"{at}"
        folder.mkdir()
        pair = made(folder, air, "pair" if at % 2 else "network", {})
        with monkeypatch.context() as patched:
            killer = Killer(patched, at, after)
            was_killed = _renewed_and_killed(pair, victim, killer)
        writes = max(writes, killer.writes)
        with Node(pair.a) as a, Node(pair.b) as b:
            handed_on: list[object] = []
            air.when_idle = _running(b, handed_on)
            a.send(b"it goes on", acknowledged=True)
            rounds(a, b, count=8)
            a.renew()
            rounds(a, b, count=8)
            assert a.wait_for_answers(0) == b.wait_for_answers(0) == []
            assert _current(a) == _current(b)
        assert messages(handed_on) == [b"it goes on"]
        assert air.nonces_repeated() == 0
        generations = {key["generation"] for key in pair.shared()}
        assert len(generations) == 1
        assert len(pair.shared()) == 2
        air.sent.clear()
        air.when_idle = lambda: None
        if not was_killed:
            break
    assert writes > 4


def _running(node: Node, handed_on: list[object]) -> Callable[[], None]:
    """Return what lets a node run."""
    return lambda: handed_on.extend(rounds(node, count=2))


def _renewed_and_killed(pair: Pair, victim: str, killer: Killer) -> bool:
    """Renew keys while both send; tell whether one was killed."""
    nodes = {"a": Node(pair.a), "b": Node(pair.b)}
    killer.victim = nodes[victim].state

    def renewed(nodes: dict[str, Node]) -> None:
        nodes["a"].send(b"one")
        nodes["b"].send(b"two")
        nodes["a"].renew()
        for _ in range(6):
            rounds(nodes["b"], nodes["a"], count=1)
        nodes["a"].send(b"three")
        rounds(nodes["b"], nodes["a"], count=2)

    return killed_during(renewed, nodes, victim)


# Beside what was there before


def test_new_keys_offline_take_the_place_of_those_agreed_on(
    air: Air, tmp_path: Path
) -> None:
    pair = made(tmp_path, air, "pair", {})
    with Node(pair.a) as a, Node(pair.b) as b:
        a.renew()
        rounds(b, a)
        assert a.wait_for_answers(0) == []
    assert json.loads((pair.a / "keys.json").read_text())["keys"] == {}
    rekeying.rekey(pair.a)
    assert not state_file.records_in(pair.a)
    folders.make_second(tmp_path / "c", pair.a, {})
    with Node(pair.a) as a, Node(tmp_path / "c") as c:
        c.send(b"hello")
        assert messages(rounds(a)) == [b"hello"]


def test_a_network_has_no_new_keys_offline(air: Air, tmp_path: Path) -> None:
    pair = made(tmp_path, air, "network", {})
    with pytest.raises(Exception, match="by invitation"):
        rekeying.rekey(pair.a)
    with Node(pair.a) as a:
        a.send(b"still here")
