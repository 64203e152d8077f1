# SPDX-License-Identifier: Apache-2.0
"""Joining and new keys by EDHOC: who records or stands in between gets nothing."""

from __future__ import annotations

import contextlib
import hashlib
import hmac
import random
import re
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import pytest
from killing import Killer, killed_during
from quiet_air import Air, abandon, rounds

from samara.edhoc.credentials import StaticKey
from samara.edhoc.exporting import Exporter
from samara.errors import MisuseError
from samara.link import ieee802154
from samara.link.ieee802154.frames.security import Security
from samara.link.ieee802154.keys import agreeing, control, newcomer_runs, timers
from samara.link.ieee802154.keys.agreeing import Agreeing, Ends, derived
from samara.link.ieee802154.keys.control import (
    EdhocAgain,
    EdhocAnswer,
    EdhocAsk,
    EdhocJoin,
    EdhocProof,
    Join,
    WelcomeToGroup,
)
from samara.link.ieee802154.keys.invitations import Invitation, InvitationError
from samara.link.ieee802154.keys.neighbours import SharedKey
from samara.link.node import folder as folders
from samara.link.node import inviting, joining, networks, state_file
from samara.link.node.comparing import code_of
from samara.link.node.events import Alarm
from samara.link.node.inviting import Invitation as Invited
from samara.link.node.inviting import InviteRequest
from samara.link.node.joining import Joined, JoinRequest
from samara.link.node.link import BROADCAST
from samara.link.node.node import Node, Notice, Received, Refused
from samara.records import Digest

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

    from samara.link.ieee802154.keys.control import Control

LINK = "ieee802154"


