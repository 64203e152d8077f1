# SPDX-License-Identifier: Apache-2.0
"""New keys by EDHOC: who records, or has the old key, gets nothing."""

from __future__ import annotations

import hashlib
import hmac
import random
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pytest
from edhoc_nodes import (
    LINK,
    Joining,
    join,
    key_of,
    keys_of,
    made,
    messages,
    refusals,
)
from quiet_air import Air, abandon, rounds

from samara.edhoc.credentials import StaticKey
from samara.edhoc.exporting import Exporter
from samara.link.ieee802154.keys import agreeing, control, timers
from samara.link.ieee802154.keys.agreeing import Agreeing, Ends, derived
from samara.link.ieee802154.keys.control import (
    EdhocAgain,
    EdhocAnswer,
    EdhocAsk,
    EdhocJoin,
    EdhocProof,
)
from samara.link.node import folder as folders
from samara.link.node import networks
from samara.link.node.node import Node

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from samara.link.ieee802154.keys.control import Control


@pytest.fixture
def joined(air: Air, tmp_path: Path) -> Joining:
    case = made(tmp_path, air, {})
    join(case)
    return case


def test_new_keys_of_who_has_joined_so_come_by_edhoc(joined: Joining) -> None:
    with Node(joined.hub) as hub, Node(joined.bob) as bob:
        before, count = key_of(hub), len(joined.air.sent)
        bob.renew()
        rounds(bob, hub)
        assert bob.unsettled() == hub.unsettled() == []
        assert key_of(hub) == key_of(bob) != before
        sizes = {len(psdu) for psdu in joined.air.sent[count:]}
        assert max(sizes) > 70
        hub.send(b"after", to="bob")
        assert messages(rounds(bob)) == [b"after"]
    for folder in (joined.hub, joined.bob):
        content = b"".join(each.read_bytes() for each in folder.iterdir())
        assert before.hex().encode() not in content
    assert joined.air.nonces_repeated() == 0


@pytest.fixture(params=["pair", "network"])
def pair(request: pytest.FixtureRequest, air: Air, tmp_path: Path) -> Joining:
    """Return two nodes that have not joined by EDHOC."""
    a, b = tmp_path / "a", tmp_path / "b"
    if request.param == "pair":
        folders.make_pair(a, LINK, {})
        folders.make_second(b, a, {})
        return Joining(a, b, "", air)
    networks.make(a, LINK, None, {})
    text = networks.invite(a, "b", None).text
    networks.join(b, text, {})
    with Node(a) as one, Node(b) as other:
        rounds(other, one)
    return Joining(a, b, text, air)


def test_who_records_and_learns_the_old_key_has_not_the_new_one(pair: Joining) -> None:
    """Unlike a renewal without EDHOC, which the same recorder computes."""
    with Node(pair.hub) as a, Node(pair.bob) as b:
        old = key_of(a)
        a.renew(edhoc=True)
        rounds(b, a)
        assert a.unsettled() == b.unsettled() == []
        new = key_of(a)
        assert new == key_of(b) != old
        assert [each.generation for each in keys_of(a)] == [1]
        # Each further key by itself.
        b.renew()
        rounds(a, b)
        assert key_of(a) == key_of(b) != new
        assert [each.generation for each in keys_of(a)] == [2]
    assert pair.air.nonces_repeated() == 0


def test_the_derivation_is_hkdf() -> None:
    """As RFC 5869 has it, written out; the old key counts as well as the run."""
    exporter, ends = Exporter(bytes(32)), Ends(7, b"asked by", b"answered", "aes128")
    label = b"samara ieee802154 edhoc 1"
    exported = exporter.export(32768, label, 32)
    secret = hmac.new(b"k" * 16, exported, hashlib.sha256).digest()
    info = label + b"\0\0\0\x07asked byansweredaes128\x01"
    output = hmac.new(secret, info, hashlib.sha256).digest()
    assert derived(b"k" * 16, exporter, ends) == output[:16]
    others = {
        derived(b"l" * 16, exporter, ends),
        derived(b"k" * 16, Exporter(b"\1" * 32), ends),
        derived(b"k" * 16, exporter, replace(ends, generation=8)),
        derived(b"k" * 16, exporter, replace(ends, asked_by=b"other by")),
        output[:16],
    }
    assert len(others) == 5
    assert len(derived(b"k" * 32, exporter, ends)) == 32


