# SPDX-License-Identifier: Apache-2.0
"""Joining by EDHOC: who records or stands in between gets nothing."""

from __future__ import annotations

import random
import re
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pytest
from edhoc_nodes import (
    LINK,
    Joining,
    join,
    key_of,
    made,
    messages,
    records_of,
    refusals,
    said_under,
)
from killing import Killer, killed_during
from quiet_air import Air, abandon, rounds

from samara.edhoc.credentials import StaticKey
from samara.errors import MisuseError
from samara.link import ieee802154
from samara.link.ieee802154.keys import control, newcomer_runs
from samara.link.ieee802154.keys.control import (
    EdhocAnswer,
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
from samara.link.node.node import Node, Notice
from samara.records import Digest

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path


@pytest.fixture(autouse=True)
def no_pause(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let newcomers begin runs one right after another."""
    monkeypatch.setattr(newcomer_runs, "ANSWERED_AFTER_S", 0.0)


@pytest.fixture
def invited(air: Air, tmp_path: Path) -> Joining:
    return made(tmp_path, air, {})


@pytest.fixture
def joined(invited: Joining) -> Joining:
    join(invited)
    return invited


def runs_of(hub: Node) -> dict[str, Any]:
    runs = hub.link._keys._accepting._runs  # type: ignore[attr-defined] # noqa: SLF001
    return dict(runs._runs)  # noqa: SLF001


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