@pytest.fixture(autouse=True)
def no_pause(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let newcomers begin runs one right after another."""
    monkeypatch.setattr(newcomer_runs, "ANSWERED_AFTER_S", 0.0)


@dataclass
class Joining:
    """A hub, and a newcomer that has an invitation for EDHOC."""

    hub: Path
    bob: Path
    text: str
    air: Air


@pytest.fixture
def invited(air: Air, tmp_path: Path) -> Joining:
    return made(tmp_path, air, {})


def made(
    folder: Path, air: Air, given: dict[str, Any], *, group: bool = True
) -> Joining:
    hub, bob = folder / "hub", folder / "bob"
    networks.make(hub, LINK, None, given, group=group)
    text = networks.invite(hub, "bob", None, edhoc=True).text
    networks.join(bob, text, {}, edhoc=True)
    return Joining(hub, bob, text, air)


@pytest.fixture
def joined(invited: Joining) -> Joining:
    with Node(invited.hub) as hub, Node(invited.bob) as bob:
        rounds(bob, hub)
        assert bob.unsettled() == hub.unsettled() == []
    return invited


def key_of(node: Node) -> bytes:
    (neighbour,) = node.link._table.neighbours.values()  # type: ignore[attr-defined] # noqa: SLF001
    return bytes(neighbour.current.key)


def runs_of(hub: Node) -> dict[str, Any]:
    runs = hub.link._keys._accepting._runs  # type: ignore[attr-defined] # noqa: SLF001
    return dict(runs._runs)  # noqa: SLF001


def messages(events: Sequence[object]) -> list[bytes]:
    return [event.message for event in events if isinstance(event, Received)]


def refusals(events: Sequence[object]) -> list[Refused]:
    return [event for event in events if isinstance(event, Refused)]


def records_of(folder: Path) -> dict[str, Any]:
    return dict(state_file.records_in(folder))


def said_under(key: bytes, sent: list[bytes]) -> Iterator[tuple[bytes, bytes, Any]]:
    """Yield sender, payload and what was said of all frames that a key opens."""
    for psdu in sent:
        frame = ieee802154.parse(psdu[:-2])
        long = frame.source.long
        if long is None:
            continue
        pan = frame.destination.pan or 0
        reader = Security(bytes(8), pan, keys=1, devices=1)
        assert frame.security is not None
        reader.add_key(key, frame.security.key_id, cipher="aes128")
        reader.add_device(long, pan=pan)
        with contextlib.suppress(ieee802154.FrameError):
            payload = reader.open(psdu[:-2]).frame.payload
            yield long, payload, control.parse(payload)


# Joining


def test_a_newcomer_joins_and_both_have_a_key_of_no_invitation(
    invited: Joining,
) -> None:
    with Node(invited.hub) as hub, Node(invited.bob) as bob:
        (waits,) = bob.unsettled()
        assert waits == "hub has not answered the request to join"
        events = rounds(bob, hub)
        assert [type(each) for each in events] == [Notice]
        assert "bob has joined" in events[0].text
        assert bob.unsettled() == hub.unsettled() == []
        assert key_of(hub) == key_of(bob) != Invitation.of(invited.text).key
        hub.send(b"to bob", to="bob")
        hub.send(b"to all", to=BROADCAST)
        bob.send(b"to the hub")
        assert messages(rounds(bob, hub)) == [b"to bob", b"to all", b"to the hub"]
    assert invited.air.nonces_repeated() == 0
    neighbour = records_of(invited.bob)["neighbour hub"]
    assert [key["generation"] for key in neighbour["keys"]] == [1]
    assert not any(name.startswith("invitation") for name in records_of(invited.hub))


def test_who_has_the_invitation_later_reads_nothing(invited: Joining) -> None:
    """A recorder has all frames, the invitation, and what it can compute of them."""
    with Node(invited.hub) as hub, Node(invited.bob) as bob:
        rounds(bob, hub)
        hub.send(b"a secret", to="bob")
        bob.send(b"another secret")
        assert len(messages(rounds(bob, hub))) == 2
    invitation = Invitation.of(invited.text)
    found = list(said_under(invitation.key, invited.air.sent))
    # The run, and nothing else.
    assert {type(said) for _, _, said in found} <= {EdhocJoin, EdhocAnswer, EdhocProof}
    assert len(found) >= 2
    # The static key of the newcomer follows from the invitation, without more use.
    own = StaticKey.derived(invitation.key, b"newcomer")
    assert own.public not in b"".join(invited.air.sent)
    # Without EDHOC the same recorder reads the key of the group and all messages.
    text = networks.invite(invited.hub, "carol", None).text
    networks.join(invited.hub.with_name("carol"), text, {})
    sent = len(invited.air.sent)
    with Node(invited.hub) as hub, Node(invited.hub.with_name("carol")) as carol:
        rounds(carol, hub)
    found = list(said_under(Invitation.of(text).key, invited.air.sent[sent:]))
    assert Join in {type(said) for _, _, said in found}


def test_nothing_of_the_keys_before_is_left(joined: Joining) -> None:
    """Neither the private key of the invitation, nor a key that bob has joined with."""
    key = Invitation.of(joined.text).key.hex()
    for folder, is_hub in ((joined.hub, True), (joined.bob, False)):
        content = b"".join(each.read_bytes() for each in folder.iterdir())
        assert b'"static"' not in content
        # The hub keeps the key of the invitation, to recognise copies of it.
        assert (key.encode() in content) == is_hub


def test_a_copy_lets_nobody_stand_in_between(invited: Joining) -> None:
    """Who has the invitation can be the newcomer, but not the hub."""
    invitation = Invitation.of(invited.text)
    hub = records_of(invited.hub)
    name = f"invitation {invitation.id.hex()}"
    # Eve has all that the hub has, but its private key.
    eve = StaticKey.drawn()
    with Node(invited.hub) as pretends, Node(invited.bob) as bob:
        record = hub[name] | {"static": eve.private.hex()}
        pretends.state.store({}, {name: record})
        events = rounds(bob, pretends, count=3)
        (first, *_) = refusals(events)
        assert "hub has not proved who it is" in first.reason
        assert not messages(events)
        assert bob.unsettled()
        # Bob shows nothing, and takes the hub itself afterwards.
        found = said_under(invitation.key, invited.air.sent)
        assert EdhocProof not in {type(said) for _, _, said in found}
        pretends.state.store({}, {name: hub[name]})
        rounds(bob, pretends)
        assert bob.unsettled() == []


def test_a_request_without_edhoc_is_refused(invited: Joining) -> None:
    """Nobody makes the hub fall back to the key of the invitation."""
    invitation = Invitation.of(invited.text)
    plain = replace(invitation, credential=b"").text
    mallory = invited.hub.with_name("mallory")
    folders_of_bob = records_of(invited.bob)
    assert folders_of_bob["neighbour hub"]["edhoc"] is True
    for each in (invited.bob,):
        _remove(each)
    networks.join(mallory, plain, {})
    with Node(invited.hub) as hub, Node(mallory) as node:
        events = rounds(node, hub, count=2)
        assert "has not asked to join" in refusals(events)[0].reason
        assert node.unsettled()
        assert hub.link._table.neighbours == {}  # type: ignore[attr-defined] # noqa: SLF001


def _remove(folder: Path) -> None:
    """Remove a node as if it had been made on another machine."""
    identity = folders.read(folder).identity
    from samara.link.node import witness  # noqa: PLC0415 - for this alone

    witness.Witness.remove(witness.default_folder(), identity)
    folder.rename(folder.with_name(f"{folder.name}-elsewhere"))


def test_a_second_node_with_the_invitation_is_refused_also_after_new_keys(
    joined: Joining, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "other"))
    networks.join(tmp_path / "mallory", joined.text, {})
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "xdg"))
    with Node(joined.hub) as hub, Node(joined.bob) as bob:
        hub.renew("bob")
        rounds(hub, bob)
        assert hub.unsettled() == []
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "other"))
    mallory = Node(tmp_path / "mallory")
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "xdg"))
    with Node(joined.hub) as hub, mallory:
        events = rounds(mallory, hub, count=3)
        copied = [e for e in refusals(events) if e.kind is Alarm.COPIED_INVITATION]
        assert copied
        assert any("used already" in e.reason for e in refusals(events))
        assert any("used already" in each for each in mallory.refused(["hub"]))
    assert joined.air.nonces_repeated() == 0


def test_an_expired_invitation_is_refused(invited: Joining) -> None:
    name = f"invitation {Invitation.of(invited.text).id.hex()}"
    with Node(invited.hub) as hub, Node(invited.bob) as bob:
        record = records_of(invited.hub)[name]
        hub.state.store({}, {name: record | {"ends_s": 1}})
        events = rounds(bob, hub, count=2)
        assert Alarm.EXPIRED_INVITATION in {each.kind for each in refusals(events)}
        assert any("has expired" in each for each in bob.refused(["hub"]))


def test_replayed_frames_of_a_newcomer_have_no_effect(invited: Joining) -> None:
    with Node(invited.hub) as hub, Node(invited.bob) as bob:
        bob.receive(0)
        (request,) = invited.air.sent
        hub.receive(0)
        (run,) = runs_of(hub).values()
        before = len(invited.air.sent)
        invited.air.hear_again(request)
        assert Alarm.STRANGER in {each.kind for each in refusals(hub.receive(0))}
        assert len(invited.air.sent) == before
        assert list(runs_of(hub).values()) == [run]
        rounds(bob, hub)
        assert bob.unsettled() == []
        # Nor later, when the newcomer is a neighbour.
        recorded = list(invited.air.sent)
        for psdu in recorded:
            invited.air.hear_again(psdu)
        key = key_of(hub)
        assert not messages(rounds(hub, bob))
        assert key_of(hub) == key_of(bob) == key


def test_runs_with_one_invitation_are_bounded(
    invited: Joining, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Who has a copy makes the hub compute twice a second, not more."""
    monkeypatch.setattr(newcomer_runs, "ANSWERED_AFTER_S", 3600.0)
    with Node(invited.hub) as hub, Node(invited.bob) as bob:
        for _ in range(5):
            link: Any = bob.link
            link._keys._exchanges._exchanges[2]._begun.clear()  # noqa: SLF001
            rounds(bob, hub, count=1)
            link._mac._radio.waiting.clear()  # noqa: SLF001
        answers = [psdu for psdu in invited.air.sent if len(psdu) > 80]
        assert len(answers) == 1


@pytest.mark.parametrize("loss", [0.3, 0.6])
def test_joining_converges_whatever_is_lost(loss: float, invited: Joining) -> None:
    chance = random.Random(2)  # noqa: S311 - not for secrets
    invited.air.arrives = lambda _: chance.random() >= loss
    with Node(invited.hub) as hub, Node(invited.bob) as bob:
        events = []
        for _ in range(200):
            events += rounds(bob, hub, count=1)
            if not (bob.unsettled() or hub.unsettled()):
                break
        assert bob.unsettled() == hub.unsettled() == []
        assert key_of(hub) == key_of(bob)
        # No step of a newcomer looks like an attack.
        assert not refusals(events)
    assert invited.air.nonces_repeated() == 0


def test_frames_that_come_twice_change_nothing(invited: Joining) -> None:
    """Each frame arrives, and once more when the next one is sent."""
    with Node(invited.hub) as hub, Node(invited.bob) as bob:
        for _ in range(12):
            count = len(invited.air.sent)
            rounds(bob, hub, count=1)
            for psdu in invited.air.sent[count:]:
                invited.air.hear_again(psdu)
        assert bob.unsettled() == hub.unsettled() == []
        assert key_of(hub) == key_of(bob)


KILLED = [(victim, after) for victim in ("hub", "bob") for after in (False, True)]


@pytest.mark.slow
@pytest.mark.parametrize(("victim", "after"), KILLED)
def test_killed_at_each_durable_write_joining_converges(
    victim: str,
    after: bool,  # noqa: FBT001 - a parameter of the test
    air: Air,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    killer = Killer(monkeypatch, after=after)
    for number in range(30):
        case = made(_new(tmp_path, number), air, {})
        if not _joins_with_a_kill(case, killer, victim, number):
            break
    else:
        pytest.fail("there is always one more durable write")
    assert number >= 3
    assert air.nonces_repeated() == 0


def _new(folder: Path, number: int) -> Path:
    made = folder / str(number)
    made.mkdir()
    return made


def _join(nodes: dict[str, Node]) -> None:
    rounds(nodes["bob"], nodes["hub"], count=8)


def _joins_with_a_kill(case: Joining, killer: Killer, victim: str, at: int) -> bool:
    paths = {"hub": case.hub, "bob": case.bob}
    nodes = {name: Node(path) for name, path in paths.items()}
    killer.at, killer.writes, killer.victim = at, 0, nodes[victim].state
    was_killed = killed_during(_join, nodes, victim)
    killer.at, killer.victim = -1, None
    with Node(case.hub) as hub, Node(case.bob) as bob:
        rounds(bob, hub, count=12)
        assert bob.unsettled() == hub.unsettled() == []
        assert key_of(hub) == key_of(bob)
        hub.send(b"still heard", to="bob")
        assert messages(rounds(bob)) == [b"still heard"]
    return was_killed


@pytest.mark.parametrize("at", range(12))
def test_killed_between_any_two_rounds_joining_converges(
    at: int, invited: Joining
) -> None:
    """Ephemeral keys are gone then: another run begins."""
    for victim in ("hub", "bob"):
        nodes = {"hub": Node(invited.hub), "bob": Node(invited.bob)}
        for name in ("bob", "hub") * at:
            nodes[name].receive(0)
            if len(invited.air.sent) > at:
                break
        abandon(nodes.pop(victim))
        for node in nodes.values():
            node.close()
    with Node(invited.hub) as hub, Node(invited.bob) as bob:
        rounds(bob, hub, count=12)
        assert bob.unsettled() == hub.unsettled() == []
        assert key_of(hub) == key_of(bob)
    assert invited.air.nonces_repeated() == 0


FORMS = [
    {"level": 5, "suite": "aes256", "key_id_mode": 3, "addresses": "extended"},
    {"suite": "grain128aead", "frame_version": 2015, "key_id_mode": 2},
    {"level": 7, "frame_version": 2015, "key_id_mode": 3, "addresses": "extended"},
]


@pytest.mark.parametrize("given", FORMS)
def test_all_forms_of_frames(given: dict[str, Any], air: Air, tmp_path: Path) -> None:
    case = made(tmp_path, air, given)
    with Node(case.hub) as hub, Node(case.bob) as bob:
        rounds(bob, hub)
        assert bob.unsettled() == hub.unsettled() == []
        hub.renew("bob")
        rounds(hub, bob)
        assert hub.unsettled() == []
        assert key_of(hub) == key_of(bob)


def test_levels_without_encryption_join_too(air: Air, tmp_path: Path) -> None:
    """No key is ever sent."""
    case = made(tmp_path, air, {"level": 2}, group=False)
    with Node(case.hub) as hub, Node(case.bob) as bob:
        rounds(bob, hub)
        assert bob.unsettled() == []
        assert not any(key_of(hub) in psdu for psdu in air.sent)


# Invitations


def test_an_invitation_says_that_it_is_for_edhoc(air: Air, tmp_path: Path) -> None:
    del air
    networks.make(tmp_path / "hub", LINK, None, {})
    text = networks.invite(tmp_path / "hub", "bob", None, edhoc=True).text
    assert text.startswith("SAMARA2:")
    read = Invitation.of(text)
    assert read.text == text
    assert len(read.credential) == 32
    plain = networks.invite(tmp_path / "hub", "carol", None).text
    assert plain.startswith("SAMARA1:")
    assert len(text) - len(plain) < 60
    for wrong in (
        text.replace("SAMARA2", "SAMARA1"),
        plain.replace("SAMARA1", "SAMARA2"),
        replace(read, credential=read.credential[:-1]).text,
    ):
        with pytest.raises(InvitationError, match="SAMARA1: or SAMARA2:"):
            Invitation.of(wrong)


def test_join_refuses_an_invitation_that_is_not_for_edhoc(
    air: Air, tmp_path: Path
) -> None:
    del air
    networks.make(tmp_path / "hub", LINK, None, {})
    text = networks.invite(tmp_path / "hub", "bob", None).text
    with pytest.raises(MisuseError, match="not one for EDHOC"):
        networks.join(tmp_path / "bob", text, {}, edhoc=True)
    assert not (tmp_path / "bob").exists()


def test_frames_must_name_their_key(air: Air, tmp_path: Path) -> None:
    del air
    networks.make(tmp_path / "hub", LINK, None, {"key_id_mode": 0})
    with pytest.raises(MisuseError, match="key-id-mode 1, 2 or 3"):
        networks.invite(tmp_path / "hub", "bob", None, edhoc=True)


def test_both_print_the_same_code_of_an_invitation(air: Air, tmp_path: Path) -> None:
    """And another one of another invitation; nothing of it is secret."""
    del air
    networks.make(tmp_path / "hub", LINK, None, {})
    file = tmp_path / "bob.invitation"
    request = InviteRequest(node=tmp_path / "hub", name="bob", output=file, edhoc=True)
    (invited,) = of_kind(Invited, inviting.invite(request))
    text = file.read_text(encoding="ascii")
    assert invited.code == code_of(text)
    assert re.fullmatch(r"([A-Z2-7]{4}-){3}[A-Z2-7]{4}", invited.code)
    replaced = Invitation.of(text)
    replaced = replace(replaced, credential=StaticKey.drawn().public)
    assert code_of(replaced.text) != invited.code
    asked = JoinRequest(node=tmp_path / "bob", invitation=file, edhoc=True, timeout_s=0)
    (made,) = of_kind(Joined, joining.join(asked))
    assert made.code == invited.code
    assert not file.exists()
    plain = InviteRequest(node=tmp_path / "hub", name="carol", text=True)
    (other,) = of_kind(Invited, inviting.invite(plain))
    assert other.code is None


def of_kind(kind: type[Any], answer: Iterator[Any]) -> list[Any]:
    """Return the records of a kind in an answer of a room."""
    digests = [each for each in answer if isinstance(each, Digest)]
    records = [record for digest in digests for record in digest.records]
    return [each for each in records if isinstance(each, kind)]


# New keys


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
        assert [each.generation for each in _keys(a)] == [1]
        # Each further key by itself.
        b.renew()
        rounds(a, b)
        assert key_of(a) == key_of(b) != new
        assert [each.generation for each in _keys(a)] == [2]
    assert pair.air.nonces_repeated() == 0


def _keys(node: Node) -> tuple[Any, ...]:
    (neighbour,) = node.link._table.neighbours.values()  # type: ignore[attr-defined] # noqa: SLF001
    return tuple(neighbour.keys)


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


def test_who_has_forgotten_a_newcomer_keeps_no_counter_of_its_invitation(
    joined: Joining,
) -> None:
    assert any(each.peer == "bob" for each in state_file.numbers_in(joined.hub))
    networks.forget(joined.hub, "bob")
    left = [e for e in state_file.numbers_in(joined.hub) if e.peer == "bob"]
    assert left == []


def test_no_group_key_is_taken_before_the_run_is_over(invited: Joining) -> None:
    """Who has the invitation may send a welcome in the name of the hub."""
    invitation = Invitation.of(invited.text)
    with Node(invited.hub) as hub, Node(invited.bob) as bob:
        bob.receive(0)
        extended = ieee802154.parse(invited.air.sent[0][:-2]).source.long
        assert extended is not None
        for welcome in (control.Welcome(), WelcomeToGroup.of(bytes(16), 0, 0)):
            key = SharedKey(invitation.key)
            hub.link._answer(welcome, "bob", key, extended)  # type: ignore[attr-defined] # noqa: SLF001
            bob.receive(0)
        assert bob.unsettled()
        assert "group" not in records_of(invited.bob)
        rounds(bob, hub)
        assert bob.unsettled() == []


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
            assert [each.generation for each in _keys(a)] == [number + 1]
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
        next_key = next(each.key for each in _keys(a) if each.role == "next")
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
        (lost,) = [each.key for each in _keys(a) if each.role == "next"]
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
        assert [each.generation for each in _keys(a)] == [0]
        rounds(b, a)
        assert a.unsettled() == b.unsettled() == []