@pytest.mark.parametrize("kinds", [(True, True), (True, False), (False, True)])
@pytest.mark.parametrize("order", ["ab", "ba", "aabb", "abba", "bbaa"])
def test_both_ask_at_once(kinds: tuple[bool, bool], order: str, pair: Joining) -> None:
    """By EDHOC both, or one of them; whoever hears the other first."""
    with Node(pair.hub) as a, Node(pair.bob) as b:
        nodes = {"a": a, "b": b}
        a.renew(edhoc=kinds[0])
        b.renew(edhoc=kinds[1])
        for _ in range(10):
            for each in order:
                nodes[each].receive(0)
        assert a.unsettled() == b.unsettled() == []
        assert key_of(a) == key_of(b)
        a.send(b"hello")
        assert messages(rounds(b)) == [b"hello"]
    assert pair.air.nonces_repeated() == 0


def _of_edhoc(node: Node) -> Any:  # noqa: ANN401 - an exchange
    engine = node.link._keys._exchanges  # type: ignore[attr-defined] # noqa: SLF001
    exchanges = engine._exchanges  # noqa: SLF001
    return next(each for each in exchanges if isinstance(each, Agreeing))


@pytest.fixture
def overtaking(air: Air, tmp_path: Path) -> Iterator[tuple[Node, Node]]:
    """Yield two nodes that take frames in any order, the lower address first."""
    del air
    a, b = tmp_path / "a", tmp_path / "b"
    folders.make_pair(a, LINK, {"late_frames": True})
    folders.make_second(b, a, {"late_frames": True})
    with Node(a) as one, Node(b) as other:
        addresses = {_of_edhoc(node)._own: node for node in (one, other)}  # noqa: SLF001
        lower, higher = (addresses[each] for each in sorted(addresses))
        yield lower, higher


def _waiting(node: Node) -> list[bytes]:
    radio = node.link._mac._radio  # type: ignore[attr-defined] # noqa: SLF001
    waiting: list[bytes] = radio.waiting
    return waiting


def test_of_two_proofs_that_cross_one_counts(
    overtaking: tuple[Node, Node], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each answers the other's first message before it hears the answer to its own."""
    lower, higher = overtaking
    monkeypatch.setattr(timers, "REPEATED_AFTER_S", 60.0)
    higher.renew(edhoc=True)
    lower.receive(0)
    lower.renew(edhoc=True)
    answer, asked = _waiting(higher)
    # The answer is overtaken by the question.
    _waiting(higher)[:] = [asked, answer]
    higher.receive(0)
    assert len(_waiting(lower)) == 2
    lower.receive(0)
    monkeypatch.setattr(timers, "REPEATED_AFTER_S", 0.0)
    rounds(lower, higher, count=12)
    assert lower.unsettled() == higher.unsettled() == []
    assert key_of(lower) == key_of(higher)
    lower.send(b"hello")
    higher.send(b"back")
    assert messages(rounds(lower, higher)) == [b"back", b"hello"]


def test_an_answer_that_a_question_without_edhoc_overtakes_is_ignored(
    overtaking: tuple[Node, Node], monkeypatch: pytest.MonkeyPatch
) -> None:
    lower, higher = overtaking
    monkeypatch.setattr(timers, "REPEATED_AFTER_S", 60.0)
    higher.renew(edhoc=True)
    lower.receive(0)
    lower.renew()
    answer, asked = _waiting(higher)
    _waiting(higher)[:] = [asked, answer]
    higher.receive(0)
    (neighbour,) = higher.link._table.neighbours.values()  # type: ignore[attr-defined] # noqa: SLF001
    assert neighbour.renewal is not None
    assert not neighbour.renewal.proof
    monkeypatch.setattr(timers, "REPEATED_AFTER_S", 0.0)
    rounds(lower, higher)
    assert lower.unsettled() == higher.unsettled() == []
    assert key_of(lower) == key_of(higher)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(30))
def test_crossing_runs_converge_whatever_is_lost(seed: int, pair: Joining) -> None:
    """Runs that cross, with and without EDHOC, losses, repetitions and kills."""
    chance = random.Random(seed)  # noqa: S311 - not for secrets
    pair.air.arrives = lambda _: chance.random() < 0.7
    paths = {"a": pair.hub, "b": pair.bob}
    nodes = {name: Node(path) for name, path in paths.items()}
    for _ in range(40):
        name = chance.choice("ab")
        match chance.randrange(12):
            case 0:
                nodes[name].renew(edhoc=True)
            case 1:
                nodes[name].renew()
            case 2:
                abandon(nodes[name])
                nodes[name] = Node(paths[name])
            case 3 if pair.air.sent:
                pair.air.hear_again(chance.choice(pair.air.sent))
            case _:
                nodes[name].receive(0)
    pair.air.arrives = lambda _: True
    rounds(*nodes.values(), count=20)
    a, b = nodes.values()
    assert a.unsettled() == b.unsettled() == []
    assert key_of(a) == key_of(b)
    a.send(b"hello")
    assert messages(rounds(b)) == [b"hello"]
    for node in nodes.values():
        node.close()
    assert pair.air.nonces_repeated() == 0


@pytest.mark.parametrize("loss", [0.3, 0.6])
def test_new_keys_converge_whatever_is_lost(loss: float, pair: Joining) -> None:
    chance = random.Random(3)  # noqa: S311 - not for secrets
    pair.air.arrives = lambda _: chance.random() >= loss
    with Node(pair.hub) as a, Node(pair.bob) as b:
        for number in range(5):
            a.renew(edhoc=True)
            for _ in range(200):
                rounds(a, b, count=1)
                if not (a.unsettled() or b.unsettled()):
                    break
            assert key_of(a) == key_of(b)
            assert [each.generation for each in keys_of(a)] == [number + 1]
    assert pair.air.nonces_repeated() == 0


def test_who_is_killed_after_its_proof_repeats_the_same(
    pair: Joining, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(timers, "REPEATED_AFTER_S", 60.0)
    with Node(pair.bob) as b:
        a = Node(pair.hub)
        a.renew(edhoc=True)
        b.receive(0)
        a.receive(0)
        proof = pair.air.sent[-1]
        pair.air.radios[0].waiting.clear()
        next_key = next(each.key for each in keys_of(a) if each.role == "next")
        abandon(a)
        with Node(pair.hub) as again:
            again.receive(0)
            assert len(pair.air.sent[-1]) == len(proof)
            rounds(b, again)
            assert again.unsettled() == b.unsettled() == []
            assert key_of(b) == key_of(again) == next_key


def test_who_knows_nothing_of_a_run_says_so_and_another_begins(pair: Joining) -> None:
    with Node(pair.hub) as a:
        b = Node(pair.bob)
        a.renew(edhoc=True)
        b.receive(0)
        abandon(b)
        # a stores a key that b cannot have.
        a.receive(0)
        (lost,) = [each.key for each in keys_of(a) if each.role == "next"]
        with Node(pair.bob) as again:
            rounds(again, a)
            assert a.unsettled() == again.unsettled() == []
            assert key_of(a) == key_of(again) != lost
    assert pair.air.nonces_repeated() == 0


def test_hostile_messages_of_a_neighbour_end_nothing(pair: Joining) -> None:
    """What has the right key and size, and is no message of a run."""
    hostile: list[Control] = [
        EdhocAsk(1, bytes(37)),
        EdhocAsk(1, bytes.fromhex("03025820") + b"\xff" * 32 + b"\0"),
        EdhocAsk(7, bytes(37)),
        EdhocJoin(bytes(8), bytes(37)),
        EdhocAnswer(1, bytes(4), bytes(45)),
        EdhocProof(1, bytes(19)),
        EdhocProof(0, bytes(19)),
        EdhocProof(9, bytes(19)),
        EdhocAgain(1, bytes(4)),
    ]
    with Node(pair.hub) as a, Node(pair.bob) as b:
        before = key_of(b)
        for said in hostile:
            a.send(control.build(said))
            b.receive(0)
        rounds(a, b)
        assert key_of(a) == key_of(b) == before
        b.renew(edhoc=True)
        for said in hostile:
            a.send(control.build(said))
        rounds(b, a)
        assert a.unsettled() == b.unsettled() == []
        assert key_of(a) == key_of(b) != before


def test_a_wrong_answer_has_no_effect_but_another_run(
    pair: Joining, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As of one that has the key of the pair, and not the static keys."""
    wrong = StaticKey.drawn()
    with Node(pair.hub) as a, Node(pair.bob) as b:
        with monkeypatch.context() as patch:
            answers = agreeing.responder_to
            patch.setattr(
                agreeing,
                "responder_to",
                lambda shared, first: answers(shared, first, wrong.private),
            )
            a.renew(edhoc=True)
            events = rounds(b, a, count=1)
        assert "has not proved who it is" in refusals(events)[0].reason
        assert [each.generation for each in keys_of(a)] == [0]
        rounds(b, a)
        assert a.unsettled() == b.unsettled() == []
